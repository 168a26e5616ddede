#include <polhode/simulate/sampler.hpp>

#include <polhode/simulate/body_state.hpp>

namespace polhode {
namespace {

/// Puts a vector into an array of numbers.
void put_vector(std::vector<double>& array, std::size_t first, const Vec3& v) {
  std::copy(v.data(), v.data() + 3, &array[first]);
}

}  // namespace

/// Of the origins of the frames: a = dv/dt + d omega/dt x r + omega x (omega x r).
void Sampler::set_accelerations(const State& state, const VecX& u_dot, Sample& out) const {
  const std::size_t n = model_.bodies.size();
  out.accelerations.resize(3 * n);
  out.angular_accelerations.resize(3 * n);
  for (std::size_t k = 0; k < n; ++k) {
    const BodyPlace& body = model_.bodies[k];
    const NodeState& s = state.nodes[body.node];
    const Vec6 a = model_.system.spread(body.node, u_dot.segment<6>(6 * body.node));
    const Vec3 arm = s.q * body.origin, omega = s.q * s.Omega, omega_dot = a.tail<3>();
    put_vector(out.accelerations, 3 * k, a.head<3>() + omega_dot.cross(arm) + omega.cross(omega.cross(arm)));
    put_vector(out.angular_accelerations, 3 * k, s.q.conjugate() * omega_dot);
  }
}

void Sampler::sample(const State& state, const Ledger& ledger, Sample& out) const {
  const std::size_t n = model_.bodies.size();
  out.time = state.t;
  out.positions.resize(3 * n);
  out.quaternions.resize(4 * n);
  out.velocities.resize(3 * n);
  out.angular_velocities.resize(3 * n);
  for (std::size_t k = 0; k < n; ++k) {
    const BodyState body = body_state(model_.bodies[k], state);
    const Quaternion& q = body.orientation;
    put_vector(out.positions, 3 * k, body.position);
    Eigen::Map<Eigen::Vector4d>(&out.quaternions[4 * k]) << q.w(), q.x(), q.y(), q.z();
    put_vector(out.velocities, 3 * k, body.velocity);
    put_vector(out.angular_velocities, 3 * k, body.angular_velocity);
  }

  auto& [frames, V, B, lambda, rate] = buffers_;
  lambda = state.lambda;
  if (mass_) {
    const Accelerations now = accelerations(model_.system, state, *mass_, state.t > 0 ? Limit::left : Limit::right);
    lambda = now.lambda;
    set_accelerations(state, now.u_dot, out);
  }
  out.velocity_residual = 0;
  const System& system = model_.system;
  if (system.row_count > 0 || !model_.outputs.empty()) {
    system.frames(state, frames, pool_);
    spatial_velocities(system, state, V);
  }
  if (system.row_count > 0) {
    system.jacobian(frames, state.angles, B, pool_);
    reactions_.evaluate(frames, B, lambda, out.reactions);
    rate.resize(system.row_count);
    system.velocity_residual(B, V, state.t, {rate.data(), static_cast<std::size_t>(rate.size())}, pool_);
    out.velocity_residual = rate.cwiseAbs().maxCoeff();
  }
  out.multipliers.assign(lambda.data(), lambda.data() + lambda.size());
  out.outputs.clear();
  append_outputs(
      model_.outputs,
      {.start = frames, .end = frames, .t0 = state.t, .t1 = state.t, .given = &state, .pointwise = true, .V = V},
      system, out.outputs);

  const double work = state.work.done(), dissipated = state.work.dissipated();
  out.energy = {.kinetic = ledger.energy.kinetic,
                .gravitational = ledger.energy.gravitational,
                .strain = ledger.energy.strain,
                .work = work,
                .dissipated = dissipated,
                .algorithmic = ledger.initial_energy.total() + work - dissipated - ledger.energy.total()};
  out.linear_momentum = ledger.momentum.linear;
  out.angular_momentum = ledger.momentum.angular;
  out.position_residual = ledger.position_residual;
  out.newton_iterations = static_cast<int>(ledger.iterations_since_sample);
}

}  // namespace polhode
