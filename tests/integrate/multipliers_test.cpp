// To which time the multipliers of the energy-momentum rule belong, and with which order.
#include <gtest/gtest.h>

#include <polhode/study/exact_motion.hpp>

#include "simulate/runs.hpp"

namespace polhode::multipliers_test {
namespace {

/// The largest error of the heavy top's multipliers over 0.1 s: of each step at its middle, and of the mean of two
/// neighbours between them.
std::pair<double, double> multiplier_errors(double order, double h) {
  Simulation simulation(with(model_file("heavy_top"), energy_momentum(order), h, 0.1));
  ExactMotion exact(simulation.compiled(), simulation.state(), 1e-12);
  VecX last;
  double own = 0, mean = 0;
  while (!simulation.done() && simulation.step()) {
    const double t = simulation.time();
    const VecX lambda = simulation.state().lambda;
    if (last.size() > 0) {
      EXPECT_TRUE(exact.advance(t - h));
      mean = std::max(mean, (0.5 * (last + lambda) - exact.multipliers()).norm());
    }
    EXPECT_TRUE(exact.advance(t - 0.5 * h));
    own = std::max(own, (lambda - exact.multipliers()).norm());
    last = lambda;
  }
  return {own, mean};
}

// The error of a velocity across the joint alternates in sign, and with it that of the multipliers: to first order
TEST(Multipliers, OfOrderTwoErrByTurns) {
  const auto [own, mean] = multiplier_errors(2, 1e-3);
  const auto [own_fine, mean_fine] = multiplier_errors(2, 5e-4);
  EXPECT_NEAR(std::log2(own / own_fine), 1, 0.1);
  EXPECT_NEAR(std::log2(mean / mean_fine), 2, 0.1);
}

// In the weighted mean of the substeps but the middle one the turns cancel
TEST(Multipliers, OfCompositionsAreOfSecondOrderAtTheMiddleOfTheStep) {
  for (const double order : {4, 6, 8}) {
    const auto [own, mean] = multiplier_errors(order, 1e-3);
    const auto [own_fine, mean_fine] = multiplier_errors(order, 5e-4);
    EXPECT_NEAR(std::log2(own / own_fine), 2, 0.1) << order;
    EXPECT_NEAR(std::log2(mean / mean_fine), 2, 0.1) << order;
  }
}

}  // namespace
}  // namespace polhode::multipliers_test
