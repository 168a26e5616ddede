#include <polhode/study/check.hpp>

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <polhode/integrate/methods.hpp>
#include <polhode/model/error.hpp>
#include <polhode/simulate/loops.hpp>

namespace polhode {
namespace {

/// ModelError if the integrator cannot serve the model, or not with this step.
void refuse_what_a_run_would(const Model& model, const CompiledModel& compiled, const State& state) {
  const SimulationOptions& options = model.simulation;
  const auto integrator = make_integrator(compiled.system, options.integrator, options.newton);
  if (options.step <= 0) return;
  if (const auto reason = integrator->why_not(state, options.step)) throw ModelError(*reason);
}

std::vector<std::string> advice_for(const Frequencies& frequencies, double step) {
  std::vector<std::string> advice;
  if (frequencies.spin * step > 1)
    advice.push_back(fmt::format("more than one radian a step: take a step below {:.2g} s", 0.3 / frequencies.spin));
  if (frequencies.spring * step > 2)
    advice.push_back(fmt::format(
        "the step does not resolve the fastest spring: take a step below {:.2g} s, or a dissipative integrator",
        0.5 / frequencies.spring));
  return advice;
}

const char* plural(auto count) { return count == 1 ? "" : "s"; }

}  // namespace

CheckReport check(const Model& model) {
  CompiledModel compiled = compile(model);
  State state = compiled.start;
  CheckReport report;
  report.model = model.name;
  report.bodies = model.bodies.size();
  report.body_freedoms = compiled.system.freedoms();
  report.step = model.simulation.step;
  report.start = settled_start(compiled, model.simulation, state);
  report.conserved = conserved_momenta(compiled, state);
  report.frequencies = estimate_frequencies(compiled, state);
  report.advice = advice_for(report.frequencies, report.step);
  refuse_what_a_run_would(model, compiled, state);
  return report;
}

std::string to_json(const CheckReport& r) {
  nlohmann::ordered_json redundancies = nlohmann::ordered_json::array();
  for (const Redundancy& one : r.start.redundancies)
    redundancies.push_back({{"joint", one.connection}, {"direction", one.direction()}});
  nlohmann::ordered_json near_loops = nlohmann::ordered_json::array();
  for (const NearLoop& one : r.start.near_loops)
    near_loops.push_back({{"joint", one.equation.connection},
                          {"direction", one.equation.direction()},
                          {"joints", one.joints},
                          {"part", one.part},
                          {"left_out", one.left_out},
                          {"length", one.length},
                          {"angle", one.angle}});
  return nlohmann::ordered_json{{"model", r.model},
                                {"bodies", r.bodies},
                                {"freedoms", r.start.freedoms},
                                {"equations", r.start.equations},
                                {"redundant", r.start.redundancies.size()},
                                {"redundancies", redundancies},
                                {"near_loops", near_loops},
                                {"position_residual", r.start.position_residual},
                                {"velocity_residual", r.start.velocity_residual},
                                {"conserved_linear_momenta", r.conserved.linear.size()},
                                {"conserved_angular_momenta", r.conserved.angular.size()},
                                {"fastest_spring_frequency", r.frequencies.spring},
                                {"fastest_spin", r.frequencies.spin},
                                {"advice", r.advice}}
      .dump(2);
}

std::string to_text(const CheckReport& r) {
  std::string out;
  const auto line = [&](const char* label, const std::string& text) {
    out += fmt::format("  {:<13} {}\n", label, text);
  };
  line("bodies", fmt::format("{}, with {} degrees of freedom before the joints", r.bodies, r.body_freedoms));
  line("joints", fmt::format("{} equations, {} independent: {} degree{} of freedom", r.start.equations, r.start.rank,
                             r.start.freedoms, plural(r.start.freedoms)));
  if (!r.start.redundancies.empty())
    line("redundant", fmt::format("{} that the other equations imply; the motion is right, reactions are not unique:",
                                  r.start.redundancies.size()));
  for (const Redundancy& one : r.start.redundancies)
    line("", fmt::format("  joint \"{}\": {}", one.connection, one.direction()));
  for (const NearLoop& one : r.start.near_loops) line("nearly", one.text());
  line("start", fmt::format("joints off by {:.1e}, their rates by {:.1e}; moved by {:.1e} m, {:.1e} rad to close them",
                            r.start.position_residual, r.start.velocity_residual, r.start.moved, r.start.turned));
  line("conserved", fmt::format("{} component{} of linear, {} of angular momentum", r.conserved.linear.size(),
                                plural(r.conserved.linear.size()), r.conserved.angular.size()));
  const Frequencies& f = r.frequencies;
  const double period = 2 * std::numbers::pi / f.spring;
  if (f.spring > 0)
    line("stiffness", fmt::format("fastest spring about {:.3g} rad/s (\"{}\"), period {:.3g} s: {:.3g} steps of {:g} s",
                                  f.spring, f.spring_name, period, period / r.step, r.step));
  if (f.spin > 0)
    line("spin", fmt::format("fastest {:.3g} rad/s (\"{}\"): {:.3g} rad a step of {:g} s", f.spin, f.spin_name,
                             f.spin * r.step, r.step));
  for (const std::string& text : r.advice) line("advice", text);
  return out;
}

}  // namespace polhode
