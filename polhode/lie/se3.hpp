// Rigid motions: SE(3) with its exponential and Cayley maps, logarithm, adjoint and tangent operators.
#pragma once

#include <polhode/lie/algebra.hpp>
#include <polhode/lie/so3.hpp>

namespace polhode {

/// A position and a rotation: takes the point y_B of the body to y_S = x + R y_B. A matrix [[R, x], [0, 1]].
struct Pose {
  Vec3 x = Vec3::Zero();
  Quaternion R = Quaternion::Identity();

  /// Composition: (A * B) y = A (B y).
  Pose operator*(const Pose& other) const { return {x + R * other.x, R * other.R}; }
  Vec3 operator*(const Vec3& y_B) const { return x + R * y_B; }
};

}  // namespace polhode

/// Elements of the algebra are xi = (u, w): translation, then rotation, both in the body: X' = X (u, w)^ with
/// (u, w)^ = [[w~, u], [0, 0]], u = Rᵀx', w = omega_B. For a map X(xi), exp or cay, the tangent operator T(xi)
/// is the body's:
///
///   X⁻¹dX = (T(xi) dxi)^,   that is   body velocity = T(xi) xi'.
namespace polhode::se3 {

inline Pose compose(const Pose& A, const Pose& B) { return A * B; }

inline Pose inverse(const Pose& X) {
  const Quaternion Rt = X.R.conjugate();
  return {-(Rt * X.x), Rt};
}

/// The bracket [v, z] = (w_v x u_z + u_v x w_z, w_v x w_z).
inline Vec6 bracket(const Vec6& v, const Vec6& z) {
  const Vec3 u_v = v.head<3>(), w_v = v.tail<3>(), u_z = z.head<3>(), w_z = z.tail<3>();
  Vec6 result;
  result << w_v.cross(u_z) + u_v.cross(w_z), w_v.cross(w_z);
  return result;
}

Mat6 adjoint(const Pose& X);          ///< Ad = [[R, x~R], [0, R]]: X xi^ X⁻¹ = (Ad xi)^
Mat6 algebra_adjoint(const Vec6& v);  ///< ad(v) z = [v, z]: [[w~, u~], [0, w~]]

// ---- the exponential map: a screw motion ----

Pose exp(const Vec6& xi);  ///< (T(w)ᵀu, exp(w)), with T of so3
Vec6 log(const Pose& X);   ///< inverse of exp, |w| <= pi

Mat6 tangent(const Vec6& xi);          ///< [[T(w), DT(w)[u]], [0, T(w)]]
Mat6 tangent_inverse(const Vec6& xi);  ///< [[T⁻¹(w), D(T⁻¹)(w)[u]], [0, T⁻¹(w)]]; poles at |w| = 2 pi n
Mat6 tangent_derivative(const Vec6& xi, const Vec6& eta);          ///< directional derivative along eta
Mat6 tangent_inverse_derivative(const Vec6& xi, const Vec6& eta);  ///< directional derivative along eta

// ---- the Cayley map: that of the 4x4 matrices, (I - xi^/2)⁻¹ (I + xi^/2) ----
// With T = so3::cay_tangent(w), k = so3::cay_factor(w) and N(w) = (I - w~/2)⁻¹ = k (I + w~/2 + w wᵀ/4).
// Where u·w = 0, as in a turn about a fixed point, N u = Tᵀu: there it equals the Cayley map of the 6x6 adjoint
// matrices. For other u it does not, and is the better one: a spinning body advances along its axis by u, not k u.

/// (N(w) u, cay(w))
inline Pose cay(const Vec6& xi) {
  const Vec3 u = xi.head<3>(), w = xi.tail<3>();
  return {so3::cay_factor(w) * (u + 0.5 * w.cross(u) + (0.25 * w.dot(u)) * w), so3::cay(w)};
}

/// Inverse of cay: u = x - w x x / 2. Infinite at a half turn.
inline Vec6 cay_inverse(const Pose& X) {
  const Vec3 w = so3::cay_inverse(X.R);
  Vec6 xi;
  xi << X.x - 0.5 * w.cross(X.x), w;
  return xi;
}

/// [[N(w)ᵀ, -u~T/2], [0, T]]
inline Mat6 cay_tangent(const Vec6& xi) {
  const Vec3 u = xi.head<3>(), w = xi.tail<3>();
  const Mat3 T = so3::cay_tangent(w);
  Mat6 result;
  result << so3::cay_factor(w) * so3::cay_spatial_tangent_inverse(w), -0.5 * hat(u) * T, Mat3::Zero(), T;
  return result;
}

/// [[I + w~/2, (I + w~/2) u~/2], [0, T⁻¹]]: a polynomial
inline Mat6 cay_tangent_inverse(const Vec6& xi) {
  const Vec3 u = xi.head<3>(), w = xi.tail<3>();
  const Mat3 A = Mat3::Identity() + 0.5 * hat(w);
  Mat6 result;
  result << A, 0.5 * A * hat(u), Mat3::Zero(), so3::cay_tangent_inverse(w);
  return result;
}

Mat6 cay_tangent_derivative(const Vec6& xi, const Vec6& eta);          ///< directional derivative along eta
Mat6 cay_tangent_inverse_derivative(const Vec6& xi, const Vec6& eta);  ///< directional derivative along eta

}  // namespace polhode::se3
