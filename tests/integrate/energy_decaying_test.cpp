// What the energy-decaying methods promise: damping as on the linear oscillator, energy that falls in every step by the
// amount that the method tells, exact momentum, both levels of the constraints, relative equilibria, order 2.
#include <polhode/integrate/energy_decaying.hpp>

#include <complex>
#include <numbers>

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include "integrate/decaying_models.hpp"

namespace polhode::energy_decaying_test {
namespace {

using std::numbers::pi;

/// The matrix that takes (z, v/omega) of an oscillator of period 1 one step of h further.
Eigen::Matrix2d amplification(double rho_inf, const std::string& energy, double h) {
  const CompiledModel compiled =
      compile(model_text(R"("bodies": [{"name": "m", "type": "scalar", "mass": 1, "axis": [1, 0, 0], "coordinate": 10}],
      "forces": [{"name": "s", "type": "spring-damper", "between": ["ground", "m"], "at_a": [0, 0, 0], "stiffness": 39.47841760435743, "length": 10}])"));
  const auto integrator = make_integrator(compiled.system, decaying(rho_inf, energy));
  Eigen::Matrix2d A;
  for (int k = 0; k < 2; ++k) {
    State state = compiled.start;
    state.nodes[0].x.x() = 10 + (k == 0);
    state.nodes[0].v.x() = k == 1 ? 2 * pi : 0;
    integrator->start(state, h);
    if (energy == "augmented") state.memory << h, 0;  // under way: the first step has a start of its own
    EXPECT_TRUE(integrator->step(state, h).converged);
    A.col(k) << state.nodes[0].x.x() - 10, state.nodes[0].v.x() / (2 * pi);
  }
  return A;
}

struct Damping {
  double radius, period_error, ratio;
};
Damping damping(double rho_inf, const std::string& energy, double h) {
  const Eigen::Vector2cd r = amplification(rho_inf, energy, h).eigenvalues();
  const double radius = r.cwiseAbs().maxCoeff(), phase = std::abs(std::arg(r[0]));
  return {radius, 2 * pi * h / phase - 1, -std::log(std::abs(r[0])) / phase};
}

// Figures of an independent trial implementation, printed with two to five digits.
TEST(EnergyDecaying, HasTheSpectrumOfTheLinearOscillator) {
  struct Row {
    const char* energy;
    double rho, radius, period, ratio, at_1, at_10, at_100;
  };
  const std::vector<Row> table{{"physical", .9, .99998, 3.21e-2, 3.2e-5, .983, .904, .900},
                               {"physical", .8, .99992, 3.21e-2, 1.4e-4, .938, .804, .800},
                               {"physical", .5, .99933, 3.21e-2, 1.1e-3, .720, .504, .500},
                               {"physical", 0, .99588, 3.21e-2, 6.8e-3, .241, .003, .000},
                               {"augmented", .9, 1.00000, 3.22e-2, 3.8e-6, .998, .928, .900},
                               {"augmented", .8, .99998, 3.27e-2, 3.3e-5, .982, .817, .800},
                               {"augmented", .5, .99961, 3.74e-2, 6.4e-4, .801, .507, .500},
                               {"augmented", 0, .99476, 7.89e-2, 9.0e-3, .395, .042, .004}};
  for (const Row& row : table) {
    SCOPED_TRACE(fmt::format("{} {}", row.energy, row.rho));
    const Damping d = damping(row.rho, row.energy, 0.1);
    EXPECT_NEAR(d.radius, row.radius, 6e-6);
    EXPECT_NEAR(d.period_error, row.period, 6e-5);
    EXPECT_NEAR(d.ratio, row.ratio, 0.06 * row.ratio);
    EXPECT_NEAR(damping(row.rho, row.energy, 1).radius, row.at_1, 6e-4);
    EXPECT_NEAR(damping(row.rho, row.energy, 10).radius, row.at_10, 6e-4);
    EXPECT_NEAR(damping(row.rho, row.energy, 100).radius, row.at_100, 6e-4);
  }
}

TEST(EnergyDecaying, DampsTheMoreTheFasterAnOscillation) {
  for (const char* energy : {"physical", "augmented"})
    for (const double rho : {0.95, 0.7, 0.4, 0.0}) {
      double last = 1 + 1e-9;
      for (double h = 0.01; h < 1000; h *= 1.3) {
        const double radius = damping(rho, energy, h).radius;
        EXPECT_LE(radius, last + 1e-9) << energy << " rho " << rho << " h/T " << h;
        last = radius;
      }
      EXPECT_NEAR(last, rho, 2e-3) << energy;  // a double root: it is reached with its square root
    }
}

TEST(EnergyDecaying, WithRhoOneIsTheEnergyMomentumRule) {
  for (const char* energy : {"physical", "augmented"}) {
    const Certificate a = run(spring_pair(400), decaying(1, energy), 0.01, 1),
                      b = run(spring_pair(400), energy_momentum(), 0.01, 1);
    for (std::size_t k = 0; k < a.bodies.size(); ++k)
      EXPECT_EQ(a.bodies[k].second.position, b.bodies[k].second.position);
  }
}

// And near it: the terms vanish with 1 - rho, but for the projection on the velocity constraints, which a pair of
// springs does not have.
TEST(EnergyDecaying, ApproachesTheEnergyMomentumRule) {
  const Certificate b = run(spring_pair(400), energy_momentum(), 0.01, 1);
  for (const char* energy : {"physical", "augmented"}) {
    const Certificate a = run(spring_pair(400), decaying(1 - 1e-6, energy), 0.01, 1);
    EXPECT_LE((a.bodies[0].second.position - b.bodies[0].second.position).norm(), 1e-9);
  }
}

TEST(EnergyDecaying, HasTheLossesOfTheProjectionAlone) {  // independent trial implementation: 2 to 3 digits
  const auto loss = [](const Model& model, double h, double t) {
    const Certificate c = run(model, decaying(0.8), h, t);
    expect_decay(c);
    return c.energy.initial - c.energy.final;
  };
  EXPECT_NEAR(loss(model_file("heavy_top"), 4e-3, 0.3), 6.8, 0.05);
  EXPECT_NEAR(loss(model_file("heavy_top"), 2e-3, 0.3), 0.90, 0.005);
  EXPECT_NEAR(loss(model_file("heavy_top"), 1e-3, 0.3), 0.115, 5e-4);
  EXPECT_NEAR(loss(mixed_chain(), 0.04, 1), 3.8e-2, 5e-4);
  EXPECT_NEAR(loss(mixed_chain(), 0.02, 1), 4.8e-3, 5e-5);
  EXPECT_NEAR(loss(mixed_chain(), 0.01, 1), 6.0e-4, 5e-6);
}

// The chain of four with bushings for its spherical joints: 92 of the fastest periods a step with 1e10 N/m. Losses of
// an independent trial implementation; the rigid chain has an error of 9.8e-5 m with the energy-momentum rule and this
// step.
TEST(EnergyDecaying, TakesStiffBushingsForJoints) {
  const Vec3 exact(-1.2955466800654, 6.4481513000367, -6.2291315612769);
  for (const auto& [k, rho, loss, error] : {std::tuple{1e6, 0.8, 5.7e-3, 6.5e-4},
                                            {1e6, 0.0, 1.4e-2, 6.5e-4},
                                            {1e10, 0.8, 3.9e-5, 1e-4},
                                            {1e10, 0.0, 3.3e-4, 1e-4}}) {
    const Certificate c = run(bushing_chain(k), decaying(rho), 0.01, 1);
    expect_decay(c);
    EXPECT_NEAR(c.energy.initial - c.energy.final, loss, 0.02 * loss) << k << " " << rho;
    EXPECT_LE((body(c, "body4").position - exact).cwiseAbs().maxCoeff(), error) << k << " " << rho;
    EXPECT_LE(c.momentum.angular_error, 1e-12);  // measured 9e-16
    EXPECT_EQ(c.momentum.angular_components, 1);
    EXPECT_EQ(c.newton.halved_steps, 0);
  }
}

// A particle and a body on springs of 1e12 N/m, which the step does not resolve: what Newton's method leaves must be small
// beside the springs' forces too. Judged by displacements alone, 108 of 400 steps gained.
TEST(EnergyDecaying, GainsNothingWithVeryStiffSprings) {
  const Model model = model_text(R"("gravity": [0, 0, -9.81], "bodies": [
      { "name": "p1", "type": "particle", "mass": 1, "position": [0.8, 0, -0.6] },
      { "name": "b", "mass": 2, "inertia": [0.1, 0.15, 0.2], "position": [1.6, 0.3, -1] } ],
    "forces": [ { "name": "e0", "type": "spring-damper", "between": ["ground", "p1"], "at_a": [0, 0, 0], "stiffness": 1e12 },
                { "name": "e1", "type": "spring-damper", "between": ["p1", "b"], "at_b": [-0.2, -0.1, 0.1], "stiffness": 1e12 },
                { "name": "e2", "type": "spring-damper", "between": ["ground", "b"], "at_a": [0.5, 1.5, 0], "at_b": [0.2, 0.3, 0.1], "stiffness": 1e12 } ])");
  const Certificate c = run(model, decaying(0.8), 2.5e-3, 1);
  EXPECT_TRUE(c.complete());
  EXPECT_EQ(c.energy.gaining_steps, 0) << c.energy.largest_gain;
}

// Strains that the step does not resolve at all, to the limit of what a double can hold next to 1: k h^2/m = 1e9.
TEST(EnergyDecaying, KeepsItsIdentityHoweverStiffTheLaw) {
  for (const char* energy : {"physical", "augmented"}) {
    const Certificate c = run(bushing_chain(1e14), decaying(0.5, energy), 0.01, 0.5);
    EXPECT_TRUE(c.complete());
    EXPECT_LE(c.energy.identity_error, 1e-10);
    EXPECT_LE(c.momentum.angular_error, 1e-11);
  }
}

TEST(EnergyDecaying, KeepsRelativeEquilibria) {
  for (const char* energy : {"physical", "augmented"})
    for (const double k : {1e2, 1e4, 1e6}) {
      const double period = 2 * pi / std::sqrt(2 * k);
      for (const double ratio : {0.1, 1.0, 11.0}) {
        Simulation simulation(with(dumbbell(k, 0), decaying(0.5, energy), ratio * period, 200 * ratio * period));
        const Certificate c = simulation.run();
        EXPECT_LE(c.energy.max_relative_error, 1e-11) << energy << " " << k << " " << ratio;  // measured 1.2e-12
        EXPECT_LE(c.momentum.angular_error, 1e-12);
        const auto& n = simulation.state().nodes;
        EXPECT_NEAR((n[1].x - n[0].x).norm(), 1 / (1 - 4.5 / k), 1e-9);  // as long as at the start
      }
    }
}

TEST(EnergyDecaying, BringsAVibratingDumbbellToRelativeEquilibriumOfTheSameMomentum) {
  const double h = 11 * 2 * pi / std::sqrt(2e4);
  const Certificate c = run(dumbbell(1e4, 20), decaying(0.8), h, 200 * h);
  const double equilibrium = run(dumbbell(1e4, 0), energy_momentum(), h, h).energy.initial;
  expect_decay(c);
  EXPECT_NEAR(c.energy.initial - equilibrium, 100, 1e-9);  // of the vibration: m_r 20^2 / 2
  EXPECT_NEAR(c.energy.final, equilibrium, 1e-10);
  EXPECT_LE(c.momentum.angular_error, 1e-13);
}

TEST(SlowEnergyDecaying, KeepsTheMomentumOfFreeSystems) {
  for (const double rho : {0.8, 0.0}) {
    const Certificate c = run(spring_pair(400), decaying(rho), 0.01, 100);
    EXPECT_EQ(c.steps, 10000);
    expect_decay(c);
    EXPECT_LE(c.momentum.linear_error, 1e-11);   // measured 1.2e-14
    EXPECT_LE(c.momentum.angular_error, 1e-11);  // measured 1e-14
    EXPECT_EQ(c.momentum.angular_components, 3);
  }
}

TEST(SlowEnergyDecaying, KeepsTheMomentumOfAFreeJointedModel) {
  const Model model = random_model(3, {.bodies = 3, .free_floating = true, .drives = false, .loads = false});
  const Certificate c = run(model, decaying(0.5), 0.005, 50);
  EXPECT_EQ(c.steps, 10000);
  expect_decay(c);
  EXPECT_LE(c.momentum.linear_error, 1e-11);
  EXPECT_LE(c.momentum.angular_error, 1e-11);
  EXPECT_EQ(c.momentum.angular_components, 3);
}

}  // namespace
}  // namespace polhode::energy_decaying_test
