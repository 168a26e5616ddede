// Forces in the 12 natural coordinates, derived by other means than those in six unknowns, are the same forces; and
// their tangents are derivatives.
#include <polhode/system/natural.hpp>

#include <gtest/gtest.h>

#include "configurations.hpp"

namespace polhode::natural_test {
namespace {

/// A random mechanism with everything in it, between two configurations off its joints, with some multipliers.
class Natural : public ::testing::TestWithParam<unsigned> {
 protected:
  CompiledModel model = compile(random_model(GetParam(), {.bodies = 5, .loops = 2}));
  const System& system = model.system;
  const int n = system.node_count(), m = system.row_count;
  Random random{GetParam() + 500};
  std::vector<Frame> start = moved(frames_of(system, model.start), random_motion(system, random, 0.3));
  std::vector<Frame> end = moved(start, random_motion(system, random, 0.3));
  VecX lambda = random.vector_x(m);
  State given = pushed(model.start, random);

  Stage stage(const std::vector<Frame>& at_end, const VecX& multipliers) const {
    return {.start = start,
            .end = at_end,
            .t0 = 0.2,
            .t1 = 0.27,
            .scale = 0.7,
            .lambda = span_of(multipliers),
            .given = &given};
  }
};
INSTANTIATE_TEST_SUITE_P(Random, Natural, ::testing::Range(0u, 15u));

TEST_P(Natural, ForcesMappedBySpatialVariationsAreThoseOfSixUnknowns) {
  std::vector<Vec12> g(n + 1, Vec12::Zero());
  std::vector<Vec6> force(n + 1, Vec6::Zero());
  VecX phi(m), phi6(m);
  evaluate_natural(system, stage(end, lambda), g, span_of(phi));
  system.evaluate(stage(end, lambda), force, span_of(phi6));
  EXPECT_LE(error(phi, phi6), 20 * round_off);
  for (int i = 0; i < n; ++i) {
    const Frame mid = mean(start[i], end[i]);
    Vec6 mapped = Vec6::Zero();  // P(q)^T g
    mapped.head<3>() = g[i].head<3>();
    for (int j = 0; j < 3; ++j) mapped.tail<3>() += mid.d.col(j).cross(g[i].segment<3>(3 + 3 * j));
    EXPECT_LE(error(system.gather(i, mapped), system.gather(i, force[i])), 200 * round_off) << i;
  }
}

TEST_P(Natural, MatrixIsTheDerivative) {
  BlockPattern pattern = system.plan(1).pattern;
  for (int i = 0; i < n; ++i) pattern.groups[i].size = 12;
  BlockMatrix matrix(pattern);
  matrix.allocate();
  VecX phi(m);
  std::vector<Vec12> g(n + 1, Vec12::Zero());
  evaluate_natural(system, stage(end, lambda), g, span_of(phi), {&matrix, 0, 0});
  const MatX A = dense(matrix);
  const auto equations = [&](const std::vector<Frame>& at_end, const VecX& multipliers) {
    std::vector<Vec12> f(n + 1, Vec12::Zero());
    VecX out(12 * n + m), residual(m);
    evaluate_natural(system, stage(at_end, multipliers), f, span_of(residual));
    for (int i = 0; i < n; ++i) out.segment<12>(12 * i) = f[i];
    out.tail(m) = residual;
    return out;
  };
  for (int k = 0; k < 12 * n + m; ++k) {  // any of the 12 numbers, also off the rotations
    const auto varied = [&](double t) {
      if (k >= 12 * n) return equations(end, lambda + t * VecX::Unit(m, k - 12 * n));
      auto at_end = end;
      at_end[k / 12] = frame(Vec12(natural(end[k / 12]) + t * Vec12::Unit(k % 12)));
      return equations(at_end, lambda);
    };
    EXPECT_LE(error(A.col(k), derivative(varied)), 1e-8) << k;
  }
}

}  // namespace
}  // namespace polhode::natural_test
