// Which elements can be evaluated side by side: those that write to different nodes and rows.
#pragma once

#include <vector>

#include <polhode/system/elements.hpp>

namespace polhode {

/// The elements of a system in tasks, and these in phases: the tasks of a phase share no node but the ground, and no row. Nodes are in
/// parts; the first phase has a task for what is inside each part, the next ones have tasks for what ties two parts, and the last one
/// does the rest: what ties more than two, what is too little to be shared, and what a program of the user computes. It depends on the model alone.
struct ElementTasks {
  /// Of an array of elements: task t does those with the indices order[first[t]] to order[first[t + 1] - 1].
  struct List {
    std::vector<int> order, first;
  };
  static constexpr int all = -1;  ///< the task that does everything

  std::vector<int> phases;        ///< the first task of each phase, and the number of tasks; empty: not divided
  std::vector<List> joints, coordinate_rows, elastic;  ///< of each array

  bool empty() const { return phases.empty(); }

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
