// Closed loops: redundant equations do not spoil the motion and their reactions are the smallest ones; positions where
// the rank falls are passed on the right branch.
#include <fmt/format.h>
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

// Far from the solution, rows that are redundant there are not: what they leave of pivots must not be divided by, and what
// the elimination drops of multipliers must not pile up. Bennett's linkage, overconstrained in space, lost 70 % (director,
// with 120 of 300 steps halved) and 2.5e-9 (geradin) of its energy.
TEST(OverconstrainedLoop, KeepsItsEnergyWithHalfRotationsAndDirectors) {
  for (const char* method : {"director", "geradin"})
    for (const char* name : {"bennett", "bricard"}) {
      const Certificate c = run(model_file(name), {method, {}}, 0.01, 1);
      EXPECT_TRUE(c.complete());
      EXPECT_EQ(c.newton.halved_steps, 0) << method << " " << name;
      EXPECT_LE(c.energy.balance_error, 1e-12) << method << " " << name;
      EXPECT_LE(c.constraints.position, 1e-12) << method << " " << name;
    }
}

/// A loop of four links in space with a revolute, two universal joints and a spherical one, at a place.
Model loop_at(const Vec3& place) {
  const auto at = [&](double x, double y, double z) {
    return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", place.x() + x, place.y() + y, place.z() + z);
  };
  return model_text(fmt::format(
      R"("gravity": [1, 2, -9], "bodies": [
      {{ "name": "crank", "mass": 1.3, "inertia": [0.11, 0.16, 0.11], "position": {} }},
      {{ "name": "coupler", "mass": 1.8, "inertia": [0.12, 0.15, 0.15], "position": {} }},
      {{ "name": "rocker", "mass": 1.1, "inertia": [0.13, 0.18, 0.14], "position": {} }} ],
    "joints": [ {{ "name": "j0", "type": "revolute", "between": ["ground", "crank"], "at": {}, "axis": [0.2, 1, 0.1] }},
                {{ "name": "j1", "type": "universal", "between": ["crank", "coupler"], "at": {}, "axis_a": [0, 1, 0], "axis_b": [0, 0, 1] }},
                {{ "name": "j2", "type": "spherical", "between": ["coupler", "rocker"], "at": {} }},
                {{ "name": "j3", "type": "revolute", "between": ["ground", "rocker"], "at": {}, "axis": [-0.1, 1, 0.3] }} ])",
      at(0.2, 0, 0.2), at(0.7, 0.1, 0.5), at(1.2, 0.1, 0.3), at(0, 0, 0), at(0.4, 0, 0.4), at(1.1, 0.2, 0.6),
      at(1.3, 0, 0)));
}

// A thousand kilometres away places are rounded to 1e-10 m, and angles, of bodies of 0.3 m, to 1e-9: smaller corrections
// are noise, and no reason to halve a step. Of 100 steps 27 to 43 were halved, and ends were off by 2e-5 m.
TEST(Loop, RunsFarFromTheOriginAsItDoesThere) {
  const Vec3 far(1e6, -5e5, 7e5);
  for (const IntegratorChoice& method : {IntegratorChoice{"energy-momentum", {{"index", 3.0}}},
                                         {"energy-momentum", {}},
                                         generalized_alpha(0.9, 3),
                                         generalized_alpha(0.9, 2),
                                         {"energy-decaying", {}},
                                         {"rattlie", {}},
                                         {"lens-cardona", {}},
                                         {"geradin", {}},
                                         {"director", {}}}) {
    const Certificate near = run(loop_at(Vec3::Zero()), method, 0.01, 1), away = run(loop_at(far), method, 0.01, 1);
    EXPECT_TRUE(away.complete()) << method.name << " " << away.reason;
    EXPECT_EQ(away.newton.halved_steps, 0) << method.name;
    for (const auto& [name, state] : near.bodies)
      EXPECT_LE((body(away, name).position - far - state.position).norm(), 1e-7) << method.name << " " << name;
  }
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
