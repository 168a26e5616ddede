// An integrator of our own, outside of the library: the backward differentiation formulas of one and two steps.
#pragma once

#include <polhode/integrate/method.hpp>

struct BdfOptions {
  int order = 2;
  bool operator==(const BdfOptions&) const = default;
};
template <>
inline constexpr auto polhode::fields_of<BdfOptions> =
    polhode::fields(polhode::field<&BdfOptions::order>("", "order of accuracy", {.allowed = {.numbers = {1, 2}}}));

/// Constraints at position level. Order 2: strongly damped at high frequencies, hardly at low ones; order 1 is implicit
/// Euler.
std::unique_ptr<polhode::Integrator> make_bdf(const polhode::System& system, const polhode::NewtonOptions& newton,
                                              const BdfOptions& options, const polhode::Resources& resources);
