// What is told of a description: to editors as JSON schema, to Python and other programs as data, to people as text.
#include <polhode/describe/object.hpp>

#include <cmath>

#include <fmt/ranges.h>

namespace polhode {
namespace {

std::string short_text(const Json& value) {
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array()) {
    std::vector<std::string> entries;
    for (const Json& entry : value) entries.push_back(short_text(entry));
    return fmt::format("[{}]", fmt::join(entries, ", "));
  }
  if (value.is_object()) {
    std::vector<std::string> entries;
    for (const auto& [key, entry] : value.items()) entries.push_back(fmt::format("\"{}\": {}", key, short_text(entry)));
    return fmt::format("{{{}}}", fmt::join(entries, ", "));
  }
  return value.dump();
}

std::string with_unit(const FieldInfo& field) {
  if (field.unit.empty()) return std::string(field.meaning);
  return fmt::format("{}{}[{}]", field.meaning, field.meaning.empty() ? "" : " ", field.unit);
}

}  // namespace

std::string default_of(const Description& description, const FieldInfo& field) {
  if (!field.details.otherwise.empty()) return std::string(field.details.otherwise);
  if (field.details.need == Need::required) return "";
  const Json value = field.type().write(field, field.of(description.make().get()));
  return value.is_null() || value == Json("") || value == Json::array() || value == Json::array({"", ""})
             ? ""
             : short_text(value);
}

std::string meaning_of(const FieldInfo& field) {
  std::string out = with_unit(field);
  for (const Word& word : field.words)
    if (!word.meaning.empty()) out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", word.word, word.meaning);
  return out;
}

std::string range_of(const FieldInfo& field) {
  const Allowed& allowed = field.details.allowed;
  std::vector<std::string> all;
  for (const Word& word : field.words) all.emplace_back(word.word);
  for (const int number : allowed.numbers)
    if (number != 0) all.push_back(std::to_string(number));
  if (!all.empty()) return fmt::format("{}", fmt::join(all, " | "));
  const bool bounded = std::isfinite(allowed.least) && std::isfinite(allowed.most);
  return bounded ? fmt::format("{:g} to {:g}", allowed.least, allowed.most) : "";
}

std::string meaning_of(const Description& description, const FieldInfo& field) {
  std::string out = meaning_of(field);
  const std::string standard = default_of(description, field);
  if (!standard.empty()) out += fmt::format("{}default {}", out.empty() ? "" : "; ", standard);
  return out;
}

Json object_schema(const Description& description, bool typed, bool type_required) {
  Json properties = Json::object(), needed = Json::array();
  const auto add = [&](const FieldInfo& field) {
    const std::string definition(field.details.definition);
    Json schema = definition.empty() ? field.type().schema(field) : reference_to(definition.c_str());
    if (const std::string meaning = meaning_of(description, field); !meaning.empty()) schema["description"] = meaning;
    properties[std::string(field.word)] = schema;
    if (field.details.need == Need::required) needed.push_back(std::string(field.word));
  };
  for (const FieldInfo& field : description.fields) {
    if (typed && &field == description.fields.data() && field.word != "name") {
      properties["type"] = {{"const", std::string(description.word)},
                            {"description", std::string(description.summary)}};
      needed.push_back("type");
    }
    add(field);
    if (typed && field.word == "name") {
      properties["type"] = {{"const", std::string(description.word)},
                            {"description", std::string(description.summary)}};
      if (type_required) needed.push_back("type");
    }
  }
  Json out = {{"type", "object"}};
  if (!typed) out["description"] = std::string(description.summary);
  out["properties"] = properties;
  if (!needed.empty()) out["required"] = needed;
  out["additionalProperties"] = false;
  for (const std::string_view rule : description.rules) out["allOf"].push_back(Json::parse(rule));
  for (const FieldInfo& field : description.fields)
    if (const std::string_view other = field.details.instead_of; !other.empty())
      out["allOf"].push_back({{"not", {{"required", {std::string(field.word), std::string(other)}}}}});
  return out;
}

Json description_json(const Description& description) {
  Json fields = Json::array();
  const auto standard = description.make();
  for (const FieldInfo& field : description.fields) {
    Json one = {{"word", std::string(field.word)},
                {"unit", std::string(field.unit)},
                {"meaning", std::string(field.meaning)},
                {"text", meaning_of(description, field)},
                {"required", field.details.need == Need::required},
                {"default",
                 field.details.need == Need::required ? Json() : field.type().write(field, field.of(standard.get()))},
                {"python", std::string(field.type().python)}};
    for (const Word& word : field.words)
      one["words"].push_back({{"word", word_json(word)}, {"meaning", std::string(word.meaning)}});
    for (const int number : field.details.allowed.numbers)
      if (number != 0) one["numbers"].push_back(number);
    if (const std::string range = range_of(field); !range.empty()) one["range"] = range;
    if (field.inner) one["fields"] = description_json(*field.inner())["fields"];
    fields.push_back(one);
  }
  return {{"word", std::string(description.word)}, {"summary", std::string(description.summary)}, {"fields", fields}};
}

}  // namespace polhode
