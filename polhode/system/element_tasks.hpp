// Which elements can be evaluated side by side: those that write to different nodes and rows.
#pragma once

#include <span>
#include <vector>

#include <polhode/system/elements.hpp>

namespace polhode {

/// The elements of a system in tasks; these in lines, one after another; and these in phases: the lines of a phase share no node but the
/// ground, and no row. Nodes are in parts. The first phase has a line for what is inside each part, the next ones have lines for what ties
/// two parts, and the last one does the rest: what ties more than two, what is too little to be shared, and what a program of the user
/// computes. It depends on the model alone.
/// A task of the first phase belongs to some hundred nodes, and comes after those before it in its line: what is computed for these nodes
/// is still in the cache when the elements on them ask for it.
struct ElementTasks {
  /// Of an array of elements: task t does those with the indices order[first[t]] to order[first[t + 1] - 1].
  struct List {
    std::vector<int> order, first;
  };
  static constexpr int all = -1;  ///< the task that does everything

  std::vector<int> phases;        ///< the first line of each phase, and the number of lines; empty: not divided
  std::vector<int> lines;         ///< the first task of each line, and the number of tasks
  std::vector<int> nodes, first_node;  ///< of task t of the first phase: nodes[first_node[t]] to nodes[first_node[t + 1] - 1]
  std::vector<List> joints, coordinate_rows, elastic;  ///< of each array

  bool empty() const { return phases.empty(); }
  /// None after the first phase.
  std::span<const int> nodes_of(int task) const {
    if (task + 1 >= static_cast<int>(first_node.size())) return {};
    return std::span(nodes).subspan(first_node[task], first_node[task + 1] - first_node[task]);
  }

  /// f(e, k) with the elements of a task, and which of all in `arrays` they are.
  template <class Tuple, class F>
  static void for_each(Tuple& arrays, const std::vector<List>& lists, int task, F&& f) {
    int kind = 0, before = 0;
    const auto one = [&](auto& array) {
      if (array.empty()) {  // most are
        ++kind;
        return;
      }
      const List* const list = task == all ? nullptr : &lists[kind];
      const int end = list ? list->first[task + 1] : static_cast<int>(array.size());
      for (int k = list ? list->first[task] : 0; k < end; ++k) {
        const int i = list ? list->order[k] : k;
        f(array[i], before + i);
      }
      ++kind;
      before += static_cast<int>(array.size());
    };
    std::apply([&](auto&... array) { (one(array), ...); }, arrays);
  }
};

}  // namespace polhode
