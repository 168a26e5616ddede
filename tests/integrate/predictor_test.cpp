// What the predictor of increments foretells.
#include <polhode/integrate/predictor.hpp>

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::predictor_test {
namespace {

/// The error of the guess for step k of increments f(k), after the steps before; the given guess of constant velocity is always off by 1.
template <class F>
double error_of_guess(int k, F&& f) {
  Predictor predictor;
  for (int i = 0;; ++i) {
    std::vector<Vec3> dx{f(i) + Vec3::UnitX()}, theta{2 * f(i)};
    predictor.predict(0.1, dx, theta);
    if (i == k) return (dx[0] - f(k)).norm() + (theta[0] - 2 * f(k)).norm();
    predictor.record({f(i)}, {2 * f(i)});
  }
}

TEST(Predictor, ForetellsCubicMotionExactly) {
  const auto cubic = [](int k) { return Vec3(1 + 0.5 * k, k * k, 0.1 * k * k * k); };
  EXPECT_GT(error_of_guess(3, cubic), 0.1);     // three increments do not tell
  EXPECT_LE(error_of_guess(5, cubic), 1e-13);   // four do, and have been seen to
  EXPECT_LE(error_of_guess(20, cubic), 1e-11);
}

TEST(Predictor, FallsBackToConstantVelocityWhereMotionIsNotSmooth) {
  const auto by_turns = [](int k) { return Vec3(k % 2 == 0 ? 100 : -100, 0, 0); };
  EXPECT_NEAR(error_of_guess(9, by_turns), 1, 1e-12);
}

TEST(Predictor, StartsAnewWithAnotherStep) {
  Predictor predictor;
  std::vector<Vec3> dx{Vec3(1, 0, 0)}, theta{Vec3::Zero()};
  for (int i = 0; i < 5; ++i) {
    predictor.predict(0.1, dx, theta);
    predictor.record({Vec3(3, 0, 0)}, {Vec3::Zero()});
    dx[0] = Vec3(1, 0, 0);
  }
  predictor.predict(0.1, dx, theta);
  EXPECT_EQ(dx[0], Vec3(3, 0, 0));
  dx[0] = Vec3(1, 0, 0);
  predictor.predict(0.05, dx, theta);
  EXPECT_EQ(dx[0], Vec3(1, 0, 0));
}

}  // namespace
}  // namespace polhode::predictor_test
