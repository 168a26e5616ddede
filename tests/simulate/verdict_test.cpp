// What a certificate says first: figures beyond their bounds, the status that follows, and what a script may demand.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "simulate/runs.hpp"
#include "simulate/says.hpp"

namespace polhode::verdict_test {
namespace {

using enum Certificate::Status;

/// A wheel that spins at `rate` about z, in its bearing.
Model wheel(double rate) {
  return model_text(fmt::format(
      R"("bodies": [ {{ "name": "wheel", "mass": 1, "inertia": [0.01, 0.01, 0.02], "angular_velocity": [0, 0, {}] }} ],
      "joints": [ {{ "name": "bearing", "type": "revolute", "between": ["ground", "wheel"], "axis": [0, 0, 1] }} ])",
      rate));
}

// The spin is constant, so is the turn of a step: also beyond half a turn and beyond a whole one.
TEST(Turn, OfAStepIsTheSpinTimesTheStep) {
  for (const double turn : {1e-7, 0.1, 1.0, 2.9}) {
    const Certificate c = run(wheel(turn / 0.01), {"rattlie", {}}, 0.01, 0.2);
    EXPECT_NEAR(c.resolution.turn / turn, 1, 1e-6) << turn;
    EXPECT_EQ(c.resolution.turn_body, "wheel");
  }
}

// Past half a turn the orientations at both ends do not tell; with the spin they do.
TEST(Turn, IsCountedPastAWholeTurn) {
  const CompiledModel compiled = compile(model_text(
      R"("bodies": [ { "name": "ball", "mass": 1, "inertia": [1, 1, 1], "angular_velocity": [0, 0, 1] } ])"));
  for (const double turn : {0.5, 3.0, 4.0, 7.0, 12.0}) {
    State state = compiled.start;
    Accountant accountant(compiled);
    Ledger ledger = accountant.open(state);
    state.nodes[0].q = so3::exp(Vec3(0, 0, turn)) * state.nodes[0].q;
    state.nodes[0].Omega = Vec3(0, 0, 1.02 * turn / 0.01);  // as exact as a velocity is
    StepOutcome taken;
    taken.accepted = true;
    taken.h = 0.01;
    accountant.account(state, taken, ledger);
    EXPECT_NEAR(ledger.turn.angle, turn, 1e-12);
  }
}

TEST(Verdict, WarnsOfALargeTurnAndSaysWhichStepToTake) {
  const Certificate fine = run(model_file("heavy_top"), energy_momentum(), 1e-3, 0.1),
                    coarse = run(model_file("heavy_top"), energy_momentum(), 0.02, 1);
  EXPECT_EQ(fine.status, complete);
  EXPECT_TRUE(fine.warnings.empty());
  EXPECT_NEAR(fine.resolution.turn, 0.15, 0.01);
  EXPECT_EQ(coarse.status, complete_with_warnings);
  EXPECT_TRUE(coarse.complete());
  EXPECT_NEAR(coarse.resolution.turn, 2 * std::atan(0.5 * 0.02 * 150), 0.01);  // the Cayley map of the spin
  EXPECT_TRUE(says(to_text(coarse), "Warning: ")) << "its first line";
  EXPECT_EQ(to_text(coarse).rfind("Warning: ", 0), 0u);
  const auto json = nlohmann::json::parse(to_json(coarse));
  EXPECT_EQ(json.at("status"), "complete with warnings");
  EXPECT_EQ(json.at("warnings").size(), coarse.warnings.size());
  EXPECT_EQ(nlohmann::json::parse(to_json(fine)).at("warnings").size(), 0u);
}

// Energy flows into velocities across the joints, and the crank nearly stops, without an error of energy.
TEST(Verdict, WarnsFirstOfEnergyAcrossTheJoints) {
  const Certificate c =
      run(model_file("slider_crank"), {"energy-momentum", {{"order", 2.0}, {"index", 3.0}}}, 0.025, 30);
  EXPECT_LE(c.energy.balance_error, 1e-11);
  EXPECT_GT(c.resolution.across_joints, 0.1);
  ASSERT_FALSE(c.warnings.empty());
  EXPECT_TRUE(says(c.warnings.front(), "across the joints") && says(c.warnings.front(), "\"index\": 2"));
  const Certificate met =
      run(model_file("slider_crank"), {"energy-momentum", {{"order", 2.0}, {"index", 2.0}}}, 0.025, 3);
  EXPECT_LE(met.resolution.across_joints, 1e-12);
}

// T(v) - T(P v), against velocities that are projected and energies that are subtracted.
TEST(AcrossJoints, IsTheEnergyThatAProjectionTakes) {
  const Model model = with(model_file("slider_crank"), {"energy-momentum", {{"order", 2.0}, {"index", 3.0}}}, 0.025, 1);
  Simulation simulation(model);
  for (int k = 0; k < 32; ++k) ASSERT_TRUE(simulation.step());  // the last of these is always measured
  const System& system = simulation.compiled().system;
  State state = simulation.state();
  std::vector<Frame> frames;
  system.frames(state, frames);
  const double before = energy(system, state, frames).kinetic;
  ConstrainedMass mass(system);
  project_velocities(system, mass, {}, state);
  const double taken = before - energy(system, state, frames).kinetic;
  EXPECT_GT(taken, 1e-6 * simulation.ledger().largest_kinetic);
  EXPECT_GE(simulation.ledger().across.energy, taken * (1 - 1e-9));
  EXPECT_LE(simulation.ledger().across.energy, 10 * taken);  // the largest until now
}

// A mass on a spring: 2 pi/(omega h) steps a period.
TEST(StepsPerPeriod, AreThoseOfTheStiffestSpring) {
  const Model model = model_text(R"("bodies": [ { "name": "m", "type": "particle", "mass": 2, "position": [1, 0, 0] } ],
      "forces": [ { "name": "soft", "type": "spring-damper", "between": ["ground", "m"], "stiffness": 8, "length": 1 },
                  { "name": "stiff", "type": "spring-damper", "between": ["ground", "m"], "stiffness": 800,
                    "length": 1 } ])");
  const double period = 2 * std::numbers::pi / std::sqrt(400.0);
  const Certificate fine = run(model, energy_momentum(), period / 50, 1),
                    coarse = run(model, energy_momentum(), 0.2, 1);
  EXPECT_NEAR(fine.resolution.steps_per_period, 50, 1e-6);
  EXPECT_EQ(fine.resolution.stiffest, "stiff");
  EXPECT_EQ(fine.status, complete);
  EXPECT_EQ(coarse.status, complete_with_warnings);
  EXPECT_TRUE(says(coarse.warnings.front(), "\"stiff\"") && says(coarse.warnings.front(), "steps a period"));
  EXPECT_TRUE(std::isinf(run(wheel(1), energy_momentum(), 0.01, 0.1).resolution.steps_per_period));
}

TEST(Verdict, WarnsOfHalvedStepsAndOfALostBalance) {
  const Certificate halved = run(model_file("heavy_top"), generalized_alpha(0.9), 0.02, 0.2);
  EXPECT_GT(halved.resolution.halved, 0.05);
  EXPECT_NE(std::find_if(halved.warnings.begin(), halved.warnings.end(),
                         [](const std::string& w) { return w.find("were halved") != std::string::npos; }),
            halved.warnings.end());
  const Certificate lost = run(model_file("pendulum"), generalized_alpha(0.5), 0.1, 10);
  EXPECT_GT(lost.energy.balance_error, 0.01);
  EXPECT_NE(std::find_if(lost.warnings.begin(), lost.warnings.end(),
                         [](const std::string& w) { return w.find("balance of energy") != std::string::npos; }),
            lost.warnings.end());
}

TEST(Requirements, TakeEachFigureByItsName) {
  const Certificate c = run(model_file("heavy_top"), energy_momentum(), 1e-3, 0.1);
  EXPECT_TRUE(unmet(c, {{"turn", 0.2}, {"steps_per_period", 10}, {"across_joints", 0.01}, {"halved", 0}}).empty());
  const auto lines = unmet(c, {{"turn", 0.1}});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(says(lines[0], "turn is 0.15"));
  Certificate few = c;
  few.resolution.steps_per_period = 4;
  EXPECT_EQ(unmet(few, {{"steps_per_period", 10}}).size(), 1u);
  EXPECT_TRUE(unmet(few, {{"steps_per_period", 3}}).empty());
  few.resolution.across_joints = NAN;
  EXPECT_EQ(unmet(few, {{"across_joints", 1}}).size(), 1u);
}

// A checkpoint takes the figures along: going back and on again gives the same certificate.
TEST(Resolution, OfARunThatWentBackIsThatOfTheRunThatDidNot) {
  const Model model = with(model_file("slider_crank"), energy_momentum(), 0.02, 2);
  Simulation straight(model), back(model);
  const Certificate expected = straight.run();
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(back.step());
  const Simulation::Checkpoint there = back.checkpoint();
  for (int k = 0; k < 30; ++k) ASSERT_TRUE(back.step());
  back.restore(there);
  const Certificate c = back.run();
  EXPECT_EQ(c.resolution.turn, expected.resolution.turn);
  EXPECT_EQ(c.resolution.across_joints, expected.resolution.across_joints);
}

}  // namespace
}  // namespace polhode::verdict_test
