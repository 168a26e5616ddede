// Geradin's rule: what it conserves and what not. The digits of his two tops, their energy, and that both
// parametrisations agree are in papers/geradin_test.cpp.
#include <polhode/integrate/geradin.hpp>

#include <gtest/gtest.h>

#include "simulate/runs.hpp"

namespace polhode::geradin_test {
namespace {

IntegratorChoice geradin(const std::string& variant, const std::string& parameters = "euler") {
  return {"geradin", {{"variant", variant}, {"parameters", parameters}}};
}

TEST(Geradin, KeepsTheBalanceOfEnergyIfCorrected) {
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

}  // namespace
}  // namespace polhode::geradin_test
