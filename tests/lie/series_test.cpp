// The scalar functions of the angle, against their definitions in 113-bit arithmetic.
#include <polhode/lie/series.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace polhode::series::series_test {
namespace {

#ifdef __SIZEOF_FLOAT128__
using Wide = __float128;
#else
using Wide = long double;  // 113 bits where there is no __float128, on aarch64 for one
#endif

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Σ (-1)^n w(n) x^n/(2n + m)!. Terms grow to e^phi before they fall: at phi = 6.2 this costs 3 of 34 digits.
template <class Weight>
Wide alternating_sum(int m, Wide x, Weight weight) {
  Wide factor = 1;
  for (int i = 2; i <= m; ++i) factor /= i;
  Wide sum = 0;
  for (int n = 0; n < 50; ++n) {
    sum += weight(n) * factor;
    factor *= -x / ((2 * n + m + 1) * (2 * n + m + 2));
  }
  return sum;
}

/// The functions in wide arithmetic: a1, a2, a3 from the series of sine and cosine; what follows by the recurrences
/// of the definition for phi > 0.2, and by the series differentiated term by term for phi <= 0.2.
struct Reference {
  Wide a1, a2, a3, b2, b3, e2, e3, c, c1, c2;

  Reference(double angle, bool recurrences) {
    const Wide x = Wide(angle) * Wide(angle);
    const auto one = [](int) { return 1; };
    const auto once = [](int n) { return -(2 * n + 2); };
    const auto twice = [](int n) { return (2 * n + 2) * (2 * n + 4); };
    const auto thrice = [](int n) { return -(2 * n + 2) * (2 * n + 4) * (2 * n + 6); };
    a1 = alternating_sum(1, x, one);
    a2 = alternating_sum(2, x, one);
    a3 = alternating_sum(3, x, one);
    Wide g2;  // e2°
    if (recurrences) {
      b2 = (a1 - 2 * a2) / x;
      b3 = (a2 - 3 * a3) / x;
      e2 = (a3 - a2 - 4 * b2) / x;
      e3 = (b2 - 5 * b3) / x;
      g2 = (b3 - b2 - 6 * e2) / x;
      c = (1 - a1 / (2 * a2)) / x;  // (phi/2) cot(phi/2) = sin(phi) (phi/2)/(1 - cos(phi))
    } else {
      b2 = alternating_sum(4, x, once);
      b3 = alternating_sum(5, x, once);
      e2 = alternating_sum(6, x, twice);
      e3 = alternating_sum(7, x, twice);
      g2 = alternating_sum(8, x, thrice);
      c = -b2 / (2 * a2);
    }
    // c = -b2/(2 a2), differentiated by the quotient rule
    const Wide r = b2 / a2;
    c1 = -(e2 / a2 - r * r) / 2;
    c2 = -(g2 / a2 - 3 * r * e2 / a2 + 2 * r * r * r) / 2;
  }
  explicit Reference(double angle) : Reference(angle, angle > 0.2) {}
};

double relative_error(double value, Wide exact) {
  const Wide error = (Wide(value) - exact) / exact;
  return std::abs(static_cast<double>(error));
}

struct Case {
  std::string name;
  double (*function)(double);
  Wide Reference::*exact;
  double bound;  // in epsilon
};

const std::vector<Case> cases = {{"a1", a1, &Reference::a1, 4}, {"a2", a2, &Reference::a2, 4},
                                 {"a3", a3, &Reference::a3, 4}, {"b2", b2, &Reference::b2, 4},
                                 {"b3", b3, &Reference::b3, 4}, {"e2", e2, &Reference::e2, 4},
                                 {"e3", e3, &Reference::e3, 4}, {"c", c, &Reference::c, 4},
                                 {"c1", c1, &Reference::c1, 4}, {"c2", c2, &Reference::c2, 6}};

/// The largest relative error of each case over the angles, in epsilon.
std::vector<double> worst(const std::vector<double>& angles) {
  std::vector<double> result(cases.size(), 0.0);
  for (double phi : angles) {
    const Reference reference(phi);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const double error = relative_error(cases[i].function(phi), reference.*cases[i].exact) / epsilon;
      if (!(error <= result[i])) result[i] = error;  // NaN is worst
    }
  }
  return result;
}

TEST(Series, TheTwoReferencesAgree) {
  for (double phi = 0.2; phi < 6.25; phi += 0.05) {
    const Reference recurrences(phi, true), differentiated(phi, false);
    for (const Case& test : cases) {
      const Wide exact = recurrences.*test.exact;
      const Wide difference = (differentiated.*test.exact - exact) / exact;
      EXPECT_LE(std::abs(static_cast<double>(difference)), 1e-22) << test.name << " at " << phi;
    }
  }
}

TEST(Series, AccurateAtEveryAngle) {
  std::vector<double> angles;
  for (int i = 0; i <= 3000; ++i) angles.push_back(6 * std::pow(10.0, -i * (10.78 / 3000)));  // 1e-10 ... 6
  for (int i = 1; i <= 6000; ++i) angles.push_back(i * 1e-3 * (1 + 1e-7));
  const std::vector<double> errors = worst(angles);  // measured: 0.9 (a1) to 3.4 (e2), 4.9 (c2)
  for (std::size_t i = 0; i < cases.size(); ++i) EXPECT_LE(errors[i], cases[i].bound) << cases[i].name;
}

TEST(Series, AccurateOnBothSidesOfTheSwitch) {
  for (double at : {first_switch, second_switch, pole_switch}) {
    std::vector<double> below, above;
    for (int i = 0; i < 1000; ++i) {
      below.push_back(at * (1 - (i + 1) * epsilon));
      above.push_back(at * (1 + i * epsilon));
      below.push_back(at * (1 - i * 1e-4 - 1e-7));
      above.push_back(at * (1 + i * 1e-4));
    }
    const std::vector<double> errors_below = worst(below), errors_above = worst(above);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      EXPECT_LE(errors_below[i], cases[i].bound) << cases[i].name << " below " << at;
      EXPECT_LE(errors_above[i], cases[i].bound) << cases[i].name << " above " << at;
    }
  }
}

TEST(Series, LimitsAtZero) {
  EXPECT_EQ(a1(0), 1);
  EXPECT_EQ(a2(0), 0.5);
  EXPECT_EQ(a3(0), 1.0 / 6);
  EXPECT_EQ(b2(0), -1.0 / 12);
  EXPECT_EQ(b3(0), -1.0 / 60);
  EXPECT_EQ(e2(0), 1.0 / 90);
  EXPECT_EQ(e3(0), 1.0 / 630);
  EXPECT_NEAR(c(0), 1.0 / 12, epsilon / 12);  // sums of poles: rounding of a few terms
  EXPECT_NEAR(c1(0), 1.0 / 360, epsilon / 360);
  EXPECT_NEAR(c2(0), 1.0 / 3780, epsilon / 3780);
}

TEST(Series, InverseTangentBlowsUpAtAFullTurn) {
  // c = 2/(4π² - phi²) + ..., so (2π - phi) c -> 1/(2π)
  const double two_pi = 2 * std::acos(-1.0);
  for (double gap : {1e-3, 1e-5, 1e-7}) EXPECT_NEAR(gap * c(two_pi - gap), 1 / two_pi, gap);
}

}  // namespace
}  // namespace polhode::series::series_test
