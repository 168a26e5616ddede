#include "model_options.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <polhode/integrate/methods.hpp>
#include <polhode/io/model_override.hpp>
#include <polhode/io/model_reader.hpp>
#include <polhode/model/error.hpp>
#include <polhode/model/names.hpp>
#include <polhode/model/validate.hpp>

namespace polhode {

void ModelOptions::add_to(CLI::App& verb) {
  verb_ = &verb;
  verb.add_option("MODEL", file, "model file, JSON")->required();
  const auto replace = [&](const std::string& flags, const std::string& path, const std::string& help) {
    verb.add_option_function<std::string>(
            flags, [this, path](const std::string& value) { overrides.emplace_back(path, value); }, help)
        ->group("Replacing the model's simulation block");
  };
  replace("--step", "step", "step [s]");
  replace("--end-time,--end_time", "end_time", "end of the run [s]");
  replace("--output-step,--output_step", "output_step", "time between samples [s], a multiple of the step");
  replace("--assembly", "assembly", "strict, or project: move what contradicts the joints");
  replace("--integrator.name", "integrator.name", "the method; `polhode integrators` lists them");
  replace("--newton.tolerance", "newton.tolerance", "relative error of a step's unknowns");
  replace("--newton.max_iterations", "newton.max_iterations", "iterations before a step is halved");
  replace("--threads", "threads", "threads for a model of 256 bodies or more; the motion does not depend on it");
  verb.allow_extras();  // --integrator.OPTION, whatever the method's options are
  verb.footer("--integrator.OPTION VALUE replaces an option of the method, such as --integrator.rho_inf 0.8");
}

Model ModelOptions::load(bool quiet) const {
  auto all = overrides;
  const auto extras = verb_->remaining();
  std::vector<std::string> known;
  for (const CLI::Option* option : verb_->get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  for (std::size_t k = 0; k < extras.size(); ++k) {
    std::string name = extras[k], value;
    const auto equals = name.find('=');
    if (name.rfind("--integrator.", 0) != 0)
      throw ModelError(fmt::format("{}: there is no such option; `polhode {} --help` lists them{}", name, verb_->get_name(),
                                   did_you_mean(name, known)));
    if (equals != std::string::npos) {
      value = name.substr(equals + 1);
      name = name.substr(0, equals);
    } else if (k + 1 < extras.size()) {
      value = extras[++k];
    } else {
      throw ModelError(fmt::format("{}: a value is missing", name));
    }
    all.emplace_back(name.substr(2), value);
  }
  std::vector<std::string> warnings;
  Model model = read_model(file, &warnings);
  // another method has other options: those of the file do not carry over
  const auto renamed = std::find_if(all.rbegin(), all.rend(), [](const auto& o) { return o.first == "integrator.name"; });
  if (renamed != all.rend() && renamed->second != model.simulation.integrator.name) model.simulation.integrator.options.clear();
  for (const auto& [path, value] : all) apply_override(model, path, value);
  const Findings findings = validate(model);
  if (!findings.errors.empty()) throw ModelError(findings.errors);
  complete_options(find_method(model.simulation.integrator.name), model.simulation.integrator);
  if (!quiet)
    for (const auto& warning : warnings) fmt::print(stderr, "{}\n", warning);
  const bool threads_given = std::any_of(all.begin(), all.end(), [](const auto& o) { return o.first == "threads"; });
  if (!quiet && threads_given)
    for (const auto& warning : findings.warnings)
      if (warning.starts_with("simulation:")) fmt::print(stderr, "{}\n", warning);
  return model;
}

}  // namespace polhode
