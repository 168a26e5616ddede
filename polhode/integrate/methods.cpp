#include <polhode/integrate/methods.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <polhode/describe/value_type.hpp>
#include <polhode/integrate/director.hpp>
#include <polhode/integrate/energy_decaying.hpp>
#include <polhode/integrate/energy_momentum.hpp>
#include <polhode/integrate/explicit_momentum.hpp>
#include <polhode/integrate/generalized_alpha.hpp>
#include <polhode/integrate/geradin.hpp>
#include <polhode/integrate/lens_cardona.hpp>
#include <polhode/integrate/rattlie.hpp>
#include <polhode/model/error.hpp>

namespace polhode {

namespace {

/// All methods: those of the library, then those that were registered.
std::deque<Method>& table() {
  static std::deque<Method> table = library_methods();
  return table;
}

const Method* find(const std::string& name) {
  const auto found = std::find_if(table().begin(), table().end(), [&](const Method& m) { return m.name == name; });
  return found == table().end() ? nullptr : &*found;
}

std::string no_such_method(const std::string& name) {
  std::vector<std::string> names;
  for (const Method& method : methods()) names.push_back(method.name);
  return fmt::format("there is no integrator \"{}\"; there are: {}{}", name, fmt::join(names, ", "),
                     did_you_mean(name, names));
}

/// The choice's options over the defaults; what is wrong goes to the reporter.
MethodOptions read_options(const Method& method, const IntegratorChoice& choice, Reporter& report) {
  MethodOptions out(*method.options);
  std::vector<std::string> known;
  for (const FieldInfo& field : method.options->fields) known.emplace_back(field.word);
  for (const auto& [word, value] : choice.options) {
    const std::string key = "integrator." + word;
    const FieldInfo* const field = method.options->find(word);
    if (!field) {
      report.error(key, fmt::format("{}: {} has no such option; {}{}{}", key, method.name,
                                    known.empty() ? "it has none" : "its options are: ", fmt::join(known, ", "),
                                    did_you_mean(word, known)));
      continue;
    }
    const nlohmann::json json = std::visit([](const auto& v) { return nlohmann::json(v); }, value);
    void* const target = field->of(out.edit());
    if (field->type().read({json, key, report}, *field, target) && field->type().check)
      field->type().check(*field, target, key, report);
    const std::string other(field->details.instead_of);
    if (choice.options.contains(other))
      report.error(key, fmt::format("integrator: {} and {} are both given; they are one number, {} = {}", word, other,
                                    word, field->details.otherwise));
  }
  return out;
}

}  // namespace

const std::deque<Method>& library_methods() {
  static const std::deque<Method> methods{
      energy_momentum_method(), generalized_alpha_method(), energy_decaying_method(),
      lens_cardona_method(),    geradin_method(),           director_method(),
      rattlie_method(),         simo_wong_method(),         predictor_corrector_method(),
      staggered_method(),       park_chiou_downer_method(),
  };
  return methods;
}

const std::deque<Method>& methods() { return table(); }

void register_method(Method method) {
  if (method.name.empty() || !method.make)
    throw ModelError("register_method: a method needs a name and a function that makes its integrator");
  if (const Method* other = find(method.name))
    throw ModelError(fmt::format("register_method: there is an integrator \"{}\" already: {}; give yours another name",
                                 method.name, other->summary));
  table().push_back(std::move(method));
}

const Method& find_method(const std::string& name) {
  if (const Method* method = find(name)) return *method;
  throw ModelError(
      std::vector<Finding>{{Finding::Severity::error, {"simulation"}, "integrator.name", no_such_method(name)}});
}

Findings check_choice(const IntegratorChoice& choice) {
  Findings findings;
  Reporter report(findings, {"simulation"});
  if (const Method* method = find(choice.name))
    read_options(*method, choice, report);
  else
    report.error("integrator.name", no_such_method(choice.name));
  return findings;
}

MethodOptions complete_options(const Method& method, const IntegratorChoice& choice) {
  Findings findings;
  Reporter report(findings, {"simulation"});
  const MethodOptions options = read_options(method, choice, report);
  if (findings.has_errors()) throw ModelError(findings.errors());
  return options;
}

SettledOptions settle_options(const System& system, const IntegratorChoice& choice) {
  const Method& method = find_method(choice.name);
  SettledOptions settled{complete_options(method, choice), {}};
  if (method.choose) settled.chosen = method.choose(system, settled.options);
  for (const ChosenOption& chosen : settled.chosen) settled.options.set(chosen.name, chosen.value);
  return settled;
}

std::string in_words(const std::string& method, const SettledOptions& settled) {
  std::string text = method;
  for (const auto& [name, value] : settled.options.all()) {
    text += std::holds_alternative<double>(value) ? fmt::format(", {} {:g}", name, std::get<double>(value))
                                                  : fmt::format(", {} {}", name, std::get<std::string>(value));
    for (const ChosenOption& chosen : settled.chosen)
      if (chosen.name == name) text += fmt::format(" (auto: {})", chosen.reason);
  }
  return text;
}

std::optional<std::string> why_not(const System& system, const IntegratorChoice& choice) {
  const Method& method = find_method(choice.name);
  return method.why_not ? method.why_not(system, settle_options(system, choice).options) : std::nullopt;
}

std::optional<std::string> why_not(const System& system, const IntegratorChoice& choice, const State& state, double h) {
  if (auto reason = why_not(system, choice)) return reason;
  return make_integrator(system, choice)->why_not(state, h);
}

std::unique_ptr<Integrator> make_integrator(const System& system, const IntegratorChoice& choice,
                                            const NewtonOptions& newton, const Resources& resources) {
  if (const auto reason = why_not(system, choice)) throw ModelError(*reason);
  return find_method(choice.name).make(system, newton, settle_options(system, choice).options, resources);
}

}  // namespace polhode
