#include <polhode/simulate/ledger.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <polhode/simulate/frequencies.hpp>

namespace polhode {
namespace {

constexpr double rounding_of_energy = 1e-12;  // a gain of less, relative to the numbers it is summed from, is none
constexpr double rounding_of_a_run = 1e-9;    // what rounding alone adds up to in a long run, relative to the same
constexpr double resting = 1e-6;              // a model that exchanges less than this part of its weight stands still
constexpr double blow_up =
    10;  // times all energy and all work: an error of 1 leaves a bad motion, one of 10 leaves none

constexpr double creeping = 1e-10;  // of the model's length in a step: slower than that, it stands still
// Energy across the joints is measured at steps 32, 64, 128 ..., and when the residuals say that it may have grown, but
// not more often than this: a measurement takes about as long as an iteration.
constexpr long first_measurement = 32, steps_a_measurement = 32, free_measurements = 8;
constexpr double growth_across = 1.5, least_across = 1e-4;  // of the largest share, and the least that is looked for
constexpr double rounding_across = 1e-20;                   // a share that rounding leaves to exact velocities
constexpr int nodes_of_a_large_model = 256;                 // whose factors are not kept

/// A value that is not a number is the largest: it fails the run, which ends with it.
void raise(double& largest, double value) {
  if (!(value <= largest)) largest = value;
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
  lifting_ = resting * lifting_work(model_, state);
  ledger.rest_scale = lifting_;
  ledger.conserved = conserved_momenta(model_, state);
  const Frequencies frequencies = estimate_frequencies(model_, state);
  ledger.stiffest = {frequencies.spring, frequencies.spring_name};
  double mass = 0;
  for (const BodyInertia& body : model_.system.inertia.bodies) mass += body.mass;
  ledger.across.energy_by_square = 0.5 * mass * std::max(1.0, model_.system.length * model_.system.length);
  creeping_ = 0.5 * mass * std::pow(creeping * model_.system.length, 2);
  restart(state);
  ledger.reactions.resize(model_.connections.size());
  return ledger;
}

void Accountant::account(const State& state, const StepOutcome& step, Ledger& ledger) {
  ledger.iterations += step.iterations;
  ledger.iterations_since_sample += step.iterations;
  ledger.fallbacks += step.fallbacks;
  ledger.refused_steps += step.refused;
  ledger.halved_steps += step.halved;
  if (!step.accepted) return;
  ++ledger.steps;
  raise(ledger.largest_step, step.h);
  ledger.rest_scale = std::max(lifting_, creeping_ / (ledger.largest_step * ledger.largest_step));
  account(state, ledger);
  account_turns(state, step.h, ledger);
  if (model_.system.row_count > 0) account_across(state, ledger);
}

void Accountant::restart(const State& state) {
  before_.resize(state.nodes.size());
  for (std::size_t i = 0; i < state.nodes.size(); ++i) before_[i] = state.nodes[i].q;
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

/// The angle between the orientations at both ends, past a quarter of a turn by help of the angular velocity. Unit
/// quaternions of rotations an angle apart are 2 sin(angle/4) apart, or so far from each other's negative.
void Accountant::account_turns(const State& state, double h, Ledger& ledger) {
  using std::numbers::pi;
  const auto angle_of = [](double square) { return 4 * std::asin(0.5 * std::sqrt(square)); };
  double largest = 0;
  int farthest = -1;
  for (int i = 0; i < model_.system.node_count(); ++i) {
    const NodeState& s = state.nodes[i];
    const double apart = (before_[i].coeffs() - s.q.coeffs()).squaredNorm(), square = std::min(apart, 4 - apart),
                 spin = h * h * s.Omega.squaredNorm();
    before_[i] = s.q;
    if (spin > 0.25 * pi * pi) {  // of the angles 2 k pi +- a the nearest
      const double turn = std::sqrt(spin), a = angle_of(square), whole = 2 * pi * std::floor(turn / (2 * pi));
      double angle = a;
      for (const double one : {whole + a, whole + 2 * pi - a, whole + 2 * pi + a})
        if (std::abs(one - turn) < std::abs(angle - turn)) angle = one;
      if (angle > ledger.turn.angle) ledger.turn = {angle, state.t, i};
    } else if (square > largest) {
      largest = square;
      farthest = i;
    }
  }
  if (const double angle = angle_of(largest); angle > ledger.turn.angle) ledger.turn = {angle, state.t, farthest};
}

/// Where the residuals of the rates, left by account_joints, may belong to more energy than was seen.
void Accountant::account_across(const State& state, Ledger& ledger) {
  Ledger::Across& across = ledger.across;
  const double square = residual_.squaredNorm(), kinetic = ledger.largest_kinetic;
  const bool due = ledger.steps >= first_measurement && (ledger.steps & (ledger.steps - 1)) == 0;
  const bool grown =
      across.energy_by_square * square > std::max(growth_across * across.energy, least_across * kinetic) &&
      across.measurements <= ledger.steps / steps_a_measurement + free_measurements;
  if (!(kinetic > 0) || !std::isfinite(square) || !(due || grown)) return;
  const double energy = energy_across(state);
  ++across.measurements;
  if (energy > rounding_across * kinetic) {
    across.energy_by_square = std::max(across.is_measured ? across.energy_by_square : 0.0, energy / square);
    across.is_measured = true;
  }
  if (energy > across.energy) across.energy = energy, across.time = state.t;
}

/// T(v) - T(P v) with the velocities P v that meet the joints, the nearest by the metric of the masses: r . mu/2 with
/// (B M^-1 B^T) mu = r = B V - df/dt, in whatever unknowns.
double Accountant::energy_across(const State& state) {
  const System& system = model_.system;
  if (!mass_) mass_.emplace(system, pool_);
  system.jacobian(frames_, state.angles, B_, pool_);
  double energy = 0;
  if (mass_->factor(frames_, B_)) {
    u_.setZero(6 * system.node_count());  // M u + B^T mu = 0, B u = -r
    mu_ = -residual_;
    mass_->solve(u_, mu_);
    energy = std::max(0.0, 0.5 * residual_.dot(mu_));
  }
  if (system.node_count() > nodes_of_a_large_model) mass_.reset();
  return energy;
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
