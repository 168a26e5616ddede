#include <polhode/simulate/ledger.hpp>

#include <algorithm>
#include <cmath>

namespace polhode {
namespace {

constexpr double rounding_of_energy = 1e-12;  // a gain of less, relative to the scale, is none

void raise(double& largest, double value) { largest = std::max(largest, value); }

}  // namespace

double Ledger::energy_scale() const {
  return std::max({std::abs(initial_energy.total()), largest_kinetic, largest_swing, largest_strain});
}

Ledger Accountant::open(const State& state) {
  Ledger ledger;
  model_.system.frames(state, frames_, pool_);
  ledger.initial_energy = energy(model_.system, state, frames_, pool_);
  ledger.initial_momentum = momentum(model_.system, state, frames_, pool_);
  ledger.conserved = conserved_momenta(model_, state);
  ledger.reactions.resize(model_.connections.size());
  return ledger;
}

void Accountant::account(const State& state, const StepOutcome& step, Ledger& ledger) {
  ledger.iterations += step.iterations;
  ledger.iterations_since_sample += step.iterations;
  ledger.fallbacks += step.fallbacks;
  ledger.refused_steps += step.refused;
  ledger.halved_steps += step.halved;
  if (step.accepted) account(state, ledger);
}

void Accountant::account(const State& state, Ledger& ledger) {
  const System& system = model_.system;
  system.frames(state, frames_, pool_);

  // E(t) - E(0), less the work of drives and loads, plus what dampers took, plus what the method says that it takes
  ledger.energy = energy(system, state, frames_, pool_);
  const double change = ledger.energy.total() - ledger.initial_energy.total();
  const double lost = state.work.done() - state.work.dissipated() - change;
  raise(ledger.energy_error, std::abs(change));
  raise(ledger.balance_error, std::abs(lost));
  raise(ledger.identity_error, std::abs(lost - state.work.algorithmic));
  raise(ledger.largest_kinetic, ledger.energy.kinetic);
  raise(ledger.largest_swing, std::abs(ledger.energy.gravitational - ledger.initial_energy.gravitational));
  raise(ledger.largest_strain, ledger.energy.strain);
  const double gain = ledger.lost - lost;
  raise(ledger.largest_gain, gain);
  if (gain > rounding_of_energy * ledger.energy_scale()) ++ledger.gaining_steps;
  ledger.lost = lost;

  // P . t + L . w of every rigid motion (t, w) that is a symmetry of the model
  ledger.momentum = momentum(system, state, frames_, pool_);
  raise(ledger.largest_linear, ledger.momentum.linear_size);
  raise(ledger.largest_angular, ledger.momentum.angular_size);
  const Vec3 dP = ledger.momentum.linear - ledger.initial_momentum.linear,
             dL = ledger.momentum.angular - ledger.initial_momentum.angular;
  for (const Generator& g : ledger.conserved.linear) raise(ledger.linear_error, std::abs(dP.dot(g.t)));
  for (const Generator& g : ledger.conserved.angular) raise(ledger.angular_error, std::abs(dP.dot(g.t) + dL.dot(g.w)));

  // Phi(q, t) and B V - df/dt
  if (system.row_count == 0) return;
  residual_.resize(system.row_count);
  const std::span<double> rows(residual_.data(), static_cast<std::size_t>(residual_.size()));
  system.residual(frames_, state.angles, state.t, rows, pool_);
  raise(ledger.largest_position_residual, ledger.position_residual = residual_.cwiseAbs().maxCoeff());
  spatial_velocities(system, state, V_);
  system.velocity_residual(frames_, V_, state.t, rows, pool_);
  raise(ledger.largest_velocity_residual, ledger.velocity_residual = residual_.cwiseAbs().maxCoeff());
}

void account(const Sample& sample, Ledger& ledger) {
  ++ledger.samples;
  ledger.iterations_since_sample = 0;
  for (std::size_t k = 0; 6 * k < sample.reactions.size(); ++k) {
    const Vec6 wrench = Eigen::Map<const Vec6>(&sample.reactions[6 * k]);
    raise(ledger.reactions[k].force, wrench.head<3>().norm());
    raise(ledger.reactions[k].moment, wrench.tail<3>().norm());
  }
}

}  // namespace polhode
