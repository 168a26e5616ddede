// Coordinates and measures y(z): discrete gradients that are exact, their derivatives, and the limit of equal ends.
#include <polhode/system/measure.hpp>

#include <gtest/gtest.h>

#include "configurations.hpp"
#include "types.hpp"

namespace polhode::measure_test {
namespace {

constexpr double pi = std::numbers::pi;

template <class M>
class MeasureTest : public ::testing::Test {
 protected:
  using Z = typename M::Z;
  using ZVector = typename Z::Z;
  using Stress = Eigen::Matrix<double, M::size, 1>;

  Random random{20240502};

  /// Invariants of a pair turned by at most 1.6 rad, and after a step `size` of both; then off the manifold by `noise`.
  std::pair<ZVector, ZVector> ends(double size, double noise) {
    const Marker m{0, random.vector(0.5), random.rotation_matrix()};
    const Pair pair{m, {0, random.vector(0.5), m.E}};
    const Frame a{random.vector(), random.rotation_matrix()};
    const Frame b{a.x + random.direction() * 2, a.d * so3::exp_matrix(random.number(0, 1.6) * random.direction())};
    const Vec6 u_a = random.vector6(size / 2), u_b = random.vector6(size / 2);
    const ZVector z0 = Z::z(PairAt(pair, a, b)), z1 = Z::z(PairAt(pair, moved(a, u_a), moved(b, u_b)));
    return {z0 + noise * vector(), z1 + noise * vector()};
  }
  ZVector vector() {
    return ZVector::NullaryExpr([&] { return random.number(); });
  }
  Stress stress() {
    return Stress::NullaryExpr([&] { return random.number(); });
  }
};

TYPED_TEST_SUITE(MeasureTest, AllMeasures);

TYPED_TEST(MeasureTest, DiscreteGradientIsExact) {
  for (const double noise : {0.0, 0.05})
    for (const double step : {1e-9, 1e-6, 0.9e-5, 1.1e-5, 1e-3, 0.019, 0.021, 0.3, 1.0})
      for (int k = 0; k < 10; ++k) {
        const auto [z0, z1] = this->ends(step, noise);
        const auto s = TypeParam::secant(z0, z1, 0);
        EXPECT_LE(size_of(s.g * (z1 - z0) - (s.y1 - s.y0)), 16 * round_off * (1 + s.g.norm() * (z1 - z0).norm()));
      }
}

// Gonzalez' quotient varies over the length of the step itself: differences are taken over a part of it.
TYPED_TEST(MeasureTest, DerivativeOfTheDiscreteGradient) {
  for (const double noise : {0.0, 0.05})
    for (const double step : {0.019, 0.021, 0.3, 1.0})
      for (int k = 0; k < 10; ++k) {
        const auto [z0, z1] = this->ends(step, noise);
        const auto stress = this->stress();
        const auto direction = this->vector();
        const auto sigma = [&, z0 = z0, z1 = z1](double t) {
          return (TypeParam::secant(z0, z1 + t * direction, 0).g.transpose() * stress).eval();
        };
        const auto s = TypeParam::secant(z0, z1, 0);
        EXPECT_LE(error(s.derivative(stress) * direction, derivative(sigma, std::min(1e-3, 0.02 * step))), 1e-7)
            << "step " << step;
      }
}

TYPED_TEST(MeasureTest, EqualEndsGiveTheGradientAndHalfTheHessian) {
  for (const double noise : {0.0, 0.05})
    for (int k = 0; k < 20; ++k) {
      const auto z = this->ends(1, noise).first;
      const auto direction = this->vector();
      const auto stress = this->stress();
      const auto s = TypeParam::secant(z, z, 0);
      const auto y = [&](double t) { return TypeParam::secant(z, z + t * direction, 0).y1; };
      const auto gradient = [&](double t) {
        const auto at = (z + t * direction).eval();
        return (TypeParam::secant(at, at, 0).g1.transpose() * stress).eval();
      };
      EXPECT_LE(error(s.g, s.g1), 4 * round_off);
      EXPECT_LE(error(s.g1 * direction, derivative(y)), 1e-8);
      EXPECT_LE(error(2 * s.derivative(stress) * direction, derivative(gradient)), 1e-8);
      EXPECT_LE(size_of(s.y1 - s.y0), 0);
    }
}

// ---- the angle ----

using Vec2 = Eigen::Vector2d;

Vec2 on_circle(double angle, double radius = 1) { return radius * Vec2(std::cos(angle), std::sin(angle)); }

// Small angles, both sides of the series' switch at 0.02, up to just below a half turn; on the circle and off it. The
// rounding of D is amplified by D / sin D, and so is that of the mean.
TEST(AngleCoordinate, DiscreteGradientIsExactForEveryTurnBelowPi) {
  Random random(3);
  for (const double D : {1e-12, 1e-8, 1e-4, 0.01999, 0.02001, 0.5, 1.5, 2.5, 3.0, 3.1, 3.14, 3.1415})
    for (int k = 0; k < 20; ++k) {
      const double at = random.number(-3, 3), sign = k % 2 ? 1 : -1;
      const Vec2 z0 = on_circle(at, k < 10 ? 1 : random.number(0.7, 1.3));
      const Vec2 z1 = on_circle(at + sign * D, k < 10 ? 1 : random.number(0.7, 1.3));
      const auto s = AngleCoordinate::secant(z0, z1, at);
      EXPECT_NEAR(s.y0, at, 4 * round_off);
      EXPECT_NEAR(s.y1 - s.y0, sign * D, 8 * round_off);
      EXPECT_NEAR(s.g.dot(z1 - z0), s.y1 - s.y0, 8 * round_off * (1 + D / std::sin(D))) << D;
    }
}

// g and dg on both sides of a switch 1e-9 apart differ by 1e-9 times a derivative of order 1, and by nothing else.
TEST(AngleCoordinate, SeriesMeetsTheClosedFormAtItsSwitch) {
  const Vec2 z0 = on_circle(0.4, 1.1);
  const auto below = AngleCoordinate::secant(z0, on_circle(0.4 + 0.02 - 5e-10, 0.9), 0);
  const auto above = AngleCoordinate::secant(z0, on_circle(0.4 + 0.02 + 5e-10, 0.9), 0);
  EXPECT_LE(error(below.g, above.g), 3e-9);
  EXPECT_LE(error(below.dg, above.dg), 3e-9);
  const auto wide = AngleCoordinate::secant(z0, on_circle(0.4 + 0.02 + 1.5e-9, 0.9), 0);
  EXPECT_LE(error(below.g - above.g, above.g - wide.g), 1e-14);      // the second difference: 1e-18 and rounding
  EXPECT_LE(error(below.dg - above.dg, above.dg - wide.dg), 1e-12);  // rounding of the closed slope: epsilon / 0.02
}

TEST(AngleCoordinate, CountsTurnsEitherWay) {
  for (const double sign : {1.0, -1.0}) {
    double counted = 0, angle = 0;
    for (int k = 0; k < 200; ++k) {
      const double before = counted;
      angle += sign * 0.9;  // 28 turns
      const auto s = AngleCoordinate::secant(on_circle(angle - sign * 0.9), on_circle(angle), before);
      counted = AngleCoordinate::value(on_circle(angle), before);
      EXPECT_NEAR(counted, angle, 1e-13 * (1 + std::abs(angle)));
      EXPECT_NEAR(s.y0, before, 1e-13 * (1 + std::abs(angle)));
      EXPECT_NEAR(s.y1, counted, 1e-13 * (1 + std::abs(angle)));
    }
    EXPECT_GT(sign * counted, 56 * pi);
  }
}

// ---- the rotation vector ----

Vec4 invariants_of(const Mat3& A) { return (Vec4() << vee(A), 0.5 * (A.trace() - 1)).finished(); }

// Both sides of the series' switch, tan^2(angle) = 0.04 at 0.1974, and nearly a half turn, where log is
// ill-conditioned.
TEST(RotationVector, IsTheLogarithm) {
  Random random(4);
  for (const double angle : {0.0, 1e-12, 1e-6, 0.01, 0.197, 0.198, 0.5, 1.5, 1.6, 2.5, 3.0, 3.1})
    for (int k = 0; k < 10; ++k) {
      const Vec3 phi = angle * random.direction();
      const RotationVector r(invariants_of(so3::exp_matrix(phi)));
      EXPECT_LE(error(r.phi, phi), 8 * round_off / std::min(1.0, pi - angle)) << angle;
      EXPECT_LE(error(r.phi, so3::log(so3::exp_matrix(phi))), 8 * round_off / std::min(1.0, pi - angle)) << angle;
    }
}

TEST(RotationVector, GradientAndHessianAreItsDerivatives) {
  Random random(5);
  for (const double angle : {0.0, 1e-6, 0.01, 0.195, 0.2, 0.5, 1.5, 2.5, 3.0})
    for (const double radius : {1.0, 0.8, 1.2})
      for (int k = 0; k < 5; ++k) {
        const Vec4 w = radius * invariants_of(so3::exp_matrix(angle * random.direction()));
        const Vec4 u = (Vec4() << random.vector(), random.number()).finished();
        const Vec3 s = random.vector();
        const RotationVector at(w);
        EXPECT_LE(error(at.gradient * u, derivative([&](double t) { return RotationVector(w + t * u).phi; })), 1e-8)
            << angle;
        const auto gradient = [&](double t) { return (RotationVector(w + t * u).gradient.transpose() * s).eval(); };
        EXPECT_LE(error(at.hessian(s) * u, derivative(gradient)), 1e-8) << angle;
        EXPECT_LE(error(at.hessian(s), at.hessian(s).transpose()), 4 * round_off);
      }
}

TEST(RotationVector, SecantIsExactOnBothSidesOfItsSwitch) {
  Random random(6);
  for (const double step : {0.0, 1e-8, 0.9e-5, 1.1e-5, 1e-3, 0.3, 1.0})
    for (const double angle : {0.0, 0.19, 0.21, 1.0, 2.0})
      for (int k = 0; k < 5; ++k) {
        const Vec3 axis = random.direction();
        const Mat3 A0 = so3::exp_matrix(angle * axis), A1 = A0 * so3::exp_matrix(step * random.direction());
        const Vec4 w0 = invariants_of(A0), w1 = invariants_of(A1);
        const RotationVectorSecant s(w0, w1);
        EXPECT_LE(error(s.gradient * (w1 - w0), s.phi1 - s.phi0), 16 * round_off) << step << " " << angle;
        EXPECT_LE(error(s.gradient1, RotationVector(w1).gradient), 0);
      }
}

// What a bushing measures, said without invariants: R_a^T r and log(R_a^T R_b).
TEST(BushingMeasure, IsTheRelativePositionAndRotationVector) {
  Random random(7);
  for (int k = 0; k < 20; ++k) {
    const Frame a{random.vector(), random.rotation_matrix()};
    const Vec3 phi = random.number(0, 3) * random.direction();
    const Frame b{random.vector(), a.d * so3::exp_matrix(phi)};
    const auto z = BushingMeasure::Z::z(PairAt({}, a, b));
    const auto s = BushingMeasure::secant(z, z, 0);
    EXPECT_LE(error(s.y1.head<3>(), a.d.transpose() * (b.x - a.x)), 8 * round_off);
    EXPECT_LE(error(s.y1.tail<3>(), phi), 60 * round_off);  // phi up to 3: the logarithm amplifies by 1/(pi - 3)
  }
}

}  // namespace
}  // namespace polhode::measure_test
