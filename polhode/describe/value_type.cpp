// Numbers, texts, vectors, rotations, words, structs: the types that a field can have whatever it is a field of.
#include <polhode/describe/value_type.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>

#include <polhode/describe/object.hpp>

namespace polhode {
namespace {

template <class T>
const T& as(const void* from) {
  return *static_cast<const T*>(from);
}
template <class T>
bool read_as(const JsonValue& in, const FieldInfo&, void* to) {
  return read(in, *static_cast<T*>(to));
}
template <class T>
bool read_optional(const JsonValue& in, const FieldInfo&, void* to) {
  T value{};
  if (!read(in, value)) return false;
  static_cast<std::optional<T>*>(to)->emplace(value);
  return true;
}
template <class T>
Json write_as(const FieldInfo&, const void* from) {
  return as<T>(from);
}
template <class Vector>
Json list_of(const Vector& v) {
  Json list = Json::array();
  for (const double x : v) list.push_back(x);
  return list;
}

void check_vector(const FieldInfo& field, const Vec3& v, const std::string& key, Reporter& report) {
  if (field.details.allowed.nonzero)
    report.direction(key, v);
  else
    report.finite(key, v);
}

Json vector_schema(const FieldInfo& field) {
  return reference_to(field.details.allowed.nonzero ? "direction" : "vector");
}

Json list_schema(const char* item, int least, int most) {
  Json out = {{"type", "array"}, {"items", {{"type", item}}}, {"minItems", least}};
  if (most > 0) out["maxItems"] = most;
  return out;
}

/// The end of a message about a number that is not allowed.
std::string remark(const Allowed& allowed) {
  if (!allowed.remark.empty()) return std::string(allowed.remark);
  std::vector<int> numbers;
  for (const int number : allowed.numbers)
    if (number != 0) numbers.push_back(number);
  if (!numbers.empty()) return fmt::format("; it can be {}", fmt::join(numbers, " or "));
  if (std::isfinite(allowed.least) && std::isfinite(allowed.most))
    return fmt::format("; it must be between {} and {}", allowed.least, allowed.most);
  return "";
}

}  // namespace

Json word_json(const Word& word) {
  const bool numeral = !word.word.empty() && word.word.find_first_not_of("0123456789") == word.word.npos;
  return numeral ? Json(std::stoi(std::string(word.word))) : Json(std::string(word.word));
}

Json reference_to(const char* definition) { return {{"$ref", std::string("#/$defs/") + definition}}; }

Json number_schema(const FieldInfo& field, const char* type) {
  const Allowed& allowed = field.details.allowed;
  if (allowed.numbers[0] != 0) {
    Json numbers = Json::array();
    for (const int number : allowed.numbers)
      if (number != 0) numbers.push_back(number);
    return {{"enum", numbers}};
  }
  Json out = {{"type", type}};
  const auto number = [](double x) { return x == std::floor(x) ? Json(static_cast<long>(x)) : Json(x); };
  if (allowed.only_odd) return out;
  if (std::isfinite(allowed.least)) out[allowed.open ? "exclusiveMinimum" : "minimum"] = number(allowed.least);
  if (std::isfinite(allowed.most)) out[allowed.open ? "exclusiveMaximum" : "maximum"] = number(allowed.most);
  if (allowed.nonzero) out["not"] = {{"const", 0}};
  return out;
}

void check_number(const FieldInfo& field, double value, const std::string& key, Reporter& report) {
  if (!report.finite(key, value)) return;
  const Allowed& allowed = field.details.allowed;
  const auto& numbers = allowed.numbers;
  const bool among =
      numbers[0] == 0 || (value != 0 && std::find(numbers.begin(), numbers.end(), value) != numbers.end());
  const bool inside =
      allowed.open ? value > allowed.least && value < allowed.most : value >= allowed.least && value <= allowed.most;
  if (among && inside && !(allowed.nonzero && value == 0)) return;
  const std::string text = fmt::format("{} is {}{}", key, value, remark(allowed));
  if (allowed.only_odd)
    report.warning(key, text);
  else
    report.error(key, text);
}

template <>
const ValueType& value_type_of<double>() {
  static const ValueType type{read_as<double>, write_as<double>, [](const FieldInfo& f) { return number_schema(f); },
                              "float",
                              [](const FieldInfo& f, const void* from, const std::string& key, Reporter& report) {
                                check_number(f, as<double>(from), key, report);
                              }};
  return type;
}

template <>
const ValueType& value_type_of<std::optional<double>>() {
  static const ValueType type{read_optional<double>,
                              [](const FieldInfo&, const void* from) {
                                return as<std::optional<double>>(from) ? Json(*as<std::optional<double>>(from))
                                                                       : Json();
                              },
                              [](const FieldInfo& f) { return number_schema(f); }, "float",
                              [](const FieldInfo& f, const void* from, const std::string& key, Reporter& report) {
                                if (const auto& number = as<std::optional<double>>(from))
                                  check_number(f, *number, key, report);
                              }};
  return type;
}

template <>
const ValueType& value_type_of<int>() {
  static const ValueType type{read_as<int>, write_as<int>,
                              [](const FieldInfo& f) { return number_schema(f, "integer"); }, "int",
                              [](const FieldInfo& f, const void* from, const std::string& key, Reporter& report) {
                                check_number(f, as<int>(from), key, report);
                              }};
  return type;
}

template <>
const ValueType& value_type_of<bool>() {
  static const ValueType type{read_as<bool>, write_as<bool>,
                              [](const FieldInfo&) {
                                return Json{{"type", "boolean"}};
                              },
                              "bool"};
  return type;
}

template <>
const ValueType& value_type_of<std::string>() {
  static const ValueType type{read_as<std::string>, write_as<std::string>,
                              [](const FieldInfo&) {
                                return Json{{"type", "string"}};
                              },
                              "str"};
  return type;
}

template <>
const ValueType& value_type_of<Names>() {
  static const ValueType type{read_as<Names>, [](const FieldInfo&, const void* from) { return Json(as<Names>(from)); },
                              [](const FieldInfo&) { return reference_to("two_names"); }, "Sequence[str]"};
  return type;
}

template <>
const ValueType& value_type_of<Vec3>() {
  static const ValueType type{read_as<Vec3>, [](const FieldInfo&, const void* from) { return list_of(as<Vec3>(from)); },
                              vector_schema, "Vector",
                              [](const FieldInfo& f, const void* from, const std::string& key, Reporter& report) {
                                check_vector(f, as<Vec3>(from), key, report);
                              }};
  return type;
}

template <>
const ValueType& value_type_of<std::optional<Vec3>>() {
  static const ValueType type{read_optional<Vec3>,
                              [](const FieldInfo&, const void* from) {
                                return as<std::optional<Vec3>>(from) ? list_of(*as<std::optional<Vec3>>(from)) : Json();
                              },
                              vector_schema, "Vector",
                              [](const FieldInfo& f, const void* from, const std::string& key, Reporter& report) {
                                if (const auto& v = as<std::optional<Vec3>>(from)) check_vector(f, *v, key, report);
                              }};
  return type;
}

template <>
const ValueType& value_type_of<Vec6>() {
  static const ValueType type{read_as<Vec6>, [](const FieldInfo&, const void* from) { return list_of(as<Vec6>(from)); },
                              [](const FieldInfo&) { return list_schema("number", 6, 6); }, "Vector",
                              [](const FieldInfo& f, const void* from, const std::string& key, Reporter& report) {
                                for (int k = 0; k < 6; ++k)
                                  check_number(f, as<Vec6>(from)[k], fmt::format("{}[{}]", key, k), report);
                              }};
  return type;
}

template <>
const ValueType& value_type_of<std::vector<double>>() {
  static const ValueType type{read_as<std::vector<double>>, write_as<std::vector<double>>,
                              [](const FieldInfo&) { return list_schema("number", 1, 0); }, "Sequence[float] | Floats"};
  return type;
}

template <>
const ValueType& value_type_of<Quaternion>() {
  static const ValueType type{read_as<Quaternion>,
                              [](const FieldInfo&, const void* from) {
                                const Quaternion& q = as<Quaternion>(from);
                                return Json::array({q.w(), q.x(), q.y(), q.z()});
                              },
                              [](const FieldInfo&) { return reference_to("rotation"); }, "Rotation",
                              [](const FieldInfo&, const void* from, const std::string& key, Reporter& report) {
                                report.rotation(key, as<Quaternion>(from));
                              }};
  return type;
}

const ValueType& word_type() {
  static const ValueType type{
      [](const JsonValue& in, const FieldInfo& field, void* to) {
        std::string word;
        if (in.value.is_number())
          word = fmt::format("{}", in.value.get<double>());
        else if (!read(in, word))
          return false;
        std::vector<std::string> known;
        for (std::size_t k = 0; k < field.words.size(); ++k) {
          known.emplace_back(field.words[k].word);
          if (field.words[k].word == word) return *static_cast<int*>(to) = static_cast<int>(k), true;
        }
        const std::string hint = did_you_mean(word, known);
        return in.error(fmt::format("is {}{}", describe(in.value),
                                    hint.empty() ? fmt::format("; it can be {}", fmt::join(known, " or ")) : hint));
      },
      [](const FieldInfo& field, const void* from) {
        return word_json(field.words[static_cast<std::size_t>(as<int>(from))]);
      },
      [](const FieldInfo& field) {
        Json words = Json::array();
        for (const Word& word : field.words) words.push_back(word_json(word));
        return Json{{"enum", words}};
      },
      ""};
  return type;
}

const ValueType& struct_type() {
  static const ValueType type{
      [](const JsonValue& in, const FieldInfo& field, void* to) {
        if (!in.value.is_object())
          return in.expected(fmt::format("an object such as {{\"{}\": ...}}", field.inner()->fields[0].word));
        return read_object(in, *field.inner(), to);
      },
      [](const FieldInfo& field, const void* from) { return write_object(*field.inner(), from); },
      [](const FieldInfo& field) { return object_schema(*field.inner()); }, "Mapping[str, float]",
      [](const FieldInfo& field, const void* from, const std::string& key, Reporter& report) {
        check_object(*field.inner(), from, report, key);
      }};
  return type;
}

}  // namespace polhode
