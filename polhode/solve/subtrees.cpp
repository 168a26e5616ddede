#include <polhode/solve/subtrees.hpp>

#include <algorithm>
#include <numeric>

namespace polhode {
namespace {

/// The tree of an elimination: parents come after their children.
struct EliminationTree {
  std::vector<int> parent;         ///< step, or -1
  std::vector<double> own, whole;  ///< weight of a step, and of its subtree
  double sum = 0;
};

EliminationTree tree_of(const BlockPattern& pattern, const std::vector<Elimination>& plan) {
  const std::size_t n = plan.size();
  EliminationTree tree{std::vector<int>(n, -1), std::vector<double>(n), {}, 0};
  std::vector<int> step_of(pattern.groups.size(), -1);
  for (std::size_t k = 0; k < n; ++k) step_of[plan[k].group] = static_cast<int>(k);
  for (std::size_t k = 0; k < n; ++k) {
    const double size = pattern.groups[plan[k].group].size;
    double later = 0;
    for (int group : plan[k].later) {
      later += pattern.groups[group].size;
      if (tree.parent[k] < 0 || step_of[group] < tree.parent[k]) tree.parent[k] = step_of[group];
    }
    tree.own[k] = size * (size + later) * (size + later) + 100;
    tree.sum += tree.own[k];
  }
  tree.whole = tree.own;
  for (std::size_t k = 0; k < n; ++k)
    if (tree.parent[k] >= 0) tree.whole[tree.parent[k]] += tree.whole[k];
  return tree;
}

struct Packing {
  std::vector<int> part;  ///< of each root of a subtree; of other steps it means nothing
  std::vector<int> roots;
  double time = 0;  ///< of many threads
};

/// The subtrees that are not heavier than `limit`, heaviest first, each into the part with the least so far.
Packing pack(const EliminationTree& tree, double limit, int parts) {
  constexpr double threads = 16;
  Packing packing{std::vector<int>(tree.parent.size(), trunk), {}, 0};
  double inside = 0;
  for (std::size_t k = 0; k < tree.parent.size(); ++k)
    if (tree.whole[k] <= limit && (tree.parent[k] < 0 || tree.whole[tree.parent[k]] > limit)) {
      packing.roots.push_back(static_cast<int>(k));
      inside += tree.whole[k];
    }
  std::stable_sort(packing.roots.begin(), packing.roots.end(),
                   [&](int a, int b) { return tree.whole[a] > tree.whole[b]; });
  std::vector<double> load(parts, 0.0);
  for (int root : packing.roots) {
    const auto least = std::min_element(load.begin(), load.end());
    packing.part[root] = static_cast<int>(least - load.begin());
    *least += tree.whole[root];
  }
  packing.time = tree.sum - inside + std::max(*std::max_element(load.begin(), load.end()), inside / threads);
  return packing;
}

}  // namespace

std::vector<int> divide_elimination(const BlockPattern& pattern, const std::vector<Elimination>& plan, int parts) {
  if (parts < 2 || plan.empty()) return {};
  const EliminationTree tree = tree_of(pattern, plan);
  Packing best;
  best.time = 0.9 * tree.sum;
  for (double limit = tree.sum / 2; limit > tree.sum / (4.0 * parts); limit /= 2)
    if (Packing packing = pack(tree, limit, parts); packing.time < best.time) best = std::move(packing);
  if (best.roots.empty()) return {};
  std::vector<char> is_root(plan.size(), 0);
  for (int root : best.roots) is_root[root] = 1;
  std::vector<int> part(plan.size(), trunk);
  for (int k = static_cast<int>(plan.size()) - 1; k >= 0; --k)
    part[k] = is_root[k] ? best.part[k] : tree.parent[k] >= 0 ? part[tree.parent[k]] : trunk;
  return part;
}

}  // namespace polhode
