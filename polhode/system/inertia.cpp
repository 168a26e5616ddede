#include <polhode/system/inertia.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace polhode {

Mat6 BodyInertia::inverse() const {
  return blocks(moved > 0 ? 1 / moved : 0, rotates ? Mat3(J.inverse()) : Mat3::Zero());
}

Mat6 BodyInertia::inverse(const Mat3& R) const {
  return blocks(moved > 0 ? 1 / moved : 0, rotates ? Mat3(R * J.inverse() * R.transpose()) : Mat3::Zero());
}

double BodyInertia::inverse_square(const Mat3& R, const Vec6& b) const {
  double sum = moved > 0 ? b.head<3>().squaredNorm() / moved : 0.0;
  if (rotates) {
    const Vec3 moment = R.transpose() * b.tail<3>();
    sum += moment.dot(J.ldlt().solve(moment));
  }
  return sum;
}

BodyInertia::Acceleration BodyInertia::acceleration(const Vec6& u, const Vec6& rate, bool on_SE3) const {
  const Vec3 v = u.head<3>(), Omega = u.tail<3>(), L = J * Omega;
  Acceleration out;
  out.n.head<3>() = moved * rate.head<3>();
  out.by_rate.topLeftCorner<3, 3>() = moved * Mat3::Identity();
  if (on_SE3) {
    out.n.head<3>() += moved * Omega.cross(v);
    out.by_u.topLeftCorner<3, 3>() = moved * hat(Omega);
    out.by_u.topRightCorner<3, 3>() = -moved * hat(v);
  }
  if (!rotates) return out;
  out.n.tail<3>() = J * rate.tail<3>() + Omega.cross(L);
  out.by_rate.bottomRightCorner<3, 3>() = J;
  out.by_u.bottomRightCorner<3, 3>() = hat(Omega) * J - hat(L);
  return out;
}

Vec6 BodyInertia::kick(double h, const Vec6& force, const Quaternion& R, const Vec3& Omega,
                       const Mat3& J_inverse) const {
  Vec6 change = Vec6::Zero();
  const Vec3 torque = force.tail<3>();
  if (moved > 0) change.head<3>() = h / moved * force.head<3>();
  if (rotates) change.tail<3>() = h * (J_inverse * (R.conjugate() * torque - Omega.cross(J * Omega)));
  return change;
}

BodyInertia::FreeRotation BodyInertia::free_rotation(const Vec3& x, const Mat3& T_inverse) const {
  const Vec3 Jx = J * x;
  return {T_inverse * Jx, so3::tangent_inverse_jacobian(x, Jx) + T_inverse * J};
}

double BodyInertia::ratio_about(const Vec3& axis) const {
  const Mat3 across = J - axis * (J * axis).transpose();
  Eigen::Matrix<double, 3, 2> e;
  e << axis.unitOrthogonal(), axis.cross(axis.unitOrthogonal());
  const Eigen::Matrix2d plane = e.transpose() * across * e;
  const double half = 0.5 * plane.trace(), least = half - std::sqrt(std::max(0.0, half * half - plane.determinant()));
  return axis.dot(J * axis) / least;
}

double Inertia::least_mass() const {
  double least = std::numeric_limits<double>::infinity();
  for (const BodyInertia& body : bodies)
    if (body.moved > 0) least = std::min(least, body.moved);
  return least;
}

}  // namespace polhode
