// The energy-momentum rule: Cayley midpoint with discrete gradients.
#pragma once

#include <polhode/integrate/integrator.hpp>

namespace polhode {

/// Conserves energy, momentum and constraints to round-off, for every joint and law. Order 2, or 4 by Suzuki's
/// composition of five steps; both are symmetric in time. Index 3: joints at position level; 2: at velocity level too.
/// See docs/methods/energy-momentum.md.
std::unique_ptr<Integrator> make_energy_momentum(const System& system, const NewtonOptions& newton, int order,
                                                 int index = 3, const Resources& resources = {});

}  // namespace polhode
