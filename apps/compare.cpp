// polhode compare MODEL: several integrators on one model, side by side.
#include <polhode/study/comparison_report.hpp>

#include <fmt/format.h>

#include <polhode/io/output_file.hpp>

#include "say.hpp"
#include "study_options.hpp"

namespace polhode {
namespace {

int compare_methods(const StudyOptions& options) {
  options.check();
  const Model model = options.model.load(options.quiet || options.json);
  options.check_outputs(model);
  const std::vector<double> steps = options.steps.empty() ? std::vector{model.simulation.step} : options.steps;
  std::vector<Candidate> candidates;
  for (const IntegratorChoice& choice : options.choices(model))
    for (const double step : steps) candidates.push_back({choice, step});
  Comparison comparison;
  {
    StudyBar bar(!options.quiet);
    comparison = compare(model, candidates, options.known(model), {.repetitions = options.repeat}, bar.progress());
  }
  if (!options.csv.empty()) write_file(options.csv, to_csv(comparison));
  if (options.json)
    print_data("{}\n", to_json(comparison));
  else
    say("{}", to_text(comparison));
  for (const ComparedRun& run : comparison.runs)
    if (run.interrupted()) return interrupted;
  for (const ComparedRun& run : comparison.runs)
    if (run.failure.empty()) return ok;
  return run_failed;
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
  auto options = std::make_shared<StudyOptions>();
  CLI::App* verb =
      app.add_subcommand("compare", "several integrators on one model: error, energy, momentum, joints, time");
  options->add_to(*verb, "all that serve the model", "the model's own step",
                  "  polhode compare models/heavy_top.json --end-time 1 --steps 0.001,0.0005\n"
                  "  polhode compare models/planar_four_bar.json --integrator energy-momentum --integrator "
                  "\"generalized-alpha index=2\"");
  verb->callback([options, &action] { action = [options] { return compare_methods(*options); }; });
}

}  // namespace polhode
