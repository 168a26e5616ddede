// RATTLie: the digits of an independent implementation, both levels of the constraints, momentum, bounded energy, order.
#include <polhode/integrate/rattlie.hpp>

#include <gtest/gtest.h>

#include "simulate/runs.hpp"

namespace polhode {
namespace {

const IntegratorChoice rattlie{"rattlie", {}};

Model four_links() {
  std::string bodies, joints;
  for (int i = 0; i < 4; ++i) {
    const std::string name = "link" + std::to_string(i + 1), comma = i ? "," : "";
    bodies += comma + R"({"name": ")" + name + R"(", "mass": 1, "inertia": [0.10, 0.03, 0.12], "position": [0, )" +
              std::to_string(i) + R"(.5, 0], "angular_velocity": [0, 5, 0]})";
    joints += comma + R"({"name": "j)" + std::to_string(i) + R"(", "type": "spherical", "between": [")" +
              (i ? "link" + std::to_string(i) : "ground") + R"(", ")" + name + R"("], "at": [0, )" + std::to_string(i) + R"(, 0]})";
  }
  return model_text(R"("gravity": [0, 0, -9.81], "bodies": [)" + bodies + R"(], "joints": [)" + joints + "]");
}

TEST(Rattlie, HasTheDigitsOfTheChainOfFourLinks) {
  const Vec3 coarse(-0.051870801818, -0.556942723255, -3.305701841212), fine(-0.051867887220, -0.556911059010, -3.305716363652);
  EXPECT_LE((body(run(four_links(), rattlie, 2e-3, 1), "link4").position - coarse).norm(), 1e-10);  // 12 digits given
  EXPECT_LE((body(run(four_links(), rattlie, 1e-3, 1), "link4").position - fine).norm(), 1e-10);
}

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
  for (double h : {1e-3, 5e-4, 2.5e-4}) errors.push_back((body(run(model_file("heavy_top"), rattlie, h, 1), "top").position - exact).norm());
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.1);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.1);
}

TEST(Rattlie, RunsRedundantAndDrivenModels) {
  for (const std::string name : {"bricard", "four_bar_2", "driven_revolute", "gear_train", "slider_crank"}) {
    const Certificate c = run(model_file(name), rattlie, 1e-3, 0.5);
    EXPECT_EQ(c.status, "complete") << name;
    EXPECT_LE(c.constraints.position, 1e-11) << name;
    EXPECT_LE(c.constraints.velocity, 1e-10) << name;
    EXPECT_LE(c.energy.balance_error, 1e-3) << name;  // second order
  }
}

}  // namespace
}  // namespace polhode
