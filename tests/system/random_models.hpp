// Random mechanisms to try theorems on: trees with loops, every kind of body, joint, spring, drive and load. Each is
// closed at its model pose, its equations are independent there, and its velocities satisfy them.
#pragma once

#include <numbers>
#include <random>

#include <polhode/lie/so3.hpp>
#include <polhode/system/compile.hpp>

namespace polhode {

/// Numbers from a seed, the same on every machine.
class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}
  double number(double low = -1, double high = 1) {
    return low + (high - low) * (static_cast<double>(generator_()) / 4294967295.0);
  }
  int below(int n) { return static_cast<int>(generator_() % static_cast<unsigned>(n)); }
  bool chance(double p) { return number(0, 1) < p; }
  Vec3 vector(double size = 1) { return Vec3(number(-size, size), number(-size, size), number(-size, size)); }
  Vec3 direction() {
    for (;;)
      if (const Vec3 v = vector(); v.norm() > 0.1 && v.norm() < 1) return v.normalized();
  }
  Quaternion rotation() { return so3::exp(number(0, std::numbers::pi) * direction()); }
  Mat3 rotation_matrix() { return rotation().toRotationMatrix(); }
  Vec6 vector6(double size = 1) { return (Vec6() << vector(size), vector(size)).finished(); }
  VecX vector_x(int n) {
    return VecX::NullaryExpr(n, [&] { return number(); });
  }
  /// Of a real body: principal values that a mass of that size and extent can have, in any axes.
  Mat3 inertia(double mass) {
    const Vec3 extent = 0.3 * Vec3(number(0.3, 1), number(0.3, 1), number(0.3, 1));
    const Vec3 square = extent.cwiseAbs2();
    const Mat3 Q = rotation_matrix();
    return mass * Q * Vec3(square.sum() - square.array()).asDiagonal() * Q.transpose();
  }

 private:
  std::mt19937 generator_;
};

struct RandomModelOptions {
  int bodies = 5;
  bool free_floating = false;  ///< nothing on the ground: no grounded joints, springs or loads, no gravity
  int loops = 1;               ///< closing joints at most; fewer where the mechanism would not move any more
  bool springs = true, dampers = true, drives = true, loads = true, gravity = true;
  bool lesser_nodes = true;  ///< particles, sliding masses and bodies about a fixed point among the rigid bodies
  bool moving = true;        ///< velocities that satisfy the joints; false: left out
};

/// B of a compiled model as a dense matrix in the nodes' unknowns, 6 columns a node.
MatX dense_jacobian(const System& system, const ConstraintJacobian& B);
MatX dense_jacobian(const System& system, const State& state);

Model random_model(unsigned seed, const RandomModelOptions& options = {});

}  // namespace polhode
