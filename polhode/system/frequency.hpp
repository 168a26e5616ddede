// The highest frequency of a system about a configuration, its joints left out: what limits an explicit step.
#pragma once

#include <polhode/system/system.hpp>

namespace polhode {

/// sqrt of the largest eigenvalue of M^-1 K, K the stiffness of springs and gravity, M of each body alone [rad/s]; by
/// power iteration, to about 1 %.
double highest_frequency(const System& system, const State& state);

}  // namespace polhode
