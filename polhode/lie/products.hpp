// Products of small matrices as plain loops: as quick as Eigen's where all sizes are known, and far quicker to compile.
#pragma once

#include <polhode/lie/algebra.hpp>

namespace polhode {

/// A B
template <int m, int l, int n>
Eigen::Matrix<double, m, n> times(const Eigen::Matrix<double, m, l>& A, const Eigen::Matrix<double, l, n>& B) {
  Eigen::Matrix<double, m, n> C;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      double sum = 0;
      for (int k = 0; k < l; ++k) sum += A(i, k) * B(k, j);
      C(i, j) = sum;
    }
  return C;
}

/// C += A^T B
template <int m, int l, int n>
void add_transposed_times(const Eigen::Matrix<double, l, m>& A, const Eigen::Matrix<double, l, n>& B,
                          Eigen::Matrix<double, m, n>& C) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      double sum = 0;
      for (int k = 0; k < l; ++k) sum += A(k, i) * B(k, j);
      C(i, j) += sum;
    }
}

/// A^T B
template <int m, int l, int n>
Eigen::Matrix<double, m, n> transposed_times(const Eigen::Matrix<double, l, m>& A,
                                             const Eigen::Matrix<double, l, n>& B) {
  Eigen::Matrix<double, m, n> C = Eigen::Matrix<double, m, n>::Zero();
  add_transposed_times(A, B, C);
  return C;
}

}  // namespace polhode
