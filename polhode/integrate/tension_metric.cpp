#include <polhode/integrate/tension_metric.hpp>

#include <algorithm>

namespace polhode {
namespace {

bool turns(const System& system, int node) { return node < system.ground() && system.nodes[node].rotates(); }

/// Calls f with every joint between two bodies that turn. The ground is left out: damping with respect to it is not free of its axes.
template <class F>
void for_each_hinge(const System& system, F&& f) {
  for_each_element(system.joints, [&](const auto& e) {
    if (turns(system, e.pair.a.node) && turns(system, e.pair.b.node)) f(e);
  });
}

}  // namespace

TensionMetric::TensionMetric(const System& system) : system_(system) {
  std::vector<std::vector<Vec3>> points(system_.nodes.size() + 1);  // where joints take hold of a body
  for_each_element(system.joints, [&](const auto& joint) {
    points[joint.pair.a.node].push_back(joint.pair.a.X);
    points[joint.pair.b.node].push_back(joint.pair.b.X);
  });
  const auto arm = [&](const Marker& marker) {
    double l = marker.X.norm();
    for (const Vec3& X : points[marker.node]) l = std::max(l, (marker.X - X).norm());
    return l;
  };
  for_each_hinge(system, [&](const auto& joint) {
    Elastic<BushingMeasure> e;
    e.pair.a.node = joint.pair.a.node;
    e.pair.b.node = joint.pair.b.node;
    e.index = system.element_count + static_cast<int>(extra_.bushings.size());
    extra_.bushings.push_back(e);
    const double l_a = arm(joint.pair.a), l_b = arm(joint.pair.b);
    arms_.push_back(l_a + l_b > 0 ? l_a * l_b / (l_a + l_b) : 0.0);
  });
}

void TensionMetric::weigh(std::span<const Frame> q, const VecX& lambda, StrainMetric& metric) const {
  std::size_t k = metric.parts.size() - arms_.size(), hinge = 0;  // bushings are the last of all elastic elements
  for_each_hinge(system_, [&](const auto& e) {
    using Z = typename std::decay_t<decltype(e)>::Z;
    const auto rows = Z::rows(PairAt(e.pair, q[e.pair.a.node], q[e.pair.b.node]));
    const int first = system_.blocks[e.place.block].first_row + e.place.row;
    const Vec6 wrench = e.weight * (rows.b.transpose() * lambda.segment<Z::size>(first));
    metric.parts[k].stiff = true;
    metric.parts[k++].C.template tail<3>().setConstant(wrench.template head<3>().norm() * arms_[hinge++]);
  });
}

void TensionMetric::align(std::span<const Frame> q) {
  for (Elastic<BushingMeasure>& e : extra_.bushings)
    e.pair.b.E = q[e.pair.b.node].d.transpose() * q[e.pair.a.node].d;  // both triads are then those of a
}

}  // namespace polhode
