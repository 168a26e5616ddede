#include <polhode/integrate/integrator_text.hpp>

#include <charconv>
#include <sstream>

#include <fmt/format.h>

#include <polhode/model/error.hpp>

namespace polhode {
namespace {

OptionValue value_of(const std::string& text) {
  const char *begin = text.data() + (text.starts_with('+') ? 1 : 0), *end = text.data() + text.size();
  double number = 0;
  const auto [rest, error] = std::from_chars(begin, end, number);
  return error == std::errc() && rest == end ? OptionValue(number) : OptionValue(text);
}

}  // namespace

IntegratorChoice parse_integrator(const std::string& text) {
  std::istringstream words(text);
  IntegratorChoice choice;
  const auto refuse = [&](const std::string& what) {
    throw ModelError(fmt::format(
        "integrator \"{}\": {}; expected NAME option=value, such as generalized-alpha rho_inf=0.6", text, what));
  };
  if (!(words >> choice.name)) refuse("the name is missing");
  if (choice.name.find('=') != std::string::npos) refuse(fmt::format("it begins with an option, {}", choice.name));
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size())
      refuse(fmt::format("\"{}\" is no option=value", word));
    if (!choice.options.emplace(word.substr(0, equals), value_of(word.substr(equals + 1))).second)
      refuse(fmt::format("{} is given twice", word.substr(0, equals)));
  }
  return choice;
}

std::string to_text(const IntegratorChoice& choice) {
  std::string text = choice.name;
  for (const auto& [name, value] : choice.options)
    text += std::visit([&, &key = name](const auto& v) { return fmt::format(" {}={}", key, v); }, value);
  return text;
}

}  // namespace polhode
