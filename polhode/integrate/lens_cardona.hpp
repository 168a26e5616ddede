// The energy preserving and decaying schemes of Lens and Cardona, for any bodies, joints and laws.
#pragma once

#include <polhode/integrate/force_map.hpp>
#include <polhode/integrate/integrator.hpp>

namespace polhode {

struct LensCardonaOptions {
  enum class Scheme { preserving, decaying, alpha_kappa };
  enum class Kappa { one, exact, gamma };

  Scheme scheme = Scheme::alpha_kappa;
  double alpha = 1;  ///< 0 preserves, 1 damps most; spectral radius (1 - alpha)/(1 + alpha) at infinite frequency
  Kappa kappa = Kappa::one;  ///< of alpha_kappa: what makes its energy decay in every step
  Torque torque = Torque::transported;
};

/// See docs/methods/lens-cardona.md. The memory of a state only tells what else the last step found: kappa - 1 and
/// gamma, then lambda_j, eta_end and eta_jump of all rows, then the displacement and rotation vector of every node to
/// the jump.
std::unique_ptr<Integrator> make_lens_cardona(const System& system, const NewtonOptions& newton,
                                              const LensCardonaOptions& options, const Resources& resources = {});

}  // namespace polhode
