// polhode converge MODEL: error against step, observed order, work and precision.
#include <polhode/study/comparison_report.hpp>

#include <cmath>

#include <fmt/format.h>

#include <polhode/io/output_file.hpp>

#include "say.hpp"
#include "study_options.hpp"

namespace polhode {
namespace {

struct ConvergeOptions : StudyOptions {
  int halvings = 5;
  std::string svg;
};

int converge_methods(const ConvergeOptions& options) {
  options.check();
  const Model model = options.model.load(options.quiet || options.json);
  options.check_outputs(model, options.svg);
  std::vector<double> steps = options.steps;
  if (steps.empty())
    for (int k = 0; k <= options.halvings; ++k) steps.push_back(std::ldexp(model.simulation.step, -k));
  const std::vector<IntegratorChoice> choices =
      options.integrators.empty() ? std::vector{model.simulation.integrator} : options.choices(model);
  ConvergenceStudy study;
  {
    StudyBar bar(!options.quiet);
    study = converge(model, choices, steps, options.known(model), {.repetitions = options.repeat}, bar.progress());
  }
  if (!options.csv.empty()) write_file(options.csv, to_csv(study));
  if (!options.svg.empty()) write_svg(options.svg, figures(study), 2);
  if (options.json)
    print_data("{}\n", to_json(study));
  else
    say("{}", to_text(study));
  bool any = false;
  for (const Convergence& method : study.methods)
    for (const ComparedRun& run : method.runs) {
      if (run.interrupted()) return interrupted;
      any = any || run.failure.empty();
    }
  return any ? ok : run_failed;
}

}  // namespace

void add_converge(CLI::App& app, Action& action) {
  auto options = std::make_shared<ConvergeOptions>();
  CLI::App* verb = app.add_subcommand("converge", "error against step, observed order, work and precision");
  options->add_to(*verb, "the model's own", "the model's own step, halved --halvings times",
                  "  polhode converge models/heavy_top.json --end-time 0.2\n"
                  "  polhode converge models/heavy_top.json --end-time 0.2 --integrator \"energy-momentum order=4\" "
                  "--integrator rattlie --svg orders.svg");
  verb->add_option("--halvings", options->halvings, "how often the model's step is halved, if --steps is not given")
      ->check(CLI::Range(1, 30))
      ->capture_default_str();
  verb->add_option("--svg", options->svg,
                   "also draw errors against the step and against the time of computation into this file");
  verb->callback([options, &action] { action = [options] { return converge_methods(*options); }; });
}

}  // namespace polhode
