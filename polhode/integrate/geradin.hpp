// Geradin's midpoint rule with half rotations.
#pragma once

#include <polhode/integrate/method.hpp>

namespace polhode {

struct GeradinOptions {
  enum class Variant { corrected, published };
  enum class Parameters { euler, conformal };
  Variant variant = Variant::corrected;  ///< published, as printed: conserves energy to second order only
  Parameters parameters = Parameters::euler;
  bool operator==(const GeradinOptions&) const = default;
};

template <>
inline constexpr auto words<GeradinOptions::Variant> = std::to_array<Word>({
    {"corrected", "the mean angular velocity moves the body, energy exact"},
    {"published", "the mean momentum does"},
});
template <>
inline constexpr auto words<GeradinOptions::Parameters> =
    std::to_array<Word>({{"euler", "Euler parameters"}, {"conformal", "the conformal rotation vector"}});
template <>
inline constexpr auto fields_of<GeradinOptions> =
    fields(field<&GeradinOptions::variant>("", ""),
           field<&GeradinOptions::parameters>("", "of the half rotation; the motion is the same"));

/// Written for a top, here for any model. See docs/methods/geradin.md.
std::unique_ptr<Integrator> make_geradin(const System& system, const NewtonOptions& newton,
                                         const GeradinOptions& options, const Resources& resources = {});

Method geradin_method();

}  // namespace polhode
