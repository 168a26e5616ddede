// The generalized-alpha method on Lie groups, and its relatives.
#pragma once

#include <polhode/integrate/integrator.hpp>
#include <polhode/integrate/local_motion.hpp>

namespace polhode {

struct GeneralizedAlphaOptions {
  /// Where the parameters come from, all with the spectral radius rho_inf at infinite frequency.
  enum class Settings { chung_hulbert, hht, newmark, trapezoidal };

  Settings settings = Settings::chung_hulbert;
  double rho_inf = 0.9;
  LocalMotionChoice motion;
  int factors = 1;  ///< 1: q_n o exp(all); 2: q_n o exp(h v_n) o exp(rest); 3: three factors (geom1, geom2, geom3)
  int index = 2;    ///< 3: Phi = 0; 2: Phi = 0 and B v = 0, stabilised by a second multiplier
  bool mass_metric = true;  ///< of index 2: the configuration is shifted by M^-1 B^T eta; false: by B^T eta, as printed
  bool improved_start = true;  ///< false: a0 = dv/dt(0), as printed
};

/// Bruls & Cardona 2010, for any model. See docs/methods/generalized-alpha.md.
std::unique_ptr<Integrator> make_generalized_alpha(const System& system, const NewtonOptions& newton,
                                                   const GeneralizedAlphaOptions& options,
                                                   const Resources& resources = {});

}  // namespace polhode
