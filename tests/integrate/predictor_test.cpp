// What the predictor of increments predicts.
#include <polhode/integrate/predictor.hpp>

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::predictor_test {
namespace {

/// The guess for a step; given are the increments of constant velocity. Whether it asks for these.
bool predict(Predictor& predictor, double h, std::vector<Vec3>& dx, std::vector<Vec3>& theta, VecX& lambda) {
  const bool asks = predictor.begin(h, static_cast<int>(dx.size()), static_cast<int>(lambda.size()));
  for (std::size_t i = 0; i < dx.size(); ++i) predictor.predict(static_cast<int>(i), dx[i], theta[i]);
  if (predictor.predicts_multipliers()) predictor.predict(lambda);
  return asks;
}

/// The error of the guess for step k of increments f(k), after the steps before; the given guess of constant velocity
/// is always off by 1.
template <class F>
double error_of_guess(int k, F&& f) {
  Predictor predictor;
  for (int i = 0;; ++i) {
    std::vector<Vec3> dx{f(i) + Vec3::UnitX()}, theta{2 * f(i)};
    VecX lambda = 3 * f(i);
    predict(predictor, 0.1, dx, theta, lambda);
    if (i == k) return (dx[0] - f(k)).norm() + (theta[0] - 2 * f(k)).norm() + (lambda - 3 * f(k)).norm();
    predictor.record({f(i)}, {2 * f(i)}, 3 * f(i));
  }
}

TEST(Predictor, PredictsCubicMotionExactly) {
  const auto cubic = [](int k) { return Vec3(1 + 0.5 * k, k * k, 0.1 * k * k * k); };
  EXPECT_GT(error_of_guess(3, cubic), 0.1);    // three increments do not tell
  EXPECT_LE(error_of_guess(5, cubic), 1e-13);  // four do, and have been seen to
  EXPECT_LE(error_of_guess(20, cubic), 1e-11);
}

TEST(Predictor, FallsBackToConstantVelocityWhereMotionIsNotSmooth) {
  const auto wild = [](int k) { return Vec3(1e6 * std::sin(1.7 * k * k), 1e6 * std::cos(k * k), 0); };
  EXPECT_NEAR(error_of_guess(9, wild), 1, 1e-9);
  EXPECT_NEAR(error_of_guess(50, wild), 1, 1e-9);
}

// In a conserving rule the errors of velocities across joints alternate in sign, on top of a smooth motion.
TEST(Predictor, PredictsWhatChangesItsSignFromStepToStep) {
  const auto by_turns = [](int k) { return Vec3(1 + 0.1 * k * k, (k % 2 == 0 ? 1 : -1) * (1 + 0.5 * k), 0); };
  EXPECT_LE(error_of_guess(9, by_turns), 1e-11);
  EXPECT_LE(error_of_guess(40, by_turns), 1e-9);
}

// Large models remember fewer increments: enough for cubic motion, also after many turns of the ring, and for each node
// its own.
TEST(Predictor, PredictsCubicMotionOfManyNodes) {
  const int n = Predictor::many_nodes;
  const auto cubic = [](int k, int i) { return Vec3(i + 0.5 * k, k * k, 0.1 * k * k * k); };
  Predictor predictor;
  std::vector<Vec3> dx(n), theta(n);
  VecX lambda = VecX::Zero(1);
  for (int k = 0; k < 16; ++k) {
    for (int i = 0; i < n; ++i) dx[i] = cubic(k, i) + Vec3::UnitX(), theta[i].setZero();
    predict(predictor, 0.1, dx, theta, lambda);
    if (k == 15) break;
    for (int i = 0; i < n; ++i) dx[i] = cubic(k, i);
    predictor.record(dx, theta, lambda);
  }
  for (const int i : {0, 1, n / 2, n - 1}) EXPECT_LE((dx[i] - cubic(15, i)).norm(), 1e-9) << i;
}

TEST(Predictor, StartsAnewWithAnotherStep) {
  Predictor predictor;
  std::vector<Vec3> dx{Vec3(1, 0, 0)}, theta{Vec3::Zero()};
  VecX lambda = VecX::Ones(1);
  for (int i = 0; i < 5; ++i) {
    predict(predictor, 0.1, dx, theta, lambda);
    predictor.record({Vec3(3, 0, 0)}, {Vec3::Zero()}, lambda);
    dx[0] = Vec3(1, 0, 0);
  }
  predict(predictor, 0.1, dx, theta, lambda);
  EXPECT_EQ(dx[0], Vec3(3, 0, 0));
  dx[0] = Vec3(1, 0, 0);
  EXPECT_TRUE(predict(predictor, 0.05, dx, theta, lambda));
  EXPECT_EQ(dx[0], Vec3(1, 0, 0));
}

}  // namespace
}  // namespace polhode::predictor_test
