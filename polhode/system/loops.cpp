#include <polhode/system/loops.hpp>

#include <numeric>

namespace polhode {

/// The parts that blocks have joined so far are trees of `parent`, each named by its root.
bool has_loops(const System& system) {
  std::vector<int> parent(system.nodes.size() + 1);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (const ConstraintBlock& block : system.blocks) {
    std::vector<int> joined = block.nodes;
    if (block.to_ground) joined.push_back(system.ground());
    for (std::size_t k = 1; k < joined.size(); ++k) {
      const int a = root(joined[0]), b = root(joined[k]);
      if (a == b) return true;
      parent[b] = a;
    }
  }
  return false;
}

}  // namespace polhode
