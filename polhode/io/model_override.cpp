// Overrides by path: the value is text from the command line.
#include <polhode/io/model_override.hpp>

#include <polhode/describe/object.hpp>
#include <polhode/model/error.hpp>

namespace polhode {

void apply_override(Model& model, const std::string& path, const std::string& value) {
  Findings findings;
  Reporter report(findings, {});
  if (!set_field(kind<SimulationOptions>, &model.simulation, path, value, report)) throw ModelError(findings.all);
}

}  // namespace polhode
