#include <polhode/simulate/stepper.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <polhode/lie/so3.hpp>
#include <polhode/model/error.hpp>

namespace polhode {
namespace {

constexpr int most_halvings = 8;     // to h/256
constexpr double most_steps = 1e15;  // beyond, t + h is t, and a count of steps no longer an integer
constexpr int most_refusals = 50;    // each shortens the step to a tenth or more: nothing is left after so many

std::string in_words(const Method& method, const MethodOptions& options) {
  std::string text = method.name;
  for (const auto& [name, value] : options.all())
    text += std::holds_alternative<double>(value) ? fmt::format(", {} {:g}", name, std::get<double>(value))
                                                  : fmt::format(", {} {}", name, std::get<std::string>(value));
  return text;
}

/// The largest difference of two configurations: radians, and lengths relative to the model's.
double distance(const System& system, const State& a, const State& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    const double apart = (a.nodes[i].x - b.nodes[i].x).norm() / system.length;
    const double turned = so3::log(a.nodes[i].q.conjugate() * b.nodes[i].q).norm();
    if (!std::isfinite(apart + turned)) return std::numeric_limits<double>::quiet_NaN();
    largest = std::max({largest, apart, turned});
  }
  return largest;
}

}  // namespace

StepPlan plan_of(const SimulationOptions& options) {
  if (const double count = options.end_time / options.step; !(count <= most_steps))
    throw ModelError(
        fmt::format("simulation.step: {:g} s makes {:.2g} steps to {:g} s, of which time and counts can tell "
                    "only {:g} apart; take a step of at least {:g} s",
                    options.step, count, options.end_time, most_steps, options.end_time / most_steps));
  StepPlan::Fixed fixed{.h = options.step};
  StepPlan plan{.rule = fixed, .end = options.end_time};
  const double output =
      options.output_step.value_or(options.step * std::ceil(static_cast<double>(plan.steps_to_end()) / 1000.0));
  fixed.stride = std::max(1L, std::lround(output / options.step));
  if (options.output_step && std::abs(static_cast<double>(fixed.stride) * options.step - output) > 1e-9 * output)
    throw ModelError(fmt::format("simulation.output_step: {:g} s is not a multiple of the step {:g} s; try {:g} s",
                                 output, options.step, static_cast<double>(fixed.stride) * options.step));
  plan.rule = fixed;
  return plan;
}

Stepper::Stepper(const Model& model, const StepPlan& plan)
    : compiled_(compile(model)), state_(compiled_.start), plan_(plan) {
  const SimulationOptions& options = model.simulation;
  const Method& method = find_method(options.integrator.name);
  method_ = in_words(method, complete_options(method, options.integrator));
  if (const auto reason = why_not(compiled_.system, options.integrator)) throw ModelError(*reason);
  start_ = settled_start(compiled_, options, state_);
  if (compiled_.system.left_out.any()) watch_.emplace(compiled_, options.loop_tolerance);
  resources_ = Resources::of(options.threads, compiled_.system.parts);
  integrator_ = make_integrator(compiled_.system, options.integrator, options.newton, resources_);
  if (const auto reason = integrator_->why_not(state_, plan_.h())) throw ModelError(*reason);
}

void Stepper::start() {
  integrator_->start(state_, plan_.h());
  started_ = true;
}

StepOutcome Stepper::advance() {
  StepOutcome outcome;
  if (!started_) start();
  if (watch_)
    if (const auto why = watch_->contradiction(state_)) {
      outcome.failure = fmt::format("t = {:.6g} s, step {}: {}", state_.t, plan_.steps + 1, *why);
      return outcome;
    }
  while (outcome.refused < most_refusals) {
    const StepPlan::Next next = plan_.next(state_.t);
    double error = 0;
    const bool taken = plan_.controlled() ? take_twice(next.h, outcome, error) : take(next.h, outcome);
    if (!taken && !plan_.controlled()) return outcome;
    if (taken && !plan_.refuses(next, error)) {
      state_.t = next.t1;
      plan_.accept(next, error);
      outcome.accepted = true;
      outcome.h = next.h;
      outcome.is_output = next.is_output;
      if (watch_ && watch_->choose_again(state_)) start();
      return outcome;
    }
    if (!taken) plan_.refuses(next, std::numeric_limits<double>::quiet_NaN());
    put_back();
    ++outcome.refused;
  }
  outcome.failure = fmt::format(
      "t = {:.6g} s, step {}: the step was refused {} times, the last time with {:.3g} s; try a larger tolerance",
      state_.t, plan_.steps + 1, outcome.refused, plan_.next(state_.t).h);
  return outcome;
}

/// A step of h. If it does not converge, two of h/2, and so on to h/256; if that fails, there is no trace of it.
void Stepper::refuse_unserved(const State& state) const {
  if (const auto reason = integrator_->why_not(state, plan_.h())) throw ModelError("simulation.step: " + *reason);
}

bool Stepper::take(double h, StepOutcome& outcome) {
  report_ = integrator_->step(state_, h);
  outcome.iterations += report_.iterations;
  outcome.fallbacks += report_.fallbacks;
  if (report_.converged) return true;
  outcome.halved = true;
  keep();
  if (halve(h, 1, outcome)) return true;
  outcome.failure = explain(std::ldexp(h, -most_halvings));
  put_back();
  return false;
}

bool Stepper::halve(double h, int depth, StepOutcome& outcome) {
  for (int half = 0; half < 2; ++half) {
    report_ = integrator_->step(state_, 0.5 * h);
    outcome.iterations += report_.iterations;
    outcome.fallbacks += report_.fallbacks;
    if (!report_.converged && (depth == most_halvings || !halve(0.5 * h, depth + 1, outcome))) return false;
  }
  return true;
}

/// Step doubling: h at once, then h/2 twice, which is kept. With a method of order p, the error of the latter is (once
/// - twice)/(2^p - 1).
bool Stepper::take_twice(double h, StepOutcome& outcome, double& error) {
  keep();
  const auto step = [&](double length) {
    report_ = integrator_->step(state_, length);
    outcome.iterations += report_.iterations;
    outcome.fallbacks += report_.fallbacks;
    return report_.converged;
  };
  if (!step(h)) return false;
  once_ = state_;
  put_back();
  if (!step(0.5 * h) || !step(0.5 * h)) return false;
  error = distance(compiled_.system, once_, state_) / (std::exp2(std::get<StepPlan::Controlled>(plan_.rule).order) - 1);
  return true;
}

void Stepper::keep() {
  before_ = state_;
  warm_before_.clear();
  integrator_->save(warm_before_);
}

void Stepper::put_back() {
  state_ = before_;
  integrator_->restore(warm_before_);
}

/// What the last attempt failed at, of the length h.
std::string Stepper::explain(double h) const {
  const std::string when = fmt::format("t = {:.6g} s, step {}: ", before_.t, plan_.steps + 1);
  if (!report_.reason.empty()) return when + report_.reason;
  // a residual that corrections do not reach: its rows contradict others of their loop
  const bool stays = report_.worst_residual > 1e3 * report_.error * compiled_.system.length + 1e-9;
  if (report_.worst_block >= 0 && stays)
    if (NearLoop loop{.equation = {}, .joints = loop_through(compiled_, report_.worst_block)}; loop.joints.size() > 1)
      return when +
             fmt::format(
                 "the equations of the loop of joints {} contradict each other: \"{}\" stays open by {:.2g} m or "
                 "rad when corrections are down to {:.1e}; correct the data of these joints or, if they are "
                 "rounded, set a larger loop_tolerance",
                 loop.path(), loop.joints[0], report_.worst_residual, report_.error);
  const std::string where = report_.worst_block >= 0
                                ? fmt::format(", worst in joint \"{}\" with a residual of {:.1e}",
                                              compiled_.connections[report_.worst_block].name, report_.worst_residual)
                                : "";
  return when + fmt::format(
                    "Newton does not converge, also with the step halved {} times to {:.3g} s: relative error {:.1e} "
                    "after {} iterations{}; try a smaller step than {:g} s, or a dissipative integrator",
                    most_halvings, h, report_.error, report_.iterations, where, plan_.h());
}

bool Stepper::apply(const Applied& wrench) {
  std::vector<Applied>& all = state_.applied;
  const auto found =
      std::lower_bound(all.begin(), all.end(), wrench.node, [](const Applied& a, int node) { return a.node < node; });
  const bool present = found != all.end() && found->node == wrench.node,
             wanted = !wrench.force.isZero(0) || !wrench.torque.isZero(0);
  if (present ? *found == wrench : !wanted) return false;
  if (!present)
    all.insert(found, wrench);
  else if (wanted)
    *found = wrench;
  else
    all.erase(found);
  integrator_->restart(state_, plan_.h());
  return true;
}

Stepper::Saved Stepper::save() const {
  Saved saved{state_, {}, plan_, started_, compiled_.system.left_out};
  integrator_->save(saved.warm_start);
  return saved;
}

void Stepper::restore(const Saved& saved) {
  state_ = saved.state;
  plan_ = saved.plan;
  started_ = saved.started;
  LeftOut& left_out = compiled_.system.left_out;  // the equations refer to its numbers
  std::copy(saved.left_out.rows.begin(), saved.left_out.rows.end(), left_out.rows.begin());
  left_out.gap = saved.left_out.gap;
  integrator_->restore(saved.warm_start);
}

}  // namespace polhode
