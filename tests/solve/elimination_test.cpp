// The order of elimination: every group once, joints after their bodies, chains and rings without fill that grows.
#include <polhode/solve/elimination.hpp>

#include <algorithm>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "patterns.hpp"

namespace polhode::elimination_test {
namespace {

std::size_t total_later(const std::vector<Elimination>& plan) {
  return std::accumulate(plan.begin(), plan.end(), std::size_t{0},
                         [](std::size_t sum, const Elimination& e) { return sum + e.later.size(); });
}
std::size_t most_later(const std::vector<Elimination>& plan) {
  std::size_t most = 0;
  for (const Elimination& e : plan) most = std::max(most, e.later.size());
  return most;
}
int closings(const std::vector<Elimination>& plan) {
  return static_cast<int>(std::count_if(plan.begin(), plan.end(), [](const Elimination& e) { return e.closing; }));
}

// A body's neighbours are its joint and its parent; a joint's, what is left of its two bodies. Nothing else, ever.
TEST(Elimination, OfAChainHasNoFillAndIsLinear) {
  const auto small = plan_elimination(patterns::chain(1000)), large = plan_elimination(patterns::chain(2000));
  EXPECT_LE(most_later(small), 2u);
  EXPECT_LE(most_later(large), 2u);
  EXPECT_EQ(closings(large), 0);
  EXPECT_NEAR(static_cast<double>(total_later(large)), 2.0 * static_cast<double>(total_later(small)), 4);
}

TEST(Elimination, OfAStarHasNoFillAndIsLinear) {
  const auto small = plan_elimination(patterns::star(500)), large = plan_elimination(patterns::star(1000));
  EXPECT_LE(most_later(large), 2u);
  EXPECT_NEAR(static_cast<double>(total_later(large)), 2.0 * static_cast<double>(total_later(small)), 4);
}

// The closing joint of a ring is carried along: one more neighbour, and the other branch's at the end.
TEST(Elimination, OfARingIsLinear) {
  const auto small = plan_elimination(patterns::ring(500)), large = plan_elimination(patterns::ring(1000));
  EXPECT_LE(most_later(large), 4u);
  EXPECT_EQ(closings(large), 1);
  EXPECT_NEAR(static_cast<double>(total_later(large)), 2.0 * static_cast<double>(total_later(small)), 12);
}

// A ladder has a loop at every rung: the fill stays that of a front of fixed width.
TEST(Elimination, OfALadderIsLinear) {
  const auto small = plan_elimination(patterns::ladder(100)), large = plan_elimination(patterns::ladder(200));
  EXPECT_EQ(closings(large), 200);
  EXPECT_LE(static_cast<double>(total_later(large)), 2.2 * static_cast<double>(total_later(small)));
}

TEST(Elimination, OfARowOfArchesIsLinear) {
  const auto small = plan_elimination(patterns::arches(200)), large = plan_elimination(patterns::arches(400));
  EXPECT_EQ(closings(large), 400);
  EXPECT_LE(static_cast<double>(total_later(large)), 2.2 * static_cast<double>(total_later(small)));
}

class EliminationOrder : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Random, EliminationOrder, ::testing::Range(0u, 20u));

// Simulated on the graph: `later` is exactly what a group is coupled with when its turn comes.
TEST_P(EliminationOrder, IsAPermutationThatKnowsItsFill) {
  const BlockPattern pattern = patterns::random(GetParam());
  const int n = static_cast<int>(pattern.groups.size());
  std::vector<std::set<int>> neighbours(n);
  const auto couple = [&](int i, int j) {
    if (i != j) neighbours[i].insert(j), neighbours[j].insert(i);
  };
  for (int i = 0; i < n; ++i)
    for (int j : pattern.groups[i].tied) couple(i, j);
  for (const auto& [i, j] : pattern.links) couple(i, j);
  std::vector<char> done(n, 0);
  const auto plan = plan_elimination(pattern);
  ASSERT_EQ(static_cast<int>(plan.size()), n);
  for (const Elimination& e : plan) {
    EXPECT_FALSE(done[e.group]) << "group " << e.group << " twice";
    done[e.group] = 1;
    EXPECT_EQ(std::set<int>(e.later.begin(), e.later.end()), neighbours[e.group]);
    for (int i : e.later) {
      EXPECT_FALSE(done[i]);
      neighbours[i].erase(e.group);
      for (int j : e.later) couple(i, j);
    }
    // a joint has nothing on its diagonal before one of the bodies that it ties is gone
    const auto& tied = pattern.groups[e.group].tied;
    EXPECT_TRUE(!pattern.groups[e.group].bound ||
                std::any_of(tied.begin(), tied.end(), [&](int i) { return done[i] == 1; }));
  }
}

// Independent loops of the graph of bodies and joints: as many joints close one as Euler's formula says.
TEST_P(EliminationOrder, ClosesAsManyLoopsAsTheGraphHas) {
  const BlockPattern pattern = patterns::random(GetParam());
  const int n = static_cast<int>(pattern.groups.size());
  std::vector<int> root(n + 1);  // the ground is n
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int i) {
    while (root[i] != i) i = root[i];
    return i;
  };
  int loops = 0;
  for (const auto& group : pattern.groups) {
    if (!group.bound) continue;
    const int a = find(group.tied[0]), b = find(group.to_ground ? n : group.tied[1]);
    if (a == b) ++loops;
    root[a] = b;
  }
  EXPECT_EQ(closings(plan_elimination(pattern)), loops);
}

}  // namespace
}  // namespace polhode::elimination_test
