// What the Lie-group tests compare with: matrix exponentials and their derivatives in long double, straight from
// the series, knowing nothing of sines, quaternions or tangent operators.
#pragma once

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <Eigen/Dense>

#include <polhode/lie/algebra.hpp>

namespace polhode::reference {

using Real = long double;
template <int Rows, int Columns = Rows>
using Matrix = Eigen::Matrix<Real, Rows, Columns>;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// exp(A) = (Σ B^n/n!)^(2^s) with B = A/2^s, |B| < 1/2: the first term left out is below 1e-24.
template <int N>
Matrix<N> exponential(const Matrix<N>& A) {
  int s = 0;
  Matrix<N> B = A;
  for (; B.norm() >= 0.5L; ++s) B *= 0.5L;
  Matrix<N> term = Matrix<N>::Identity(), sum = term;
  for (int n = 1; n < 20; ++n) {
    term = (term * B / Real(n)).eval();
    sum += term;
  }
  for (; s > 0; --s) sum = (sum * sum).eval();
  return sum;
}

/// The derivative of exp at A along E: the upper right block of exp([[A, E], [0, A]]).
template <int N>
Matrix<N> exponential_derivative(const Matrix<N>& A, const Matrix<N>& E) {
  Matrix<2 * N> block = Matrix<2 * N>::Zero();
  block.template topLeftCorner<N, N>() = block.template bottomRightCorner<N, N>() = A;
  block.template topRightCorner<N, N>() = E;
  return exponential<2 * N>(block).template topRightCorner<N, N>();
}

/// (I - A/2)⁻¹ (I + A/2) and its derivative along E, (I - A/2)⁻¹ E (I - A/2)⁻¹.
template <int N>
Matrix<N> cayley(const Matrix<N>& A) {
  const Matrix<N> I = Matrix<N>::Identity();
  return (I - A / 2).partialPivLu().solve(I + A / 2);
}
template <int N>
Matrix<N> cayley_derivative(const Matrix<N>& A, const Matrix<N>& E) {
  const Matrix<N> inverse = (Matrix<N>::Identity() - A / 2).inverse();
  return inverse * E * inverse;
}

/// The derivative of f at 0, by central differences of order 6. With step 1e-3, the error is about 1e-20 f⁽⁷⁾
/// from truncation and 1e3 times the rounding of f.
template <class F>
auto derivative(F f) {
  const Real h = 1e-3L;
  const auto difference = [&](Real t) { return (f(t) - f(-t)).eval(); };
  return ((45 * difference(h) - 9 * difference(2 * h) + difference(3 * h)) / (60 * h)).eval();
}

/// Matrix of a vector of so(3) (3 components) or se(3) (6 components, translation first).
inline Matrix<3> hat(const Matrix<3, 1>& a) {
  Matrix<3> m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}
inline Matrix<4> hat(const Matrix<6, 1>& xi) {
  Matrix<4> m = Matrix<4>::Zero();
  m.topLeftCorner<3, 3>() = hat(Matrix<3, 1>(xi.tail<3>()));
  m.topRightCorner<3, 1>() = xi.head<3>();
  return m;
}
inline Matrix<3, 1> vee(const Matrix<3>& m) {
  return Matrix<3, 1>(m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)) / 2;
}
inline Matrix<6, 1> vee(const Matrix<4>& m) {
  Matrix<6, 1> xi;
  xi << m.topRightCorner<3, 1>(), vee(Matrix<3>(m.topLeftCorner<3, 3>()));
  return xi;
}

/// The body tangent operator by its definition: column i is X⁻¹ ∂X/∂xi_i, X = exp or cay of the matrix of xi.
enum class Map { exp, cay };
template <int N>
Matrix<N> tangent(const Matrix<N, 1>& xi, Map map) {
  const auto A = hat(xi);
  Matrix<N> T;
  for (int i = 0; i < N; ++i) {
    const auto E = hat(Matrix<N, 1>(Matrix<N, 1>::Unit(i)));
    constexpr int M = N == 3 ? 3 : 4;
    const Matrix<M> dX = map == Map::exp ? exponential_derivative<M>(A, E) : cayley_derivative<M>(A, E);
    const Matrix<M> X = map == Map::exp ? exponential<M>(A) : cayley<M>(A);
    T.col(i) = vee(Matrix<M>(X.inverse() * dX));
  }
  return T;
}

/// max |value - exact| / max(1, max |exact|)
template <class A, class B>
double error(const A& value, const B& exact) {
  const auto b = exact.template cast<Real>().eval();
  const Real scale = std::max(Real(1), Real(b.cwiseAbs().maxCoeff()));
  return static_cast<double>((value.template cast<Real>() - b).cwiseAbs().maxCoeff() / scale);
}

/// Vectors with components of order 1; the seed is fixed by the standard's generator.
class Vectors {
 public:
  Vec3 next() { return Vec3(number(), number(), number()); }
  Vec3 direction() { return next().normalized(); }
  Vec6 next6() { return (Vec6() << next(), next()).finished(); }

 private:
  double number() { return 2.0 * static_cast<double>(generator_()) / 4294967295.0 - 1; }
  std::mt19937 generator_{20100401};
};

/// Angles to try everything on: small, ordinary, both sides of the switches of series.hpp, near a full turn.
inline const std::vector<double> angles = {0,    1e-12, 1e-9,  1e-6,    1e-3, 0.03,  0.3,   0.5, 1,     1.5,   2,   2.5,
                                           2.75, 2.999, 3.001, 3.14159, 3.5,  3.999, 4.001, 4.5, 4.999, 5.001, 5.5, 6};

}  // namespace polhode::reference
