// The energy-decaying methods: the energy-momentum rule with numerical damping of what the step does not resolve.
#pragma once

#include <polhode/integrate/integrator.hpp>

namespace polhode {

struct EnergyDecayingOptions {
  double rho_inf = 0.8;    ///< spectral radius at infinite frequency; with 1 it is the energy-momentum rule
  bool augmented = false;  ///< the energy that decays has a term of order h^2 more, for one solve of half the size
  bool geometric = false;  ///< damp vibrations of light bodies under the tension of joints as well; not if augmented
};

/// Second order; energy does not grow in any step; momentum is exact; constraints hold at position and velocity level.
/// See docs/methods/energy-decaying.md.
std::unique_ptr<Integrator> make_energy_decaying(const System& system, const NewtonOptions& newton,
                                                 const EnergyDecayingOptions& options, const Resources& resources = {});

}  // namespace polhode
