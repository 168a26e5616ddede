// Geradin's midpoint rule with half rotations.
#pragma once

#include <polhode/integrate/integrator.hpp>

namespace polhode {

struct GeradinOptions {
  bool published = false;  ///< as printed: conserves energy to second order only; else corrected, exact
  bool conformal = false;  ///< unknowns are conformal rotation vectors, else Euler parameters of the rotation
};

/// Written for a top, here for any model. See docs/methods/geradin.md.
std::unique_ptr<Integrator> make_geradin(const System& system, const NewtonOptions& newton,
                                         const GeradinOptions& options, const Resources& resources = {});

}  // namespace polhode
