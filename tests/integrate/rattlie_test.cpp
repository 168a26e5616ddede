// RATTLie: both levels of the constraints, momentum, bounded energy, order. Digits of an independent implementation:
// papers/hulbert_test.cpp.
#include <polhode/integrate/rattlie.hpp>

#include <gtest/gtest.h>

#include "simulate/runs.hpp"

namespace polhode::rattlie_test {
namespace {

const IntegratorChoice rattlie{"rattlie", {}};

TEST(Rattlie, KeepsMomentumAndBothLevelsOfTheConstraints) {
  const Certificate c = run(model_file("heavy_top"), rattlie, 1.25e-3, 2);
  EXPECT_LE(c.constraints.position, 1e-13);
  EXPECT_LE(c.constraints.velocity, 1e-12);                 // of velocities of 6 m/s and 150 rad/s
  EXPECT_LE(c.momentum.angular_error, 1e-13);               // measured 1e-16
  EXPECT_LE(c.energy.max_relative_error, 0.03 / 5435.697);  // bounded: measured 0.022 J
}

TEST(Rattlie, ConvergesWithOrderTwo) {
  const Vec3 exact(0.173343964098386, 0.640088592070569, -0.748490791133581);
  std::vector<double> errors;
  for (double h : {1e-3, 5e-4, 2.5e-4})
    errors.push_back((body(run(model_file("heavy_top"), rattlie, h, 1), "top").position - exact).norm());
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.1);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.1);
}

TEST(Rattlie, RunsRedundantAndDrivenModels) {
  for (const std::string name : {"bricard", "four_bar_2", "driven_revolute", "gear_train", "slider_crank"}) {
    const Certificate c = run(model_file(name), rattlie, 1e-3, 0.5);
    EXPECT_TRUE(c.complete()) << name;
    EXPECT_LE(c.constraints.position, 1e-11) << name;
    EXPECT_LE(c.constraints.velocity, 1e-10) << name;
    EXPECT_LE(c.energy.balance_error, 1e-3) << name;  // second order
  }
}

// c h / m = 8 for the dampers of the governor: the velocity at the end of a step is solved for, not iterated.
TEST(Rattlie, IsNotLimitedByDampers) {
  const Model model = model_file("flyball_governor");
  const Vec3 exact = body(run(model, {"energy-momentum", {{"order", 4.0}}}, 1e-4, 0.1), "slider").position;
  std::vector<double> errors;
  for (double h : {5e-4, 2.5e-4, 1.25e-4}) {
    const Certificate c = run(model, rattlie, h, 0.1);
    ASSERT_TRUE(c.complete());
    EXPECT_LE(c.constraints.velocity, 1e-11);
    errors.push_back((body(c, "slider").position - exact).norm());
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.15);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.15);
}

}  // namespace
}  // namespace polhode::rattlie_test
