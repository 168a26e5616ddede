// Block elimination against dense LU and KLU, on patterns and on the equations of random mechanisms; and what it makes
// of redundant joints.
#include <polhode/solve/block_lu.hpp>
#include <polhode/solve/small_lu.hpp>
#include <polhode/solve/sparse_lu.hpp>

#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "patterns.hpp"
#include "system/configurations.hpp"

namespace polhode::block_lu_test {
namespace {

/// |A x - b| / (|A| |x| + |b|), in the largest norm.
double backward_error(const MatX& A, const VecX& x, const VecX& b) {
  return size_of(A * x - b) / (A.cwiseAbs().rowwise().sum().maxCoeff() * size_of(x) + size_of(b));
}

/// Solves with all three and compares. Without pivoting between blocks the error may grow with the coupling of the
/// blocks: 1e-12 leaves three digits for that. KLU pivots, and may lose one.
void expect_agreement(BlockLU& lu, Random& random) {
  const MatX A = dense(lu.matrix());
  const Eigen::FullPivLU<MatX> exact(A);
  ASSERT_TRUE(exact.isInvertible());
  const double condition =
      exact.inverse().cwiseAbs().rowwise().sum().maxCoeff() * A.cwiseAbs().rowwise().sum().maxCoeff();
  const VecX b = random.vector_x(lu.matrix().rows());
  VecX by_klu = b, by_blocks = b;
  SparseLU sparse;
  ASSERT_TRUE(sparse.factor(lu.matrix()));
  sparse.solve(by_klu);
  BlockLU same = lu;
  ASSERT_TRUE(lu.factor());
  EXPECT_TRUE(lu.deficient().empty());
  lu.solve(by_blocks);
  VecX in_one_pass = b;
  ASSERT_TRUE(same.factor_and_solve(in_one_pass));
  EXPECT_EQ(in_one_pass, by_blocks);
  EXPECT_LE(backward_error(A, by_blocks, b), 1e-12);
  EXPECT_LE(backward_error(A, by_klu, b), 1e-14);
  EXPECT_LE(error(by_blocks, exact.solve(b)), 1e-12 * condition);
  EXPECT_LE(error(by_blocks, by_klu), 1e-12 * condition);
}

class BlockLUPattern : public ::testing::TestWithParam<unsigned> {
 protected:
  void expect_solved(const BlockPattern& pattern) {
    BlockLU lu(pattern);
    Random random(GetParam() + 500);
    patterns::fill(pattern, random, lu.matrix());
    expect_agreement(lu, random);
  }
};
INSTANTIATE_TEST_SUITE_P(Random, BlockLUPattern, ::testing::Range(0u, 10u));

TEST_P(BlockLUPattern, SolvesChains) { expect_solved(patterns::chain(1 + 3 * static_cast<int>(GetParam()))); }
TEST_P(BlockLUPattern, SolvesStars) { expect_solved(patterns::star(1 + 2 * static_cast<int>(GetParam()))); }
TEST_P(BlockLUPattern, SolvesRings) { expect_solved(patterns::ring(2 + 2 * static_cast<int>(GetParam()))); }
TEST_P(BlockLUPattern, SolvesLadders) { expect_solved(patterns::ladder(1 + static_cast<int>(GetParam()))); }
TEST_P(BlockLUPattern, SolvesArches) { expect_solved(patterns::arches(1 + static_cast<int>(GetParam()))); }
TEST_P(BlockLUPattern, SolvesRandomGraphs) { expect_solved(patterns::random(GetParam())); }

// The tangent of a step plus the inertias: what an integrator solves.
TEST_P(BlockLUPattern, SolvesTheStepsOfMechanisms) {
  const CompiledModel model =
      compile(random_model(GetParam(), {.bodies = 3 + static_cast<int>(GetParam()), .loops = 3}));
  const System& system = model.system;
  Random random(GetParam());
  AssemblyPlan plan = system.plan(1);
  BlockLU lu(plan.pattern);
  system.find_slots(plan, lu.matrix());
  const auto start = frames_of(system, model.start);
  const auto end = moved(start, random_motion(system, random, 1e-3));
  const VecX lambda = 1e-4 * random.vector_x(system.row_count);
  std::vector<Vec6> force(system.node_count() + 1, Vec6::Zero());
  VecX phi(system.row_count);
  lu.matrix().set_zero();
  const Stage stage{
      .start = start, .end = end, .t1 = 1e-2, .scale = 0.5e-4, .lambda = span_of(lambda), .given = &model.start};
  system.evaluate(stage, force, span_of(phi), &plan, &lu.matrix());
  for (int i = 0; i < system.node_count(); ++i) {
    system.add_node_block(i, system.inertia[i].matrix(end[i].d), plan, lu.matrix());
  }
  expect_agreement(lu, random);
}

// A tree's joint without rank is said, not divided by.
TEST(BlockLU, RefusesASingularTree) {
  const BlockPattern pattern = patterns::chain(3, 2);
  BlockLU lu(pattern);
  Random random(1);
  patterns::fill(pattern, random, lu.matrix());
  const auto slot = lu.matrix().find(3 + 2, 2);  // the last joint's rows on the last body
  for (int k = 0; k < 12; ++k) lu.matrix().values()[slot + k] = 0;
  EXPECT_FALSE(lu.factor());
}

// S X S = S and X S X = X for matrices of every rank, X S = 1 for those of full rank.
TEST(GeneralisedInverse, HasItsDefiningProperties) {
  Random random(2);
  for (int n = 1; n <= 8; ++n)
    for (int rank = 0; rank <= n; ++rank) {
      const auto numbers = [&](int rows, int columns) {
        return MatX(MatX::NullaryExpr(rows, columns, [&] { return random.number(); }));
      };
      const MatX S = rank == 0 ? MatX(MatX::Zero(n, n)) : MatX(numbers(n, rank) * numbers(rank, n));
      MatX X = S;
      const VecX sizes = VecX::Ones(n);
      EXPECT_EQ(small::generalised_inverse(n, sizes.data(), 1e-10, X.data()), rank);
      const double bound = 1e-12 * std::max(1.0, size_of(X) * size_of(X));
      EXPECT_LE(size_of(S * X * S - S), bound) << n << " " << rank;
      EXPECT_LE(size_of(X * S * X - X), bound * std::max(1.0, size_of(X))) << n << " " << rank;
      EXPECT_TRUE(rank < n || size_of(X * S - MatX::Identity(n, n)) <= bound) << n;
    }
}

TEST(BlockMatrix, SaysWhenItsNumbersHaveNoPlaces) {
  BlockPattern pattern;
  for (int k = 0; k < 2; ++k)
    pattern.groups.push_back({.size = 50000, .bound = false, .anchored = false, .tied = {}, .to_ground = false});
  EXPECT_THROW(BlockMatrix{pattern}, std::length_error);  // 2 x 2.5e9 numbers, none of them made yet
}

}  // namespace
}  // namespace polhode::block_lu_test
