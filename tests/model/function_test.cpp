// Functions of time against their closed forms, against differences of themselves, and against each other.
#include <polhode/model/function.hpp>

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace polhode::function_test {
namespace {

using Type = Function::Type;

Function polynomial(std::vector<double> coefficients) {
  Function f;
  f.type = Type::polynomial;
  f.coefficients = std::move(coefficients);
  return f;
}

Function harmonic(double amplitude, double angular_frequency, double phase, double offset) {
  Function f;
  f.type = Type::harmonic;
  f.amplitude = amplitude, f.angular_frequency = angular_frequency, f.phase = phase, f.offset = offset;
  return f;
}

Function ramp(double from, double to, double start, double end, bool smooth) {
  Function f;
  f.type = Type::ramp;
  f.from = from, f.to = to, f.start = start, f.end = end, f.smooth = smooth;
  return f;
}

Function table(std::vector<double> times, std::vector<double> values, Function::Interpolation interpolation) {
  Function f;
  f.type = Type::table;
  f.times = std::move(times), f.values = std::move(values), f.interpolation = interpolation;
  f.prepare();
  return f;
}

Function of_terms(Type type, std::vector<double> times, std::vector<Function> terms) {
  Function f;
  f.type = type;
  f.times = std::move(times), f.terms = std::move(terms);
  f.prepare();
  return f;
}

struct Case {
  const char* name;
  Function f;
  std::vector<double> breaks;  // where a derivative jumps
};

std::vector<Case> cases() {
  using enum Function::Interpolation;
  const std::vector<double> times = {-0.5, 0.25, 0.75, 1.5, 2.5}, values = {1, -2, 0.5, 3, 2};
  const Function piecewise =
      of_terms(Type::piecewise, {-0.3, 0.4, 1.7}, {polynomial({1, 2}), harmonic(2, 3, 0.1, -1), Function::constant(4)});
  return {{"constant", Function::constant(2.5), {}},
          {"polynomial", polynomial({1, -2, 0.5, 0.25, -0.125}), {}},
          {"harmonic", harmonic(1.5, 2.25, 0.3, -0.7), {}},
          {"straight ramp", ramp(-1, 2, 0.25, 1.75, false), {0.25, 1.75}},
          {"smooth ramp", ramp(-1, 2, 0.25, 1.75, true), {0.25, 1.75}},
          {"linear table", table(times, values, linear), times},
          {"cubic table", table(times, values, cubic), times},
          {"piecewise", piecewise, piecewise.times},
          {"sum", of_terms(Type::sum, {}, {piecewise, harmonic(1, 1, 0, 0)}), piecewise.times}};
}

bool near_break(const Case& c, double t, double distance) {
  for (double b : c.breaks)
    if (std::abs(t - b) < distance) return true;
  return false;
}

// Central differences of step e: truncation e^2 f'''/6 and rounding eps/e. With e = 1e-5 and derivatives up to 1e2 both
// stay below 1e-8.
TEST(Function, DerivativesAreLimitsOfDifferences) {
  const double e = 1e-5;
  for (const Case& c : cases())
    for (double t = -1.013; t < 3; t += 0.037) {
      if (near_break(c, t, 2 * e)) continue;
      EXPECT_NEAR(c.f.derivative(t), (c.f(t + e) - c.f(t - e)) / (2 * e), 1e-8) << c.name << " at " << t;
      EXPECT_NEAR(c.f.second_derivative(t), (c.f.derivative(t + e) - c.f.derivative(t - e)) / (2 * e), 1e-7)
          << c.name << " at " << t;
      EXPECT_NEAR(c.f(t), (c.f.integral(t + e) - c.f.integral(t - e)) / (2 * e), 1e-8) << c.name << " at " << t;
    }
}

TEST(Function, DerivativesAtAKinkAreTakenFromTheRight) {
  const Function f = ramp(0, 3, 1, 2, false);
  EXPECT_EQ(f.derivative(1), 3);
  EXPECT_EQ(f.derivative(2), 0);
  const Function jump = of_terms(Type::piecewise, {0, 1}, {polynomial({0, 1}), polynomial({5, 0, 1})});
  EXPECT_EQ(jump(1), 6);
  EXPECT_EQ(jump.derivative(1), 2);
  EXPECT_EQ(jump.second_derivative(1), 2);
}

// The mean over [t0, t1] and the integrals from 0 cut the time axis at different places. Integrals up to 20 and a dozen
// roundings give 1e-14.
TEST(Function, MeanTimesDurationIsTheDifferenceOfIntegrals) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> time(-2, 4);
  for (const Case& c : cases())
    for (int i = 0; i < 200; ++i) {
      const double t0 = time(random), t1 = time(random);
      EXPECT_NEAR(c.f.mean(t0, t1) * (t1 - t0), c.f.integral(t1) - c.f.integral(t0), 2e-14) << c.name;
      EXPECT_EQ(c.f.mean(t0, t1), c.f.mean(t1, t0)) << c.name;
      EXPECT_EQ(c.f.mean(t0, t0), c.f(t0)) << c.name;
    }
}

// What an integral from 0 could not give: late and short intervals keep all digits.
TEST(Function, MeanOverAShortLateIntervalKeepsItsDigits) {
  const double t0 = 1000, h = 1e-3;
  EXPECT_DOUBLE_EQ(polynomial({0, 0, 3}).mean(t0, t0 + h), t0 * t0 + t0 * (t0 + h) + (t0 + h) * (t0 + h));
  const Function f = harmonic(1, 1, 0, 0);
  EXPECT_NEAR(f.mean(t0, t0 + h), std::sin(t0 + h / 2) * (1 - h * h / 24), 1e-15);  // next term h^4/1920 = 5e-16
}

TEST(Function, IntegralsMatchClosedForms) {
  EXPECT_DOUBLE_EQ(polynomial({1, 2, 3}).integral(2), 2 + 4 + 8);
  EXPECT_DOUBLE_EQ(polynomial({1, 2, 3}).integral(-2), -2 + 4 - 8);
  EXPECT_NEAR(harmonic(3, 2, 0.5, 1).integral(4), 4 + 1.5 * (std::cos(0.5) - std::cos(8.5)), 1e-14);
  EXPECT_DOUBLE_EQ(ramp(1, 3, 1, 2, true).integral(5), 1 + 2 + 9);   // a ramp's mean is that of its ends,
  EXPECT_DOUBLE_EQ(ramp(1, 3, 1, 2, false).integral(5), 1 + 2 + 9);  // smooth or not
  const Function jump = of_terms(Type::piecewise, {1, 2}, {Function::constant(10), polynomial({0, 1})});
  EXPECT_DOUBLE_EQ(jump.integral(4), 10 + (16 - 4) / 2.0);
  EXPECT_EQ(jump.integral(1), 0);
  EXPECT_EQ(jump.integral(-3), 0);
}

TEST(Function, SmoothRampStartsAndEndsAtRest) {
  const Function f = ramp(2, 5, 1, 3, true);
  EXPECT_EQ(f(1), 2);
  EXPECT_EQ(f(2), 3.5);
  EXPECT_EQ(f(3), 5);
  for (double t : {1.0, std::nextafter(3.0, 0.0), 3.0}) {
    EXPECT_NEAR(f.derivative(t), 0, 1e-15);
    EXPECT_NEAR(f.second_derivative(t), 0, 1e-13);
  }
  EXPECT_DOUBLE_EQ(f.derivative(2), 1.875 * 3 / 2);  // the quintic's largest slope, 15/8
}

// A natural spline is the interpolant with two continuous derivatives and none of second order at its ends.
TEST(Function, CubicTableIsTheNaturalSpline) {
  const std::vector<double> times = {-1, 0, 0.5, 2, 3.25}, values = {0, 2, -1, 1, 4};
  const Function f = table(times, values, Function::Interpolation::cubic);
  for (std::size_t k = 0; k < times.size(); ++k) EXPECT_NEAR(f(times[k]), values[k], 1e-15);
  for (std::size_t k = 1; k + 1 < times.size(); ++k) {
    const double before = std::nextafter(times[k], -10.0);
    EXPECT_NEAR(f.derivative(before), f.derivative(times[k]), 1e-13);
    EXPECT_NEAR(f.second_derivative(before), f.second_derivative(times[k]), 1e-12);
  }
  EXPECT_NEAR(f.second_derivative(times.front()), 0, 1e-15);
  EXPECT_NEAR(f.second_derivative(std::nextafter(times.back(), 0.0)), 0, 1e-13);
  EXPECT_EQ(f(-5), 0);
  EXPECT_EQ(f(9), 4);
}

// A straight line is its own spline; sin has no curvature at 0 and pi, so its natural spline is of fourth order.
TEST(Function, CubicTableConvergesWithOrderFour) {
  const Function line = table({0, 1, 3, 4}, {1, 3, 7, 9}, Function::Interpolation::cubic);
  for (double t = 0; t <= 4; t += 0.25) EXPECT_NEAR(line(t), 1 + 2 * t, 1e-14);

  const auto error = [](int n) {
    std::vector<double> times, values;
    for (int k = 0; k <= n; ++k) times.push_back(M_PI * k / n), values.push_back(std::sin(times.back()));
    const Function f = table(times, values, Function::Interpolation::cubic);
    double worst = 0;
    for (double t = 0; t < M_PI; t += 1e-3) worst = std::max(worst, std::abs(f(t) - std::sin(t)));
    return worst;
  };
  EXPECT_NEAR(std::log2(error(16) / error(32)), 4, 0.05);  // measured 4.005
}

TEST(Function, ATableOfOneOrTwoPointsIsConstantOrStraight) {
  for (auto interpolation : {Function::Interpolation::linear, Function::Interpolation::cubic}) {
    const Function point = table({1}, {3}, interpolation);
    for (double t : {0.0, 1.0, 2.0}) EXPECT_EQ(point(t), 3);
    EXPECT_EQ(point.mean(0, 2), 3);
    const Function line = table({1, 3}, {0, 4}, interpolation);
    EXPECT_EQ(line(2), 2);
    EXPECT_EQ(line.derivative(2), 2);
  }
}

}  // namespace
}  // namespace polhode::function_test
