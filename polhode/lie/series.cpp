// The functions of series.hpp: by a Taylor series or a sum over poles for small angles, by trigonometry beyond.
#include <polhode/lie/series.hpp>

#include <array>
#include <cstddef>

namespace polhode::series {
namespace {

/// c_0 + c_1 x + c_2 x² + ...
template <std::size_t N>
double polynomial(const std::array<double, N>& coefficients, double x) {
  double sum = coefficients[N - 1];
  for (std::size_t n = N - 1; n-- > 0;) sum = coefficients[n] + x * sum;
  return sum;
}

/// (-1)^n numerator(n) / (2n + m)! for n < N: the Taylor coefficients in x = phi².
template <std::size_t N, class Numerator>
constexpr std::array<double, N> alternating(int m, Numerator numerator) {
  std::array<double, N> coefficients{};
  long double factorial = 1;
  for (int i = 2; i <= m; ++i) factorial *= i;
  for (int n = 0; n < static_cast<int>(N); ++n) {
    coefficients[n] = static_cast<double>((n % 2 == 0 ? 1 : -1) * numerator(n) / factorial);
    factorial *= static_cast<long double>(2 * n + m + 1) * (2 * n + m + 2);
  }
  return coefficients;
}

constexpr long double one(int) { return 1; }
constexpr long double once(int n) { return -(2 * n + 2); }  // f -> f° shifts n by one and brings -(2n + 2)
constexpr long double twice(int n) { return (2 * n + 2) * (2 * n + 4); }

// Enough terms for phi = first_switch: the first one left out is below 1e-18 of the sum.
constexpr auto a3_taylor = alternating<14>(3, one);
constexpr auto b2_taylor = alternating<14>(4, once);
constexpr auto b3_taylor = alternating<14>(5, once);
// For phi = second_switch, likewise.
constexpr auto e2_taylor = alternating<17>(6, twice);
constexpr auto e3_taylor = alternating<16>(7, twice);

// c = 2 Σ_k 1/(4π²k² - x), x = phi², hence c1 = 4 Σ_k 1/(4π²k² - x)², c2 = 16 Σ_k 1/(4π²k² - x)³: every term
// is positive. The poles k = 1, 2 are taken as they stand; the others are expanded in x, with the sums
// t_n = Σ_{k>=3} (4π²k²)^-n. Up to phi = pole_switch what is left out is below 3e-18 of the whole.
constexpr std::array<double, 16> t = {  // t_1, t_2, ...
    0.01000379677843611309,    0.00001271906034431281079, 2.7922841952472075656e-8,  7.0441207873805234309e-11,
    1.8783581001078989057e-13, 5.1400626876802305392e-16, 1.4250110646068956191e-18, 3.9777877053599224918e-21,
    1.1144663322768505783e-23, 3.1287355754028861196e-26, 8.7933652464548399454e-29, 2.4729234750289693695e-31,
    6.9569133945404399639e-34, 1.9575221263226571213e-36, 5.5086344573357093894e-39, 1.5502713458853687394e-41};

template <class Factor>
constexpr std::array<double, 14> tail(int first, Factor factor) {
  std::array<double, 14> coefficients{};
  for (int n = 0; n < 14; ++n) coefficients[n] = factor(n) * t[n + first - 1];
  return coefficients;
}
constexpr auto c_tail = tail(1, [](int) { return 1.0; });
constexpr auto c1_tail = tail(2, [](int n) { return n + 1.0; });
constexpr auto c2_tail = tail(3, [](int n) { return 0.5 * (n + 1) * (n + 2); });

/// 1/(4π²k² - phi²), with 2π to twice the precision, since 2πk - phi cancels.
double pole(int k, double phi) {
  constexpr double two_pi = 6.283185307179586477, rest = 2.4492935982947063545e-16;
  return 1 / (((k * two_pi - phi) + k * rest) * (k * two_pi + phi));
}

/// Half-angle terms of the closed forms of c1 and c2: C = y cot y and Q = (y / sin y)², with y = phi/2.
struct HalfAngle {
  explicit HalfAngle(double phi) {
    const double y = 0.5 * phi, y_over_sin = y / std::sin(y);
    C = y_over_sin * std::cos(y);
    Q = y_over_sin * y_over_sin;
  }
  double C, Q;
};

}  // namespace

double a3(double phi) {
  const double x = phi * phi;
  if (phi < first_switch) return polynomial(a3_taylor, x);
  return (phi - std::sin(phi)) / (x * phi);
}

double b2(double phi) {
  const double x = phi * phi;
  if (phi < first_switch) return polynomial(b2_taylor, x);
  const double s = std::sin(0.5 * phi);
  return 2 * s * (phi * std::cos(0.5 * phi) - 2 * s) / (x * x);
}

double b3(double phi) {
  const double x = phi * phi;
  if (phi < first_switch) return polynomial(b3_taylor, x);
  return (3 * std::sin(phi) - phi * (2 + std::cos(phi))) / (x * x * phi);
}

double e2(double phi) {
  const double x = phi * phi;
  if (phi < second_switch) return polynomial(e2_taylor, x);
  const double s = std::sin(0.5 * phi);
  return (16 * s * s - 5 * phi * std::sin(phi) + x * std::cos(phi)) / (x * x * x);
}

double e3(double phi) {
  const double x = phi * phi;
  if (phi < second_switch) return polynomial(e3_taylor, x);
  return ((x - 15) * std::sin(phi) + phi * (8 + 7 * std::cos(phi))) / (x * x * x * phi);
}

double c(double phi) {
  const double x = phi * phi;
  if (phi < pole_switch) return 2 * (pole(1, phi) + (pole(2, phi) + polynomial(c_tail, x)));
  return (1 - HalfAngle(phi).C) / x;
}

double c1(double phi) {
  const double x = phi * phi;
  if (phi < pole_switch) {
    const double p1 = pole(1, phi), p2 = pole(2, phi);
    return 4 * (p1 * p1 + (p2 * p2 + polynomial(c1_tail, x)));
  }
  const HalfAngle half(phi);
  return (half.Q + half.C - 2) / (x * x);
}

double c2(double phi) {
  const double x = phi * phi;
  if (phi < pole_switch) {
    const double p1 = pole(1, phi), p2 = pole(2, phi);
    return 16 * (p1 * p1 * p1 + (p2 * p2 * p2 + polynomial(c2_tail, x)));
  }
  const HalfAngle half(phi);
  return (8 - 3 * half.Q - 3 * half.C - 2 * half.Q * half.C) / (x * x * x);
}

}  // namespace polhode::series
