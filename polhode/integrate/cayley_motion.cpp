#include <polhode/integrate/cayley_motion.hpp>

#include <polhode/lie/so3.hpp>
#include <polhode/solve/huge_pages.hpp>
#include <polhode/system/flatten.hpp>

namespace polhode {

CayleyMotion::CayleyMotion(const System& system) {
  for (std::vector<Vec3>* increments : {&dx, &theta}) {
    reserve_huge(*increments, system.nodes.size());
    increments->resize(system.nodes.size());
  }
}

/// With (h/2) Omega1 = R0^T theta - (h/2) Omega0.
CayleyMotion::Inertia CayleyMotion::inertia(int i, const State& state, double h, const Vec3& fall, const Workspace& w) const {
  const Node& node = w.system.nodes[i];
  const NodeState& s = state.nodes[i];
  const Mat3 &R0 = w.start[i].d, &R1 = w.end[i].d;
  Inertia inertia{Vec6::Zero(), Vec3::Zero()};
  if (node.translates()) inertia.force.head<3>() = node.mass * (dx[i] - h * s.v - fall);
  if (node.rotates()) {
    const Vec3 L0 = node.J * (0.5 * h * s.Omega), L1 = node.J * (R0.transpose() * theta[i]) - L0;  // in the body
    inertia.momentum = R1 * L1;
    inertia.force.tail<3>() = inertia.momentum - R0 * L0;
  }
  return inertia;
}

void CayleyMotion::set_inertia(int i, const State& state, double h, const Vec3& fall, const Workspace& w, Vec6& force) const {
  force = inertia(i, state, h, fall, w).force;
}

POLHODE_FLATTEN void CayleyMotion::set_inertia_and_tangent(int i, const State& state, double h, const Vec3& fall, Workspace& w,
                                                                Vec6& force) const {
  const Node& node = w.system.nodes[i];
  const Inertia of_node = inertia(i, state, h, fall, w);
  force = of_node.force;
  Mat3 turn = Mat3::Zero();
  if (node.rotates()) {
    const Mat3 to_body = w.start[i].d.transpose() * so3::cay_spatial_tangent_inverse(theta[i]);
    turn = w.end[i].d * (node.J * to_body) - hat(of_node.momentum);
  }
  w.system.set_node_block(i, node.translates() ? node.mass : 0, turn, w.plan, w.lu.matrix());
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
  w.division.for_each(w.system.node_count(), [&](int i) { set_inertia_and_tangent(i, state, h, Vec3::Zero(), w, w.force[i]); });
  w.force[w.system.ground()].setZero();
}

template <int sign>
double CayleyMotion::correct(const Workspace& w, const VecX& delta) {
  const System& system = w.system;
  struct Size {
    double length, angle, sum;
  };
  const auto apply = [&](Size& size, int i) {
    Vec6 d = sign * delta.segment<6>(6 * i);
    if (system.nodes[i].kind != Node::Kind::rigid) d = system.spread(i, d);
    dx[i] += d.head<3>();
    theta[i] += so3::cay_spatial_tangent_inverse(theta[i]) * d.tail<3>();
    size.length = std::max(size.length, d.head<3>().squaredNorm());
    size.angle = std::max(size.angle, d.tail<3>().squaredNorm());
    size.sum += d.sum();  // a maximum does not show what is not a number
  };
  const Size size = w.division.reduce(system.node_count(), Size{0, 0, 0}, apply, [](Size& all, const Size& part) {
    all.length = std::max(all.length, part.length);
    all.angle = std::max(all.angle, part.angle);
    all.sum += part.sum;
  });
  return std::isfinite(size.sum) ? std::sqrt(std::max(size.length / (system.length * system.length), size.angle))
                                 : std::numeric_limits<double>::infinity();
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
