#include <polhode/integrate/cayley_motion.hpp>

#include <polhode/lie/so3.hpp>
#include <polhode/solve/huge_pages.hpp>
#include <polhode/system/mass_matrix.hpp>
#include <polhode/system/midpoint.hpp>

namespace polhode {

CayleyMotion::CayleyMotion(const System& system) {
  for (std::vector<Vec3>* increments : {&dx, &theta}) {
    reserve_huge(*increments, system.nodes.size());
    increments->resize(system.nodes.size());
  }
}

void CayleyMotion::begin_and_go_on(const State& state, double h, Workspace& w) {
  w.division.for_each(w.system.node_count(), [&](int i) {
    begin(i, state, w);
    go_on(i, state, h, w);
  });
}

void CayleyMotion::move(const State& state, Workspace& w) const {
  w.division.for_each(w.system.node_count(), [&](int i) { move(i, state, w); });
}

void CayleyMotion::set_inertia_and_tangent(const State& state, double h, Workspace& w) const {
  const MidpointMotion motion{.state = &state, .h = h, .start = w.start, .end = w.end, .dx = dx, .theta = theta};
  w.division.for_each(w.system.node_count(), [&](int i) {
    set_midpoint(w.system, i, motion, {w.force[i], w.plan, &w.lu.matrix()});
  });
  w.force[w.system.ground()].setZero();
  add_tied_midpoint(w.system, motion, w.force, &w.lu.matrix());
}

template <int sign>
double CayleyMotion::correct(const Workspace& w, const VecX& delta) {
  const System& system = w.system;
  const auto apply = [&](Correction& size, int i) {
    Vec6 d = sign * delta.segment<6>(6 * i);
    if (system.nodes[i].kind != Node::Kind::rigid) d = system.spread(i, d);
    dx[i] += d.head<3>();
    theta[i] += so3::cay_spatial_tangent_inverse(theta[i]) * d.tail<3>();
    size.add(d);
  };
  return w.division
      .reduce(system.node_count(), Correction{}, apply, [](Correction& all, const Correction& part) { all.add(part); })
      .size(system.length);
}

template double CayleyMotion::correct<1>(const Workspace&, const VecX&);
template double CayleyMotion::correct<-1>(const Workspace&, const VecX&);

Vec6 CayleyMotion::velocity(int i, const State& state, double h, const Workspace& w) const {
  const NodeState& s = state.nodes[i];
  Vec6 V;
  V << (2 / h) * dx[i] - s.v, (2 / h) * theta[i] - w.end[i].d * s.Omega;
  return V;
}

void CayleyMotion::finish(const VecX& u, const Workspace& w, State& state) const {
  w.division.for_each(w.system.node_count(), [&](int i) {
    NodeState& s = state.nodes[i];
    const Vec6 V = w.system.spread(i, u.segment<6>(6 * i));
    s.v = V.head<3>();
    s.Omega = w.end[i].d.transpose() * V.tail<3>();
    s.x += dx[i];
    s.q = so3::cay_times(theta[i], s.q);
  });
}

}  // namespace polhode
