// Where the forces of the velocity level are evaluated: two configurations, and the rates of the natural coordinates
// at both.
#pragma once

#include <span>

#include <polhode/system/node.hpp>

namespace polhode {

/// Arrays have an entry for each node and a last one for the ground. Rates of a node are a Frame, (h/2) dq/dt =
/// (h/2)(v, omega x d_j): markers are affine in q, so that the rates of a marker are the marker at the rates, less its
/// constant, and the mean of two rates is a mean of Frames. `gamma`: multipliers of the velocity level, times h.
struct VelocityStage {
  std::span<const Frame> start, end;
  std::span<const Frame> start_rates, end_rates;
  std::span<const double> gamma;
};

/// (h/2)(v, omega x d_j) of a node with the axes d, both vectors in space and multiplied by h/2.
inline Frame rates(const Vec3& v, const Vec3& omega, const Mat3& d) {
  Frame y{v, Mat3()};
  for (int j = 0; j < 3; ++j) y.d.col(j) = omega.cross(d.col(j));
  return y;
}

}  // namespace polhode
