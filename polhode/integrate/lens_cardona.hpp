// The energy preserving and decaying schemes of Lens and Cardona, for any bodies, joints and laws.
#pragma once

#include <polhode/integrate/force_map.hpp>
#include <polhode/integrate/method.hpp>

namespace polhode {

struct LensCardonaOptions {
  enum class Scheme { preserving, decaying, decaying_alpha, alpha_kappa };
  enum class Kappa { one, exact, gamma };

  Scheme scheme = Scheme::alpha_kappa;
  double rho_inf = 0.8;
  std::optional<double> alpha{};
  Kappa kappa = Kappa::one;  ///< of alpha_kappa: what makes its energy decay in every step
  Torque torque = Torque::transported;
  bool operator==(const LensCardonaOptions&) const = default;

  /// alpha: 0 preserves, 1 damps most; spectral radius (1 - alpha)/(1 + alpha) at infinite frequency.
  double damping() const { return scheme == Scheme::decaying ? 1 : alpha.value_or((1 - rho_inf) / (1 + rho_inf)); }
};

template <>
inline constexpr auto words<LensCardonaOptions::Scheme> = std::to_array<Word>({
    {"preserving", "the energy-momentum rule (geradin with half rotations)"},
    {"decaying", "alpha is 1"},
    {"decaying-alpha"},
    {"alpha-kappa", "constraints at velocity level too"},
});
template <>
inline constexpr auto words<LensCardonaOptions::Kappa> = std::to_array<Word>({
    {"one", "energy may grow"},
    {"exact", "a number more to find in every step, with which it does not"},
    {"gamma", "the same; a step without one is taken as with one, and counted"},
});
template <>
inline constexpr auto fields_of<LensCardonaOptions> =
    fields(field<&LensCardonaOptions::scheme>("", ""), rho_inf_field<&LensCardonaOptions::rho_inf>(),
           field<&LensCardonaOptions::alpha>("", "instead of rho_inf: 0 no damping, 1 the most",
                                             {.otherwise = "(1 - rho_inf)/(1 + rho_inf)",
                                              .allowed = {.least = 0, .most = 1},
                                              .instead_of = "rho_inf"}),
           field<&LensCardonaOptions::kappa>("", "of alpha-kappa"),
           field<&LensCardonaOptions::torque>("", "of the decaying schemes"));

/// See docs/methods/lens-cardona.md. The memory of a state only tells what else the last step found: kappa - 1 and
/// gamma, then lambda_j, eta_end and eta_jump of all rows, then the displacement and rotation vector of every node to
/// the jump.
std::unique_ptr<Integrator> make_lens_cardona(const System& system, const NewtonOptions& newton,
                                              const LensCardonaOptions& options, const Resources& resources = {});

Method lens_cardona_method();

}  // namespace polhode
