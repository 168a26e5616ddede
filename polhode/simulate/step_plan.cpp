#include <polhode/simulate/step_plan.hpp>

#include <algorithm>
#include <cmath>

namespace polhode {
namespace {

/// Steps from the origin to the end, the last one shorter if need be; a remainder of rounding is none.
long last_step(const StepPlan::Fixed& fixed, double end) {
  return static_cast<long>(std::ceil((end - fixed.origin) / fixed.h * (1 - 1e-12) - 1e-9));
}

/// The next time at which a controlled step must end.
double next_stop(const StepPlan::Controlled& control, double t, double end) {
  const double output = static_cast<double>(control.outputs + 1) * control.output_step;
  if (control.output_step > 0 && (t >= end || output < end * (1 - 1e-12))) return output;
  return t < end ? end : HUGE_VAL;
}

}  // namespace

StepPlan::Next StepPlan::next(double t) const {
  if (const auto* fixed = std::get_if<Fixed>(&rule)) {
    const bool last = fixed->done + 1 == last_step(*fixed, end);
    const double t1 = last ? end : fixed->origin + static_cast<double>(fixed->done + 1) * fixed->h;
    return {t1 - t, t1, last || (steps + 1) % fixed->stride == 0};
  }
  const Controlled& control = std::get<Controlled>(rule);
  const double stop = next_stop(control, t, end), rest = stop - t;
  if (rest <= 1.01 * control.h) return {rest, stop, true};         // one step, a little longer if that saves a tiny one
  const double h = rest < 2 * control.h ? 0.5 * rest : control.h;  // two equal ones rather than a long and a short one
  return {h, t + h, false};
}

void StepPlan::accept(const Next& step, double error) {
  ++steps;
  if (auto* fixed = std::get_if<Fixed>(&rule)) {
    const long last = last_step(*fixed, end);
    const bool was_last = fixed->done + 1 == last;
    const bool was_short =
        was_last && std::abs(fixed->origin + static_cast<double>(last) * fixed->h - end) > 1e-9 * fixed->h;
    if (was_short)
      fixed->origin = end, fixed->done = 0;
    else
      ++fixed->done;
    return;
  }
  // A proportional and integral controller: h_next / h = 0.9 e^(-0.7/p) e_last^(0.4/p), with p = order + 1 and e =
  // error / tolerance (Gustafsson's coefficients; Hairer & Wanner, Solving Ordinary Differential Equations II, IV.2).
  // The 0.9 makes refusals rare.
  Controlled& control = std::get<Controlled>(rule);
  const double p = control.order + 1, e = std::max(error / control.tolerance, 1e-4);
  const double factor = 0.9 * std::pow(e, -0.7 / p) * std::pow(control.last_error, 0.4 / p);
  const double h = step.h * std::clamp(factor, 0.2, control.refused ? 1.0 : 2.0);
  control.h = step.h < control.h ? std::max(control.h, h) : h;  // a step that was cut says nothing against a longer one
  control.last_error = e;
  control.refused = false;
  if (step.is_output) ++control.outputs;
}

bool StepPlan::refuses(const Next& step, double error) {
  auto* control = std::get_if<Controlled>(&rule);
  if (!control) return false;
  const double e = error / control->tolerance;
  if (e <= 1) return false;
  control->h = step.h * (std::isfinite(e) ? std::clamp(0.9 * std::pow(e, -1 / (control->order + 1)), 0.1, 0.9) : 0.1);
  control->refused = true;
  return true;
}

double StepPlan::h() const {
  return std::visit([](const auto& own) { return own.h; }, rule);
}

long StepPlan::steps_to_end() const {
  const auto* fixed = std::get_if<Fixed>(&rule);
  return fixed ? last_step(*fixed, end) : 0;
}

long StepPlan::sample_count() const {
  const long start = steps == 0;
  if (const auto* fixed = std::get_if<Fixed>(&rule)) {
    const long rest = std::max(0L, last_step(*fixed, end) - fixed->done), last = steps + rest;
    return start + last / fixed->stride - steps / fixed->stride + (rest > 0 && last % fixed->stride != 0);
  }
  const Controlled& control = std::get<Controlled>(rule);
  const double output = control.output_step;
  const long all = output > 0 ? std::max(1L, static_cast<long>(std::ceil(end / output * (1 - 1e-12)))) : 1;
  return start + std::max(0L, all - control.outputs);
}

}  // namespace polhode
