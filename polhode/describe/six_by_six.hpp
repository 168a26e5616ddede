// A symmetric matrix between six strains and six stresses, three along and three about the axes.
#pragma once

#include <polhode/describe/field.hpp>

namespace polhode {

/// In files: six numbers, its diagonal, or six rows of six.
struct SixBySix {
  Mat6 matrix = Mat6::Zero();
  SixBySix() = default;
  SixBySix(const Vec6& diagonal) : matrix(diagonal.asDiagonal()) {}
  SixBySix(const Mat6& whole) : matrix(whole) {}
  bool isZero(double precision) const { return matrix.isZero(precision); }
  bool operator==(const SixBySix& other) const { return matrix == other.matrix; }
};

template <>
const ValueType& value_type_of<SixBySix>();

}  // namespace polhode
