// Dense kernels on blocks of a few rows, stored column by column. Sizes known at compile time where they are common.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include <polhode/lie/algebra.hpp>

namespace polhode::small {

/// Kernel::of<n>(arguments) with n as a compile-time constant for 1 <= n <= 6 and 12, with 0 (meaning: as given)
/// otherwise. Arguments are numbers and pointers, not what a lambda captures: to put that together would take longer
/// than many a kernel.
template <class Kernel, class... Arguments>
auto with_size(int n, Arguments... arguments) {
  switch (n) {
    case 1: return Kernel::template of<1>(arguments...);
    case 2: return Kernel::template of<2>(arguments...);
    case 3: return Kernel::template of<3>(arguments...);
    case 4: return Kernel::template of<4>(arguments...);
    case 5: return Kernel::template of<5>(arguments...);
    case 6: return Kernel::template of<6>(arguments...);
    case 12: return Kernel::template of<12>(arguments...);
    default: return Kernel::template of<0>(arguments...);
  }
}

struct Factor {
  template <int fixed>
  static bool of(int size, double* A, int* pivots) {
    const int n = fixed > 0 ? fixed : size;
    for (int k = 0; k < n; ++k) {
      int p = k;
      for (int i = k + 1; i < n; ++i)
        if (std::abs(A[i + k * n]) > std::abs(A[p + k * n])) p = i;
      pivots[k] = p;
      if (!(std::abs(A[p + k * n]) > 0) || !std::isfinite(A[p + k * n])) return false;
      if (p != k)
        for (int j = 0; j < n; ++j) std::swap(A[k + j * n], A[p + j * n]);
      const double inverse = 1 / A[k + k * n];
      A[k + k * n] = inverse;  // the reciprocal is what solve() needs
      for (int i = k + 1; i < n; ++i) A[i + k * n] *= inverse;
      for (int j = k + 1; j < n; ++j) {
        const double a = A[k + j * n];
        for (int i = k + 1; i < n; ++i) A[i + j * n] -= A[i + k * n] * a;
      }
    }
    return true;
  }
};
/// A = P L U in place; pivots[k] is the row exchanged with row k. False if a pivot vanishes or is not a number.
inline bool factor(int size, double* A, int* pivots) { return with_size<Factor>(size, size, A, pivots); }

struct Solve {
  template <int fixed>
  static void of(int size, int m, const double* A, const int* pivots, double* B) {
    const int n = fixed > 0 ? fixed : size;
    for (int j = 0; j < m; ++j, B += n) {
      for (int k = 0; k < n; ++k)
        if (pivots[k] != k) std::swap(B[k], B[pivots[k]]);
      for (int k = 0; k < n; ++k)
        for (int i = k + 1; i < n; ++i) B[i] -= A[i + k * n] * B[k];
      for (int k = n - 1; k >= 0; --k) {
        B[k] *= A[k + k * n];
        for (int i = 0; i < k; ++i) B[i] -= A[i + k * n] * B[k];
      }
    }
  }
};
/// B := A^-1 B for m columns, A as left by factor().
inline void solve(int size, int m, const double* A, const int* pivots, double* B) {
  with_size<Solve>(size, size, m, A, pivots, B);
}

/// `fixed`: inner, or 0.
template <int fixed>
struct SubtractProduct {
  template <int known>
  static void of(int rows, int inner, int m, const double* A, const double* B, double* C) {
    const int n = known > 0 ? known : rows, k = fixed > 0 ? fixed : inner;
    for (int j = 0; j < m; ++j) {
      if constexpr (known > 0) {
        double c[known];
        for (int i = 0; i < known; ++i) c[i] = C[i + j * known];
        for (int l = 0; l < k; ++l)
          for (int i = 0; i < known; ++i) c[i] -= A[i + l * known] * B[l + j * k];
        for (int i = 0; i < known; ++i) C[i + j * known] = c[i];
      } else {
        for (int l = 0; l < k; ++l)
          for (int i = 0; i < n; ++i) C[i + j * n] -= A[i + l * n] * B[l + j * k];
      }
    }
  }
};
/// C -= A B with A of rows x inner and B of inner x m. `fixed`: inner, or 0.
template <int fixed>
void subtract_product(int rows, int inner, int m, const double* A, const double* B, double* C) {
  with_size<SubtractProduct<fixed>>(rows, rows, inner, m, A, B, C);
}

/// B := X B for m columns, X of n x n.
template <int n>
void multiply(int m, const double* X, double* B) {
  for (int j = 0; j < m; ++j, B += n) {
    double column[n] = {};
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < n; ++i) column[i] += X[i + k * n] * B[k];
    for (int i = 0; i < n; ++i) B[i] = column[i];
  }
}

/// The most rows that a block may have: a joint and its drives, at position and velocity level of two states.
constexpr int max_size = 32;

/// B := X B for m columns, X of n x n, n <= max_size.
inline void multiply(int n, int m, const double* X, double* B) {
  for (int j = 0; j < m; ++j, B += n) {
    double column[max_size];
    for (int i = 0; i < n; ++i) {
      column[i] = 0;
      for (int k = 0; k < n; ++k) column[i] += X[i + k * n] * B[k];
    }
    std::copy(column, column + n, B);
  }
}

/// Adds to `sizes` the diagonal of |A| |B|, A of n x k and B of k x n: how large the terms of A B are before they
/// cancel.
inline void add_product_sizes(int n, int k, const double* A, const double* B, double* sizes) {
  for (int i = 0; i < n; ++i)
    for (int l = 0; l < k; ++l) sizes[i] += std::abs(A[i + l * n] * B[l + i * k]);
}

/// S := a generalised inverse of S, by Gauss-Jordan with complete pivoting on S_ij / sqrt(sizes_i sizes_j); pivots
/// below `tolerance` are dropped, with their rows and columns. Sizes below `least` count as that. Returns the rank.
/// Rows i with left_out[i % period] are dropped in any case.
inline int generalised_inverse(int n, const double* sizes, double tolerance, double* S, double least = 0,
                               const char* left_out = nullptr, int period = 0) {
  double scale[max_size], work[max_size * max_size], inverse[max_size * max_size];
  for (int i = 0; i < n; ++i) scale[i] = std::max(sizes[i], least) > 0 ? 1 / std::sqrt(std::max(sizes[i], least)) : 1.0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      work[i + j * n] = S[i + j * n] * scale[i] * scale[j];
      inverse[i + j * n] = i == j;
    }
  bool row_done[max_size] = {}, column_done[max_size] = {};
  if (period > 0)
    for (int i = 0; i < n; ++i) row_done[i] = column_done[i] = left_out[i % period] != 0;
  int row_of[max_size];  // of each column: the row of its pivot
  std::fill_n(row_of, max_size, -1);
  int rank = 0;
  for (; rank < n; ++rank) {
    int p = -1, q = -1;
    double largest = tolerance;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        if (!row_done[i] && !column_done[j] && std::abs(work[i + j * n]) > largest) {
          largest = std::abs(work[i + j * n]);
          p = i;
          q = j;
        }
    if (p < 0) break;
    row_done[p] = column_done[q] = true;
    row_of[q] = p;
    const double reciprocal = 1 / work[p + q * n];
    for (int j = 0; j < n; ++j) {
      work[p + j * n] *= reciprocal;
      inverse[p + j * n] *= reciprocal;
    }
    for (int i = 0; i < n; ++i) {
      const double factor = work[i + q * n];
      if (i == p || factor == 0) continue;
      for (int j = 0; j < n; ++j) {
        work[i + j * n] -= factor * work[p + j * n];
        inverse[i + j * n] -= factor * inverse[p + j * n];
      }
    }
  }
  // row q of the inverse is the row of the pivot in column q; dropped columns get nothing, dropped rows give nothing
  for (int q = 0; q < n; ++q)
    for (int j = 0; j < n; ++j)
      S[q + j * n] = row_of[q] < 0 || !row_done[j] ? 0.0 : inverse[row_of[q] + j * n] * scale[q] * scale[j];
  return rank;
}

}  // namespace polhode::small
