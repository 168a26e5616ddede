#include "study_options.hpp"

#include <cmath>
#include <filesystem>

#include <polhode/integrate/integrator_text.hpp>
#include <polhode/model/error.hpp>
#include <polhode/study/reference_file.hpp>
#include <polhode/study/serving_methods.hpp>

#include "outputs.hpp"
#include "progress.hpp"
#include "say.hpp"

namespace polhode {

void StudyOptions::add_to(CLI::App& verb, const std::string& default_integrators, const std::string& default_steps,
                          const std::string& examples) {
  model.add_to(verb);
  verb.add_option("--integrator", integrators,
                  fmt::format("a method and its options in quotes, such as \"generalized-alpha rho_inf=0.8\"; once for "
                              "each method (default: {})",
                              default_integrators))
      ->allow_extra_args(false);
  verb.add_option("--steps", steps,
                  fmt::format("steps to run each method with [s], such as 0.01,0.005 (default: {})", default_steps))
      ->delimiter(',')
      ->allow_extra_args(false);
  verb.add_option("--reference", reference,
                  "what errors are measured against: a file of the exact motion, or the word computed, to solve the "
                  "equations of motion "
                  "accurately (default: the file that the model names, else computed)");
  verb.add_option("--repeat", repeat, "run each this often; the quickest gives the time")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  verb.add_option("--csv", csv, "also write the table to this file, as comma-separated values with all digits");
  verb.add_flag("-q,--quiet", quiet, "no progress, no warnings");
  verb.add_flag("--json", json, "print one JSON object in place of the table");
  verb.footer(fmt::format(
      "--integrator.OPTION VALUE replaces an option of the model's own method, such as --integrator.rho_inf 0.8\n\n"
      "Examples:\n{}\nWhat the columns mean: docs/studies.md",
      examples));
}

void StudyOptions::check() const {
  for (const double step : steps)
    if (!(step > 0 && std::isfinite(step)))
      throw ModelError(fmt::format("--steps: {:g} s is no step; take numbers above 0, such as 0.01,0.005", step));
}

void StudyOptions::check_outputs(const Model& own, const std::string& svg) const {
  std::vector<std::string> inputs{model.file, reference};
  if (!own.reference.empty())
    inputs.push_back((std::filesystem::path(model.file).parent_path() / own.reference).string());
  polhode::check_outputs(inputs, {csv, svg});
}

std::vector<IntegratorChoice> StudyOptions::choices(const Model& own) const {
  std::vector<IntegratorChoice> out;
  for (const std::string& text : integrators) {
    out.push_back(parse_integrator(text));
    complete_options(find_method(out.back().name), out.back());
  }
  if (!out.empty()) return out;
  for (const Service& service : services(own)) {
    if (!service.why_not)
      out.push_back(service.integrator);
    else if (!quiet && !json)
      complain("left out: {}: {}\n", service.integrator.name, *service.why_not);
  }
  return out;
}

std::optional<Reference> StudyOptions::known(const Model& own) const {
  return known_reference(own, reference, std::filesystem::path(model.file).parent_path());
}

struct StudyBar::Inner {
  explicit Inner(bool wanted) : shown(wanted && isatty(STDERR_FILENO)) {}
  bool shown;
  InterruptGuard interrupt;
  std::string what;
  std::unique_ptr<ProgressBar> bar;
};

StudyBar::StudyBar(bool wanted) : inner_(std::make_unique<Inner>(wanted)) {}

StudyBar::~StudyBar() {
  inner_->bar.reset();
  if (inner_->shown) fmt::print(stderr, "\r{:78}\r", "");
}

StudyProgress StudyBar::progress() {
  return {[this](const std::string& what) {
            inner_->bar.reset();
            if (inner_->shown) {
              fmt::print(stderr, "\r{:78}\r{} ...", "", what);
              std::fflush(stderr);
            }
            inner_->bar = std::make_unique<ProgressBar>(inner_->shown);
          },
          [this](double fraction, double time) {
            if (inner_->bar) inner_->bar->show(fraction, time);
            return !inner_->interrupt.raised();
          }};
}

}  // namespace polhode
