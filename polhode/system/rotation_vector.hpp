// The rotation vector between two triads as a function of invariants, with a discrete gradient: what bushings measure.
#pragma once

#include <polhode/lie/algebra.hpp>

namespace polhode {

using Vec4 = Eigen::Matrix<double, 4, 1>;
using Mat34 = Eigen::Matrix<double, 3, 4>;
using Mat4 = Eigen::Matrix<double, 4, 4>;

/// The rotation vector phi of A, as a function of w = (v, c), v = vee(A), c = (tr A - 1)/2, both linear in the cosines
/// A_ij = a_i . b_j: phi = psi v with psi = atan2(|v|, c)/|v|. Smooth also off |v|^2 + c^2 = 1, but not at A = turn by
/// pi.
struct RotationVector {
  Vec3 phi;
  Mat34 gradient;  ///< d phi / d w
  explicit RotationVector(const Vec4& w);
  Mat4 hessian(const Vec3& s) const;  ///< second derivative of s . phi by w

 private:
  Vec3 v_;
  double psi_, psi_u_, psi_c_, psi_uu_, psi_uc_, psi_cc_;  ///< psi(u, c), u = |v|^2, and its derivatives
};

/// Discrete gradient of phi between w0 and w1, exact: gradient (w1 - w0) = phi1 - phi0 (Gonzalez, about the mean).
struct RotationVectorSecant {
  Vec3 phi0, phi1;
  Mat34 gradient, gradient1;  ///< discrete; ordinary at w1
  RotationVectorSecant(const Vec4& w0, const Vec4& w1);
  Mat4 derivative(const Vec3& s) const;  ///< of gradient^T s by w1, at constant s

 private:
  RotationVector mid_;
  Vec4 dw_;
  double dw2_;
  bool corrected_;
};

}  // namespace polhode
