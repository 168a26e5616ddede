// The checks of a model, in the order of the document: bodies, joints, drives, forces, simulation.
#include <polhode/model/validate.hpp>

#include <cmath>
#include <thread>

#include <fmt/format.h>

#include <polhode/describe/object.hpp>
#include <polhode/model/checks.hpp>

namespace polhode {
namespace {

void check_simulation(const SimulationOptions& s, Reporter& report) {
  check_object(kind<SimulationOptions>, &s, report);
  if (s.output_step && *s.output_step > 0 && s.step > 0) {
    const double steps = std::round(*s.output_step / s.step);
    if (!(steps >= 1 && std::abs(*s.output_step - steps * s.step) <= 1e-9 * *s.output_step))
      report.error("output_step", fmt::format("output_step is {}, which is not a multiple of the step {}; try {:.10g}",
                                              *s.output_step, s.step, std::max(1.0, steps) * s.step));
  }
  const int processors = static_cast<int>(std::thread::hardware_concurrency());
  if (processors > 0 && s.threads > processors && s.threads <= 1024)
    report.warning("threads",
                   fmt::format("threads is {}, more than the {} processor{} here, which makes it slower; try {}",
                               s.threads, processors, processors == 1 ? "" : "s", processors));
}

}  // namespace

Findings validate(const Model& model, const JointPlaces& places) {
  Findings findings;
  checks::Context context{model, findings};

  Reporter whole(findings, {"model"});
  check_object(kind<Model>, &model, whole);
  if (model.bodies.empty()) whole.error("bodies", "bodies is empty; give at least one");

  checks::bodies(context);
  checks::joints(context, places);
  checks::drives(context);
  checks::forces(context);
  Reporter simulation(findings, {"simulation"});
  check_simulation(model.simulation, simulation);
  return findings;
}

}  // namespace polhode
