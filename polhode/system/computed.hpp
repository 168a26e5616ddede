// What a program's own energies and loads give between two configurations, or at one.
#pragma once

#include <limits>

#include <polhode/system/system.hpp>

namespace polhode {

/// The stress of an energy W(y) between y0 and y1: Gonzalez' discrete gradient,
///   s = W'(ym) + alpha D dy,   alpha = (W1 - W0 - W'(ym) . dy) / (dy . D dy),   dy = y1 - y0,   ym the mean,
/// with s . dy = W1 - W0 exactly. D weighs angles with the square of a length, so that the correction does not depend on the unit.
/// Where the correction is as small as the rounding of W it is left out, else it would be noise divided by a small dy.
template <int n>
struct PotentialStress {
  using Y = Eigen::Matrix<double, n, 1>;
  using Hessian = Eigen::Matrix<double, n, n>;
  Y stress = Y::Zero();
  Hessian tangent = Hessian::Zero();  ///< by y1

  /// `length`: typical of the model; only the six numbers of a pose mix units.
  PotentialStress(const ComputedPotential& law, const Y& y0, const Y& y1, bool pointwise, bool with_tangent, double length) {
    if (pointwise) {
      stress = gradient(law, y1);
      if (with_tangent) tangent = hessian(law, y1, length);
      return;
    }
    const Y dy = y1 - y0, ym = 0.5 * (y0 + y1), g = gradient(law, ym);
    Y D = Y::Ones();
    if constexpr (n == 6) D.template tail<3>().setConstant(length * length);
    const Y Ddy = D.cwiseProduct(dy);
    const double W0 = energy(law, y0), W1 = energy(law, y1), size = dy.dot(Ddy), missing = W1 - W0 - g.dot(dy);
    const bool corrected = std::abs(missing) > 4 * std::numeric_limits<double>::epsilon() * (std::abs(W0) + std::abs(W1)) && size > 0;
    const double alpha = corrected ? missing / size : 0;
    stress = g + alpha * Ddy;
    if (!with_tangent) return;
    const Hessian H = hessian(law, ym, length);
    tangent = 0.5 * H;
    if (!corrected) return;
    tangent += alpha * Hessian(D.asDiagonal());
    tangent += Ddy * ((gradient(law, y1) - g - 0.5 * (H * dy) - 2 * alpha * Ddy) / size).transpose();
  }

  static double energy(const ComputedPotential& law, const Y& y) { return law.energy({y.data(), n}); }
  static Y gradient(const ComputedPotential& law, const Y& y) {
    Y g;
    law.gradient({y.data(), n}, {g.data(), n});
    return g;
  }
  static Hessian hessian(const ComputedPotential& law, const Y& y, double length) {
    Hessian H;
    if (law.hessian) {
      law.hessian({y.data(), n}, {H.data(), n * n});
      return H;
    }
    for (int k = 0; k < n; ++k) {  // central differences of the gradient: right to about 1e-9, enough for Newton
      const double step = 1e-5 * (n == 6 && k >= 3 ? 1.0 : std::max(length, std::abs(y[k])));
      H.col(k) = (gradient(law, y + step * Y::Unit(k)) - gradient(law, y - step * Y::Unit(k))) / (2 * step);
    }
    return 0.5 * (H + H.transpose());
  }
};

/// The motion of a point X of a node, at a configuration or in the middle between two.
ComputedLoad::Motion motion_at(const Frame& frame, const Vec6& V, double t, const Vec3& X);
ComputedLoad::Motion motion_between(const Frame& start, const Frame& end, double t0, double t1, const Vec3& X);

/// The wrench of a computed load in a stage: force at the point, and torque, in space.
Vec6 wrench_in(const ComputedWrench& load, const Stage& stage);

/// Work of a force at X and a torque, both in space, between two configurations; exact for a force that is constant and for a
/// torque in the middle of a Cayley step.
double work_between(const Vec6& wrench, const Vec3& X, const Frame& start, const Frame& end);

}  // namespace polhode
