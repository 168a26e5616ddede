#include <polhode/io/run_options.hpp>

#include <nlohmann/json.hpp>

#include <polhode/integrate/methods.hpp>

namespace polhode {

std::string options_json(const SimulationOptions& options) {
  const Method& method = find_method(options.integrator.name);
  nlohmann::ordered_json integrator{{"name", method.name}};
  const MethodOptions completed = complete_options(method, options.integrator);
  for (const auto& [name, value] : completed.all())
    std::visit([&, &key = name](const auto& v) { integrator[key] = v; }, value);
  return nlohmann::ordered_json{
      {"integrator", integrator},
      {"step", options.step},
      {"end_time", options.end_time},
      {"reactions", options.reactions == SimulationOptions::Reactions::instant ? "instant" : "step"},
      {"newton", {{"tolerance", options.newton.tolerance}, {"max_iterations", options.newton.max_iterations}}}}
      .dump(2);
}

}  // namespace polhode
