// polhode spectrum: spectral radius, period error and damping of each method on the linear oscillator.
#include <cmath>

#include <fmt/format.h>

#include <polhode/integrate/integrator_text.hpp>
#include <polhode/integrate/methods.hpp>
#include <polhode/io/output_file.hpp>
#include <polhode/model/error.hpp>
#include <polhode/study/spectrum_report.hpp>

#include "outputs.hpp"
#include "say.hpp"
#include "verbs.hpp"

namespace polhode {
namespace {

struct SpectrumOptions {
  std::vector<std::string> integrators;
  std::vector<double> h_over_T;
  double from = 0.01, to = 10;
  int points = 121;
  std::string csv, svg;
  bool json = false;
};

constexpr int most_points = 100000;  // a figure shows a thousand; each point is some steps of each method

std::vector<double> steps(const SpectrumOptions& options) {
  if (!options.h_over_T.empty()) return options.h_over_T;
  if (!(options.from > 0 && options.from < options.to && std::isfinite(options.to)))
    throw ModelError(
        fmt::format("--from {:g} --to {:g}: expected 0 < from < to, both finite", options.from, options.to));
  if (options.points < 2 || options.points > most_points)
    throw ModelError(fmt::format("--points {}: take 2 to {}", options.points, most_points));
  std::vector<double> out;
  for (int k = 0; k < options.points; ++k)
    out.push_back(options.from * std::pow(options.to / options.from, k / (options.points - 1.0)));
  return out;
}

/// The steps that fit on a screen.
std::vector<double> few_steps(const SpectrumOptions& options) {
  if (!options.h_over_T.empty()) return options.h_over_T;
  std::vector<double> out;
  for (const double h : {0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 10.0, 100.0})
    if (h >= options.from * (1 - 1e-9) && h <= options.to * (1 + 1e-9)) out.push_back(h);
  return out.empty() ? std::vector{options.from, options.to} : out;
}

int show(const SpectrumOptions& options) {
  check_outputs({}, {options.csv, options.svg});
  std::vector<IntegratorChoice> choices;
  for (const std::string& text : options.integrators) choices.push_back(parse_integrator(text));
  if (choices.empty())
    for (const Method& method : methods()) choices.push_back({method.name, {}});
  const std::vector<double> many = steps(options);
  const auto all = [&](const std::vector<double>& h_over_T) {
    std::vector<Spectrum> spectra;
    for (const IntegratorChoice& choice : choices) spectra.push_back(spectrum(choice, h_over_T));
    return spectra;
  };
  const bool screen = !options.json;
  if (screen) say("{}", to_table(all(few_steps(options))));
  if (!screen || !options.csv.empty() || !options.svg.empty()) {
    const std::vector<Spectrum> spectra = all(many);
    if (options.json) print_data("{}\n", to_json(spectra));
    if (!options.csv.empty()) write_file(options.csv, to_csv(spectra));
    if (!options.svg.empty()) write_svg(options.svg, figures(spectra), 3);
  }
  if (screen)
    for (const std::string& path : {options.csv, options.svg})
      if (!path.empty()) say("\n{} written", path);
  if (screen && !(options.csv.empty() && options.svg.empty())) say("\n");
  return ok;
}

}  // namespace

void add_spectrum(CLI::App& app, Action& action) {
  auto options = std::make_shared<SpectrumOptions>();
  CLI::App* verb =
      app.add_subcommand("spectrum", "spectral radius, period error and damping of the methods on a linear oscillator");
  verb->add_option("--integrator", options->integrators,
                   "a method with its options, \"generalized-alpha rho_inf=0.6\"; repeat for more (default: all)")
      ->expected(1)
      ->take_all();
  verb->add_option("--h-over-t,--h_over_t", options->h_over_T,
                   "steps over the period, such as 0.1,0.5; in place of a range")
      ->delimiter(',');
  verb->add_option("--from", options->from, "smallest h/T of the range")->capture_default_str();
  verb->add_option("--to", options->to, "largest")->capture_default_str();
  verb->add_option("--points", options->points, "how many in between, logarithmic")->capture_default_str();
  verb->add_option("--csv", options->csv, "write the numbers to this file");
  verb->add_option("--svg", options->svg, "draw them into this file");
  verb->add_flag("--json", options->json, "print as JSON, with all roots, in place of the table");
  verb->callback([options, &action] { action = [options] { return show(*options); }; });
}

}  // namespace polhode
