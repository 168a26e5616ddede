// RATTLie: the variational integrator for constrained rigid bodies, explicit but for the constraints.
#pragma once

#include <polhode/integrate/method.hpp>

namespace polhode {

/// Half a kick, a free move on the group, half a kick; multipliers hold the constraints at position and velocity level.
/// Symplectic, momentum exact, energy bounded. See docs/methods/rattlie.md.
std::unique_ptr<Integrator> make_rattlie(const System& system, const NewtonOptions& newton,
                                         const Resources& resources = {});

Method rattlie_method();

}  // namespace polhode
