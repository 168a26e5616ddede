// Closed loops: redundant equations do not spoil the motion and their reactions are the smallest ones; positions where
// the rank falls are passed on the right branch.
#include <gtest/gtest.h>

#include <polhode/solve/svd.hpp>

#include "simulate/runs.hpp"
#include "system/random_models.hpp"

namespace polhode::loops_test {
namespace {

struct Loop {
  const char* name;
  int redundant;
  friend std::ostream& operator<<(std::ostream& out, const Loop& loop) { return out << loop.name; }
};

class RedundantLoop : public testing::TestWithParam<Loop> {};

TEST_P(RedundantLoop, RunsTenSecondsOnItsConstraintsAndNamesWhatIsRedundant) {
  const auto& [name, redundant] = GetParam();
  const Certificate c = run(model_file(name), energy_momentum(), 5e-3, 10);
  ASSERT_TRUE(c.complete());
  EXPECT_LE(c.constraints.position, 1e-10);  // measured 3e-15
  EXPECT_LE(c.energy.balance_error, 1e-10);
  EXPECT_EQ(c.constraints.redundant, redundant);
  EXPECT_EQ(c.constraints.freedoms, 1);
  ASSERT_EQ(c.constraints.redundancies.size(), static_cast<std::size_t>(redundant));
  for (const std::string& text : c.constraints.redundancies) {
    EXPECT_NE(text.find("redundant in joint \""), std::string::npos) << text;
    EXPECT_TRUE(text.find("force") != std::string::npos || text.find("moment") != std::string::npos) << text;
  }
  ASSERT_FALSE(c.reactions.empty());
  for (const auto& [joint, reaction] : c.reactions) EXPECT_FALSE(reaction.unique) << joint;
}

// By a singular value decomposition of the whole Jacobian: as many zero singular values as redundancies; the
// multipliers have no part in the null space of B^T, so no smaller ones have the same forces; and the forces are those
// of the step.
TEST_P(RedundantLoop, HasTheSmallestReactionsThatMoveItSo) {
  const auto& [name, redundant] = GetParam();
  Simulation simulation(with(model_file(name), energy_momentum(), 5e-3, 1));
  while (!simulation.done()) ASSERT_TRUE(simulation.step());
  const auto multipliers = simulation.sample().multipliers;
  const VecX lambda = Eigen::Map<const VecX>(multipliers.data(), static_cast<Eigen::Index>(multipliers.size()));
  const MatX B = dense_jacobian(simulation.compiled().system, simulation.state());
  const Eigen::JacobiSVD<MatX> svd(B, Eigen::ComputeFullU);
  const auto rank = (svd.singularValues().array() > 1e-9 * svd.singularValues()[0]).count();
  ASSERT_EQ(B.rows() - rank, redundant);
  const MatX null_space = svd.matrixU().rightCols(redundant);
  EXPECT_LE((B.transpose() * null_space).norm(), 1e-9);
  EXPECT_LE((null_space.transpose() * lambda).norm(),
            1e-7 * lambda.norm());  // 1e-16 over the regularisation, 1e-9: measured 5e-9
  const VecX forces = B.transpose() * simulation.state().lambda;
  EXPECT_LE((B.transpose() * lambda - forces).norm(), 1e-7 * forces.norm());
  EXPECT_LE(lambda.norm(), simulation.state().lambda.norm() * (1 + 1e-9));
  EXPECT_GT(lambda.norm(), 1);  // N: not all zero
}

INSTANTIATE_TEST_SUITE_P(Loops, RedundantLoop,
                         testing::Values(Loop{"planar_four_bar", 3}, Loop{"bennett", 3}, Loop{"bricard", 1}),
                         [](const auto& test) { return test.param.name; });

// The uprights fall through the horizontal, where all rods lie in one line and the mechanism could fork.
TEST(SlowSingularPose, IsPassedOnTheRightBranchByTwoFourBars) {
  const Certificate c = run(model_file("four_bar_2"), energy_momentum(), 1e-3, 10);
  ASSERT_TRUE(c.complete());
  EXPECT_LE(error_of(c, "four_bar_2"), 1e-3);  // the other branch is 1 m away
  EXPECT_LE(c.energy.max_relative_error, 1e-10);
  EXPECT_LE(c.constraints.position, 1e-10);
  EXPECT_EQ(c.constraints.redundant, 6);
}

TEST(SlowSingularPose, IsPassedOnTheRightBranchByFortyFourBars) {
  const Certificate c = run(model_file("four_bar_40"), energy_momentum(), 4e-3, 1);
  ASSERT_TRUE(c.complete());
  EXPECT_LE(error_of(c, "four_bar_40"), 2e-4);  // measured 9.3e-5, of order h^2
  EXPECT_EQ(c.constraints.redundant, 120);
}

}  // namespace
}  // namespace polhode::loops_test
