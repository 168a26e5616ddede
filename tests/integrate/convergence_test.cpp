// Every model whose exact motion is known, with every method: second order, and the energy balance of the rule that
// keeps it exactly.
#include <gtest/gtest.h>

#include "simulate/runs.hpp"

namespace polhode::convergence_test {
namespace {

struct Case {
  std::string name;
  double time, step;  ///< when the error is taken, and the largest of three steps
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
};

// Steps are in the asymptotic range of both methods. Measured orders lie in 1.94..2.03 (the screw turns 0.3 rad in its
// largest step, hence 1.95).
const std::vector<Case> cases{{"heavy_top", 0.5, 1e-3},
                              {"geradin_top_1", 2, 1e-3},
                              {"geradin_top_2", 2, 1e-3},
                              {"kovalevskaya_top", 5, 1e-2},
                              {"free_rigid_body", 10, 4e-2},
                              {"dzhanibekov", 10, 2e-2},
                              {"pendulum", 2, 1e-2},
                              {"double_pendulum", 2, 4e-3},
                              {"chain_revolute", 2, 1e-2},
                              {"chain_spherical", 2, 1e-2},
                              {"four_bar_2", 1, 4e-3},
                              {"four_bar_40", 1, 1.6e-2},
                              {"andrews", 0.03, 1e-4},
                              {"bricard", 2, 2e-2},
                              {"bennett", 1, 8e-3},
                              {"planar_four_bar", 1, 1e-2},
                              {"flyball_governor", 0.5, 2e-3},
                              {"slider_crank", 1, 4e-3},
                              {"car_axis", 0.5, 2e-3},
                              {"gear_train", 2, 1e-2},
                              {"screw", 2, 1e-2},
                              {"rack_and_pinion", 2, 5e-3}};

class Convergence : public testing::TestWithParam<Case> {};

TEST_P(Convergence, OfEnergyMomentumIsOfSecondOrderAndItsBalanceExact) {
  const auto& [name, time, step] = GetParam();
  std::vector<double> errors;
  for (const double h : {step, step / 2, step / 4}) {
    const Certificate c = run(model_file(name), energy_momentum(), h, time);
    ASSERT_TRUE(c.complete());
    errors.push_back(error_of(c, name));
    EXPECT_LE(c.energy.balance_error, 1e-10) << "h = " << h;  // round-off: measured 1e-15 .. 5e-12
    EXPECT_LE(c.constraints.position, 1e-12) << "h = " << h;
    EXPECT_LE(c.momentum.linear_error, 1e-11) << "h = " << h;
    EXPECT_LE(c.momentum.angular_error, 1e-11) << "h = " << h;
    EXPECT_EQ(c.newton.halved_steps, 0);
  }
  EXPECT_NEAR(observed_order(errors), 2.0, 0.15) << testing::PrintToString(errors);
}

TEST_P(Convergence, OfGeneralizedAlphaIsOfSecondOrder) {
  const auto& [name, time, step] = GetParam();
  for (const double index : {3, 2}) {
    if (index == 2 && name == "four_bar_40") continue;  // as four_bar_2, and long
    std::vector<double> errors;
    for (const double h : {step, step / 2, step / 4}) {
      const Certificate c = run(model_file(name), generalized_alpha(0.9, index), h, time);
      ASSERT_TRUE(c.complete());
      errors.push_back(error_of(c, name));
      EXPECT_LE(c.constraints.position, 1e-12) << "h = " << h;
    }
    if (name == "screw") {  // spin about a fixed axis, uniformly accelerated: the exponential map is exact
      EXPECT_LE(errors.back(), 1e-12);
    } else {
      EXPECT_NEAR(observed_order(errors), 2.0, 0.15) << "index " << index << " " << testing::PrintToString(errors);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Slow, Convergence, testing::ValuesIn(cases), [](const auto& test) { return test.param.name; });

// A run over many periods is right too, not only its order.
TEST(SlowLongRun, OfThePendulumIsThePublishedOne) {
  EXPECT_LE(error_of(run(model_file("pendulum"), energy_momentum(4), 1e-3, 10), "pendulum"), 1e-9);  // measured 1.1e-11
}

// The dampers' work closes the balance: what the springs' dampers took is what the governor lost.
TEST(Dampers, TakeWhatTheGovernorLoses) {
  const Certificate c = run(model_file("flyball_governor"), energy_momentum(), 1e-3, 1);
  double taken = 0;
  for (const auto& [name, work] : c.dissipated) {
    EXPECT_GT(work, 0) << name;
    taken += work;
  }
  EXPECT_EQ(c.dissipated.size(), 2u);
  EXPECT_NEAR(c.energy.initial - c.energy.final, taken, 1e-10 * c.energy.scale);
  EXPECT_GT(taken, 1e-6 * c.energy.scale);  // the claim is not an empty one
  EXPECT_DOUBLE_EQ(c.energy.work, -taken);
}

}  // namespace
}  // namespace polhode::convergence_test
