// Nielsen & Krenk's conservative integration in directors and momenta.
#pragma once

#include <polhode/integrate/method.hpp>

namespace polhode {

/// Literally as published: 12 natural coordinates q and 12 conjugate momenta p a body, 24 n + m unknowns; internal
/// constraints are implicit, joints have multipliers. The motion is that of the energy-momentum rule, by another road:
/// it checks that one, and reproduces the paper. See docs/methods/director.md.
std::unique_ptr<Integrator> make_director(const System& system, const NewtonOptions& newton,
                                          const Resources& resources = {});

Method director_method();

}  // namespace polhode
