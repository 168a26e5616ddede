// Observed orders, as the command tells them.
#include <gtest/gtest.h>

#include <polhode/study/convergence.hpp>

#include "simulate/runs.hpp"

namespace polhode::study_convergence_test {
namespace {

TEST(FitOrder, FindsThePowerOfExactPowers) {
  std::vector<double> h, e;
  for (int k = 0; k < 6; ++k) h.push_back(std::pow(0.5, k)), e.push_back(3 * std::pow(h.back(), 3));
  EXPECT_NEAR(fit_order(h, e).order, 3, 1e-12);
  EXPECT_NEAR(fit_order(h, e).uncertainty, 0, 1e-12);
  EXPECT_EQ(fit_order(h, e).points, 6);
}

TEST(FitOrder, LeavesOutTheFloorAndWhatIsCoarse) {
  const std::vector<double> h = {1, 0.5, 0.25, 0.125, 0.0625, 0.03125};
  const std::vector<double> e = {3,      2.5,     1e-1,
                                 2.5e-2, 6.25e-3, 6.3e-3};  // two without a law, three of order 2, one at the floor
  const OrderFit fit = fit_order(h, e);
  EXPECT_NEAR(fit.order, 2, 1e-12);
  EXPECT_EQ(fit.points, 3);
}

TEST(FitOrder, SaysNothingOfOnePoint) { EXPECT_TRUE(std::isnan(fit_order({1, 0.5}, {1e-3, 2e-3}).order)); }

TEST(Convergence, TellsOrdersOfPositionsVelocitiesAndReactions) {
  Model model = model_file("heavy_top");
  model.simulation.end_time = 0.2;
  const std::vector<double> steps = {1e-3, 5e-4, 2.5e-4, 1.25e-4};
  const ConvergenceStudy study = converge(
      model, {energy_momentum(), energy_momentum(4), generalized_alpha(0.9, 2), {"rattlie", {}}}, steps, std::nullopt);
  ASSERT_EQ(study.methods.size(), 4u);
  const auto& [second, fourth, alpha, rattlie] =
      std::tie(study.methods[0], study.methods[1], study.methods[2], study.methods[3]);
  EXPECT_NEAR(second.position.order, 2, 0.03);
  EXPECT_NEAR(second.velocity.order, 2, 0.1);
  EXPECT_NEAR(fourth.angle.order, 4, 0.1);
  EXPECT_NEAR(fourth.velocity.order, 2, 0.1);  // ends of steps meet the joint to second order only
  EXPECT_NEAR(second.force.order, 2, 0.1);
  EXPECT_NEAR(fourth.force.order, 2, 0.1);  // of the mean of the substeps' multipliers
  EXPECT_NEAR(alpha.position.order, 2, 0.05);
  EXPECT_NEAR(alpha.force.order, 2, 0.05);
  EXPECT_NEAR(rattlie.velocity.order, 2, 0.05);
  EXPECT_LT(study.reference.position_error, 1e-9);
}

TEST(Convergence, StopsAtTheFloorOfRounding) {
  // free spin about a principal axis: the exponential map is exact, so that no step is better than another
  const Model model =
      model_text(R"("bodies": [{"name": "b", "mass": 1, "inertia": [1, 2, 3], "angular_velocity": [0, 0, 2]}],
    "simulation": {"step": 0.1, "end_time": 1})");
  const ConvergenceStudy study = converge(model, {generalized_alpha(1)}, {0.1, 0.05, 0.025, 0.0125}, std::nullopt);
  EXPECT_LT(study.methods[0].runs.size(), 4u);
  EXPECT_FALSE(study.methods[0].stopped.empty());
}

TEST(Comparison, MeasuresAtTimesThatAllStepsReach) {
  EXPECT_EQ(common_times({0.1, 0.05}, 0.3, 50).size(), 3u);
  EXPECT_EQ(common_times({0.1, 0.07}, 0.3, 50), std::vector<double>{0.3});
  EXPECT_EQ(common_times({0.1}, 100, 50).size(), 50u);
}

TEST(Comparison, KeepsTheFailureOfOneFromTheOthers) {
  Model model = model_file("heavy_top");
  model.simulation.end_time = 0.1;
  const Comparison c = compare(model, {{{"staggered", {}}, 1e-3}, {energy_momentum(), 1e-3}}, std::nullopt);
  EXPECT_NE(c.runs[0].failure.find("rattlie"),
            std::string::npos);  // an explicit method on a joint: told what to take instead
  EXPECT_TRUE(c.runs[1].failure.empty());
  EXPECT_GT(c.runs[1].largest.position, 1e-6);
  EXPECT_LT(c.runs[1].largest.position, 1e-2);
}

}  // namespace
}  // namespace polhode::study_convergence_test
