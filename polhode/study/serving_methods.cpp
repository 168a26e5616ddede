#include <polhode/study/serving_methods.hpp>

#include <polhode/integrate/methods.hpp>
#include <polhode/simulate/loops.hpp>

namespace polhode {
namespace {

/// The model at its start, to ask methods about.
struct Asked {
  explicit Asked(const Model& model) : options(model.simulation), compiled(compile(model)), start(compiled.start) {
    settled_start(compiled, options, start);
  }
  std::optional<std::string> why_not(const IntegratorChoice& integrator) const {
    return polhode::why_not(compiled.system, integrator, start, options.step);
  }
  const SimulationOptions& options;
  CompiledModel compiled;
  State start;
};

}  // namespace

std::optional<std::string> why_not(const Model& model, const IntegratorChoice& integrator) {
  return Asked(model).why_not(integrator);
}

std::vector<Service> services(const Model& model) {
  const Asked asked(model);
  std::vector<Service> out;
  for (const Method& method : methods()) {
    const IntegratorChoice integrator{method.name, {}};
    out.push_back({integrator, asked.why_not(integrator)});
  }
  return out;
}

}  // namespace polhode
