// To which time the multipliers of the energy-momentum rule belong, and with which order.
#include <gtest/gtest.h>

#include <polhode/study/exact_motion.hpp>

#include "simulate/runs.hpp"

namespace polhode::multipliers_test {
namespace {

/// The largest error of multipliers over 0.1 s: of each step at its middle, and of the mean of two neighbours between
/// them.
std::pair<double, double> multiplier_errors(const Model& model, const IntegratorChoice& method, double h) {
  Simulation simulation(with(model, method, h, 0.1));
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
std::pair<double, double> multiplier_errors(double order, double h) {
  return multiplier_errors(model_file("heavy_top"), energy_momentum(order), h);
}

/// A driven crank with a rod on a ball, which a spring and a damper hold.
Model driven_crank() {
  return model_text(R"("gravity": [0, 0, -9.81], "bodies": [
      { "name": "crank", "mass": 2, "inertia": [0.02, 0.03, 0.04], "position": [0.2, 0, 0], "angular_velocity": [0, 0, 3], "velocity": [0, 0.6, 0] },
      { "name": "rod", "mass": 1, "inertia": [0.001, 0.04, 0.04], "position": [0.7, 0, 0], "angular_velocity": [0, 0, 2], "velocity": [0, 1.8, 0] } ],
    "joints": [ { "name": "bearing", "type": "revolute", "between": ["ground", "crank"], "at": [0, 0, 0], "axis": [0, 0, 1] },
                { "name": "ball", "type": "spherical", "between": ["crank", "rod"], "at": [0.4, 0, 0] } ],
    "drives": [ { "name": "motor", "joint": "bearing", "type": "angle", "motion": { "type": "polynomial", "coefficients": [0, 3, 10, -20] } } ],
    "forces": [ { "name": "spring", "type": "spring-damper", "between": ["ground", "rod"], "at_a": [1, 0.5, 0.3], "at_b": [0.3, 0, 0], "stiffness": 100, "length": 0.4, "damping": 1 } ])");
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

// The impulses that bring velocities onto the joints, and those of the filter, are the joints' and the drives' too:
// without them the multipliers are of order 1.
TEST(Multipliers, OfDecayingMethodsAreOfSecondOrderInEveryStep) {
  for (const auto& [model, energy] :
       {std::pair{model_file("heavy_top"), "physical"}, {driven_crank(), "physical"}, {driven_crank(), "augmented"}})
    for (const double rho_inf : {0.8, 0.0}) {
      const IntegratorChoice method{"energy-decaying", {{"rho_inf", rho_inf}, {"energy", energy}}};
      const double own = multiplier_errors(model, method, 1e-3).first;
      const double own_fine = multiplier_errors(model, method, 5e-4).first;
      EXPECT_NEAR(std::log2(own / own_fine), 2, 0.1) << model.name << " " << energy << " " << rho_inf;
    }
}

}  // namespace
}  // namespace polhode::multipliers_test
