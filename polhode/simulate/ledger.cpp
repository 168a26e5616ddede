#include <polhode/simulate/ledger.hpp>

#include <algorithm>
#include <cmath>

namespace polhode {
namespace {

constexpr double rounding_of_energy = 1e-12;  // a gain of less, relative to the numbers it is summed from, is none
constexpr double rounding_of_a_run = 1e-9;    // what rounding alone adds up to in a long run, relative to the same
constexpr double resting = 1e-6;              // a model that exchanges less than this part of its weight stands still
constexpr double blow_up =
    10;  // times all energy and all work: an error of 1 leaves a bad motion, one of 10 leaves none

/// A value that is not a number is the largest, and stays so.
void raise(double& largest, double value) {
  if (value > largest || std::isnan(value)) largest = value;
}

/// Of lifting the model by its own size: the sum of m |g| times the largest distance of its bodies and anchors [J].
double lifting_work(const CompiledModel& model, const State& state) {
  double mass = 0, size = 0;
  for (int i = 0; i < model.system.node_count(); ++i) {
    mass += model.system.inertia[i].mass;
    size = std::max(size, (state.nodes[i].x - state.nodes[0].x).norm());
  }
  for (const ConnectionPlace& connection : model.connections)
    for (const Marker& marker : {connection.pair.a, connection.pair.b})
      if (marker.node < model.system.ground()) size = std::max(size, marker.X.norm());
  return mass * model.system.gravity.norm() * size;
}

/// Notes the first figure that is not finite.
void note_finite(const char* figure, double value, double time, Ledger& ledger) {
  if (!std::isfinite(value) && *ledger.not_finite.figure == 0) ledger.not_finite = {figure, value, time};
}

}  // namespace

double Ledger::energy_numbers() const {
  return std::max({std::abs(initial_energy.total()), largest_kinetic, largest_swing, largest_strain});
}

bool Ledger::blown_up() const {
  return gained > blow_up * std::max(energy_scale(), worked) && gained > rounding_of_a_run * energy_numbers();
}

Ledger Accountant::open(const State& state) {
  Ledger ledger;
  model_.system.frames(state, frames_, pool_);
  ledger.initial_energy = energy(model_.system, state, frames_, pool_);
  ledger.initial_momentum = momentum(model_.system, state, frames_, pool_);
  ledger.rest_scale = resting * lifting_work(model_, state);
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
  model_.system.frames(state, frames_, pool_);
  account_energy(state, ledger);
  account_momentum(state, ledger);
  if (model_.system.row_count > 0) account_joints(state, ledger);
}

/// E(t) - E(0), less the work of drives and loads, plus what dampers took, plus what the method says that it takes.
void Accountant::account_energy(const State& state, Ledger& ledger) {
  const Energy &start = ledger.initial_energy, now = energy(model_.system, state, frames_, pool_);
  const double change = now.total() - start.total();
  const double done = state.work.done(), dissipated = state.work.dissipated();
  const double lost = done - dissipated - change;
  const double swing = std::abs(now.gravitational - start.gravitational);
  if (!std::isfinite(lost)) {
    note_finite("the kinetic energy [J]", now.kinetic, state.t, ledger);
    note_finite("the potential of gravity [J]", now.gravitational, state.t, ledger);
    note_finite("the strain energy [J]", now.strain, state.t, ledger);
    note_finite("the work of drives and loads [J]", done, state.t, ledger);
    note_finite("what dampers took [J]", dissipated, state.t, ledger);
    note_finite("the balance of energy [J]", lost, state.t, ledger);
  }
  raise(ledger.energy_error, std::abs(change));
  raise(ledger.balance_error, std::abs(lost));
  raise(ledger.identity_error, std::abs(lost - state.work.algorithmic));
  raise(ledger.largest_kinetic, now.kinetic);
  raise(ledger.largest_swing, swing);
  raise(ledger.largest_strain, now.strain);

  const double made = std::max(0.0, -lost);  // T + V + W - made is what the exact work leaves in the motion
  raise(ledger.gained, made);
  raise(ledger.exchanged, std::max({now.kinetic, swing, now.strain}) - made);
  raise(ledger.worked, std::max(std::abs(done), dissipated) - made);

  const double gain = ledger.lost - lost;
  raise(ledger.largest_gain, gain);
  if (gain > rounding_of_energy * ledger.energy_numbers()) ++ledger.gaining_steps;
  ledger.energy = now;
  ledger.lost = lost;
}

/// P . t + L . w of every rigid motion (t, w) that is a symmetry of the model.
void Accountant::account_momentum(const State& state, Ledger& ledger) {
  ledger.momentum = momentum(model_.system, state, frames_, pool_);
  raise(ledger.largest_linear, ledger.momentum.linear_size);
  raise(ledger.largest_angular, ledger.momentum.angular_size);
  const Vec3 dP = ledger.momentum.linear - ledger.initial_momentum.linear,
             dL = ledger.momentum.angular - ledger.initial_momentum.angular;
  note_finite("the linear momentum [kg m/s]", dP.sum(), state.t, ledger);
  note_finite("the angular momentum [kg m^2/s]", dL.sum(), state.t, ledger);
  for (const Generator& g : ledger.conserved.linear) raise(ledger.linear_error, std::abs(dP.dot(g.t)));
  for (const Generator& g : ledger.conserved.angular) raise(ledger.angular_error, std::abs(dP.dot(g.t) + dL.dot(g.w)));
}

/// Phi(q, t) and B V - df/dt.
void Accountant::account_joints(const State& state, Ledger& ledger) {
  const System& system = model_.system;
  residual_.resize(system.row_count);
  const std::span<double> rows(residual_.data(), static_cast<std::size_t>(residual_.size()));
  system.residual(frames_, state.angles, state.t, rows, pool_);
  ledger.position_residual = residual_.cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
  note_finite("the equations of the joints", ledger.position_residual, state.t, ledger);
  raise(ledger.largest_position_residual, ledger.position_residual);
  spatial_velocities(system, state, V_);
  system.velocity_residual(frames_, V_, state.t, rows, pool_);
  ledger.velocity_residual = residual_.cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
  note_finite("the rates of the joints' equations", ledger.velocity_residual, state.t, ledger);
  raise(ledger.largest_velocity_residual, ledger.velocity_residual);
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
