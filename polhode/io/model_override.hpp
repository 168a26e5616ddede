// Options of a model that the command line may replace: --step 1e-4, --newton.tolerance 1e-12, --integrator.rho_inf
// 0.8.
#pragma once

#include <string>

#include <polhode/model/model.hpp>

namespace polhode {

/// Sets one option of `model.simulation` by its path, `newton.tolerance`, or `integrator.<option>` (a number if it
/// reads as one). Throws
/// ModelError for an unknown path or a value that does not fit; whether the options fit together is for validate(),
/// once all are set.
void apply_override(Model& model, const std::string& path, const std::string& value);

}  // namespace polhode
