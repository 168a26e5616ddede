#include "model_options.hpp"
#include "say.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include <polhode/describe/object.hpp>
#include <polhode/describe/words.hpp>
#include <polhode/integrate/methods.hpp>
#include <polhode/io/model_override.hpp>
#include <polhode/io/model_reader.hpp>
#include <polhode/io/result.hpp>
#include <polhode/model/error.hpp>
#include <polhode/model/validate.hpp>

namespace polhode {

namespace {

std::string& last_loaded() {
  static std::string file;
  return file;
}

}  // namespace

std::string ModelOptions::named(const std::string& message) {
  const std::string& file = last_loaded();
  if (file.empty()) return message;
  std::string out;
  std::istringstream lines(message);
  for (std::string line; std::getline(lines, line);) {
    const bool says = line.empty() || line.starts_with(" ") || line.starts_with("--") || line.find(file) != line.npos;
    out += (out.empty() ? "" : "\n") + (says ? "" : file + ": ") + line;
  }
  return out;
}

void ModelOptions::add_to(CLI::App& verb) {
  verb_ = &verb;
  verb.add_option("MODEL", file, "model file, JSON")->required();
  for (const FieldPath& one : paths(kind<SimulationOptions>)) {
    std::string flags = "--" + one.path;
    if (one.path.find('_') != one.path.npos &&
        one.path.find('.') == one.path.npos) {  // --end-time as well as --end_time
      std::string dashed = flags;
      std::replace(dashed.begin(), dashed.end(), '_', '-');
      flags = dashed + "," + flags;
    }
    verb.add_option_function<std::string>(
            flags, [this, path = one.path](const std::string& value) { overrides.emplace_back(path, value); },
            meaning_of(*one.owner, *one.field))
        ->group("Replacing the model's simulation block");
  }
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
      throw ModelError(fmt::format("{}: there is no such option; `polhode {} --help` lists them{}", name,
                                   verb_->get_name(), did_you_mean(name, known)));
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
  std::string& loaded = last_loaded();
  loaded = "";
  std::vector<Finding> warnings;
  Model model = of_result ? parse_model(ResultReader(file).head().layout.model_json, file + ": model", &warnings)
                          : read_model(file, &warnings);
  // another method has other options: those of the file do not carry over
  const auto renamed =
      std::find_if(all.rbegin(), all.rend(), [](const auto& o) { return o.first == "integrator.name"; });
  if (renamed != all.rend() && renamed->second != model.simulation.integrator.name)
    model.simulation.integrator.options.clear();
  for (const auto& [path, value] : all) apply_override(model, path, value);
  loaded = file;
  const Findings findings = validate(model);
  if (findings.has_errors()) throw ModelError(findings.errors());
  const Findings of_method = check_choice(model.simulation.integrator);
  if (of_method.has_errors()) throw ModelError(of_method.errors());
  // what is odd about the file, and about options that were given here
  const auto overridden = [&](const Finding& f) {
    return f.place.list == "simulation" &&
           std::any_of(all.begin(), all.end(), [&](const auto& o) { return o.first == f.field; });
  };
  if (quiet) return model;
  for (const Finding& warning : warnings)
    if (!overridden(warning)) complain("{}: {}\n", file, to_text(warning));
  for (const Finding& warning : findings.warnings())
    if (overridden(warning)) complain("{}\n", to_text(warning));
  return model;
}

}  // namespace polhode
