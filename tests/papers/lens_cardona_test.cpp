// The numbers that the page on Lens & Cardona stands on.
#include <polhode/papers/lens_cardona.hpp>

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace polhode::papers::lens_cardona::lens_cardona_test {
namespace {

double loss(const std::vector<double>& total) { return total.front() - total.back(); }

// Digits of an independent implementation of the same equations; the exact motion is at -1.4050273115248,
// -1.7993090169071.
TEST(LensCardonaPaper, HasTheDigitsOfTheUnconstrainedPendulum) {
  const auto expect = [](const Swing& s, double theta, double rate) {
    EXPECT_NEAR(s.theta.back(), theta, 2e-12);
    EXPECT_NEAR(s.rate.back(), rate, 2e-12);
  };
  expect(swing_preserving(.02, 1), -1.404714833525, -1.800988494062);
  expect(swing_decaying(1, .02, 1), -1.405020044246, -1.799298361194);
  expect(swing_decaying(.5, .02, 1), -1.405023495561, -1.799304667858);
  expect(swing_decaying(0, .02, 1), -1.405026934714, -1.79931104315);
  EXPECT_NEAR(loss(swing_decaying(1, .02, 4).total), 2.9005885e-4, 1e-11);
  EXPECT_NEAR(loss(swing_decaying(.2, .02, 4).total), 5.8015969e-5, 1e-11);
}

// The same pendulum as a body about a fixed point, run by the integrator: other rotations in a step, the same motion.
TEST(LensCardonaPaper, RunsTheUnconstrainedPendulumAsABody) {
  std::vector<double> errors;
  for (const double h : {.02, .01, .005}) {
    Model model = built_in_model("lens_a");
    model.simulation.integrator = scheme("decaying-alpha", 1);
    model.simulation.step = h;
    model.simulation.end_time = 1;
    const Certificate c = Simulation(model).run();
    const Vec3 bob = c.bodies[0].second.orientation * Vec3(0, -1, 0);
    errors.push_back(std::abs(std::atan2(bob.x(), -bob.y()) + 1.4050273115248));
    EXPECT_LE(c.energy.largest_gain,
              1e-15);  // rounding: the pendulum starts without energy, and its first step has next to none
  }
  EXPECT_LT(errors[0], 2e-3);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.1);  // the Cayley map is of second order
}

TEST(LensCardonaPaper, ConstraintsMakeTheDecayingSchemeLoseTenThousandTimesAsMuch) {
  const double a = loss(swing_decaying(1, .02, 4).total),
               b = loss(run("lens_b", scheme("decaying-alpha", 1), .02, 4).total);
  EXPECT_NEAR(b / a, 1.19e4, 1e2);
  EXPECT_NEAR(b / loss(run("lens_b", scheme("alpha-kappa", 1), .02, 4).total), 909, 1);
}

TEST(LensCardonaPaper, KappaStaysNearOneOnThePendulum) {
  const Motion m = run("lens_b", scheme("alpha-kappa", 0, "exact"), .02, 4);
  const auto [least, most] = std::minmax_element(m.kappa.begin(), m.kappa.end());
  EXPECT_NEAR(*least, 0.999973, 1e-6);
  EXPECT_NEAR(*most, 1.000028, 1e-6);
}

// Large steps: 100 of the fastest periods.
TEST(SlowLensCardonaPaper, EnergyDecayingTakesLargeStepsOfStiffModels) {
  for (const StiffCase& stiff : stiff_cases()) {
    SCOPED_TRACE(stiff.name);
    EXPECT_GE(stiff.step, 100 * stiff.fastest_period);
    for (const double rho : {0.0, 0.8}) {
      const IntegratorChoice choice{"energy-decaying", {{"rho_inf", rho}}};
      const Certificate c = lens_cardona::run(stiff.model, choice, stiff.step, stiff.end_time).certificate;
      EXPECT_TRUE(c.complete());
      EXPECT_EQ(c.energy.gaining_steps, 0) << c.energy.largest_gain;
      EXPECT_LE(c.energy.identity_error, 1e-10);
      const double e1 = slow_error(stiff, choice, stiff.step), e2 = slow_error(stiff, choice, stiff.step / 2);
      EXPECT_NEAR(std::log2(e1 / e2), 2, 0.25) << e1 << " " << e2;
    }
  }
  EXPECT_EQ(run("lens_d", {"energy-decaying", {{"rho_inf", 0.5}}}, .01, 5).certificate.energy.gaining_steps, 0);
}

}  // namespace
}  // namespace polhode::papers::lens_cardona::lens_cardona_test
