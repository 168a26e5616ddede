// Studies: many runs of a model. Their reports come as JSON, which the package turns into tables.
#include "binding.hpp"

#include <chrono>

#include <polhode/integrate/integrator_text.hpp>
#include <polhode/study/check.hpp>
#include <polhode/study/comparison_report.hpp>
#include <polhode/study/reference_file.hpp>
#include <polhode/study/serving_methods.hpp>
#include <polhode/study/spectrum_report.hpp>

namespace polhode::python {
namespace {

/// Calls the progress function and looks after Ctrl-C, about ten times a second.
StudyProgress progress_of(nb::object function) {
  struct Watch {
    nb::object function;
    std::string what;
    std::chrono::steady_clock::time_point next = std::chrono::steady_clock::now();
  };
  auto watch = std::make_shared<Watch>(Watch{std::move(function), {}});
  return {[watch](const std::string& what) { watch->what = what; },
          [watch](double fraction, double time) {
            const auto now = std::chrono::steady_clock::now();
            if (now < watch->next) return true;
            watch->next = now + std::chrono::milliseconds(100);
            const nb::gil_scoped_acquire lock;
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
            if (!watch->function.is_none()) watch->function(watch->what, fraction, time);
            return true;
          }};
}

std::vector<IntegratorChoice> choices(const std::vector<std::string>& texts) {
  std::vector<IntegratorChoice> out;
  for (const std::string& text : texts) {
    out.push_back(parse_integrator(text));
    complete_options(find_method(out.back().name), out.back());
  }
  return out;
}

std::vector<IntegratorChoice> serving(const Model& model) {
  std::vector<IntegratorChoice> out;
  for (const Service& service : services(model))
    if (!service.why_not) out.push_back(service.integrator);
  return out;
}

/// What errors are measured against: the file that is asked for, or that the model names in its folder, or nothing.
struct ReferenceChoice {
  std::string asked;
  std::optional<std::string> folder;
  std::optional<Reference> of(const Model& model) const {
    return known_reference(model, asked, folder ? std::optional<std::filesystem::path>(*folder) : std::nullopt);
  }
};

/// (text for people, JSON)
using Report = std::pair<std::string, std::string>;

Report compare_methods(const ModelHandle& handle, const std::optional<std::vector<std::string>>& integrators,
                       const std::vector<double>& steps, const std::string& reference,
                       const std::optional<std::string>& folder, int repetitions, nb::object function) {
  const StudyProgress progress = progress_of(std::move(function));
  std::vector<Candidate> candidates;
  for (const IntegratorChoice& choice : integrators ? choices(*integrators) : serving(handle.model))
    for (const double step : steps) candidates.push_back({choice, step});
  const nb::gil_scoped_release unlocked;
  const Comparison comparison = compare(handle.model, candidates, ReferenceChoice{reference, folder}.of(handle.model),
                                        {.repetitions = repetitions}, progress);
  return {to_text(comparison), to_json(comparison)};
}

Report converge_methods(const ModelHandle& handle, const std::vector<std::string>& integrators,
                        const std::vector<double>& steps, const std::string& reference,
                        const std::optional<std::string>& folder, int repetitions, nb::object function) {
  const StudyProgress progress = progress_of(std::move(function));
  const nb::gil_scoped_release unlocked;
  const ConvergenceStudy study =
      converge(handle.model, choices(integrators), steps, ReferenceChoice{reference, folder}.of(handle.model),
               {.repetitions = repetitions}, progress);
  return {to_text(study), to_json(study)};
}

Report spectra_of(const std::vector<std::string>& integrators, const std::vector<double>& h_over_T) {
  const nb::gil_scoped_release unlocked;
  std::vector<Spectrum> spectra;
  for (const IntegratorChoice& choice : choices(integrators)) spectra.push_back(spectrum(choice, h_over_T));
  return {to_table(spectra), to_json(spectra)};
}

Report checked(const ModelHandle& handle) {
  const nb::gil_scoped_release unlocked;
  const CheckReport report = check(handle.model);
  return {to_text(report), to_json(report)};
}

/// (method, why it cannot serve the model; nothing if it can) of every method
std::vector<std::pair<std::string, std::optional<std::string>>> serving_methods(const ModelHandle& handle) {
  const nb::gil_scoped_release unlocked;
  std::vector<std::pair<std::string, std::optional<std::string>>> out;
  for (const Service& service : services(handle.model)) out.emplace_back(service.integrator.name, service.why_not);
  return out;
}

}  // namespace

void bind_study(nb::module_& m) {
  m.def("compare", &compare_methods, "model"_a, "integrators"_a.none(), "steps"_a, "reference"_a, "folder"_a.none(),
        "repetitions"_a, "progress"_a.none());
  m.def("converge", &converge_methods, "model"_a, "integrators"_a, "steps"_a, "reference"_a, "folder"_a.none(),
        "repetitions"_a, "progress"_a.none());
  m.def("spectrum", &spectra_of, "integrators"_a, "h_over_T"_a);
  m.def("check", &checked, "model"_a);
  m.def("services", &serving_methods, "model"_a);
}

}  // namespace polhode::python
