// Which elements can be evaluated side by side: those that write to different nodes and rows.
#pragma once

#include <span>
#include <vector>

namespace polhode {

/// The elements of a set in tasks; these in lines, one after another; and these in phases: the lines of a phase share
/// no node but the ground, and no row. Nodes are in parts. The first phase has a line for what is inside each part, the
/// next ones have lines for what ties two parts, and the last one does the rest: what ties more than two, what is too
/// little to be shared, and what a user callback computes.
/// It depends on the model alone.
/// A task of the first phase belongs to some hundred nodes, and comes after those before it in its line: what is
/// computed for these nodes is still in the cache when the elements on them ask for it.
struct ElementTasks {
  /// Of an array of elements: task t does those with the indices order[first[t]] to order[first[t + 1] - 1].
  struct List {
    std::vector<int> order, first;
  };
  static constexpr int all = -1;  ///< the task that does everything

  std::vector<int> phases;  ///< the first line of each phase, and the number of lines; empty: not divided
  std::vector<int> lines;   ///< the first task of each line, and the number of tasks
  std::vector<int> nodes,
      first_node;  ///< of task t of the first phase: nodes[first_node[t]] to nodes[first_node[t + 1] - 1]

  bool empty() const { return phases.empty(); }
  /// None after the first phase.
  std::span<const int> nodes_of(int task) const {
    if (task + 1 >= static_cast<int>(first_node.size())) return {};
    return std::span(nodes).subspan(first_node[task], first_node[task + 1] - first_node[task]);
  }
};

}  // namespace polhode
