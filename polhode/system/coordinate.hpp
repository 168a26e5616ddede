// Coordinates y(z): a number that measures how one marker stands to another, as a function of invariants. Each knows
// its discrete gradient between two values of z, exact: g . (z1 - z0) = y1 - y0. With equal ends it is the ordinary
// gradient, and the derivative by z1 is then half of the ordinary Hessian, so that one routine serves every integrator.
// rate_secant(z0, z1, w) is that of the rate y'(z) . w with w held: N . (z1 - z0) = (y'(z1) - y'(z0)) . w, exactly.
#pragma once

#include <cmath>
#include <numbers>

#include <polhode/system/invariants.hpp>

namespace polhode {

template <int n>
struct CoordinateSecant {
  double y0 = 0, y1 = 0;
  Eigen::Matrix<double, n, 1> g;   ///< discrete gradient between z0 and z1
  Eigen::Matrix<double, n, n> dg;  ///< its derivative by z1
  Eigen::Matrix<double, n, 1> g1;  ///< ordinary gradient at z1
};

/// Travel of b's point along the third axis of a: y = r . a_3.
struct TravelCoordinate {
  using Z = Invariants<InvariantChoice{.along_a = bit(2)}>;
  static constexpr bool counted = false;

  static double value(const Z::Z& z, double) { return z[0]; }
  static CoordinateSecant<1> secant(const Z::Z& z0, const Z::Z& z1, double) {
    CoordinateSecant<1> s{z0[0], z1[0], {}, {}, {}};
    s.g[0] = s.g1[0] = 1;
    s.dg(0, 0) = 0;
    return s;
  }
  static Z::Z rate_secant(const Z::Z&, const Z::Z&, const Z::Z&) { return Z::Z::Zero(); }
};

/// Distance of the points: y = sqrt(r . r), with (y1 - y0)/(z1 - z0) = 1/(y0 + y1).
struct LengthCoordinate {
  using Z = Invariants<InvariantChoice{.square = true}>;
  static constexpr bool counted = false;

  static double value(const Z::Z& z, double) { return std::sqrt(z[0]); }
  static CoordinateSecant<1> secant(const Z::Z& z0, const Z::Z& z1, double) {
    CoordinateSecant<1> s{std::sqrt(z0[0]), std::sqrt(z1[0]), {}, {}, {}};
    const double sum = s.y0 + s.y1;
    s.g[0] = 1 / sum;
    s.dg(0, 0) = -1 / (sum * sum * 2 * s.y1);
    s.g1[0] = 1 / (2 * s.y1);
    return s;
  }
  static Z::Z rate_secant(const Z::Z& z0, const Z::Z& z1, const Z::Z& w) {
    const double y0 = std::sqrt(z0[0]), y1 = std::sqrt(z1[0]);
    return Z::Z(-w[0] / (2 * y0 * y1 * (y0 + y1)));
  }
};

/// Angle of b about the third axis of a: z = (c, s) = (a_1 . b_1, a_2 . b_1), y = atan2(s, c), counted over many turns
/// about its last accepted value. With I = [0 -1; 1 0], zm the mean and D = y1 - y0 in (-pi, pi),
///   g = D / sin(D)  I zm / (|z0| |z1|),
/// exact also where c and s are not on the unit circle, because (z1 - z0) . I zm = |z0| |z1| sin D.
struct AngleCoordinate {
  using Z = Invariants<InvariantChoice{.cosine = bit(0, 0) | bit(1, 0)}>;
  static constexpr bool counted = true;

  static double value(const Z::Z& z, double last) {
    return last + std::remainder(std::atan2(z[1], z[0]) - last, 2 * std::numbers::pi);
  }

  static CoordinateSecant<2> secant(const Z::Z& z0, const Z::Z& z1, double last);
  /// With z = c + i s, y' . w = Im(w/z), and its change is -Im(w (z1 - z0)/(z0 z1)).
  static Z::Z rate_secant(const Z::Z& z0, const Z::Z& z1, const Z::Z& w) {
    const double re = z0[0] * z1[0] - z0[1] * z1[1], im = z0[0] * z1[1] + z0[1] * z1[0], square = re * re + im * im;
    return {-(w[1] * re - w[0] * im) / square, -(w[0] * re + w[1] * im) / square};
  }
};

}  // namespace polhode
