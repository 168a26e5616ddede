// An integrator of our own, outside of the library: the backward differentiation formulas of one and two steps.
#pragma once

#include <polhode/integrate/integrator.hpp>

/// Constraints at position level. Order 2: strongly damped at high frequencies, hardly at low ones; order 1 is implicit
/// Euler.
std::unique_ptr<polhode::Integrator> make_bdf(const polhode::System& system, const polhode::NewtonOptions& newton,
                                              int order, const polhode::Resources& resources);
