// Studies: many runs of a model. Their reports come as JSON, which the package turns into tables.
#include "binding.hpp"

#include <chrono>

#include <polhode/study/comparison_report.hpp>
#include <polhode/integrate/integrator_text.hpp>
#include <polhode/study/reference_file.hpp>
#include <polhode/study/spectrum_report.hpp>
#include <polhode/model/error.hpp>

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

std::optional<Reference> known(const std::optional<std::string>& path) {
  return path ? std::optional(read_reference(*path)) : std::nullopt;
}

/// (text for people, JSON)
using Report = std::pair<std::string, std::string>;

Report compare_methods(const ModelHandle& handle, const std::vector<std::string>& integrators, const std::vector<double>& steps,
                       const std::optional<std::string>& reference, int repetitions, nb::object function) {
  const StudyProgress progress = progress_of(std::move(function));
  std::vector<Candidate> candidates;
  for (const IntegratorChoice& choice : choices(integrators))
    for (const double step : steps) candidates.push_back({choice, step});
  const nb::gil_scoped_release unlocked;
  const Comparison comparison = compare(handle.model, candidates, known(reference), {.repetitions = repetitions}, progress);
  return {to_text(comparison), to_json(comparison)};
}

Report converge_methods(const ModelHandle& handle, const std::vector<std::string>& integrators, const std::vector<double>& steps,
                        const std::optional<std::string>& reference, int repetitions, nb::object function) {
  const StudyProgress progress = progress_of(std::move(function));
  const nb::gil_scoped_release unlocked;
  const ConvergenceStudy study = converge(handle.model, choices(integrators), steps, known(reference), {.repetitions = repetitions}, progress);
  return {to_text(study), to_json(study)};
}

Report spectra_of(const std::vector<std::string>& integrators, const std::vector<double>& h_over_T) {
  const nb::gil_scoped_release unlocked;
  std::vector<Spectrum> spectra;
  for (const IntegratorChoice& choice : choices(integrators)) spectra.push_back(spectrum(choice, h_over_T));
  return {to_table(spectra), to_json(spectra)};
}

/// Whether a method can serve the model; why not, else.
std::string cannot_serve(const ModelHandle& handle, const std::string& integrator) {
  const CompiledModel compiled = compile(handle.model);
  State start = compiled.start;
  consistent_start(compiled, handle.model.simulation.assembly, start);
  return why_not(compiled.system, parse_integrator(integrator), start, handle.model.simulation.step).value_or("");
}

}  // namespace

void bind_study(nb::module_& m) {
  m.def("compare", &compare_methods, "model"_a, "integrators"_a, "steps"_a, "reference"_a.none(), "repetitions"_a, "progress"_a.none());
  m.def("converge", &converge_methods, "model"_a, "integrators"_a, "steps"_a, "reference"_a.none(), "repetitions"_a, "progress"_a.none());
  m.def("spectrum", &spectra_of, "integrators"_a, "h_over_T"_a);
  m.def("cannot_serve", &cannot_serve, "model"_a, "integrator"_a);
}

}  // namespace polhode::python
