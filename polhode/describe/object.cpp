// Objects read, written and checked by the tables of their fields, and fields set by their paths.
#include <polhode/describe/object.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/ranges.h>

namespace polhode {
namespace {

std::string below(const std::string& key, std::string_view word) {
  return key.empty() ? std::string(word) : fmt::format("{}.{}", key, word);
}

/// An unknown key, or one of other kinds.
void refuse_key(const JsonValue& in, const std::string& key, const Description& description, const Kinds& others,
                const std::vector<std::string>& also) {
  const std::string whole = below(in.key, key.size() > 60 ? key.substr(0, 57) + "..." : key);
  std::vector<std::string_view> owners;
  for (const Description* other : others)
    if (other->find(key)) owners.push_back(other->word);
  if (!owners.empty())
    return in.report.error(whole, fmt::format("{} is not used by type \"{}\"; it belongs to {}", whole,
                                              description.word, fmt::join(owners, ", ")));
  std::vector<std::string> known;
  for (const FieldInfo& field : description.fields) known.emplace_back(field.word);
  known.insert(known.end(), also.begin(), also.end());
  if (!others.empty()) known.insert(known.begin() + (known[0] == "name"), "type");
  const std::string hint = did_you_mean(key, known);
  in.report.error(whole, fmt::format("unknown key \"{}\"{}", whole,
                                     hint.empty() ? fmt::format("; known are {}", fmt::join(known, ", ")) : hint));
}

/// The number that the whole text stands for, a truth value, or the text.
nlohmann::json from_text(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error == std::errc() && end == digits.data() + digits.size() && std::isfinite(number)) return number;
  return std::string(text);
}

}  // namespace

bool read_object(const JsonValue& in, const Description& description, void* to, const Kinds& others,
                 const std::vector<std::string>& also) {
  const std::size_t before = in.report.count();
  for (const auto& [key, value] : in.value.items()) {
    const bool read_elsewhere =
        (key == "type" && !others.empty()) || std::find(also.begin(), also.end(), key) != also.end();
    if (!description.find(key) && !read_elsewhere) refuse_key(in, key, description, others, also);
  }
  for (const FieldInfo& field : description.fields) {
    const std::string word(field.word);
    if (in.value.contains(word))
      field.type().read(in.at(word), field, field.of(to));
    else if (field.details.need == Need::required) {
      const std::string key = below(in.key, word);
      in.report.error(key, fmt::format("{} is missing{}", key, field.details.missing));
    }
  }
  return in.report.count() == before;
}

Json write_object(const Description& description, const void* from) {
  Json out = Json::object();
  const auto standard = description.make();
  for (const FieldInfo& field : description.fields) {
    const Json value = field.type().write(field, field.of(const_cast<void*>(from)));
    if (value.is_null()) continue;
    if (field.details.need != Need::optional || value != field.type().write(field, field.of(standard.get())))
      out[std::string(field.word)] = value;
  }
  return out;
}

void check_object(const Description& description, const void* from, Reporter& report, const std::string& key) {
  for (const FieldInfo& field : description.fields)
    if (const auto check = field.type().check)
      check(field, field.of(const_cast<void*>(from)), below(key, field.word), report);
}

std::vector<FieldPath> paths(const Description& description) {
  std::vector<FieldPath> out;
  for (const FieldInfo& field : description.fields) {
    if (field.inner) {
      for (const FieldPath& deeper : paths(*field.inner()))
        out.push_back({below(std::string(field.word), deeper.path), deeper.owner, deeper.field});
    } else {
      out.push_back({field.type().read_option ? below(std::string(field.word), "name") : std::string(field.word),
                     &description, &field});
    }
  }
  return out;
}

bool set_field(const Description& description, void* object, const std::string& path, const std::string& text,
               Reporter& report) {
  const auto dot = path.find('.');
  const std::string rest = dot == path.npos ? "" : path.substr(dot + 1);
  const FieldInfo* const field = description.find(path.substr(0, dot));
  const nlohmann::json value = from_text(text);
  const JsonValue in{value, path, report};
  const FieldInfo* const inner = field && field->inner && !rest.empty() ? field->inner()->find(rest) : nullptr;
  if (inner) return inner->type().read(in, *inner, inner->of(field->of(object)));
  if (field && !rest.empty() && field->type().read_option)
    return field->type().read_option(in, rest, field->of(object));
  if (field && dot == path.npos && !field->inner && !field->type().read_option)
    return field->type().read(in, *field, field->of(object));
  std::vector<std::string> known;
  for (const FieldPath& one : paths(description)) known.push_back(one.path);
  report.error(path, fmt::format("there is no option \"{}\"{}", path, did_you_mean_or_list(path, known)));
  return false;
}

}  // namespace polhode
