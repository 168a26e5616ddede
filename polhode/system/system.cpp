// Layout: unknowns of the nodes, the pattern of the equations, slots of the elements.
#include <polhode/system/system.hpp>

#include <algorithm>
#include <set>

#include <polhode/solve/huge_pages.hpp>

namespace polhode {

int ElementSet::law_count() const {
  int sum = 0;
  for (const auto& array : laws) sum += array->size();
  return sum;
}

void ElementSet::settle(int first) {
  const auto by_order = [](const auto& a, const auto& b) { return a->order < b->order; };
  std::stable_sort(rows.begin(), rows.end(), by_order);
  std::stable_sort(laws.begin(), laws.end(), by_order);
  for (const auto& array : rows) array->settle();
  for (const auto& array : laws) {
    array->settle();
    array->first = first;
    first += array->size();
  }
}

void LeftOut::apply(std::span<double> phi) const {
  for (std::size_t k = 0; k < rows.size(); ++k) phi[k] = rows[k] ? 0 : phi[k] - gap[static_cast<Eigen::Index>(k)];
}

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

AssemblyPlan System::plan(int levels, const ElementSet* extra) const {
  AssemblyPlan plan;
  plan.levels = levels;
  auto& pattern = plan.pattern;
  for (const Node& node : nodes) {
    const bool whole = node.kind == Node::Kind::rigid || node.kind == Node::Kind::particle;
    pattern.groups.push_back({6, false, !whole, {}, false});
  }
  pattern.rank_tolerance = left_out.rank_tolerance;
  for (const ConstraintBlock& block : blocks) {
    pattern.groups.push_back({levels * block.rows, true, false, block.nodes, block.to_ground});
    if (left_out.any()) pattern.groups.back().left_out = std::span(left_out.rows).subspan(block.first_row, block.rows);
  }
  std::set<std::pair<int, int>> links;
  const auto link = [&](int i, int j) {
    if (i != j && i < ground() && j < ground()) links.emplace(std::min(i, j), std::max(i, j));
  };
  const auto link_pair = [&](const ElementArray& array, int k) {
    link(array.element(k).pair.a.node, array.element(k).pair.b.node);
  };
  elements.for_each_row([&](const RowArray& rows, int k) {
    if (rows.couples())
      link_pair(rows, k);  // a joint that only brings points together couples its bodies through its multipliers alone
  });
  for_each_law(*this, extra, link_pair);
  for (const auto& tie : inertia.ties)
    for (const auto& [i, j] : tie->pairs()) link(i, j);
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

void System::find_slots(AssemblyPlan& plan, const BlockMatrix& matrix, const ElementSet* extra) const {
  const std::size_t count = element_count + (extra ? extra->law_count() : 0);
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
  const auto row_slots = [&](const Element& e, const RowPlace& place) {
    const int group = node_count() + place.block;
    auto& slots = plan.elements[e.index];
    slots.stride = matrix.size(group);
    if (e.pair.a.node < ground()) {
      slots.F_a = matrix.find(e.pair.a.node, group) + 6 * place.row;
      slots.B_a = matrix.find(group, e.pair.a.node) + place.row;
    }
    if (e.pair.b.node < ground()) {
      slots.F_b = matrix.find(e.pair.b.node, group) + 6 * place.row;
      slots.B_b = matrix.find(group, e.pair.b.node) + place.row;
    }
  };
  elements.for_each_row(
      [&](const RowArray& rows, int k) { node_slots(rows.element(k)), row_slots(rows.element(k), rows.place(k)); });
  for_each_law(*this, extra, [&](const LawArray& laws, int k) { node_slots(laws.element(k)); });
}

void System::frames(const State& state, std::vector<Frame>& out, ThreadPool* pool) const {
  out.resize(nodes.size() + 1);
  division(pool).for_each(node_count(), [&](int i) { out[i] = frame(state.nodes[i]); });
  out.back() = Frame{};
}

void System::update_angles(std::span<const Frame> frames, std::vector<double>& angles) const {
  for (const auto& rows : elements.rows) rows->update_angles(frames, angles);
  for (const auto& laws : elements.laws) laws->update_angles(frames, angles);
}

}  // namespace polhode
