// The explicit momentum algorithms that Hulbert compared: for bodies without joints, free or turning about a fixed
// point.
#pragma once

#include <polhode/integrate/integrator.hpp>

namespace polhode {

enum class ExplicitMethod { simo_wong, predictor_corrector, staggered, park_chiou_downer };
enum class Impulse { midpoint, trapezoidal };  ///< where forces that depend on the configuration are taken

/// For systems without constraints. See docs/methods/explicit.md.
std::unique_ptr<Integrator> make_explicit_momentum(const System& system, ExplicitMethod method, Impulse impulse);

/// The angular momentum in space that a node has at t + h/2 in the second chain of `staggered` or `park-chiou-downer`,
/// which the state's memory holds. How far the mean of two of them is from the momentum at t tells whether the chains
/// stay together.
Vec3 half_chain_momentum(const System& system, ExplicitMethod method, const State& state, int node);

}  // namespace polhode
