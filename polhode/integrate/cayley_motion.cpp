#include <polhode/integrate/cayley_motion.hpp>

#include <polhode/lie/so3.hpp>

namespace polhode {

void CayleyMotion::begin(const State& state, double h, Workspace& w) {
  const int n = w.system.node_count();
  if (static_cast<int>(dx.size()) != n) {
    dx.resize(n);
    theta.resize(n);
    start_.resize(n);
  }
  w.system.division.for_each(n, [&](int i) {
    const NodeState& s = state.nodes[i];
    const Node& node = w.system.nodes[i];
    Frame& q = w.start[i];
    q = frame(s);
    const Vec3 body = node.J * (0.5 * h * s.Omega);
    start_[i] = {body, q.d * body};
    if (node.kind != Node::Kind::rigid) w.end[i] = w.mid[i] = q;  // what does not move stays there
  });
}

void CayleyMotion::go_on(const State& state, double h, const Workspace& w) {
  w.system.division.for_each(w.system.node_count(), [&](int i) {
    dx[i] = h * state.nodes[i].v;
    theta[i] = w.start[i].d * (h * state.nodes[i].Omega);
  });
}

void CayleyMotion::restrict(const System& system) {
  if (system.all_rigid) return;
  system.division.for_each(system.node_count(), [&](int i) {
    if (system.nodes[i].kind == Node::Kind::rigid) return;
    Vec6 d;
    d << dx[i], theta[i];
    d = system.spread(i, system.gather(i, d));
    dx[i] = d.head<3>();
    theta[i] = d.tail<3>();
  });
}

void CayleyMotion::move(const State& state, Workspace& w) const {
  w.system.division.for_each(w.system.node_count(), [&](int i) {
    const Node& node = w.system.nodes[i];
    if (node.translates()) w.end[i].x = state.nodes[i].x + dx[i];
    if (node.rotates()) w.end[i].d = so3::cay_matrix(theta[i], state.nodes[i].q);
    w.mid[i] = mean(w.start[i], w.end[i]);
  });
}

Vec6 CayleyMotion::inertia_force(int i, const State& state, double h, const Workspace& w) const {
  const Node& node = w.system.nodes[i];
  Vec6 force = Vec6::Zero();
  if (node.translates()) force.head<3>() = node.mass * (dx[i] - h * state.nodes[i].v);
  if (node.rotates()) force.tail<3>() = momentum(i, w) - start_[i].spatial;
  return force;
}

void CayleyMotion::set_inertia(const State& state, double h, Workspace& w) const {
  w.system.division.for_each(w.system.node_count(), [&](int i) { w.force[i] = inertia_force(i, state, h, w); });
  w.force[w.system.ground()].setZero();
}

void CayleyMotion::set_inertia_and_tangent(const State& state, double h, Workspace& w) const {
  w.system.division.for_each(w.system.node_count(), [&](int i) { set_inertia_and_tangent(i, state, h, w); });
  w.force[w.system.ground()].setZero();
}

[[gnu::flatten]] void CayleyMotion::set_inertia_and_tangent(int i, const State& state, double h, Workspace& w) const {
  const Node& node = w.system.nodes[i];
  w.force[i] = inertia_force(i, state, h, w);
  Mat3 turn = Mat3::Zero();
  if (node.rotates()) {
    const Vec3 momentum = w.force[i].tail<3>() + start_[i].spatial;
    const Mat3 to_body = w.start[i].d.transpose() * so3::cay_spatial_tangent_inverse(theta[i]);
    turn = w.end[i].d * (node.J * to_body) - hat(momentum);
  }
  w.system.set_node_block(i, node.translates() ? node.mass : 0, turn, w.plan, w.lu.matrix());
}

double CayleyMotion::correct(const System& system, const VecX& delta) {
  struct Size {
    double length, angle, sum;
  };
  const auto apply = [&](Size& size, int i) {
    const Vec6 d = system.spread(i, delta.segment<6>(6 * i));
    dx[i] += d.head<3>();
    theta[i] += so3::cay_spatial_tangent_inverse(theta[i]) * d.tail<3>();
    size.length = std::max(size.length, d.head<3>().squaredNorm());
    size.angle = std::max(size.angle, d.tail<3>().squaredNorm());
    size.sum += d.sum();  // a maximum does not show what is not a number
  };
  const Size size = system.division.reduce(system.node_count(), Size{0, 0, 0}, apply, [](Size& all, const Size& part) {
    all.length = std::max(all.length, part.length);
    all.angle = std::max(all.angle, part.angle);
    all.sum += part.sum;
  });
  return std::isfinite(size.sum) ? std::max(std::sqrt(size.length) / system.length, std::sqrt(size.angle))
                                 : std::numeric_limits<double>::infinity();
}

Vec6 CayleyMotion::velocity(int i, const State& state, double h, const Workspace& w) const {
  const NodeState& s = state.nodes[i];
  Vec6 V;
  V << (2 / h) * dx[i] - s.v, (2 / h) * theta[i] - w.end[i].d * s.Omega;
  return V;
}

void CayleyMotion::finish(const VecX& u, const Workspace& w, State& state) const {
  w.system.division.for_each(w.system.node_count(), [&](int i) {
    NodeState& s = state.nodes[i];
    const Vec6 V = w.system.spread(i, u.segment<6>(6 * i));
    s.v = V.head<3>();
    s.Omega = w.end[i].d.transpose() * V.tail<3>();
    s.x += dx[i];
    s.q = so3::cay_times(theta[i], s.q);
  });
}

}  // namespace polhode
