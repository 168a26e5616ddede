// What every method keeps, measured: energy, momentum, joints at position and velocity level, and the way back.
#pragma once

#include <string>
#include <vector>

#include <polhode/model/model.hpp>

namespace polhode {

/// One figure, measured with a step and with half of it.
struct Kept {
  enum class Kind {
    exact,   ///< to rounding
    order,   ///< falls with a power of the step
    lost,    ///< does not fall with the step, or there is no run
    nothing  ///< the model has nothing of the kind
  };
  Kind kind = Kind::nothing;
  int power = 0;     ///< order: of the step, to the nearest whole number
  double error = 0;  ///< with the larger step, relative
};

struct Conservation {
  IntegratorChoice integrator;
  std::string model;  ///< on which it was measured
  Kept energy, linear_momentum, angular_momentum, position, velocity, reversal;
  bool gains = false;  ///< whether energy rose in some step, also with a stiff spring and a large step
  std::string failure;
};

/// Every method with its defaults, and with each of its options changed alone.
std::vector<IntegratorChoice> method_variants();

/// Two asymmetric bodies that fly and tumble, joined by a spherical joint and a spring; or, for methods that cannot
/// hold a joint, by springs alone. Gravity is zero, so that all momenta are conserved by the mechanics.
Model flying_pair(bool joint, double stiffness);

Conservation measure_conservation(const IntegratorChoice& integrator);

/// The table in Markdown.
std::string conservation_table(const std::vector<Conservation>& rows);

}  // namespace polhode
