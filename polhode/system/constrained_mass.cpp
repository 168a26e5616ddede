#include <polhode/system/constrained_mass.hpp>

namespace polhode {

ConstrainedMass::ConstrainedMass(const System& system, ThreadPool* pool)
    : system_(system), plan_(system.plan(1)), lu_(plan_.pattern, system.division(pool)) {
  system.find_slots(plan_, lu_.matrix());
  plan_.pattern = {};  // all slots are known
  work_.resize(lu_.matrix().rows());
}

void ConstrainedMass::add_mass(std::span<const Frame> frames, std::span<const Weight> weights) {
  for (int i = 0; i < system_.node_count(); ++i) {
    const Weight w = weights.empty() ? Weight{} : weights[i];
    Mat6 M = system_.inertia[i].matrix(frames[i].d);
    M.topRows<3>() *= w.translation;
    M.bottomRows<3>() *= w.rotation;
    system_.add_node_block(i, M, plan_, lu_.matrix());
  }
  for (const auto& tie : system_.inertia.ties) tie->add_matrix(system_, frames, 1, lu_.matrix());
}

bool ConstrainedMass::factor(std::span<const Frame> frames, const ConstraintJacobian& B,
                             std::span<const Weight> weights) {
  lu_.matrix().set_zero();
  add_mass(frames, weights);
  set_constraints(B, B, 0, system_.node_count(), lu_.matrix());
  return lu_.factor();
}

bool ConstrainedMass::factor_damped(const Stage& point, double factor, const ConstraintJacobian& B) {
  const std::size_t n = system_.nodes.size();
  unit_.assign(n + 1, Mat6::Identity());
  zero_.assign(n + 1, Mat6::Zero());
  force_.assign(n + 1, Vec6::Zero());
  phi_.resize(system_.row_count);
  lu_.matrix().set_zero();
  // the tangent K + C dV/dq with dV/dq = 1, less that with 0
  for (const double sign : {1.0, -1.0}) {
    Stage stage = point;
    stage.scale = sign * factor;
    stage.dV = sign > 0 ? unit_ : zero_;
    system_.evaluate(stage, force_, {phi_.data(), static_cast<std::size_t>(phi_.size())}, &plan_, &lu_.matrix());
  }
  add_mass(point.end, {});
  set_constraints(B, B, 0, system_.node_count(), lu_.matrix());
  return lu_.factor();
}

bool ConstrainedMass::factor_unit(const ConstraintJacobian& B, double regularisation) {
  lu_.reveal_rank(BlockLU::rank_tolerance);
  lu_.matrix().set_zero();
  for (int i = 0; i < system_.node_count(); ++i) system_.add_node_block(i, Mat6::Identity(), plan_, lu_.matrix());
  set_constraints(B, B, 0, system_.node_count(), lu_.matrix());
  for (int b = 0; b < static_cast<int>(system_.blocks.size()); ++b) {
    const int group = system_.node_count() + b, m = system_.blocks[b].rows;
    double* const S = lu_.matrix().values().data() + lu_.matrix().find(group, group);
    for (int k = 0; k < m; ++k) S[k * (m + 1)] = -regularisation;
  }
  return lu_.factor();
}

void ConstrainedMass::solve(VecX& u, VecX& mu) {
  work_ << u, mu;
  lu_.solve(work_);
  u = work_.head(u.size());
  mu = work_.tail(mu.size());
}

void spatial_velocities(const System& system, const State& state, std::vector<Vec6>& V) {
  V.resize(system.nodes.size() + 1);
  for (int i = 0; i < system.node_count(); ++i) V[i] = spatial_velocity(state.nodes[i]);
  V.back().setZero();
}

Accelerations accelerations(const System& system, const State& state, ConstrainedMass& mass) {
  const int n = system.node_count();
  std::vector<Frame> q;
  std::vector<Vec6> V, force(n + 1, Vec6::Zero());
  system.frames(state, q);
  spatial_velocities(system, state, V);
  const VecX none = VecX::Zero(system.row_count);
  VecX phi(system.row_count);
  const std::span<const double> lambda(none.data(), static_cast<std::size_t>(none.size()));
  const Stage stage{
      .start = q, .end = q, .t0 = state.t, .t1 = state.t, .lambda = lambda, .given = &state, .pointwise = true, .V = V};
  system.evaluate(stage, force, {phi.data(), static_cast<std::size_t>(phi.size())});

  ConstraintJacobian rows;  // first D, then B: of a large system one at a time
  system.jacobian_rate(q, state.angles, V, rows);
  for (const auto& tie : system.inertia.ties) tie->add_bias(q, V, force);
  Accelerations out{VecX::Zero(6 * n), VecX::Zero(system.row_count)};
  for (int i = 0; i < n; ++i) {
    const Vec3 omega = V[i].tail<3>();
    force[i].tail<3>() += omega.cross(q[i].d * system.inertia[i].spin(state.nodes[i].Omega));
    out.u_dot.segment<6>(6 * i) = -system.gather(i, force[i]);
  }
  // B du/dt = f'' - D V
  for (const GivenRow& given : system.given_rows)
    out.lambda[given.row] = system.functions[given.function].second_derivative(state.t);
  VecX u(6 * n);
  for (int i = 0; i < n; ++i) u.segment<6>(6 * i) = system.gather(i, V[i]);
  rows.add_times(-1, u, out.lambda);
  system.jacobian(q, state.angles, rows);
  mass.factor(q, rows);
  mass.solve(out.u_dot, out.lambda);
  return out;
}

}  // namespace polhode
