// The energy-momentum rule: Cayley midpoint with discrete gradients.
#pragma once

#include <polhode/integrate/method.hpp>

namespace polhode {

struct EnergyMomentumOptions {
  enum class Index { automatic, velocity, position };
  int order = 2;                   ///< or 4, 6, 8: Suzuki's and Kahan & Li's compositions of 5, 9 or 17 steps
  Index index = Index::automatic;  ///< chosen for a system; without one as position
  bool operator==(const EnergyMomentumOptions&) const = default;
};

template <>
inline constexpr auto words<EnergyMomentumOptions::Index> = std::to_array<Word>({
    {"auto", "2 for models with loops or drives, else 3"},
    {"2", "joints at velocity level too, for loops, drives with kinks and large steps, at about twice the work"},
    {"3", "at position level"},
});
template <>
inline constexpr auto fields_of<EnergyMomentumOptions> =
    fields(field<&EnergyMomentumOptions::order>("", "order of accuracy; a step costs 1, 5, 9 or 17 of order 2",
                                                {.allowed = {.numbers = {2, 4, 6, 8}}}),
           field<&EnergyMomentumOptions::index>("", ""));

/// Conserves energy, momentum and constraints to round-off, for every joint and law. Symmetric in time. See
/// docs/methods/energy-momentum.md.
std::unique_ptr<Integrator> make_energy_momentum(const System& system, const NewtonOptions& newton,
                                                 const EnergyMomentumOptions& options, const Resources& resources = {});

Method energy_momentum_method();

}  // namespace polhode
