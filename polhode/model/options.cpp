// How the choice of an integrator is read and written: its name, and options that only its method knows.
#include <polhode/model/options.hpp>

#include <polhode/describe/value_type.hpp>

namespace polhode {
namespace {

bool read_option(const JsonValue& in, const std::string& word, void* to) {
  IntegratorChoice& choice = *static_cast<IntegratorChoice*>(to);
  if (word == "name") return read(in, choice.name);
  if (in.value.is_number())
    choice.options[word] = in.value.get<double>();
  else if (in.value.is_string())
    choice.options[word] = in.value.get<std::string>();
  else
    return in.expected("a number or a text");
  return true;
}

}  // namespace

template <>
const ValueType& value_type_of<IntegratorChoice>() {
  static const ValueType type{[](const JsonValue& in, const FieldInfo&, void* to) {
                                if (!in.value.is_object())
                                  return in.expected("an object such as {\"name\": \"energy-momentum\"}");
                                const std::size_t before = in.report.count();
                                if (!in.value.contains("name"))
                                  in.report.error(in.key + ".name",
                                                  in.key + ".name is missing; `polhode integrators` lists them");
                                for (const auto& [word, value] : in.value.items()) read_option(in.at(word), word, to);
                                return in.report.count() == before;
                              },
                              [](const FieldInfo&, const void* from) {
                                const IntegratorChoice& choice = *static_cast<const IntegratorChoice*>(from);
                                Json out = {{"name", choice.name}};
                                for (const auto& [word, value] : choice.options)
                                  std::visit([&, &word = word](const auto& v) { out[word] = v; }, value);
                                return out;
                              },
                              [](const FieldInfo&) { return reference_to("integrator"); },
                              "Integrator | str | Mapping[str, Any]",
                              [](const FieldInfo&, const void* from, const std::string& key, Reporter& report) {
                                const IntegratorChoice& choice = *static_cast<const IntegratorChoice*>(from);
                                if (choice.name.empty())
                                  report.error(key + ".name", key + ".name is empty; `polhode integrators` lists them");
                                for (const auto& [word, option] : choice.options)
                                  if (const double* number = std::get_if<double>(&option))
                                    report.finite(key + "." + word, *number);
                              },
                              read_option};
  return type;
}

}  // namespace polhode
