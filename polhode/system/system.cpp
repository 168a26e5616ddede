// Layout: unknowns of the nodes, the pattern of the equations, slots of the elements.
#include <polhode/system/system.hpp>

#include <algorithm>
#include <set>

#include <polhode/solve/huge_pages.hpp>

namespace polhode {

int System::freedoms() const {
  int sum = 0;
  for (const Node& node : nodes) sum += node.freedoms();
  return sum;
}

Vec6 System::spread_to_part(const Node& node, const Vec6& u) {
  Vec6 V = u;
  switch (node.kind) {
    case Node::Kind::rigid: break;
    case Node::Kind::turning: V.head<3>().setZero(); break;
    case Node::Kind::particle: V.tail<3>().setZero(); break;
    case Node::Kind::sliding: V << u[0] * node.axis, 0, 0, 0; break;
  }
  return V;
}

Vec6 System::gather_from_part(const Node& node, const Vec6& f) {
  if (node.kind != Node::Kind::sliding) return spread_to_part(node, f);
  Vec6 u = Vec6::Zero();
  u[0] = node.axis.dot(f.head<3>());
  return u;
}

AssemblyPlan System::plan(int levels, const ExtraElements* extra) const {
  AssemblyPlan plan;
  plan.levels = levels;
  auto& pattern = plan.pattern;
  for (const Node& node : nodes) {
    const bool whole = node.kind == Node::Kind::rigid || node.kind == Node::Kind::particle;
    pattern.groups.push_back({6, false, !whole, {}, false});
  }
  for (const ConstraintBlock& block : blocks)
    pattern.groups.push_back({levels * block.rows, true, false, block.nodes, block.to_ground});
  std::set<std::pair<int, int>> links;
  const auto link = [&](int i, int j) {
    if (i != j && i < ground() && j < ground()) links.emplace(std::min(i, j), std::max(i, j));
  };
  for_each_element(joints, [&](const auto& e) {
    // a joint that only brings points together couples its bodies through its multipliers alone
    if constexpr (std::decay_t<decltype(e)>::Z::couples) link(e.pair.a.node, e.pair.b.node);
  });
  for_each_element(coordinate_rows, [&](const auto& e) { link(e.pair.a.node, e.pair.b.node); });
  for_each_elastic(*this, extra, [&](const auto& e) { link(e.pair.a.node, e.pair.b.node); });
  pattern.links.assign(links.begin(), links.end());
  if (levels == 2) {  // velocity-level multipliers act on the configuration: blocks that share a node are coupled
    std::vector<std::vector<int>> blocks_of(nodes.size());
    for (int b = 0; b < static_cast<int>(blocks.size()); ++b)
      for (int i : blocks[b].nodes) blocks_of[i].push_back(node_count() + b);
    std::set<std::pair<int, int>> pairs;
    for (const auto& list : blocks_of)
      for (int a : list)
        for (int b : list)
          if (a < b) pairs.emplace(a, b);
    pattern.links.insert(pattern.links.end(), pairs.begin(), pairs.end());
  }
  return plan;
}

void System::find_slots(AssemblyPlan& plan, const BlockMatrix& matrix, const ExtraElements* extra) const {
  const std::size_t count = element_count + (extra ? extra->bushings.size() : 0);
  plan.elements.clear();
  reserve_huge(plan.elements, count);
  plan.elements.resize(count);
  plan.node_diagonal.clear();
  for (int i = 0; i < node_count(); ++i) plan.node_diagonal.push_back(matrix.find(i, i));
  const auto node_slots = [&](const Element& e) {
    const int a = e.pair.a.node, b = e.pair.b.node;
    auto& slots = plan.elements[e.index];
    if (a < ground()) slots.aa = matrix.find(a, a);
    if (b < ground()) slots.bb = matrix.find(b, b);
    if (a < ground() && b < ground()) {
      slots.ab = matrix.find(a, b);
      slots.ba = matrix.find(b, a);
    }
  };
  const auto row_slots = [&](const auto& e) {
    const int group = node_count() + e.place.block;
    auto& slots = plan.elements[e.index];
    slots.stride = matrix.size(group);
    if (e.pair.a.node < ground()) {
      slots.F_a = matrix.find(e.pair.a.node, group) + 6 * e.place.row;
      slots.B_a = matrix.find(group, e.pair.a.node) + e.place.row;
    }
    if (e.pair.b.node < ground()) {
      slots.F_b = matrix.find(e.pair.b.node, group) + 6 * e.place.row;
      slots.B_b = matrix.find(group, e.pair.b.node) + e.place.row;
    }
  };
  for_each_element(joints, [&](const auto& e) { node_slots(e), row_slots(e); });
  for_each_element(coordinate_rows, [&](const auto& e) { node_slots(e), row_slots(e); });
  for_each_elastic(*this, extra, [&](const auto& e) { node_slots(e); });
}

void System::frames(const State& state, std::vector<Frame>& out, ThreadPool* pool) const {
  out.resize(nodes.size() + 1);
  division(pool).for_each(node_count(), [&](int i) { out[i] = frame(state.nodes[i]); });
  out.back() = Frame{};
}

void System::update_angles(std::span<const Frame> frames, std::vector<double>& angles) const {
  const auto update = [&](const auto& e, auto coordinate) {
    using C = decltype(coordinate);
    if constexpr (C::counted) {
      const PairAt at(e.pair, frames[e.pair.a.node], frames[e.pair.b.node]);
      angles[e.angle] = C::value(C::Z::z(at), angles[e.angle]);
    }
  };
  for_each_element(coordinate_rows, [&](const auto& e) { update(e, typename std::decay_t<decltype(e)>::Coordinate{}); });
  for (const auto& e : std::get<0>(elastic)) update(e, AngleCoordinate{});
}

}  // namespace polhode
