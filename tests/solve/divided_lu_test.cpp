// The elimination in parts, side by side: the factors of the whole but for rounding, and the same whoever computes
// them.
#include <polhode/solve/block_lu.hpp>
#include <polhode/solve/subtrees.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include "solve/patterns.hpp"

namespace polhode::divided_lu_test {
namespace {

constexpr int ground = patterns::ground;

BlockPattern binary_tree(int n) {
  patterns::Builder b(n);
  for (int i = 0; i < n; ++i) b.joint(i == 0 ? ground : (i - 1) / 2, i, 3 + i % 3);
  return b;
}

/// n chains of m bodies that hang on the ground, each tied to the next one at every body: loops everywhere.
BlockPattern curtain(int n, int m) {
  patterns::Builder b(n * m);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < m; ++k) {
      b.joint(k == 0 ? ground : i * m + k - 1, i * m + k, 3);
      if (i > 0) b.joint((i - 1) * m + k, i * m + k, 1).link((i - 1) * m + k, i * m + k);
    }
  return b;
}

std::vector<std::pair<std::string, BlockPattern>> all_patterns() {
  return {{"tree", binary_tree(300)},   {"curtain", curtain(12, 6)},    {"arches", patterns::arches(60)},
          {"star", patterns::star(50)}, {"chain", patterns::chain(80)}, {"ladder", patterns::ladder(30)},
          {"ring", patterns::ring(40)}};
}

/// Every block's numbers, by rows and columns: the slots of two factorisations need not be the same.
std::vector<double> blocks_of(const BlockMatrix& matrix) {
  std::vector<std::pair<std::pair<int, int>, std::int64_t>> blocks;
  matrix.for_each_block([&](int i, int j, Slot slot) { blocks.push_back({{i, j}, slot}); });
  std::sort(blocks.begin(), blocks.end());
  std::vector<double> out;
  for (const auto& [place, slot] : blocks) {
    const auto values = matrix.values().subspan(slot, matrix.size(place.first) * matrix.size(place.second));
    out.insert(out.end(), values.begin(), values.end());
  }
  return out;
}

/// The largest difference, relative to the largest number.
double distance(const std::vector<double>& a, const std::vector<double>& b) {
  const Eigen::Map<const VecX> x(a.data(), static_cast<long>(a.size())), y(b.data(), static_cast<long>(b.size()));
  return (x - y).cwiseAbs().maxCoeff() / x.cwiseAbs().maxCoeff();
}

struct Solved {
  bool regular;
  std::vector<double> factors;
  VecX x;
  double backward_error;  ///< the largest of |b - A x|, relative to |A| |x| + |b|
};

Solved solve(const BlockPattern& pattern, const Division& division) {
  BlockLU lu(pattern, division);
  Random random(7);
  patterns::fill(pattern, random, lu.matrix());
  const BlockMatrix A = lu.matrix();
  const VecX b = VecX::LinSpaced(A.rows(), -1, 2);
  Solved out{lu.factor(), blocks_of(lu.matrix()), b, 0};
  lu.solve(out.x);
  VecX residual = b, size = b.cwiseAbs();
  A.for_each_block([&](int i, int j, Slot slot) {
    const Eigen::Map<const MatX> block(A.values().data() + slot, A.size(i), A.size(j));
    residual.segment(A.offset(i), A.size(i)) -= block * out.x.segment(A.offset(j), A.size(j));
    size.segment(A.offset(i), A.size(i)) += block.cwiseAbs() * out.x.segment(A.offset(j), A.size(j)).cwiseAbs();
  });
  out.backward_error = residual.cwiseAbs().maxCoeff() / size.maxCoeff();
  return out;
}

TEST(DividedLU, SolvesLikeTheWhole) {
  for (const auto& [name, pattern] : all_patterns()) {
    const Solved whole = solve(pattern, {});
    ASSERT_TRUE(whole.regular);
    for (const int parts : {2, 5, 32}) {
      const Solved divided = solve(pattern, {parts, nullptr});
      EXPECT_TRUE(divided.regular);
      EXPECT_LE(divided.backward_error, 1e-13 + 10 * whole.backward_error) << name << ", " << parts << " parts";
      // a tree that is divided has the same sums: each row of the trunk gathers in the order of the steps
      if (name == "tree") {
        EXPECT_EQ(distance(divided.factors, whole.factors), 0) << parts << " parts";
      }
    }
  }
}

TEST(DividedLU, DoesNotDependOnTheThreads) {
  for (const auto& [name, pattern] : all_patterns()) {
    const Solved alone = solve(pattern, {16, nullptr});
    for (const int threads : {2, 3, 5}) {
      ThreadPool pool(threads);
      const Solved shared = solve(pattern, {16, &pool});
      EXPECT_EQ(shared.factors, alone.factors) << name << ", " << threads << " threads";
      EXPECT_EQ(shared.x, alone.x) << name << ", " << threads << " threads";
    }
  }
}

TEST(DividedLU, SaysThatAPivotOfAPartIsSingular) {
  const BlockPattern pattern = binary_tree(200);
  for (const int threads : {1, 3})
    for (const int body : {0, 50, 199}) {
      ThreadPool pool(threads);
      BlockLU lu(pattern, {8, &pool});
      Random random(1);
      patterns::fill(pattern, random, lu.matrix());
      ASSERT_TRUE(lu.factor());
      patterns::fill(pattern, random, lu.matrix());
      for (int i : {body, (body - 1) / 2})  // a leaf without inertia, or a body that gets none from below
        Eigen::Map<Mat6>(lu.matrix().values().data() + lu.matrix().find(i, i)).setConstant(std::nan(""));
      EXPECT_FALSE(lu.factor()) << body;
    }
}

TEST(DivideElimination, PutsNothingIntoTwoPartsThatIsTied) {
  for (const auto& [name, pattern] : all_patterns()) {
    const std::vector<Elimination> plan = plan_elimination(pattern);
    const std::vector<int> part = divide_elimination(pattern, plan, 8);
    if (name == "chain" || name == "tree") {
      EXPECT_EQ(part.empty(), name == "chain");  // a chain is one path
    }
    if (part.empty()) continue;
    std::vector<int> part_of(pattern.groups.size());
    for (std::size_t k = 0; k < plan.size(); ++k) part_of[plan[k].group] = part[k];
    EXPECT_GE(*std::max_element(part.begin(), part.end()), 1) << name;
    EXPECT_LT(*std::max_element(part.begin(), part.end()), 8) << name;
    for (std::size_t k = 0; k < plan.size(); ++k)
      for (int later : plan[k].later)
        EXPECT_TRUE(part_of[later] == part[k] || part_of[later] == trunk)
            << name << ": " << plan[k].group << " and " << later;
  }
}

}  // namespace
}  // namespace polhode::divided_lu_test
