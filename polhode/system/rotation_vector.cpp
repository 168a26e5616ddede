#include <polhode/system/rotation_vector.hpp>

#include <cmath>

namespace polhode {

RotationVector::RotationVector(const Vec4& w) : v_(w.head<3>()) {
  const double u = v_.squaredNorm(), c = w[3], rho = u + c * c;
  psi_c_ = -1 / rho;
  psi_cc_ = 2 * c / (rho * rho);
  psi_uc_ = 1 / (rho * rho);
  const double x = u / (c * c);
  if (c > 0 && x < 0.04) {
    // psi = sum (-x)^k / (2k+1) / c; 12 terms leave 0.04^12 = 2e-17
    double power = 1, psi = 0, psi_u = 0, psi_uu = 0;
    for (int k = 0; k < 14; ++k, power *= -x) {
      psi += power / (2 * k + 1);
      psi_u -= power * (k + 1) / (2 * k + 3);
      psi_uu += power * (k + 1) * (k + 2) / (2 * k + 5);
    }
    psi_ = psi / c;
    psi_u_ = psi_u / (c * c * c);
    psi_uu_ = psi_uu / (c * c * c * c * c);
  } else {
    const double n = std::sqrt(u), A = c / rho;
    psi_ = std::atan2(n, c) / n;
    psi_u_ = (A - psi_) / (2 * u);
    psi_uu_ = (-c / (rho * rho) - 3 * psi_u_) / (2 * u);
  }
  phi = psi_ * v_;
  gradient.leftCols<3>() = psi_ * Mat3::Identity() + 2 * psi_u_ * v_ * v_.transpose();
  gradient.col(3) = psi_c_ * v_;
}

Mat4 RotationVector::hessian(const Vec3& s) const {
  // s . phi = psi(u, c) (s . v)
  const double sv = s.dot(v_);
  Mat4 H;
  H.topLeftCorner<3, 3>() = 2 * psi_u_ * (v_ * s.transpose() + s * v_.transpose() + sv * Mat3::Identity()) +
                            4 * psi_uu_ * sv * v_ * v_.transpose();
  H.topRightCorner<3, 1>() = psi_c_ * s + 2 * psi_uc_ * sv * v_;
  H.bottomLeftCorner<1, 3>() = H.topRightCorner<3, 1>().transpose();
  H(3, 3) = psi_cc_ * sv;
  return H;
}

RotationVectorSecant::RotationVectorSecant(const Vec4& w0, const Vec4& w1)
    : mid_(0.5 * (w0 + w1)), dw_(w1 - w0), dw2_(dw_.squaredNorm()) {
  const RotationVector start(w0), end(w1);
  phi0 = start.phi;
  phi1 = end.phi;
  gradient1 = end.gradient;
  gradient = mid_.gradient;
  // the defect is of third order in dw: below 1e-5 it is round-off, and so would be the correction
  corrected_ = dw2_ > 1e-10;
  if (corrected_) gradient += (phi1 - phi0 - mid_.gradient * dw_) * dw_.transpose() / dw2_;
}

Mat4 RotationVectorSecant::derivative(const Vec3& s) const {
  const Mat4 half = 0.5 * mid_.hessian(s);
  if (!corrected_) return half;
  const double defect = s.dot(phi1 - phi0 - mid_.gradient * dw_);
  const Vec4 change = gradient1.transpose() * s - mid_.gradient.transpose() * s - half * dw_;
  return half + dw_ * change.transpose() / dw2_ +
         defect * (Mat4::Identity() / dw2_ - 2 * dw_ * dw_.transpose() / (dw2_ * dw2_));
}

}  // namespace polhode
