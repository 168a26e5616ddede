// Rounding has no sign: over many steps what is exact walks, it does not drift.
#include <cmath>

#include <gtest/gtest.h>

#include "simulate/runs.hpp"

namespace polhode::rounding_test {
namespace {

/// The relative change of energy a step, over so many steps.
double change_a_step(const char* model, double order, double h, int steps) {
  const Certificate c = run(model_file(model), energy_momentum(order), h, h * steps);
  EXPECT_TRUE(c.complete());
  return (c.energy.final - c.energy.initial) / c.energy.initial / steps;
}

// A walk of N = 2e5 steps, each with a rounding of 1e-16, ends at about 1e-16 sqrt(N), 2e-19 N. A drift has another
// size: -8e-17 a step where the frame at the end of a step was not, to the last bit, the one at the start of the next;
// +8e-17 where (2/h)(h/2) is not 1 and velocities are multiplied by it.
TEST(SlowRounding, OfEnergyMomentumHasNoSign) {
  EXPECT_LE(std::abs(change_a_step("heavy_top", 2, 5e-4, 200000)), 1e-17);
  EXPECT_LE(std::abs(change_a_step("heavy_top", 2, 7e-4, 200000)), 1e-17);
  EXPECT_LE(std::abs(change_a_step("free_rigid_body", 2, 0.05, 200000)), 1e-17);
  EXPECT_LE(std::abs(change_a_step("heavy_top", 4, 2.5e-3, 50000)), 5e-17);  // of five substeps each
}

}  // namespace
}  // namespace polhode::rounding_test
