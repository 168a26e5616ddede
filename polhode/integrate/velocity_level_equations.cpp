// The equations of VelocityLevelRule, balances and velocity rows multiplied by h/2.
#include <cmath>

#include <polhode/integrate/velocity_level_rule.hpp>
#include <polhode/system/flatten.hpp>
#include <polhode/system/midpoint.hpp>
#include <polhode/system/writer.hpp>

namespace polhode {

VelocityStage VelocityLevelRule::velocity_stage() const {
  return {.start = w_.start,
          .end = w_.end,
          .start_rates = start_rates_,
          .end_rates = end_rates_,
          .gamma = span(both_).subspan(system_.row_count)};
}

/// (6). The end is the next start to the last bit: rounding then has no preferred sign.
void VelocityLevelRule::move(const State& state) {
  w_.division.for_each(system_.node_count(), [&](int i) {
    const Node& node = system_.nodes[i];
    if (node.translates()) w_.end[i].x = state.nodes[i].x + motion_.dx[i];
    if (node.rotates()) w_.end[i].d = so3::cay_times(motion_.theta[i], state.nodes[i].q).toRotationMatrix();
  });
}

/// W of (7), (8) at the present configuration.
void VelocityLevelRule::set_wrenches() {
  w_.division.for_each(system_.node_count(), [&](int i) { W_[i].setZero(); });
  system_.in_tasks(w_.pool(), [&](int task) {
    for (const auto& rows : system_.elements.rows) rows->add_mean_wrenches(task, velocity_stage(), W_);
  });
  if (all_rigid_) return;
  w_.division.for_each(system_.node_count(), [&](int i) {
    if (system_.nodes[i].kind != Node::Kind::rigid) W_[i] = system_.spread(i, system_.gather(i, W_[i]));
  });
}

/// (7), (8): the velocities at the end, and the rates of its natural coordinates.
void VelocityLevelRule::set_velocities(const State& state) {
  w_.division.for_each(system_.node_count(), [&](int i) { set_velocity(i, state.nodes[i]); });
}

POLHODE_FLATTEN void VelocityLevelRule::set_velocity(int i, const NodeState& s) {
  const Node& node = system_.nodes[i];
  V_[i].setZero();
  if (node.translates()) V_[i].head<3>() = motion_.dx[i] - W_[i].head<3>() / system_.inertia[i].moved - 0.5 * h_ * s.v;
  if (node.rotates()) {
    const Vec3& theta = motion_.theta[i];
    const Mat3 &R0 = w_.start[i].d, &R1 = w_.end[i].d;
    turn_[i] = (1 + 0.25 * theta.squaredNorm()) * (0.5 * (R0 + R1).transpose() * W_[i].tail<3>());
    half_Omega_[i] = R0.transpose() * theta - J_inverse_[i] * turn_[i] - 0.5 * h_ * s.Omega;
    V_[i].tail<3>() = R1 * half_Omega_[i];
  }
  end_rates_[i] = rates(V_[i].head<3>(), V_[i].tail<3>(), w_.end[i].d);
}

void VelocityLevelRule::set_velocity_rows() {
  velocity_rows_.setZero();
  for (std::size_t k = 0; k < rate1_.size(); ++k) velocity_rows_[system_.given_rows[k].row] -= 0.5 * h_ * rate1_[k];
  system_.in_tasks(w_.pool(), [&](int task) {
    for (const auto& rows : system_.elements.rows) rows->add_rates(task, w_.end, V_, span(velocity_rows_));
  });
}

/// (9), (10) and Phi; velocities are those of the present unknowns. The tangent is that of the plain rule.
void VelocityLevelRule::evaluate(bool tangent) {
  BlockMatrix* const A = tangent ? &w_.lu.matrix() : nullptr;
  if (A) system_.clear(*A, w_.pool());
  lambda_ = kappa() + gamma();
  const std::span<Vec6> force = w_.force;
  w_.division.for_each(system_.node_count(), [&](int i) {
    set_midpoint(system_, i, m_, NodeOut{force[i], w_.plan, A});
    force[i].head<3>() -= W_[i].head<3>();
    if (system_.nodes[i].rotates()) force[i].tail<3>() -= w_.end[i].d * turn_[i];
  });
  force[system_.ground()].setZero();
  system_.evaluate(stage_, force, w_.phi_span(), A ? &w_.plan : nullptr, A, w_.pool());
  system_.in_tasks(w_.pool(), [&](int task) {
    for (const auto& rows : system_.elements.rows) rows->add_rate_wrenches(task, velocity_stage(), force);
  });
  w_.division.for_each(system_.node_count(), [&](int i) { w_.rhs.segment<6>(6 * i) = system_.gather(i, force[i]); });
  w_.rhs.tail(system_.row_count) = w_.phi;
}

/// own_ := (inertia, F; B, 0), with which gamma is exact for given u; from the matrix of the plain rule, not factored.
void VelocityLevelRule::set_inertia_matrix() {
  const BlockMatrix& A = w_.lu.matrix();
  BlockMatrix& M = own_.lu.matrix();
  std::copy(A.values().begin(), A.values().end(), M.values().begin());
  double* const values = M.values().data();
  for (const ElementSlots& slots : own_.plan.elements)
    for (const Slot slot : {slots.ab, slots.ba})
      if (slot >= 0) std::fill(values + slot, values + slot + 36, 0.0);
  const Writer out{system_, own_.force.data(), &own_.plan, values, own_.force[system_.ground()]};
  for (const auto& rows : system_.elements.rows) rows->add_mean_columns(velocity_stage(), out);
  for (int i = 0; i < system_.node_count(); ++i) {
    Mat3 turn = Mat3::Zero();
    if (system_.nodes[i].rotates()) {
      const Vec3& theta = motion_.theta[i];
      turn = (Mat3::Identity() - 0.5 * hat(theta)) * system_.inertia[i].carried(w_.end[i].d, w_.end[i].d) /
             (1 + 0.25 * theta.squaredNorm());
    }
    system_.set_node_block(i, system_.inertia[i].moved, turn, own_.plan, M);
  }
}

/// F times multipliers, of a matrix that has not been factored.
VecX& VelocityLevelRule::columns_times(const BlockMatrix& A, const Eigen::Ref<const VecX>& multipliers, VecX& f) const {
  f.setZero();
  for (int b = 0; b < static_cast<int>(system_.blocks.size()); ++b) {
    const ConstraintBlock& block = system_.blocks[b];
    for (const int i : block.nodes)
      f.segment<6>(6 * i).noalias() +=
          Eigen::Map<const MatX>(A.values().data() + A.find(i, system_.node_count() + b), 6, block.rows) *
          multipliers.segment(block.first_row, block.rows);
  }
  return f;
}

}  // namespace polhode
