// The small vectors and matrices that everything else is written in.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace polhode {

using Vec3 = Eigen::Matrix<double, 3, 1>;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using VecX = Eigen::VectorXd;
using Mat3 = Eigen::Matrix<double, 3, 3>;
using Mat6 = Eigen::Matrix<double, 6, 6>;
using MatX = Eigen::MatrixXd;
using Quaternion = Eigen::Quaterniond;

/// The skew matrix a~ of a vector: hat(a) * b = a x b.
inline Mat3 hat(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

/// The vector of the skew part of a matrix: vee(hat(a)) = a.
inline Vec3 vee(const Mat3& m) { return 0.5 * Vec3(m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)); }

}  // namespace polhode
