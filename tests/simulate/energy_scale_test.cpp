// What errors of energy are measured against, and which energies fail a run: neither the origin nor energy that the
// integrator made changes the scale.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <polhode/model/error.hpp>

#include "simulate/runs.hpp"
#include "simulate/says.hpp"

namespace polhode::energy_scale_test {
namespace {

/// Level at the start: the swing exchanges m g l = 7.848 J, wherever it hangs.
Model pendulum_at(double z) {
  return model_text(fmt::format(
      R"("gravity": [0, 0, -9.81], "bodies": [ {{ "name": "b", "mass": 1, "inertia": [0.02, 0.02, 0.01],
      "position": [0.8, 0, {0}] }} ], "joints": [ {{ "name": "j", "type": "revolute", "between": ["ground", "b"],
      "at": [0, 0, {0}], "axis": [0, 1, 0] }} ])",
      z));
}

Model parallelogram() { return read_model(POLHODE_SOURCE_DIR "/tests/data/models/parallelogram.json"); }

TEST(EnergyScale, DoesNotDependOnTheOrigin) {
  const Certificate low = run(pendulum_at(0), generalized_alpha(), 0.02, 10),
                    high = run(pendulum_at(1e4), generalized_alpha(), 0.02, 10);
  EXPECT_NEAR(low.energy.scale, 7.848, 0.05);
  EXPECT_NEAR(high.energy.scale / low.energy.scale, 1, 1e-6);
  EXPECT_NEAR(high.energy.balance_error / low.energy.balance_error, 1, 1e-3);
  EXPECT_NEAR(high.energy.max_imbalance, high.energy.balance_error * high.energy.scale, 1e-15);
}

// Generalized-alpha at index 3 makes 1.5e8 J out of the 42 J of this mechanism in 2 s. (Later on, whether it still finds
// solutions depends on rounding.)
TEST(EnergyScale, IsNotMadeByARunThatBlowsUp) {
  const Certificate good = run(parallelogram(), energy_momentum(), 0.02, 2),
                    bad = run(parallelogram(), generalized_alpha(), 0.02, 2);
  EXPECT_TRUE(good.complete());
  EXPECT_NEAR(bad.energy.scale / good.energy.scale, 1, 0.5);
  EXPECT_GT(bad.energy.balance_error, 1e5);
  EXPECT_EQ(bad.status, Certificate::Status::failed);
  EXPECT_TRUE(says(bad.reason, "blown up") && says(bad.reason, "t = 2 s, step 100")) << bad.reason;
}

// Where the origin is 1e4 m below, an equilibrium's energy is known to 1e-11 J: rounding is no blow-up.
TEST(EnergyScale, OfAnEquilibriumIsAPartOfItsWeight) {
  Model hanging = pendulum_at(1e4);
  hanging.bodies[0].position = Vec3(0, 0, 1e4 - 0.8);
  const Certificate c = run(hanging, energy_momentum(), 0.02, 10);
  EXPECT_TRUE(c.complete()) << c.reason;
  EXPECT_NEAR(c.energy.scale, 1e-6 * 7.848, 1e-12);
  EXPECT_LE(c.energy.balance_error, 1e-3);  // 1e5 J of numbers, rounded to 1e-16, over 8e-6 J
}

TEST(FiniteFigures, AreAskedOfTheStart) {
  Simulation simulation(
      with(model_text(R"("bodies": [ { "name": "a", "mass": 1, "inertia": [1, 1, 1], "velocity": [1e160, 0, 0] } ])"),
           energy_momentum(), 0.01, 1));
  const Certificate c = simulation.run();
  EXPECT_EQ(c.status, Certificate::Status::failed);
  EXPECT_EQ(c.steps, 0);
  EXPECT_TRUE(says(c.reason, "t = 0 s") && says(c.reason, "kinetic energy [J] is inf")) << c.reason;
}

// x = a t^2/2 with a = 1e160 m/s^2: the kinetic energy overflows in the first step.
TEST(FiniteFigures, FailTheStepInWhichTheyAreLost) {
  const Certificate c = run(model_text(R"("bodies": [ { "name": "a", "type": "particle", "mass": 1 } ],
      "forces": [ { "type": "force", "body": "a", "vector": [1e160, 0, 0] } ])"),
                            {"simo-wong", {}}, 1e-3, 0.01);
  EXPECT_EQ(c.status, Certificate::Status::failed);
  EXPECT_EQ(c.steps, 1);
  EXPECT_TRUE(says(c.reason, "t = 0.001 s, step 1") && says(c.reason, "inf")) << c.reason;
  EXPECT_FALSE(c.energy.balance_error <= 1) << "an error that is not a number is not small";
  EXPECT_EQ(unmet(c, {{"energy", 1e300}}).size(), 1u);
}

TEST(StepPlan, RefusesMoreStepsThanNumbersCount) {
  for (const double step : {1e-20, 1e-300}) {
    const Model model = with(model_file("pendulum"), energy_momentum(), step, 1);
    try {
      const Simulation simulation(model);
      ADD_FAILURE() << step;
    } catch (const ModelError& error) {
      EXPECT_TRUE(says(error.what(), "simulation.step") && says(error.what(), "a run has at most 9e+15"))
          << error.what();
    }
  }
}

}  // namespace
}  // namespace polhode::energy_scale_test
