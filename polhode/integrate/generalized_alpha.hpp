// The Lie group generalized-alpha method.
#pragma once

#include <polhode/integrate/integrator.hpp>

namespace polhode {

struct GeneralizedAlphaOptions {
  double rho_inf = 0.9;        ///< spectral radius at infinite frequency
  int index = 3;               ///< 3: Phi = 0; 2: Phi = 0 and B v = 0, stabilised by a second multiplier
  bool improved_start = true;  ///< false: a0 = dv/dt(0), as printed
};

/// Bruls & Cardona 2010 on R3 x SO(3) (their geom1), for any model. See docs/methods/generalized-alpha.md.
std::unique_ptr<Integrator> make_generalized_alpha(const System& system, const NewtonOptions& newton,
                                                   const GeneralizedAlphaOptions& options);

}  // namespace polhode
