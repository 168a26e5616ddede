// Which steps of an elimination do not need each other.
#pragma once

#include <vector>

#include <polhode/solve/block_matrix.hpp>
#include <polhode/solve/elimination.hpp>

namespace polhode {

constexpr int trunk = -1;

/// The part of each elimination step, from 0 on, or `trunk`. An elimination writes to the groups that it is coupled
/// with by then; the first of these to be eliminated is its parent, and the others are among the parent's ancestors. So
/// subtrees need nothing from each other.
/// Those of limited weight are packed into at most `parts` parts; what is above them is the trunk, which comes after
/// all parts.
/// Empty if most of the work is on one path, as in a chain.
std::vector<int> divide_elimination(const BlockPattern& pattern, const std::vector<Elimination>& plan, int parts);

}  // namespace polhode
