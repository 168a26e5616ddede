#include <polhode/integrate/cayley_motion.hpp>

#include <polhode/lie/so3.hpp>

namespace polhode {

void CayleyMotion::predict(const State& state, double h, Workspace& w) {
  const int n = w.system.node_count();
  dx.resize(n);
  theta.resize(n);
  w.system.frames(state, w.start);
  w.mid.back() = w.end.back() = Frame{};
  for (int i = 0; i < n; ++i) {
    dx[i] = h * state.nodes[i].v;
    theta[i] = h * (w.start[i].d * state.nodes[i].Omega);
    w.end[i] = w.mid[i] = w.start[i];
  }
}

void CayleyMotion::move(const State& state, Workspace& w) const {
  for (int i = 0; i < w.system.node_count(); ++i) {
    const Node& node = w.system.nodes[i];
    if (node.translates()) w.end[i].x = state.nodes[i].x + dx[i];
    if (node.rotates()) w.end[i].d = (so3::cay(theta[i]) * state.nodes[i].q).toRotationMatrix();
    w.mid[i] = mean(w.start[i], w.end[i]);
  }
}

void CayleyMotion::add_inertia(const State& state, double h, Workspace& w) const {
  for (int i = 0; i < w.system.node_count(); ++i) {
    const Node& node = w.system.nodes[i];
    const Mat3 &R0 = w.start[i].d, &R1 = w.end[i].d;
    Mat6 K = Mat6::Zero();
    w.force[i].setZero();
    if (node.translates()) {
      w.force[i].head<3>() = node.mass * (dx[i] - h * state.nodes[i].v);
      K.topLeftCorner<3, 3>() = node.mass * Mat3::Identity();
    }
    if (node.rotates()) {
      const Vec3 half = 0.5 * h * state.nodes[i].Omega;
      const Vec3 pi1 = R1 * (node.J * (R0.transpose() * theta[i] - half));  // (h/2) R1 J Omega1
      w.force[i].tail<3>() = pi1 - R0 * (node.J * half);
      K.bottomRightCorner<3, 3>() = R1 * node.J * R0.transpose() * so3::cay_spatial_tangent_inverse(theta[i]) - hat(pi1);
    }
    w.system.add_node_block(i, K, w.plan, w.lu.matrix());
  }
  w.force[w.system.ground()].setZero();
}

double CayleyMotion::correct(const System& system, const VecX& delta) {
  double length = 0, angle = 0;
  for (int i = 0; i < system.node_count(); ++i) {
    const Vec6 d = system.spread(i, delta.segment<6>(6 * i));
    dx[i] += d.head<3>();
    theta[i] += so3::cay_spatial_tangent_inverse(theta[i]) * d.tail<3>();
    length = std::max(length, d.head<3>().norm());
    angle = std::max(angle, d.tail<3>().norm());
  }
  return delta.allFinite() ? std::max(length / system.length, angle) : std::numeric_limits<double>::infinity();
}

Vec6 CayleyMotion::velocity(int i, const State& state, double h, const Workspace& w) const {
  const NodeState& s = state.nodes[i];
  Vec6 V;
  V << (2 / h) * dx[i] - s.v, (2 / h) * theta[i] - w.end[i].d * s.Omega;
  return V;
}

void CayleyMotion::finish(const VecX& u, const Workspace& w, State& state) const {
  for (int i = 0; i < w.system.node_count(); ++i) {
    NodeState& s = state.nodes[i];
    const Vec6 V = w.system.spread(i, u.segment<6>(6 * i));
    s.v = V.head<3>();
    s.Omega = w.end[i].d.transpose() * V.tail<3>();
    s.x += dx[i];
    s.q = (so3::cay(theta[i]) * s.q).normalized();
  }
}

}  // namespace polhode
