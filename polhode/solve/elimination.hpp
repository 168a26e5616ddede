// The order in which the groups of a block matrix are eliminated: leaf to root, body then joint; loops close last.
#pragma once

#include <vector>

#include <polhode/solve/block_matrix.hpp>

namespace polhode {

/// One elimination: the group, and the later groups that it is coupled with by then.
struct Elimination {
  int group = 0;
  bool closing = false;  ///< a bound group that closes a loop: its rank is revealed, not assumed
  std::vector<int> later;
};

/// Plans the elimination of all groups. The bound groups of a spanning forest, rooted at the ground, are eliminated
/// right after the free group below them: that pivot is -B K^-1 F with K the (articulated) inertia of that body, which
/// has full rank whenever the joint's own rows have. Every other bound group closes a loop; it is eliminated as soon as
/// its loop is complete, when the Schur complement shows what the loop leaves free: redundancy is seen there, and only
/// there. Of the free groups that are leaves by then, the one with the fewest neighbours goes first. Of several
/// spanning forests the one with the least fill is taken.
std::vector<Elimination> plan_elimination(const BlockPattern& pattern);

}  // namespace polhode
