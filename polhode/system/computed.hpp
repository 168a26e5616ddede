// What a program's own energies and loads give between two configurations, or at one.
#pragma once

#include <polhode/system/system.hpp>

namespace polhode {

/// The stress of an energy W(y) between y0 and y1: Gonzalez' discrete gradient,
///   s = W'(ym) + alpha D dy,   alpha = (W1 - W0 - W'(ym) . dy) / (dy . D dy),   dy = y1 - y0,   ym the mean,
/// with s . dy = W1 - W0 exactly. D weighs angles with the square of a length, so that the correction does not depend
/// on the unit.
/// Where the correction is as small as the rounding of W it is left out, else it would be noise divided by a small dy.
template <int n>
struct PotentialStress {
  using Y = Eigen::Matrix<double, n, 1>;
  using Hessian = Eigen::Matrix<double, n, n>;
  Y stress = Y::Zero();
  Hessian tangent = Hessian::Zero();  ///< by y1

  /// `length`: typical of the model; only the six numbers of a pose mix units.
  PotentialStress(const ComputedPotential& law, const Y& y0, const Y& y1, bool pointwise, bool with_tangent,
                  double length);

  static double energy(const ComputedPotential& law, const Y& y);
  static Y gradient(const ComputedPotential& law, const Y& y);
  static Hessian hessian(const ComputedPotential& law, const Y& y, double length);
};
extern template struct PotentialStress<1>;
extern template struct PotentialStress<3>;
extern template struct PotentialStress<6>;

/// The motion of a point X of a node, at a configuration or in the middle between two.
ComputedLoad::Motion motion_at(const Frame& frame, const Vec6& V, double t, const Vec3& X);
ComputedLoad::Motion motion_between(const Frame& start, const Frame& end, double t0, double t1, const Vec3& X);

/// The wrench of a computed load in a stage: force at the point, and torque, in space.
Vec6 wrench_in(const ComputedWrench& load, const Stage& stage);

/// Work of a force at X and a torque, both in space, between two configurations; exact for a force that is constant and
/// for a torque in the middle of a Cayley step.
double work_between(const Vec6& wrench, const Vec3& X, const Frame& start, const Frame& end);

}  // namespace polhode
