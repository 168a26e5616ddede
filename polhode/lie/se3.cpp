// The exponential map of SE(3) and the derivatives of the tangent operators. Each 6x6 matrix is made of 3x3 ones
// of so3: an element of SE(3) is a rotation with a first variation, so its exp has the tangent T with a first
// variation.
#include <polhode/lie/se3.hpp>

namespace polhode::se3 {
namespace {

/// [[A, B], [0, D]]
Mat6 blocks(const Mat3& A, const Mat3& B, const Mat3& D) {
  Mat6 result;
  result << A, B, Mat3::Zero(), D;
  return result;
}

}  // namespace

Mat6 adjoint(const Pose& X) {
  const Mat3 R = X.R.toRotationMatrix();
  return blocks(R, hat(X.x) * R, R);
}

Mat6 algebra_adjoint(const Vec6& v) {
  const Mat3 w = hat(v.tail<3>());
  return blocks(w, hat(v.head<3>()), w);
}

Pose exp(const Vec6& xi) {
  const Vec3 u = xi.head<3>(), w = xi.tail<3>();
  return {so3::spatial_tangent(w) * u, so3::exp(w)};
}

Vec6 log(const Pose& X) {
  const Vec3 w = so3::log(X.R);
  Vec6 xi;
  xi << so3::spatial_tangent_inverse(w) * X.x, w;
  return xi;
}

Mat6 tangent(const Vec6& xi) {
  const Vec3 u = xi.head<3>(), w = xi.tail<3>();
  const Mat3 T = so3::tangent(w);
  return blocks(T, so3::tangent_derivative(w, u), T);
}

// d[[T(w), DT(w)[u]], [0, T(w)]] along (du, dw)
Mat6 tangent_derivative(const Vec6& xi, const Vec6& eta) {
  const Vec3 u = xi.head<3>(), w = xi.tail<3>(), du = eta.head<3>(), dw = eta.tail<3>();
  const Mat3 dT = so3::tangent_derivative(w, dw);
  return blocks(dT, so3::tangent_derivative(w, du) + so3::tangent_second_derivative(w, u, dw), dT);
}

Mat6 tangent_inverse(const Vec6& xi) {
  const Vec3 u = xi.head<3>(), w = xi.tail<3>();
  const Mat3 T_inv = so3::tangent_inverse(w);
  return blocks(T_inv, so3::tangent_inverse_derivative(w, u), T_inv);
}

Mat6 tangent_inverse_derivative(const Vec6& xi, const Vec6& eta) {
  const Vec3 u = xi.head<3>(), w = xi.tail<3>(), du = eta.head<3>(), dw = eta.tail<3>();
  const Mat3 dT_inv = so3::tangent_inverse_derivative(w, dw);
  const Mat3 B = so3::tangent_inverse_derivative(w, du) + so3::tangent_inverse_second_derivative(w, u, dw);
  return blocks(dT_inv, B, dT_inv);
}

// dNᵀ = k (-dw~/2 + (dw wᵀ + w dwᵀ)/4) + dk/k Nᵀ, with Nᵀ = k T⁻ᵀ and dk = -k² (w·dw)/2
Mat6 cay_tangent_derivative(const Vec6& xi, const Vec6& eta) {
  const Vec3 u = xi.head<3>(), w = xi.tail<3>(), du = eta.head<3>(), dw = eta.tail<3>();
  const double k = so3::cay_factor(w), dk = -0.5 * k * k * w.dot(dw);
  const Mat3 T = so3::cay_tangent(w), dT = so3::cay_tangent_derivative(w, dw);
  const Mat3 dNt =
      k * so3::cay_tangent_inverse_derivative(w, dw).transpose() + dk * so3::cay_spatial_tangent_inverse(w);
  return blocks(dNt, -0.5 * (hat(du) * T + hat(u) * dT), dT);
}

Mat6 cay_tangent_inverse_derivative(const Vec6& xi, const Vec6& eta) {
  const Vec3 u = xi.head<3>(), w = xi.tail<3>(), du = eta.head<3>(), dw = eta.tail<3>();
  const Mat3 A = Mat3::Identity() + 0.5 * hat(w), dA = 0.5 * hat(dw);
  return blocks(dA, 0.5 * (dA * hat(u) + A * hat(du)), so3::cay_tangent_inverse_derivative(w, dw));
}

}  // namespace polhode::se3
