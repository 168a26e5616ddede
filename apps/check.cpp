// polhode check MODEL: degrees of freedom, redundancy, consistency, sanity, stiffness; without simulating.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <polhode/integrate/methods.hpp>
#include <polhode/model/error.hpp>
#include <polhode/simulate/conserved.hpp>
#include <polhode/simulate/frequencies.hpp>

#include "model_options.hpp"

namespace polhode {
namespace {

struct CheckOptions {
  ModelOptions model;
  bool json = false;
};

/// ModelError if the integrator cannot serve the model, or not with this step.
void refuse_what_a_run_would(const Model& model, const CompiledModel& compiled, const State& state) {
  const auto integrator = make_integrator(compiled.system, model.simulation.integrator, model.simulation.newton);
  if (!(model.simulation.step > 0)) return;
  if (const auto reason = integrator->why_not(state, model.simulation.step)) throw ModelError(*reason);
}

int check(const CheckOptions& options) {
  const Model model = options.model.load(false);
  const CompiledModel compiled = compile(model);
  State state = compiled.start;
  const StartReport start = consistent_start(compiled, model.simulation.assembly, state);
  const ConservedMomenta conserved = conserved_momenta(compiled, state);
  const Frequencies frequencies = estimate_frequencies(compiled, state);
  const double step = model.simulation.step;
  refuse_what_a_run_would(model, compiled, state);

  if (options.json) {
    nlohmann::ordered_json redundancies = nlohmann::ordered_json::array();
    for (const Redundancy& r : start.redundancies) redundancies.push_back({{"joint", r.connection}, {"direction", r.direction()}});
    const nlohmann::ordered_json out = {{"model", model.name},
                                        {"bodies", model.bodies.size()},
                                        {"freedoms", start.freedoms},
                                        {"equations", start.equations},
                                        {"redundant", start.redundancies.size()},
                                        {"redundancies", redundancies},
                                        {"position_residual", start.position_residual},
                                        {"velocity_residual", start.velocity_residual},
                                        {"conserved_linear_momenta", conserved.linear.size()},
                                        {"conserved_angular_momenta", conserved.angular.size()},
                                        {"fastest_spring_frequency", frequencies.spring},
                                        {"fastest_spin", frequencies.spin}};
    fmt::print("{}\n", out.dump(2));
    return ok;
  }
  fmt::print("{}: the model is sound\n", options.model.file);
  fmt::print("  bodies        {}, with {} degrees of freedom before the joints\n", model.bodies.size(), compiled.system.freedoms());
  fmt::print("  joints        {} equations, {} independent: {} degree{} of freedom\n", start.equations, start.rank, start.freedoms,
             start.freedoms == 1 ? "" : "s");
  if (!start.redundancies.empty()) {
    fmt::print("  redundant     {} that the other equations imply; the motion is right, reactions are not unique:\n",
               start.redundancies.size());
    for (const Redundancy& r : start.redundancies) fmt::print("                  joint \"{}\": {}\n", r.connection, r.direction());
  }
  fmt::print("  start         joints off by {:.1e}, their rates by {:.1e}; moved by {:.1e} m, {:.1e} rad to close them\n",
             start.position_residual, start.velocity_residual, start.moved, start.turned);
  fmt::print("  conserved     {} component{} of linear, {} of angular momentum\n", conserved.linear.size(),
             conserved.linear.size() == 1 ? "" : "s", conserved.angular.size());
  if (frequencies.spring > 0)
    fmt::print("  stiffness     fastest spring about {:.3g} rad/s (\"{}\"), period {:.3g} s: {:.3g} steps of {:g} s\n", frequencies.spring,
               frequencies.spring_name, 2 * std::numbers::pi / frequencies.spring, 2 * std::numbers::pi / frequencies.spring / step, step);
  if (frequencies.spin > 0)
    fmt::print("  spin          fastest {:.3g} rad/s (\"{}\"): {:.3g} rad a step of {:g} s\n", frequencies.spin, frequencies.spin_name,
               frequencies.spin * step, step);
  if (frequencies.spin * step > 1)
    fmt::print("  advice        more than one radian a step: take a step below {:.2g} s\n", 0.3 / frequencies.spin);
  if (frequencies.spring * step > 2)
    fmt::print("  advice        the step does not resolve the fastest spring: take a step below {:.2g} s, or a dissipative integrator\n",
               0.5 / frequencies.spring);
  return ok;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* verb = app.add_subcommand("check", "validate a model: freedoms, redundancy, consistency, stiffness");
  options->model.add_to(*verb);
  verb->add_flag("--json", options->json, "print the findings as one JSON object");
  verb->callback([options, &action] { action = [options] { return check(*options); }; });
}

}  // namespace polhode
