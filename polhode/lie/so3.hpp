// Rotations: the exponential and the Cayley map from vectors to SO(3), their inverses and tangent operators.
#pragma once

#include <cmath>

#include <polhode/lie/algebra.hpp>

/// R takes body components to space components, v_S = R v_B, and is held as a unit quaternion or as a matrix.
/// For a map R(p), exp or cay, the tangent operator T(p) turns a change of p into a change of R, seen in the body
/// or in space:
///
///   RᵀdR = (T(p) dp)~   body       dR Rᵀ = (T(p)ᵀ dp)~   space       T(p)ᵀ = T(-p) = R T(p)
///
/// so that the body angular velocity is omega_B = T(p) p', the spatial one omega_S = T(p)ᵀ p'. Functions named
/// `tangent` are of the body; those of space are their transposes, also for inverses and derivatives. For each T
/// and T⁻¹ there are
///
///   tangent_derivative(p, u)    the derivative DT(p)[u] of the matrix T along u, so that T' = DT(p)[p']
///   tangent_jacobian(p, v)      the derivative of the vector T(p) v with respect to p: times u, it is DT(p)[u] v
///
/// (of space: the jacobian of T(p)ᵀ v is -tangent_jacobian(-p, v)). Symbols of series.hpp.
namespace polhode::so3 {

// ---- the exponential map: a turn by |p| radians about p ----

Quaternion exp(const Vec3& p);   ///< unit quaternion (cos(|p|/2), sin(|p|/2) p/|p|)
Mat3 exp_matrix(const Vec3& p);  ///< the same as a matrix: I + a1 p~ + a2 p~p~

/// Inverse of exp, |p| <= pi. The quaternion may have any length and either sign; a half turn has two answers,
/// p and -p, and one of them is returned.
Vec3 log(const Quaternion& q);
Vec3 log(const Mat3& R);  ///< inverse of exp_matrix

/// The smallest rotation that turns one direction into another, of any lengths; of opposite ones, a half turn about
/// some axis across them.
Quaternion between(const Vec3& from, const Vec3& to);

Mat3 tangent(const Vec3& p);                                                  ///< T = I - a2 p~ + a3 p~p~
Mat3 tangent_derivative(const Vec3& p, const Vec3& u);                        ///< DT(p)[u]
Mat3 tangent_jacobian(const Vec3& p, const Vec3& v);                          ///< ∂(T(p) v)/∂p
Mat3 tangent_second_derivative(const Vec3& p, const Vec3& u, const Vec3& v);  ///< D²T(p)[u, v]

Mat3 tangent_inverse(const Vec3& p);                            ///< T⁻¹ = I + p~/2 + c p~p~; poles at |p| = 2 pi n
Mat3 tangent_inverse_derivative(const Vec3& p, const Vec3& u);  ///< D(T⁻¹)(p)[u]
Mat3 tangent_inverse_jacobian(const Vec3& p, const Vec3& v);    ///< ∂(T⁻¹(p) v)/∂p
Mat3 tangent_inverse_second_derivative(const Vec3& p, const Vec3& u, const Vec3& v);  ///< D²(T⁻¹)(p)[u, v]

inline Mat3 spatial_tangent(const Vec3& p) { return tangent(p).transpose(); }
inline Mat3 spatial_tangent_inverse(const Vec3& p) { return tangent_inverse(p).transpose(); }

// ---- the Cayley map: rational, no trigonometry; a turn by 2 atan(|p|/2) about p ----

/// k = 4/(4 + |p|²) = cos² of half the angle.
inline double cay_factor(const Vec3& p) { return 4 / (4 + p.squaredNorm()); }

/// Unit quaternion of cay(p): (1, p/2), normalised.
inline Quaternion cay(const Vec3& p) {
  const double w = 1 / std::sqrt(1 + 0.25 * p.squaredNorm()), half = 0.5 * w;
  return Quaternion(w, half * p.x(), half * p.y(), half * p.z());
}

/// cay(p) = (I - p~/2)⁻¹ (I + p~/2) = I + k (p~ + p~p~/2) = (1 - k |p|²/2) I + k p~ + k/2 p pᵀ. Written out in
/// scalars, because it is inside every step: 33 ns instead of 49 ns for the matrix expression.
inline Mat3 cay_matrix(const Vec3& p) {
  const double k = cay_factor(p), d = 1 - 0.5 * k * p.squaredNorm();
  const double x = p.x(), y = p.y(), z = p.z(), kx = k * x, ky = k * y, kz = k * z;
  const double xy = 0.5 * kx * y, xz = 0.5 * kx * z, yz = 0.5 * ky * z;
  Mat3 R;
  R << d + 0.5 * kx * x, xy - kz, xz + ky,  //
      xy + kz, d + 0.5 * ky * y, yz - kx,   //
      xz - ky, yz + kx, d + 0.5 * kz * z;
  return R;
}

/// cay(p) q, of unit length also if q is not quite: lengths are corrected by a Newton step, so that the root need not
/// wait for the product.
inline Quaternion cay_times(const Vec3& p, const Quaternion& q) {
  const double s = (1.5 - 0.5 * q.squaredNorm()) / std::sqrt(1 + 0.25 * p.squaredNorm()), half = 0.5 * s;
  return Quaternion(s, half * p.x(), half * p.y(), half * p.z()) * q;
}

/// cay(p) R(q) as a matrix, without a root: the quaternion (1, p/2) q need not be of unit length.
inline Mat3 cay_matrix(const Vec3& p, const Quaternion& q) {
  const Quaternion r = Quaternion(1, 0.5 * p.x(), 0.5 * p.y(), 0.5 * p.z()) * q;
  const double s = 2 / r.squaredNorm();
  const double x = s * r.x(), y = s * r.y(), z = s * r.z();
  const double wx = x * r.w(), wy = y * r.w(), wz = z * r.w(), xx = x * r.x(), xy = x * r.y(), xz = x * r.z();
  const double yy = y * r.y(), yz = y * r.z(), zz = z * r.z();
  Mat3 R;
  R << 1 - (yy + zz), xy - wz, xz + wy,  //
      xy + wz, 1 - (xx + zz), yz - wx,   //
      xz - wy, yz + wx, 1 - (xx + yy);
  return R;
}

/// Inverse of cay: p = 2 tan(angle/2) axis. Any length, either sign; infinite at a half turn.
inline Vec3 cay_inverse(const Quaternion& q) { return (2 / q.w()) * q.vec(); }
inline Vec3 cay_inverse(const Mat3& R) { return cay_inverse(Quaternion(R)); }

/// T_cay = k (I - p~/2)
inline Mat3 cay_tangent(const Vec3& p) {
  const double k = cay_factor(p), x = 0.5 * k * p.x(), y = 0.5 * k * p.y(), z = 0.5 * k * p.z();
  Mat3 T;
  T << k, z, -y, -z, k, x, y, -x, k;
  return T;
}

/// T_cay(p) v, without the matrix
inline Vec3 cay_tangent(const Vec3& p, const Vec3& v) { return cay_factor(p) * (v - 0.5 * p.cross(v)); }

/// T_cayᵀ = k (I + p~/2)
inline Mat3 cay_spatial_tangent(const Vec3& p) { return cay_tangent(-p); }

/// T_cay⁻¹ = I + p~/2 + p pᵀ/4
inline Mat3 cay_tangent_inverse(const Vec3& p) {
  const double x = 0.5 * p.x(), y = 0.5 * p.y(), z = 0.5 * p.z();
  Mat3 T_inv;
  T_inv << 1 + x * x, x * y - z, x * z + y, x * y + z, 1 + y * y, y * z - x, x * z - y, y * z + x, 1 + z * z;
  return T_inv;
}

/// T_cay⁻ᵀ = I - p~/2 + p pᵀ/4
inline Mat3 cay_spatial_tangent_inverse(const Vec3& p) { return cay_tangent_inverse(-p); }

/// DT_cay(p)[u] = -k/2 (u~ + (p·u) T_cay)
inline Mat3 cay_tangent_derivative(const Vec3& p, const Vec3& u) {
  return (-0.5 * cay_factor(p)) * (hat(u) + p.dot(u) * cay_tangent(p));
}

/// ∂(T_cay(p) v)/∂p = k/2 (v~ - (T_cay v) pᵀ)
inline Mat3 cay_tangent_jacobian(const Vec3& p, const Vec3& v) {
  return (0.5 * cay_factor(p)) * (hat(v) - cay_tangent(p, v) * p.transpose());
}

/// D(T_cay⁻¹)(p)[u] = u~/2 + (u pᵀ + p uᵀ)/4
inline Mat3 cay_tangent_inverse_derivative(const Vec3& p, const Vec3& u) {
  return 0.5 * hat(u) + 0.25 * (u * p.transpose() + p * u.transpose());
}

/// ∂(T_cay⁻¹(p) v)/∂p = -v~/2 + ((p·v) I + p vᵀ)/4
inline Mat3 cay_tangent_inverse_jacobian(const Vec3& p, const Vec3& v) {
  return -0.5 * hat(v) + 0.25 * (p.dot(v) * Mat3::Identity() + p * v.transpose());
}

}  // namespace polhode::so3
