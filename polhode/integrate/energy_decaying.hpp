// The energy-decaying methods: the energy-momentum rule with numerical damping of what the step does not resolve.
#pragma once

#include <polhode/integrate/method.hpp>

namespace polhode {

struct EnergyDecayingOptions {
  enum class Energy { physical, augmented };
  enum class LightBodies { free, damped };
  double rho_inf = 0.8;              ///< with 1 it is the energy-momentum rule
  Energy energy = Energy::physical;  ///< augmented: with a term of order h^2 more, for one solve of half the size
  LightBodies light_bodies = LightBodies::free;  ///< damped: under the tension of joints as well; not if augmented
  bool operator==(const EnergyDecayingOptions&) const = default;
};

template <>
inline constexpr auto words<EnergyDecayingOptions::Energy> =
    std::to_array<Word>({{"physical"}, {"augmented", "in about half the time"}});
template <>
inline constexpr auto words<EnergyDecayingOptions::LightBodies> = std::to_array<Word>(
    {{"free"}, {"damped", "also vibrations of light bodies under the tension of joints, for energy physical"}});
template <>
inline constexpr auto fields_of<EnergyDecayingOptions> =
    fields(rho_inf_field<&EnergyDecayingOptions::rho_inf>(),
           field<&EnergyDecayingOptions::energy>("", "which energy never grows"),
           field<&EnergyDecayingOptions::light_bodies>("", ""));

/// Second order; energy does not grow in any step; momentum is exact; constraints hold at position and velocity level.
/// See docs/methods/energy-decaying.md.
std::unique_ptr<Integrator> make_energy_decaying(const System& system, const NewtonOptions& newton,
                                                 const EnergyDecayingOptions& options, const Resources& resources = {});

Method energy_decaying_method();

}  // namespace polhode
