// What integrators write again and again: vectors as spans, the size of a Newton correction. Products with B are
// ConstraintJacobian's, buffers and the right-hand side Workspace's, increments and their correction those of
// step_equations.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <polhode/system/system.hpp>

namespace polhode {

inline std::span<double> span(VecX& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }
inline std::span<const double> span(const VecX& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

/// How large a Newton correction is: lengths relative to the size of the model, and angles.
struct Correction {
  double length = 0, angle = 0;  ///< the largest squares
  double sum = 0;                ///< of all numbers: a maximum does not show what is not a number

  /// A spatial variation (delta x, theta) of a node.
  void add(const Vec6& d) {
    length = std::max(length, d.head<3>().squaredNorm());
    angle = std::max(angle, d.tail<3>().squaredNorm());
    sum += d.sum();
  }
  void add(const Correction& other) {
    length = std::max(length, other.length);
    angle = std::max(angle, other.angle);
    sum += other.sum;
  }
  /// Infinite if something is not a number.
  double size(double model_length) const {
    return std::isfinite(sum) ? std::sqrt(std::max(length / (model_length * model_length), angle))
                              : std::numeric_limits<double>::infinity();
  }
};

}  // namespace polhode
