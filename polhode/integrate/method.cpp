// Options as numbers and words; what methods have in common.
#include <polhode/integrate/method.hpp>

#include <fmt/format.h>

#include <polhode/describe/value_type.hpp>

namespace polhode {

namespace {

OptionValue option_value(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.get<double>();
}

}  // namespace

std::map<std::string, OptionValue> MethodOptions::all() const {
  std::map<std::string, OptionValue> out;
  for (const FieldInfo& field : description_->fields) {
    const Json value = field.type().write(field, field.of(data_.get()));
    if (!value.is_null()) out[std::string(field.word)] = option_value(value);
  }
  for (const FieldInfo& field : description_->fields)
    if (out.contains(std::string(field.word))) out.erase(std::string(field.details.instead_of));
  return out;
}

void MethodOptions::set(const std::string& word, const OptionValue& value) {
  Findings findings;
  Reporter report(findings, {});
  const nlohmann::json json = std::visit([](const auto& v) { return nlohmann::json(v); }, value);
  if (const FieldInfo* field = description_->find(word))
    field->type().read({json, word, report}, *field, field->of(edit()));
}

std::vector<OptionValue> alternatives(const FieldInfo& option) {
  std::vector<OptionValue> out;
  for (const Word& word : option.words) out.push_back(option_value(word_json(word)));
  for (const int number : option.details.allowed.numbers)
    if (number != 0) out.emplace_back(double(number));
  return out;
}

std::optional<std::string> why_not_tied(const std::string& method, const System& system) {
  if (system.inertia.ties.empty()) return std::nullopt;
  return fmt::format(
      "simulation.integrator: {} ties the inertia of several bodies, and {} needs that of each body alone; use "
      "energy-momentum",
      system.inertia.ties.front()->name(), method);
}

}  // namespace polhode
