// Geradin's rule: the digits of his two tops, what it conserves and what not, and that its two parametrisations agree.
#include <polhode/integrate/geradin.hpp>

#include <gtest/gtest.h>

#include "simulate/runs.hpp"

namespace polhode {
namespace {

IntegratorChoice geradin(const std::string& variant, const std::string& parameters = "euler") {
  return {"geradin", {{"variant", variant}, {"parameters", parameters}}};
}

TEST(Geradin, HasTheDigitsOfBothTops) {
  int compared = 0;
  for (const std::string name : {"geradin_top_1", "geradin_top_2"})
    for (const auto& row : references(name).at("schemes")) {
      if (row.at("integrator").at("name") != "geradin") continue;
      const Certificate c = run(model_file(name), geradin(row.at("integrator").at("variant")), row.at("step"), row.at("time"));
      EXPECT_LE(distance(c, row), 2e-9) << name << row;
      ++compared;
    }
  EXPECT_GE(compared, 8);
}

TEST(Geradin, KeepsEnergyOnlyIfCorrected) {
  const auto error = [](const std::string& name) {  // relative to the energy at the start
    const Certificate::Energy e = run(model_file(name), geradin("published"), 1e-2, 2).energy;
    return e.max_relative_error * e.scale / e.initial;
  };
  EXPECT_NEAR(error("geradin_top_1"), 1.11448e-5, 1e-9);  // the digits of an independent implementation
  EXPECT_NEAR(error("geradin_top_2"), 1.09740e-4, 1e-8);
  EXPECT_LE(run(model_file("geradin_top_2"), geradin("corrected"), 1e-2, 2).energy.max_relative_error, 1e-12);  // measured 9e-15
  // loops, springs, dampers, drives: the balance closes as for the energy-momentum rule
  for (const std::string name : {"four_bar_2", "bricard", "flyball_governor", "gear_train", "driven_revolute"})
    EXPECT_LE(run(model_file(name), geradin("corrected"), 1e-3, 0.5).energy.balance_error, 1e-11) << name;
}

TEST(Geradin, LosesTheAngularMomentumOfJoinedBodiesToSecondOrder) {
  const double coarse = run(model_file("geradin_top_2"), geradin("corrected"), 1e-2, 2).momentum.angular_error;
  const double fine = run(model_file("geradin_top_2"), geradin("corrected"), 5e-3, 2).momentum.angular_error;
  EXPECT_GT(coarse, 1e-4);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.2);
}

TEST(Geradin, MovesTheSameWithBothParametrisations) {
  for (const std::string variant : {"published", "corrected"}) {
    const Certificate euler = run(model_file("geradin_top_2"), geradin(variant, "euler"), 1e-2, 2);
    const Certificate conformal = run(model_file("geradin_top_2"), geradin(variant, "conformal"), 1e-2, 2);
    EXPECT_LE((body(euler, "top").position - body(conformal, "top").position).norm(), 1e-10) << variant;
  }
}

}  // namespace
}  // namespace polhode
