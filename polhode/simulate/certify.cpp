#include <polhode/simulate/certify.hpp>

#include <limits>
#include <numbers>

#include <fmt/format.h>

#include <polhode/simulate/frequencies.hpp>

namespace polhode {
namespace {

double relative(double error, double size) { return error == 0 ? 0.0 : size > 0 ? error / size : error; }

/// Loads do work of their own; other forces store energy, or take it out by dampers.
void add_work_by_name(const Model& model, const CompiledModel& compiled, const Work& work, Certificate& c) {
  for (std::size_t k = 0; k < compiled.drive_names.size(); ++k)
    c.drive_work[compiled.drive_names[k]] = work.drives[static_cast<long>(k)];
  if (work.applied() != 0) c.load_work[applied_work] = work.applied();
  for (std::size_t k = 0; k < compiled.force_names.size(); ++k) {
    const Force& force = model.forces[k];
    if (force.kind().load)
      c.load_work[force.name()] = work.forces[static_cast<long>(k)];
    else if (force.damped())
      c.dissipated[force.name()] = work.dampers[static_cast<long>(k)];
  }
}

/// The stiffest oscillation of the start and of now.
Certificate::Resolution resolution_of(const CompiledModel& model, const State& state, const Ledger& ledger,
                                      const Certificate& c) {
  Certificate::Resolution out;
  out.turn = ledger.turn.angle;
  out.turn_time = ledger.turn.time;
  for (const BodyPlace& body : model.bodies)
    if (body.node == ledger.turn.node && out.turn_body.empty()) out.turn_body = body.name;
  const Frequencies now = estimate_frequencies(model, state);
  const bool stiffer = now.spring > ledger.stiffest.frequency;
  const double frequency = stiffer ? now.spring : ledger.stiffest.frequency;
  if (frequency > 0)
    out.steps_per_period = 2 * std::numbers::pi / frequency / (ledger.largest_step > 0 ? ledger.largest_step : c.step);
  out.stiffest = stiffer ? now.spring_name : ledger.stiffest.name;
  out.across_joints = relative(ledger.across.energy, std::max(ledger.largest_kinetic, ledger.rest_scale));
  out.across_joints_time = ledger.across.time;
  if (c.steps > 0) out.halved = static_cast<double>(ledger.halved_steps) / static_cast<double>(c.steps);
  return out;
}

}  // namespace

Certificate certify(const Model& model, const Stepper& stepper, const Ledger& ledger, const Sampler& sampler) {
  const CompiledModel& compiled = stepper.compiled();
  const StartReport& start = stepper.start_report();
  const State& state = stepper.state();
  Certificate c;
  c.model = model.name;
  c.integrator = stepper.method();
  c.step = stepper.plan().h();
  c.end_time = stepper.plan().end;
  c.time = state.t;
  c.steps = stepper.plan().steps;
  c.threads = stepper.resources().pool ? stepper.resources().pool->threads() : 1;
  c.newton = {.iterations = ledger.iterations, .halved_steps = ledger.halved_steps, .fallbacks = ledger.fallbacks};

  const double scale = ledger.energy_scale();
  c.energy = {.initial = ledger.initial_energy.total(),
              .final = ledger.energy.total(),
              .scale = scale,
              .max_error = ledger.energy_error,
              .max_imbalance = ledger.balance_error,
              .max_relative_error = relative(ledger.energy_error, scale),
              .balance_error = relative(ledger.balance_error, scale),
              .algorithmic_dissipation = ledger.lost,
              .identity_error = relative(ledger.identity_error, scale),
              .largest_gain = relative(ledger.largest_gain, scale),
              .gaining_steps = ledger.gaining_steps,
              .work = state.work.done() - state.work.dissipated()};
  add_work_by_name(model, compiled, state.work, c);
  c.momentum = {.linear_error = relative(ledger.linear_error, ledger.largest_linear),
                .angular_error = relative(ledger.angular_error, ledger.largest_angular),
                .linear_change = ledger.linear_error,
                .angular_change = ledger.angular_error,
                .linear_components = static_cast<int>(ledger.conserved.linear.size()),
                .angular_components = static_cast<int>(ledger.conserved.angular.size()),
                .known = ledger.conserved.known};
  if (const double unknown = std::numeric_limits<double>::quiet_NaN(); !c.momentum.known)
    c.momentum.linear_error = c.momentum.angular_error = c.momentum.linear_change = c.momentum.angular_change = unknown;
  c.constraints = {.position = ledger.largest_position_residual,
                   .velocity = ledger.largest_velocity_residual,
                   .equations = start.equations,
                   .redundant = static_cast<int>(start.redundancies.size()),
                   .freedoms = start.freedoms,
                   .redundancies = {}};
  for (const Redundancy& r : start.redundancies)
    c.constraints.redundancies.push_back(fmt::format("redundant in joint \"{}\": {}", r.connection, r.direction()));
  for (const NearLoop& loop : start.near_loops) c.constraints.redundancies.push_back(loop.text());

  c.resolution = resolution_of(compiled, state, ledger, c);

  c.reaction_samples = ledger.samples;
  const double not_taken = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t k = 0; k < compiled.connections.size(); ++k) {
    const Ledger::Reaction& largest = ledger.reactions[k];
    const bool taken = ledger.samples > 0;
    c.reactions[compiled.connections[k].name] = {taken ? largest.force : not_taken, taken ? largest.moment : not_taken,
                                                 sampler.unique(k)};
  }
  for (const BodyPlace& body : compiled.bodies) c.bodies.emplace_back(body.name, body_state(body, state));
  return c;
}

}  // namespace polhode
