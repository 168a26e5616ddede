#include <polhode/solve/elimination.hpp>

#include <algorithm>
#include <queue>
#include <set>

namespace polhode {
namespace {

constexpr int no_parent = -1;  ///< a root: it hangs on the ground, or floats

/// A spanning forest of the free groups, grown along bound groups that tie two of them: from all that is joined to the
/// ground at once, or from one group after another.
enum class Growth { from_ground, one_by_one };

struct Forest {
  std::vector<int> parent, depth, joint;  ///< of each group; joint: the bound group towards the parent, or -1
  std::vector<int> children;              ///< how many
  std::vector<char> in_tree;              ///< bound groups that are edges of the forest
};

Forest grow_forest(const BlockPattern& pattern, Growth growth) {
  const int n = static_cast<int>(pattern.groups.size());
  Forest forest{std::vector<int>(n, no_parent), std::vector<int>(n, 0), std::vector<int>(n, -1), std::vector<int>(n, 0),
                std::vector<char>(n, 0)};
  std::vector<std::vector<int>> bound_of(n);
  std::vector<int> grounded;
  for (int c = 0; c < n; ++c) {
    const auto& group = pattern.groups[c];
    if (!group.bound || group.size == 0) continue;
    // a joint with rows that are left out closes its loop: that is where they can be
    if (std::find(group.left_out.begin(), group.left_out.end(), 1) != group.left_out.end()) continue;
    for (int i : group.tied) bound_of[i].push_back(c);
    if (group.to_ground && group.tied.size() == 1) grounded.push_back(c);
  }
  // the joint with more rows first: what is left over to close loops is then small
  const auto more_rows = [&](int a, int b) { return pattern.groups[a].size > pattern.groups[b].size; };
  std::stable_sort(grounded.begin(), grounded.end(), more_rows);
  for (auto& list : bound_of) std::stable_sort(list.begin(), list.end(), more_rows);

  std::vector<char> seen(n, 0);
  std::queue<int> front;
  const auto visit = [&](int i, int parent, int joint) {
    seen[i] = 1;
    forest.parent[i] = parent;
    forest.depth[i] = parent == no_parent ? 1 : forest.depth[parent] + 1;
    forest.joint[i] = joint;
    if (joint >= 0) forest.in_tree[joint] = 1;
    if (parent != no_parent) ++forest.children[parent];
    front.push(i);
  };
  const auto spread = [&] {
    for (; !front.empty(); front.pop())
      for (int c : bound_of[front.front()]) {
        const auto& group = pattern.groups[c];
        if (group.to_ground || group.tied.size() != 2) continue;
        const int other = group.tied[0] == front.front() ? group.tied[1] : group.tied[0];
        if (!seen[other]) visit(other, front.front(), c);
      }
  };
  // anchored groups hang on the ground without a joint; then what is joined to the ground; then what floats
  for (int i = 0; i < n; ++i)
    if (!pattern.groups[i].bound && pattern.groups[i].anchored) visit(i, no_parent, -1);
  for (int c : grounded) {
    if (!seen[pattern.groups[c].tied[0]]) visit(pattern.groups[c].tied[0], no_parent, c);
    if (growth == Growth::one_by_one) spread();
  }
  spread();
  for (int i = 0; i < n; ++i)
    if (!pattern.groups[i].bound && !seen[i]) {
      visit(i, no_parent, -1);
      spread();
    }
  return forest;
}

/// How many blocks an elimination touches.
std::int64_t fill_of(const Elimination& step) {
  const auto later = static_cast<std::int64_t>(step.later.size());
  return 1 + later * (later + 2);
}

/// The children of the lowest common ancestor through which the paths from the tied groups lead: when they are
/// eliminated, the loop is complete.
std::vector<int> tops_of_loop(const Forest& forest, const BlockPattern::Group& group) {
  std::vector<int> at = group.tied, top(at.size(), -1);
  const auto climb = [&](std::size_t k) {
    top[k] = at[k];
    at[k] = forest.parent[at[k]];
  };
  const auto depth = [&](int i) { return i == no_parent ? 0 : forest.depth[i]; };
  const auto same = [&] { return std::all_of(at.begin(), at.end(), [&](int i) { return i == at[0]; }); };
  while (group.to_ground ? std::any_of(at.begin(), at.end(), [](int i) { return i != no_parent; }) : !same()) {
    int deepest = 0;
    for (int i : at) deepest = std::max(deepest, depth(i));
    for (std::size_t k = 0; k < at.size(); ++k)
      if (depth(at[k]) == deepest) climb(k);
  }
  std::vector<int> tops;
  for (int i : top)
    if (i >= 0) tops.push_back(i);
  std::sort(tops.begin(), tops.end());
  tops.erase(std::unique(tops.begin(), tops.end()), tops.end());
  return tops;
}

/// The plan for one forest; empty if its fill exceeds the limit.
std::vector<Elimination> plan_for(const BlockPattern& pattern, Forest forest, std::int64_t limit) {
  const int n = static_cast<int>(pattern.groups.size());

  std::vector<std::set<int>> neighbours(n);
  const auto couple = [&](int i, int j) {
    if (i == j) return;
    neighbours[i].insert(j);
    neighbours[j].insert(i);
  };
  for (int i = 0; i < n; ++i)
    for (int j : pattern.groups[i].tied) couple(i, j);
  for (const auto& [i, j] : pattern.links) couple(i, j);

  std::vector<std::vector<int>> closing_at(n);  // free group -> bound groups whose loops it completes
  std::vector<int> open(n, 0);                  // bound group -> how many of its tops are still there
  for (int c = 0; c < n; ++c)
    if (pattern.groups[c].bound && !forest.in_tree[c])
      for (int top : tops_of_loop(forest, pattern.groups[c])) {
        closing_at[top].push_back(c);
        ++open[c];
      }

  std::vector<Elimination> plan;
  std::int64_t fill = 0;
  std::set<std::pair<int, int>> leaves;  // (number of neighbours, free group) that may go now
  std::vector<char> is_leaf(n, 0);
  const auto degree = [&](int i) { return static_cast<int>(neighbours[i].size()); };
  const auto make_leaf = [&](int i) {
    is_leaf[i] = 1;
    leaves.emplace(degree(i), i);
  };
  const auto eliminate = [&](int v, bool closing) {
    const std::vector<int> later(neighbours[v].begin(), neighbours[v].end());
    for (int i : later)
      if (is_leaf[i]) leaves.erase({degree(i), i});
    for (int i : later) {
      neighbours[i].erase(v);
      for (int j : later) couple(i, j);
    }
    for (int i : later)
      if (is_leaf[i]) leaves.emplace(degree(i), i);
    plan.push_back({v, closing, later});
    fill += fill_of(plan.back());
  };

  for (int i = 0; i < n; ++i)
    if (!pattern.groups[i].bound && forest.children[i] == 0) make_leaf(i);
  while (!leaves.empty()) {
    if (fill > limit) return {};
    const int v = leaves.begin()->second;
    leaves.erase(leaves.begin());
    is_leaf[v] = 0;
    eliminate(v, false);
    if (forest.joint[v] >= 0) eliminate(forest.joint[v], false);
    for (int c : closing_at[v])
      if (--open[c] == 0) eliminate(c, true);
    const int parent = forest.parent[v];
    if (parent != no_parent && --forest.children[parent] == 0) make_leaf(parent);
  }
  return plan;
}

}  // namespace

std::vector<Elimination> plan_elimination(const BlockPattern& pattern) {
  // Loops are short in one forest or in the other: a row of arches wants the first, a ladder that stands on the ground
  // the second. What fills in least is taken; a plan that fills in too much is given up early.
  const auto size = static_cast<std::int64_t>(pattern.groups.size());
  std::vector<Elimination> best;
  for (std::int64_t limit = 100 * size; best.empty() && size > 0; limit *= 100)
    for (const Growth growth : {Growth::from_ground, Growth::one_by_one}) {
      std::vector<Elimination> plan = plan_for(pattern, grow_forest(pattern, growth), limit);
      std::int64_t fill = 0;
      for (const Elimination& step : plan) fill += fill_of(step);
      if (plan.empty() || fill >= limit) continue;
      best = std::move(plan);
      limit = fill;  // the other must be better
    }
  return best;
}

}  // namespace polhode
