// The functions of the angle that exp, its tangent and their derivatives are made of, accurate at every angle.
#pragma once

#include <cmath>

/// For f(phi) even in phi write f° = f'(phi)/phi, the derivative with respect to phi²/2: for phi = |p| it gives
/// the directional derivative of f along u as f° (p·u), with nothing to divide by at phi = 0. The functions are
///
///   a1 = sin(phi)/phi         a2 = (1 - cos phi)/phi²     a3 = (phi - sin phi)/phi³
///   b2 = a2° = (a1 - 2 a2)/phi²                           b3 = a3° = (a2 - 3 a3)/phi²
///   e2 = b2° = (a3 - a2 - 4 b2)/phi²                      e3 = b3° = (b2 - 5 b3)/phi²
///   c  = (1 - (phi/2) cot(phi/2))/phi²                    c1 = c°,  c2 = c1°  (poles at phi = 2 pi, 4 pi, ...)
///
/// Relative error against 113-bit references, for 0 <= phi <= 6: below 4 epsilon (epsilon = 2.2e-16), below
/// 6 epsilon for c2. As printed above all but a1 lose their digits as phi goes to 0 (at phi = 0.01, b3 has an
/// error of 8e-7); so each is evaluated in a form without cancellation above a switch, and by a series below it,
/// truncated at less than 1e-17 of the value.
namespace polhode::series {

inline constexpr double first_switch = 3;   ///< a3, b2, b3: Taylor series below
inline constexpr double second_switch = 4;  ///< e2, e3: Taylor series below
inline constexpr double pole_switch = 5;    ///< c, c1, c2: sum over the poles below

/// sin(x)/x. Cancels nothing: needs no switch.
inline double sinc(double x) { return x == 0 ? 1 : std::sin(x) / x; }

inline double a1(double phi) { return sinc(phi); }

/// (1 - cos phi)/phi² = sinc(phi/2)²/2
inline double a2(double phi) {
  const double s = sinc(0.5 * phi);
  return 0.5 * s * s;
}

double a3(double phi);
double b2(double phi);
double b3(double phi);
double e2(double phi);
double e3(double phi);
double c(double phi);
double c1(double phi);
double c2(double phi);

}  // namespace polhode::series
