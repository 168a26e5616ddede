#include <polhode/integrate/jump_motion.hpp>

#include <algorithm>
#include <limits>

#include <polhode/integrate/toolkit.hpp>

namespace polhode {

JumpMotion::JumpMotion(const System& system, Torque torque, double alpha)
    : nodes(system.nodes.size()), system_(system), torque_(torque), alpha_(alpha), w_by_scalar_(system.nodes.size()) {
  for (const BodyInertia& body : system.inertia.bodies) {
    M_.push_back(body.matrix());
    M_inverse_.push_back(body.inverse());
  }
}

void JumpMotion::predict(const State& state, std::span<const Frame> start, double h) {
  for (int i = 0; i < system_.node_count(); ++i) {
    const NodeState& s = state.nodes[i];
    NodeMotion& motion = nodes[i];
    Vec3 turn = h * (start[i].d * s.Omega);
    if (torque_ == Torque::half_rotation && turn.norm() > 1.8) turn *= 1.8 / turn.norm();
    motion.step.dx = {Vec3(h * s.v), Vec3::Zero()};
    motion.step.r = {turn, Vec3::Zero()};
    motion.frame_start = frame_of(i, start[i]);
    motion.w_start = motion.frame_start.transpose() * (h * spatial_velocity(s));
  }
}

bool JumpMotion::place(int i, Where state, const NodeState& start, Frame& frame) const {
  const NodeStep& step = nodes[i].step;
  if (system_.nodes[i].translates()) frame.x = start.x + step.dx[state];
  if (!system_.nodes[i].rotates()) return true;
  if (torque_ == Torque::half_rotation && !(step.r[state].squaredNorm() < 4)) return false;
  frame.d = (rotation_of(torque_, step.r[state]) * start.q).toRotationMatrix();
  return true;
}

Mat6 JumpMotion::frame_of(int i, const Frame& q) const {
  Mat6 frame = Mat6::Identity();
  if (about_pole(i)) frame.topLeftCorner<3, 3>() = q.d;
  if (system_.nodes[i].rotates()) frame.bottomRightCorner<3, 3>() = q.d;
  return frame;
}

/// f~ by theta: how a vector of the node varies in space when the node turns, with the opposite sign.
Mat6 JumpMotion::turned(int i, const Vec6& f) const {
  Mat6 out = Mat6::Zero();
  if (about_pole(i)) out.topRightCorner<3, 3>() = hat(f.head<3>());
  if (system_.nodes[i].rotates()) out.bottomRightCorner<3, 3>() = hat(f.tail<3>());
  return out;
}

/// u^ = (dx, Rn^T r), about a pole Rn^T (dx - r x dx/2, r), with its derivative.
void JumpMotion::set_displacement(int i, Where state) {
  NodeMotion& motion = nodes[i];
  const Vec3 &dx = motion.step.dx[state], &r = motion.step.r[state];
  Vec6 u;
  u << dx, r;
  Mat6 by_q = Mat6::Identity();
  if (system_.nodes[i].rotates()) by_q.bottomRightCorner<3, 3>() = rotation_rate(torque_, r);
  if (about_pole(i)) {
    u.head<3>() -= 0.5 * r.cross(dx);
    by_q.topLeftCorner<3, 3>() -= 0.5 * hat(r);
    by_q.topRightCorner<3, 3>() = 0.5 * hat(dx) * by_q.bottomRightCorner<3, 3>();
  }
  motion.u[state] = motion.frame_start.transpose() * u;
  motion.u_by_q[state] = motion.frame_start.transpose() * by_q;
}

void JumpMotion::find_velocities(std::span<const Frame> end, std::span<const Frame> jump) {
  const StageVelocity of = velocity();
  for (int i = 0; i < system_.node_count(); ++i) {
    NodeMotion& motion = nodes[i];
    for (const Where k : states) {
      motion.frame[k] = frame_of(i, (k == at_end ? end : jump)[i]);
      motion.Q[k] = motion.frame[k].transpose() * motion.wrench[k];
      motion.MQ[k] = M_inverse_[i] * motion.Q[k];
      set_displacement(i, k);
    }
    for (const Where k : states) {
      motion.w[k] = of.by_start[k] * motion.w_start;
      for (const Where l : states) motion.w[k] += of.by_u(k, l) * motion.u[l] + of.by_Q(k, l) * motion.MQ[l];
      motion.V[k] = motion.frame[k] * motion.w[k];
    }
  }
}

double JumpMotion::correct(const VecX& delta) {
  Correction size;
  for (int i = 0; i < system_.node_count(); ++i)
    for (const Where k : states) {
      const Vec6 d = system_.spread(i, delta.segment<6>(12 * i + 6 * k));
      NodeStep& step = nodes[i].step;
      step.dx[k] += d.head<3>();
      if (system_.nodes[i].rotates()) step.r[k] += rotation_rate(torque_, step.r[k]) * d.tail<3>();
      size.add(d);
    }
  return delta.allFinite() ? size.size(system_.length) : std::numeric_limits<double>::infinity();
}

Vec6 JumpMotion::momentum_of(int i, Where state, const Vec6& w) const {
  Vec6 p = 0.5 * (nodes[i].frame[state] * (M_[i] * w));
  if (about_pole(i)) p.tail<3>() += nodes[i].step.dx[state].cross(p.head<3>());
  return p;
}

Vec6 JumpMotion::momentum_at_start(int i) const { return 0.5 * (nodes[i].frame_start * (M_[i] * nodes[i].w_start)); }

void JumpMotion::set_inertia(int i, NodeEquations& e) const {
  const NodeMotion& motion = nodes[i];
  const StageVelocity of = velocity();
  std::array<Mat6, 2> Q_by_q;
  for (const Where l : states) Q_by_q[l] = motion.frame[l].transpose() * turned(i, motion.wrench[l]);
  for (const Where k : states) {
    for (const Where l : states) {
      const double by_u = of.by_u(k, l), by_Q = of.by_Q(k, l);
      e.own[k][l] = 0.5 * motion.frame[k] * (by_u * M_[i] * motion.u_by_q[l] + by_Q * Q_by_q[l]);
      e.by_Q[k][l] = 0.5 * by_Q * motion.frame[k] * motion.frame[l].transpose();
      e.V_by_q[k][l] = motion.frame[k] * (by_u * motion.u_by_q[l] + by_Q * M_inverse_[i] * Q_by_q[l]);
      e.V_by_Q[k][l] = by_Q * motion.frame[k] * M_inverse_[i] * motion.frame[l].transpose();
    }
    const Vec6 p = 0.5 * (motion.frame[k] * (M_[i] * motion.w[k]));
    e.own[k][k] -= turned(i, p);
    e.V_by_q[k][k] -= turned(i, motion.V[k]);
    if (!about_pole(i)) continue;
    const Mat3 arm = hat(motion.step.dx[k]);
    for (const Where l : states) {
      e.own[k][l].bottomRows<3>() += arm * e.own[k][l].topRows<3>();
      e.by_Q[k][l].bottomRows<3>() += arm * e.by_Q[k][l].topRows<3>();
    }
    e.own[k][k].bottomLeftCorner<3, 3>() -= hat(p.head<3>());
  }
}

EnergyTerms JumpMotion::energy_terms() const {
  EnergyTerms sum;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeMotion& motion = nodes[i];
    const Vec6 &w1 = motion.w[at_end], &wj = motion.w[at_jump], &wn = motion.w_start, d1 = w1 - wn, dj = wj - wn;
    sum.dK += 0.5 * (w1 + wn).dot(M_[i] * d1);
    sum.K_nj += 0.5 * dj.dot(M_[i] * dj);
    sum.W += motion.Q[at_jump].dot(d1 + dj) + motion.Q[at_end].dot(w1 - wj);
    sum.N += d1.dot(M_[i] * d1) + dj.dot(M_[i] * dj);
  }
  return sum;
}

double JumpMotion::kinetic_energy() const {
  double sum = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) sum += 0.5 * nodes[i].w[at_end].dot(M_[i] * nodes[i].w[at_end]);
  return sum;
}

void JumpMotion::find_scalar_rates(bool of_kappa) {
  const StageVelocity of = velocity();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeMotion& motion = nodes[i];
    w_by_scalar_[i] =
        of_kappa ? of.by_kappa(motion.w, motion.MQ, motion.w_start) : of.by_gamma(motion.w, motion.w_start);
  }
}

EnergyTerms JumpMotion::energy_rates(const VecX& delta, const std::array<std::vector<Vec6>, 2>& wrenches,
                                     double scalar) const {
  const StageVelocity of = velocity();
  EnergyTerms rates;
  for (int i = 0; i < system_.node_count(); ++i) {
    const NodeMotion& motion = nodes[i];
    std::array<Vec6, 2> u, Q, w;
    for (const Where k : states) {
      const Vec6 d = system_.spread(i, delta.segment<6>(12 * i + 6 * k));
      u[k] = motion.u_by_q[k] * d;
      Q[k] = motion.frame[k].transpose() * (system_.spread(i, wrenches[k][i]) + turned(i, motion.wrench[k]) * d);
    }
    for (const Where k : states) {
      w[k] = scalar * w_by_scalar_[i][k];
      for (const Where l : states) w[k] += of.by_u(k, l) * u[l] + of.by_Q(k, l) * (M_inverse_[i] * Q[l]);
    }
    const Vec6 &w1 = motion.w[at_end], &wj = motion.w[at_jump], d1 = w1 - motion.w_start, dj = wj - motion.w_start;
    rates.dK += w1.dot(M_[i] * w[at_end]);
    rates.K_nj += dj.dot(M_[i] * w[at_jump]);
    rates.W += Q[at_jump].dot(d1 + dj) + Q[at_end].dot(w1 - wj) + motion.Q[at_jump].dot(w[at_end] + w[at_jump]) +
               motion.Q[at_end].dot(w[at_end] - w[at_jump]);
    rates.N += 2 * (d1.dot(M_[i] * w[at_end]) + dj.dot(M_[i] * w[at_jump]));
  }
  return rates;
}

}  // namespace polhode
