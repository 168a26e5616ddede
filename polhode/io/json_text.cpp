// The layout of JSON text.
#include <polhode/io/json_text.hpp>

#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <polhode/model/error.hpp>

namespace polhode {
namespace {

using Json = nlohmann::ordered_json;

std::string scalar_text(const Json& value) {
  if (!value.is_number_float()) return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  const double number = value.get<double>();
  if (!std::isfinite(number))
    throw ModelError(fmt::format("a number of the model is {}, which JSON cannot hold", number));
  if (number == 0) return std::signbit(number) ? "-0.0" : "0";  // -0 would be read as the whole number 0
  return fmt::format("{}", number);
}

}  // namespace

std::string json_text(const Json& value, const JsonStyle& style, std::size_t indent) {
  if (!value.is_structured()) return scalar_text(value);
  if (value.empty()) return value.is_object() ? "{}" : "[]";
  std::vector<std::string> entries;
  std::size_t length = 0;
  bool one_line = true;
  for (const auto& item : value.items()) {
    const std::string key = value.is_object() ? scalar_text(item.key()) + ": " : "";
    entries.push_back(key + json_text(item.value(), style, indent + 2));
    length += entries.back().size() + 2;
    one_line = one_line && entries.back().find('\n') == std::string::npos;
  }
  const char open = value.is_object() ? '{' : '[', close = value.is_object() ? '}' : ']';
  const char* const space = value.is_object() && style.spaced ? " " : "";
  if (one_line && indent + length <= style.columns && indent > 0)
    return fmt::format("{}{}{}{}{}", open, space, fmt::join(entries, ", "), space, close);
  const std::string margin(indent, ' ');
  return fmt::format("{}\n{}  {}\n{}{}", open, margin, fmt::join(entries, ",\n" + margin + "  "), margin, close);
}

}  // namespace polhode
