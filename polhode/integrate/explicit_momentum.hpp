// The explicit momentum algorithms that Hulbert compared: for bodies without joints, free or turning about a fixed point.
#pragma once

#include <polhode/integrate/integrator.hpp>

namespace polhode {

enum class ExplicitMethod { simo_wong, predictor_corrector, staggered, park_chiou_downer };
enum class Impulse { midpoint, trapezoidal };  ///< where forces that depend on the configuration are taken

/// ModelError if the model has constraints. See docs/methods/explicit.md.
std::unique_ptr<Integrator> make_explicit_momentum(const System& system, ExplicitMethod method, Impulse impulse);

}  // namespace polhode
