// Forces that a program computes: an energy of how two bodies stand to each other, or a load. They live in memory only:
// a model that holds one cannot be written.
#pragma once

#include <functional>
#include <span>

#include <polhode/lie/algebra.hpp>

namespace polhode {

/// An energy W(y) [J] of numbers y that do not change when everything moves rigidly; hence it keeps momentum whatever W
/// is, and a method with discrete gradients keeps energy: these need W itself. The gradient makes the motion right, the
/// Hessian Newton quick.
struct ComputedPotential {
  enum class Of {
    coordinate,  ///< angle or travel of a joint [rad, m], or the distance of two points [m]; 1 number
    point,       ///< the point of b in a frame of a, its origin a's point [m]; 3 numbers
    pose  ///< the same, and the rotation vector from the frame of a to that of b, below half a turn [rad]; 6 numbers
  };
  using Numbers = std::span<const double>;

  Of of = Of::coordinate;
  std::function<double(Numbers y)> energy;
  std::function<void(Numbers y, std::span<double> gradient)> gradient;
  std::function<void(Numbers y, std::span<double> hessian)>
      hessian;  ///< symmetric; if empty, by differences of the gradient
};

/// A load that depends on time and motion: a wrench on a body, or a force on a coordinate. Implicit methods ask for it
/// in each of their iterations, in the middle or at the end of a step; it has no part in their tangent, so that a load
/// which changes much within a step costs iterations, and one that jumps may keep them from converging.
struct ComputedLoad {
  /// Of the body's point where the load acts: place and velocity in space; angular velocity in the body.
  struct Motion {
    double t = 0;
    Vec3 position = Vec3::Zero();
    Quaternion orientation = Quaternion::Identity();
    Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();
  };
  std::function<Vec6(const Motion&)> wrench;  ///< force and torque, in space [N, N m]
  std::function<double(double t, double y, double rate)>
      on_coordinate;  ///< force or torque on b, the opposite on a [N or N m]
};

}  // namespace polhode
