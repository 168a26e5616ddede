// Overrides by path: the value is text from the command line.
#include <polhode/io/model_override.hpp>

#include <charconv>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include <polhode/model/error.hpp>
#include <polhode/model/names.hpp>

namespace polhode {
namespace {

// The number that the whole text is, if it is one.
std::optional<double> as_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

double number(const std::string& path, const std::string& value) {
  const auto found = as_number(value);
  if (!found || !std::isfinite(*found))
    throw ModelError(fmt::format("{} is \"{}\"; expected a finite number", path, value));
  return *found;
}

int whole_number(const std::string& path, const std::string& value) {
  const double found = number(path, value);
  if (found != std::floor(found) || std::abs(found) > 1e9)
    throw ModelError(fmt::format("{} is \"{}\"; expected a whole number", path, value));
  return int(found);
}

}  // namespace

void apply_override(Model& model, const std::string& path, const std::string& value) {
  SimulationOptions& options = model.simulation;
  constexpr std::string_view integrator = "integrator.";

  if (path == "step") options.step = number(path, value);
  else if (path == "end_time") options.end_time = number(path, value);
  else if (path == "output_step") options.output_step = number(path, value);
  else if (path == "newton.tolerance") options.newton.tolerance = number(path, value);
  else if (path == "newton.max_iterations") options.newton.max_iterations = whole_number(path, value);
  else if (path == "threads") options.threads = whole_number(path, value);
  else if (path == "integrator.name") options.integrator.name = value;
  else if (path == "assembly") {
    const auto assembly = from_name<SimulationOptions::Assembly>(value);
    if (!assembly) throw ModelError(fmt::format("assembly is \"{}\"; there are: strict, project", value));
    options.assembly = *assembly;
  } else if (path.starts_with(integrator) && path.size() > integrator.size()) {
    const bool is_number = as_number(value).has_value();
    options.integrator.options[path.substr(integrator.size())] =
        is_number ? OptionValue(number(path, value)) : OptionValue(value);
  } else {
    const std::vector<std::string> known = {"step", "end_time", "output_step", "assembly", "newton.tolerance",
                                            "newton.max_iterations", "threads", "integrator.name"};
    const std::string hint = did_you_mean(path, known);
    throw ModelError(fmt::format("there is no option \"{}\"{}", path,
                                 !hint.empty() ? hint
                                               : fmt::format("; there are: {}, and integrator.<option>",
                                                             fmt::join(known, ", "))));
  }
}

}  // namespace polhode
