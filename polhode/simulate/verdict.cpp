// What the figures of a certificate mean: bounds beyond which it warns, and what a script may demand of it.
#include <cmath>

#include <fmt/format.h>

#include <polhode/simulate/certificate.hpp>

namespace polhode {
namespace {

// A rule of second order is off by about turn^2/12 of a step that turns a body: 2 % at half a radian.
constexpr double most_turn = 0.5;  // [rad]
// Nyquist: fewer than two steps a period cannot even tell an oscillation from rest, whatever the method.
constexpr double least_steps_per_period = 2;
// Velocities, works and reactions are then off by more than a tenth: the square root of the share.
constexpr double most_across_joints = 0.01;
// Newton's method fails at the step asked for in one step of twenty: the step, or the model, is at its limit.
constexpr double most_halved = 0.05;
// Of the energy exchanged, by damping or by error: amplitudes are off by half of it.
constexpr double most_imbalance = 0.01;

struct Figure {
  const char* name;
  double (*of)(const Certificate&);
  bool at_least = false;  // a requirement is a lower limit
};

double momentum(const Certificate& c) {
  return c.momentum.known ? std::max(c.momentum.linear_error, c.momentum.angular_error) : NAN;
}

const Figure figures[] = {
    {"energy", [](const Certificate& c) { return c.energy.balance_error; }},
    {"momentum", momentum},
    {"position", [](const Certificate& c) { return c.constraints.position; }},
    {"velocity", [](const Certificate& c) { return c.constraints.velocity; }},
    {"turn", [](const Certificate& c) { return c.resolution.turn; }},
    {"steps_per_period", [](const Certificate& c) { return c.resolution.steps_per_period; }, true},
    {"across_joints", [](const Certificate& c) { return c.resolution.across_joints; }},
    {"halved", [](const Certificate& c) { return c.resolution.halved; }},
};

/// The figures beyond their bounds, the gravest first: each in one sentence, with what to try.
std::vector<std::string> warnings_of(const Certificate& c) {
  std::vector<std::string> out;
  const Certificate::Resolution& r = c.resolution;
  if (!(r.across_joints <= most_across_joints))
    out.push_back(
        fmt::format("velocities across the joints hold {:.3g} % of the kinetic energy (t = {:g} s; bound {:g} %), "
                    "so velocities, work and reactions are not those of the mechanism: use energy-momentum "
                    "with \"index\": 2, or a smaller step than {:g} s",
                    100 * r.across_joints, r.across_joints_time, 100 * most_across_joints, c.step));
  if (!(r.turn <= most_turn))
    out.push_back(
        fmt::format("body \"{}\" turns by {:.3g} rad in one step (t = {:g} s; bound {:g} rad), so its motion "
                    "is not resolved: take a step below {:.2g} s",
                    r.turn_body, r.turn, r.turn_time, most_turn, c.step * most_turn / r.turn));
  if (!(r.halved <= most_halved))
    out.push_back(
        fmt::format("{:.3g} % of the steps did not converge and were halved (bound {:g} %): take a smaller "
                    "step than {:g} s",
                    100 * r.halved, 100 * most_halved, c.step));
  if (!(c.energy.balance_error <= most_imbalance)) {
    const bool by_design = c.energy.identity_error <= most_imbalance;  // what the method says that it takes
    out.push_back(fmt::format(
        "{} {:.3g} J, {:.3g} % of what the motion exchanges (bound {:g} %): take a smaller step than {:g} s, or "
        "energy-momentum, which conserves it{}",
        by_design ? "the damping of the integrator changes the energy by" : "the balance of energy is off by",
        c.energy.max_imbalance, 100 * c.energy.balance_error, 100 * most_imbalance, c.step,
        by_design ? ", unless vibrations are to be damped" : ""));
  }
  if (!(r.steps_per_period >= least_steps_per_period))
    out.push_back(fmt::format(
        "the stiffest oscillation, of \"{}\", has {:.2g} steps a period (bound {:g}), so it is not "
        "resolved: take a step below {:.2g} s if it matters",
        r.stiffest, r.steps_per_period, least_steps_per_period, c.step * r.steps_per_period / least_steps_per_period));
  if (c.trajectory && c.trajectory->lost)
    out.push_back(
        fmt::format("the run and one with half its step have lost each other at t = {:g} s, so that the end "
                    "says nothing about the motion: take a smaller step than {:g} s, or an earlier end",
                    *c.trajectory->lost, c.step));
  return out;
}

}  // namespace

void judge(Certificate& c) {
  using enum Certificate::Status;
  c.warnings = warnings_of(c);
  if (c.complete()) c.status = c.warnings.empty() ? complete : complete_with_warnings;
}

std::vector<std::string> requirable() {
  std::vector<std::string> names;
  for (const Figure& figure : figures) names.push_back(figure.name);
  return names;
}

std::vector<std::string> unmet(const Certificate& certificate, const std::map<std::string, double>& required) {
  std::vector<std::string> lines;
  for (const Figure& figure : figures) {
    const auto found = required.find(figure.name);
    if (found == required.end()) continue;
    const double value = figure.of(certificate), limit = found->second;
    if (!(figure.at_least ? value >= limit : value <= limit))
      lines.push_back(fmt::format("{} is {:.3g}, required {}{:.3g}", figure.name, value,
                                  figure.at_least ? "at least " : "", limit));
  }
  return lines;
}

}  // namespace polhode
