#include <polhode/integrate/tension_metric.hpp>

#include <algorithm>

namespace polhode {
namespace {

bool turns(const System& system, int node) { return node < system.ground() && system.nodes[node].rotates(); }

/// f(rows, k) with every joint between two bodies that turn. The ground is left out: damping with respect to it is not
/// free of its axes.
template <class F>
void for_each_hinge(const System& system, F&& f) {
  system.elements.for_each_row([&](const RowArray& rows, int k) {
    const Pair& pair = rows.element(k).pair;
    if (!rows.adds_to_rows() && turns(system, pair.a.node) && turns(system, pair.b.node)) f(rows, k);
  });
}

}  // namespace

TensionMetric::TensionMetric(const System& system) : system_(system) {
  std::vector<std::vector<Vec3>> points(system_.nodes.size() + 1);  // where joints take hold of a body
  system.elements.for_each_row([&](const RowArray& rows, int k) {
    if (rows.adds_to_rows()) return;
    const Pair& pair = rows.element(k).pair;
    points[pair.a.node].push_back(pair.a.X);
    points[pair.b.node].push_back(pair.b.X);
  });
  const auto arm = [&](const Marker& marker) {
    double l = marker.X.norm();
    for (const Vec3& X : points[marker.node]) l = std::max(l, (marker.X - X).norm());
    return l;
  };
  bushings_ = &array_of<ElasticArray<BushingMeasure>>(extra_.laws, 0);
  for_each_hinge(system, [&](const RowArray& rows, int k) {
    const Pair& hinge = rows.element(k).pair;
    Elastic<BushingMeasure> e;
    e.pair.a.node = hinge.a.node;
    e.pair.b.node = hinge.b.node;
    e.index = system.element_count + bushings_->size();
    bushings_->elements.push_back(e);
    const double l_a = arm(hinge.a), l_b = arm(hinge.b);
    arms_.push_back(l_a + l_b > 0 ? l_a * l_b / (l_a + l_b) : 0.0);
  });
  extra_.settle(system.law_count());
  extra_.divide(system);
}

void TensionMetric::weigh(std::span<const Frame> q, const VecX& lambda, StrainMetric& metric) const {
  std::size_t part = bushings_->first, hinge = 0;
  for_each_hinge(system_, [&](const RowArray& rows, int k) {
    const Wrenches wrenches = rows.wrenches(k, q, {lambda.data(), static_cast<std::size_t>(lambda.size())});
    metric.parts[part].stiff = true;
    metric.parts[part++].C.diagonal().tail<3>().setConstant(wrenches.b.head<3>().norm() * arms_[hinge++]);
  });
}

void TensionMetric::align(std::span<const Frame> q) {
  for (Elastic<BushingMeasure>& e : bushings_->elements)
    e.pair.b.E = q[e.pair.b.node].d.transpose() * q[e.pair.a.node].d;  // both triads are then those of a
}

}  // namespace polhode
