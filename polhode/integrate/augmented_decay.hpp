// The decaying method with an augmented energy: one solve of the size of the energy-momentum rule's a step.
#pragma once

#include <polhode/integrate/integrator.hpp>

namespace polhode {

/// The scheme EMD(rho) of docs/methods/energy-decaying.md. Without elastic elements it is the energy-momentum rule with
/// velocities projected on the constraints, and its energy is the physical one.
std::unique_ptr<Integrator> make_augmented_decay(const System& system, const NewtonOptions& newton, double rho_inf,
                                                 const Resources& resources = {});

}  // namespace polhode
