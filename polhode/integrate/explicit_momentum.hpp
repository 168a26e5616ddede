// The explicit momentum algorithms that Hulbert compared: for bodies without joints, free or turning about a fixed
// point.
#pragma once

#include <polhode/integrate/method.hpp>

namespace polhode {

enum class ExplicitMethod { simo_wong, predictor_corrector, staggered, park_chiou_downer };
enum class Impulse { midpoint, trapezoidal };  ///< where forces that depend on the configuration are taken

template <>
inline constexpr auto words<Impulse> = std::to_array<Word>({{"midpoint"}, {"trapezoidal"}});

/// Each method has the impulse at first that makes the best of it.
template <Impulse initial>
struct ImpulseOptions {
  Impulse impulse = initial;
  bool operator==(const ImpulseOptions&) const = default;
};
template <Impulse initial>
inline constexpr auto fields_of<ImpulseOptions<initial>> =
    fields(field<&ImpulseOptions<initial>::impulse>("", "where forces that depend on the configuration are taken"));

/// For systems without constraints. See docs/methods/explicit.md.
std::unique_ptr<Integrator> make_explicit_momentum(const System& system, ExplicitMethod method, Impulse impulse);

Method simo_wong_method();
Method predictor_corrector_method();
Method staggered_method();
Method park_chiou_downer_method();

/// The angular momentum in space that a node has at t + h/2 in the second chain of `staggered` or `park-chiou-downer`,
/// which the state's memory holds. How far the mean of two of them is from the momentum at t tells whether the chains
/// stay together.
Vec3 half_chain_momentum(const System& system, ExplicitMethod method, const State& state, int node);

}  // namespace polhode
