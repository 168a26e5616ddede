// The options that a run was made with, as its result tells them.
#pragma once

#include <string>

#include <polhode/model/model.hpp>

namespace polhode {

/// Integrator with all its options, step, end time, Newton's options, as JSON; defaults filled in.
std::string options_json(const SimulationOptions& options);

}  // namespace polhode
