// What a model is asked before it runs: whether it is sound, which methods serve it, what its motion is compared with.
#include <polhode/study/check.hpp>

#include <numbers>

#include <gtest/gtest.h>

#include <polhode/integrate/methods.hpp>
#include <polhode/model/error.hpp>
#include <polhode/study/error_estimate.hpp>
#include <polhode/study/reference_file.hpp>
#include <polhode/study/serving_methods.hpp>

#include "simulate/runs.hpp"

namespace polhode::check_test {
namespace {

TEST(Check, CountsFreedomsAndRedundantEquations) {
  const CheckReport report = check(model_file("planar_four_bar"));
  EXPECT_EQ(report.body_freedoms, 18);
  EXPECT_EQ(report.start.freedoms, 1);
  EXPECT_EQ(report.start.equations - report.start.rank, 3);
  EXPECT_EQ(report.start.redundancies.size(), 3u);
  const nlohmann::json json = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(json.at("redundant"), 3);
  EXPECT_NE(to_text(report).find("1 degree of freedom"), std::string::npos);
}

TEST(Check, AdvisesAgainstAStepOfSeveralRadians) {
  Model top = model_file("heavy_top");
  EXPECT_TRUE(check(top).advice.empty());
  top.simulation.step = 0.1;
  EXPECT_EQ(check(top).advice.size(), 1u);
}

TEST(Check, RefusesWhatARunWouldRefuse) {
  Model model = model_file("double_pendulum");
  for (const Service& service : services(model)) {
    model.simulation.integrator = service.integrator;
    const auto refused = [&](const auto& act) {
      try {
        act();
      } catch (const ModelError& error) {
        return std::string(error.what());
      }
      return std::string();
    };
    const std::string by_check = refused([&] { check(model); }), by_run = refused([&] { Simulation run(model); });
    EXPECT_EQ(by_check, by_run) << service.integrator.name;
    EXPECT_EQ(service.why_not.value_or(""), by_run) << service.integrator.name;
  }
}

TEST(ErrorEstimate, IsTheErrorOfAMethodOfOrderTwo) {
  Model model = with(model_file("heavy_top"), energy_momentum(), 1e-3, 0.1);
  const Certificate coarse = Simulation(model).run();
  const Certificate exact = run(model, energy_momentum(4), 1e-4, 0.1);
  const auto estimate = estimate_error(model, coarse);
  ASSERT_TRUE(estimate);
  EXPECT_NEAR(estimate->position / (body(coarse, "top").position - body(exact, "top").position).norm(), 1, 0.02);
  EXPECT_FALSE(estimate->lost);
  EXPECT_FALSE(estimate_error(model, coarse, [](double, double) { return false; }));  // interrupted
}

// At 25 ms the plain rule loses the crank: after 30 s it is many turns behind, and a run with half the step is too far
// from it to tell by how many.
TEST(ErrorEstimate, CountsTurnsAndSaysWhenTwoRunsHaveLostEachOther) {
  Model model = with(model_file("slider_crank"), {"energy-momentum", {{"order", 2.0}, {"index", 3.0}}}, 0.025, 30);
  Certificate coarse = Simulation(model).run();
  coarse.trajectory = estimate_error(model, coarse);
  ASSERT_TRUE(coarse.trajectory && coarse.trajectory->lost);
  EXPECT_GT(coarse.trajectory->angle, 10 * std::numbers::pi);
  EXPECT_GT(*coarse.trajectory->lost, 0.1);
  EXPECT_LT(*coarse.trajectory->lost, 10);
  judge(coarse);
  EXPECT_NE(to_text(coarse).find("lost each other at t = "), std::string::npos);
}

// A wheel that a torque drives: the estimate of a good run stays small over tens of turns.
TEST(ErrorEstimate, DoesNotLoseASpinningWheel) {
  const Model model = with(parse_model(R"({ "polhode": 1, "bodies": [ { "name": "wheel", "mass": 1,
      "inertia": [0.01, 0.01, 0.02], "angular_velocity": [0, 0, 30] } ], "joints": [ { "name": "bearing",
      "type": "revolute", "between": ["ground", "wheel"], "axis": [0, 0, 1] } ], "forces": [ { "name": "motor",
      "type": "torque", "body": "wheel", "vector": [0, 0, 0.02] } ] })",
                                       "test"),
                           energy_momentum(), 1e-3, 5);
  const auto estimate = estimate_error(model, Simulation(model).run());
  ASSERT_TRUE(estimate);
  EXPECT_FALSE(estimate->lost);
  EXPECT_LT(estimate->angle, 0.1);
}

TEST(Reference, OfAStudyIsTheFileAskedForOrTheModelsOrNone) {
  Model model = model_file("heavy_top");
  const std::filesystem::path folder = POLHODE_SOURCE_DIR "/models";
  EXPECT_TRUE(known_reference(model, "", folder));
  EXPECT_FALSE(known_reference(model, "", std::nullopt));
  EXPECT_FALSE(known_reference(model, "computed", folder));
  EXPECT_TRUE(known_reference(model, POLHODE_SOURCE_DIR "/models/references/pendulum.json", std::nullopt));
  EXPECT_THROW(known_reference(model, "no_such_file.json", folder), ModelError);
  model.simulation.end_time = 1e-3;  // ends before the first time of the table
  EXPECT_FALSE(known_reference(model, "", folder));
}

}  // namespace
}  // namespace polhode::check_test
