// Inverses of well-conditioned blocks of up to six rows, stored column by column. Where a block of the elimination can
// be inverted, what follows are products of small matrices, which a processor does several times faster than
// substitutions.
#pragma once

#include <cmath>

namespace polhode::small {

/// Elimination without pivots loses the digits that are cancelled in its subtractions, which elimination with pivots
/// and substitution may not. `least`: the smallest part of a number that must be left of it; with less, a block is not
/// inverted.
inline bool is_left(double rest, double whole, double least) { return std::abs(rest) > least * std::abs(whole); }

constexpr int largest_inverted = 6;

inline bool invert_1(const double* A, int, double* X, int, double) {
  X[0] = 1 / A[0];
  return std::isfinite(X[0]);
}

/// X := A^-1; columns of A and X are `a` and `x` numbers apart. False if A is not well conditioned.
inline bool invert_2(const double* A, int a, double* X, int x, double least) {
  const double det = A[0] * A[1 + a] - A[1] * A[a];
  if (!is_left(det, A[0] * A[1 + a], least)) return false;
  const double d = 1 / det;
  X[0] = d * A[1 + a], X[1] = -d * A[1], X[x] = -d * A[a], X[1 + x] = d * A[0];
  return true;
}

/// By cofactors: one division, where an elimination needs two after each other and the processor waits for both.
[[gnu::always_inline]] inline bool invert_3(const double* A, int a, double* X, int x, double least) {
  const double *const B = A + a, *const C = A + 2 * a;  // the columns
  const double p = B[1] * C[2], q = B[2] * C[1], r = B[2] * C[0], s = B[0] * C[2], t = B[0] * C[1], u = B[1] * C[0];
  const double x0 = p - q, x1 = r - s, x2 = t - u;  // the cross product of two columns
  const double det = A[0] * x0 + A[1] * x1 + A[2] * x2;
  const double terms = std::abs(A[0]) * (std::abs(p) + std::abs(q)) + std::abs(A[1]) * (std::abs(r) + std::abs(s)) +
                       std::abs(A[2]) * (std::abs(t) + std::abs(u));
  if (!is_left(det, terms, least)) return false;
  const double d = 1 / det;
  const double y0 = C[1] * A[2] - C[2] * A[1], y1 = C[2] * A[0] - C[0] * A[2], y2 = C[0] * A[1] - C[1] * A[0];
  const double z0 = A[1] * B[2] - A[2] * B[1], z1 = A[2] * B[0] - A[0] * B[2], z2 = A[0] * B[1] - A[1] * B[0];
  X[0] = d * x0, X[x] = d * x1, X[2 * x] = d * x2;
  X[1] = d * y0, X[1 + x] = d * y1, X[1 + 2 * x] = d * y2;
  X[2] = d * z0, X[2 + x] = d * z1, X[2 + 2 * x] = d * z2;
  return true;
}

/// C = sign A B, or added to C, with A of n x k and B of k x m numbers.
template <int sign, int n, int k, int m, bool add = false>
void product(const double* A, int a, const double* B, int b, double* C, int c) {
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int l = 0; l < k; ++l) sum += A[i + l * a] * B[l + j * b];
      C[i + j * c] = (add ? C[i + j * c] : 0) + sign * sum;
    }
}

/// A := A^-1 of 3 + m rows [P Q; R S], m = 1, 2, 3: first P, then T = S - R P^-1 Q. False, with A as it was, if it is
/// not well conditioned.
template <int m>
bool invert_from_3(double* A, double least) {
  constexpr int n = 3 + m;
  double P[9], T[m * m], Y[m * m], PQ[3 * m], RP[3 * m];
  double *const Q = A + 3 * n, *const R = A + 3, *const S = A + 3 * n + 3;
  if (!invert_3(A, n, P, 3, least)) return false;
  product<1, 3, 3, m>(P, 3, Q, n, PQ, 3);
  product<-1, m, 3, m>(R, n, PQ, 3, T, m);
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < m; ++i) T[i + m * j] += S[i + n * j];
    if (!is_left(T[j + m * j], S[j + n * j], least)) return false;
  }
  constexpr auto invert_rest = m == 1 ? invert_1 : m == 2 ? invert_2 : invert_3;
  if (!invert_rest(T, m, Y, m, least)) return false;
  product<1, m, 3, 3>(R, n, P, 3, RP, m);
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i) S[i + n * j] = Y[i + m * j];
  product<-1, 3, m, m>(PQ, 3, Y, m, Q, n);
  product<-1, m, m, 3>(Y, m, RP, m, R, n);
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) A[i + n * j] = P[i + 3 * j];
  product<-1, 3, m, 3, true>(Q, n, RP, m, A, n);
  return true;
}

/// Whether six rows are [m 1, 0; 0, S]: the inertia of a body.
inline bool is_inertia(const double* A) {
  if (A[19] != 0 || A[20] != 0) return false;                           // most that are not are seen at once
  double rest[3] = {0, std::abs(A[7] - A[0]), std::abs(A[14] - A[0])};  // three sums: none waits for the others
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      rest[i] += (i == j ? 0 : std::abs(A[i + 6 * j])) + std::abs(A[i + 18 + 6 * j]) + std::abs(A[i + 3 + 6 * j]);
  return rest[0] + rest[1] + rest[2] == 0;
}

/// A := A^-1 for such rows. False, with A as it was, if it is not well conditioned.
inline bool invert_inertia(double* A, double least) {
  const double m = 1 / A[0];
  double S[9];
  if (!std::isfinite(m) || !invert_3(A + 21, 6, S, 3, least)) return false;
  for (int j = 0; j < 3; ++j) {
    A[7 * j] = m;
    for (int i = 0; i < 3; ++i) A[21 + i + 6 * j] = S[i + 3 * j];
  }
  return true;
}

/// B := [m 1, 0; 0, S] B for `columns` of them.
inline void multiply_inertia(int columns, const double* X, double* B) {
  const double *const S = X + 21, m = X[0];
  for (int j = 0; j < columns; ++j, B += 6) {
    const double x = B[3], y = B[4], z = B[5];
    for (int i = 0; i < 3; ++i) B[i] *= m;
    for (int i = 0; i < 3; ++i) B[3 + i] = S[i] * x + S[i + 6] * y + S[i + 12] * z;
  }
}

/// A := A^-1, n <= 6. False, with A as it was, if it is not well conditioned.
template <int n>
bool invert(double* A, double least) {
  static_assert(n <= largest_inverted);
  if constexpr (n > 3) {
    return invert_from_3<n - 3>(A, least);
  } else {
    double X[n * n];
    constexpr auto invert_all = n == 1 ? invert_1 : n == 2 ? invert_2 : invert_3;
    if (!invert_all(A, n, X, n, least)) return false;
    for (int i = 0; i < n * n; ++i) A[i] = X[i];
    return true;
  }
}

}  // namespace polhode::small
