// What the energy-momentum rule promises: energy, momentum and constraints to round-off, order 2 or 4, and the digits
// of the published scheme, of which it is another form.
#include <polhode/integrate/energy_momentum.hpp>

#include <gtest/gtest.h>

#include <polhode/lie/so3.hpp>

#include "simulate/runs.hpp"

namespace polhode::energy_momentum_test {
namespace {

// Energy is a sum over 1e4 steps of rounding errors of 1e-16 each: 1e-12 if all have the same sign.
TEST(EnergyMomentum, KeepsEnergyMomentumAndConstraintOfTheHeavyTop) {
  const Certificate c = run(model_file("heavy_top"), energy_momentum(), 1e-3, 10);
  EXPECT_TRUE(c.complete());
  EXPECT_EQ(c.steps, 10000);
  EXPECT_LE(c.energy.max_relative_error, 1e-11);  // measured 9e-13
  EXPECT_EQ(c.momentum.angular_components, 1);
  EXPECT_LE(c.momentum.angular_error, 1e-10);  // measured 2e-13
  EXPECT_LE(c.constraints.position, 1e-12);    // measured 2e-15
  EXPECT_EQ(c.newton.halved_steps, 0);
}

/// Errors of the top's position after 1 s, 24 turns, for four steps each half of the one before.
std::vector<double> errors_of_the_top(const IntegratorChoice& method, double h) {
  Vec3 exact = Vec3::Zero();
  for (const auto& row : references("heavy_top").at("motion"))
    if (row.at("time") == 1) exact = vector_of(row.at("position"));
  std::vector<double> errors;
  for (int k = 0; k < 4; ++k, h /= 2)
    errors.push_back((body(run(model_file("heavy_top"), method, h, 1), "top").position - exact).cwiseAbs().maxCoeff());
  return errors;
}

TEST(EnergyMomentum, ConvergesWithOrderTwoOnTheHeavyTop) {
  const auto errors = errors_of_the_top(energy_momentum(2), 1e-3);
  EXPECT_NEAR(observed_order(errors), 2.0, 0.1);  // measured 2.000
  EXPECT_LE(errors.back(), 1e-5);                 // measured 5.3e-6
}

TEST(EnergyMomentum, ConvergesWithOrderFourOnTheHeavyTop) {
  const auto errors = errors_of_the_top(energy_momentum(4), 2e-3);
  EXPECT_NEAR(observed_order(errors), 4.0, 0.1);  // measured 3.996
  EXPECT_LE(errors.back(), 1e-9);                 // measured 7.6e-10
}

/// Errors of the orientation of the heavy top without constraint equations at t = 1, with steps each half of the one
/// before.
std::vector<double> errors_of_the_turning_top(double order, double h, int count) {
  const auto turned = [](double o, double step) {
    return run(model_file("bruls_7_4"), energy_momentum(o), step, 1).bodies.at(0).second.orientation;
  };
  const Quaternion exact = turned(8, h / (1 << (count + 1)));
  std::vector<double> errors;
  for (int k = 0; k < count; ++k, h /= 2) errors.push_back(so3::log(exact.conjugate() * turned(order, h)).norm());
  return errors;
}

TEST(EnergyMomentum, ConvergesWithOrdersSixAndEightWithoutJoints) {
  EXPECT_NEAR(observed_order(errors_of_the_turning_top(6, 4e-3, 3)), 6.0, 0.3);
  EXPECT_NEAR(observed_order(errors_of_the_turning_top(8, 8e-3, 3)), 8.0, 0.5);
}

// The rule turns the velocity across a joint about, v -> -v, so that a step is not near the identity and the theory of
// compositions does not hold: Suzuki's is of order 4 all the same, those of higher order are not better.
TEST(EnergyMomentum, ConvergesWithOrderFourWithJointsWhateverTheComposition) {
  EXPECT_NEAR(observed_order(errors_of_the_top(energy_momentum(6), 4e-3)), 4.0, 0.1);  // measured 3.996
  EXPECT_NEAR(observed_order(errors_of_the_top(energy_momentum(8), 4e-3)), 4.0, 0.1);  // measured 4.003
}

TEST(EnergyMomentum, OfOrderFourToEightKeepsWhatOrderTwoKeeps) {
  for (const double order : {4, 6, 8})
    for (const char* name : {"heavy_top", "bricard"}) {
      const Certificate c = run(model_file(name), energy_momentum(order), 2e-3, 1);
      EXPECT_LE(c.energy.balance_error, 1e-11) << name;    // measured with order 4 1.4e-13, 1e-14
      EXPECT_LE(c.momentum.angular_error, 1e-11) << name;  // measured 3e-14
      EXPECT_LE(c.constraints.position, 1e-12) << name;    // measured 7e-16, 3e-15
    }
}

/// Runs to each time of the references' rows for this method and step, and compares positions, energies and momenta.
void expect_scheme_digits(const std::string& name, double step, double end_time, double tolerance) {
  int compared = 0;
  Simulation simulation(with(model_file(name), energy_momentum(), step, end_time));
  std::map<double, std::pair<Certificate, Sample>> at;
  const auto keep = [&] { at[simulation.time()] = {simulation.certificate(), simulation.sample()}; };
  for (keep(); !simulation.done(); keep()) ASSERT_TRUE(simulation.step()) << simulation.failure();
  for (const auto& row : references(name).at("schemes")) {
    if (row.at("integrator").at("name") != "energy-momentum" || row.at("step") != step) continue;
    const double t = row.at("time");
    const auto found =
        std::find_if(at.begin(), at.end(), [&](const auto& entry) { return std::abs(entry.first - t) < 1e-9; });
    ASSERT_NE(found, at.end()) << t;
    EXPECT_LE(distance(found->second.first, row), tolerance) << name << " t = " << t << " " << row.at("body");
    ++compared;
    if (!row.contains("kinetic_energy")) continue;
    const Sample& sample = found->second.second;
    const double accuracy = 10 * row.at("total_accuracy").get<double>();
    EXPECT_NEAR(sample.energy.kinetic, row.at("kinetic_energy").get<double>(), accuracy) << name << " t = " << t;
    if (!row.contains("angular_momentum_x")) continue;
    EXPECT_NEAR(sample.angular_momentum.x(), row.at("angular_momentum_x").get<double>(), accuracy)
        << name << " t = " << t;
  }
  EXPECT_GE(compared, 4) << name;
}

TEST(EnergyMomentum, HasTheDigitsOfTheSchemeOnTheRevoluteChain) {
  expect_scheme_digits("chain_revolute", 0.01, 5, 1e-8);
}
TEST(EnergyMomentum, HasTheDigitsOfTheSchemeOnTheSphericalChain) {
  expect_scheme_digits("chain_spherical", 0.01, 5, 1e-8);
  expect_scheme_digits("chain_spherical", 0.1, 5, 1e-8);
}

TEST(EnergyMomentum, KeepsTheEnergyOfChains) {
  EXPECT_LE(run(model_file("chain_revolute"), energy_momentum(), 0.01, 5).energy.max_relative_error,
            1e-12);  // measured 3e-13
  EXPECT_LE(run(model_file("chain_spherical"), energy_momentum(), 0.01, 5).energy.max_relative_error,
            1e-12);  // measured 1e-13
  EXPECT_LE(run(model_file("chain_spherical"), energy_momentum(), 0.1, 5).energy.max_relative_error,
            1e-12);  // measured 3e-15
}

// The step may be large: half a radian of each body a step, and no step is halved.
TEST(EnergyMomentum, TakesAboutThreeIterationsAStep) {
  for (const auto& [name, step] : {std::pair{"chain_revolute", 0.01}, {"chain_spherical", 0.01}}) {
    const Certificate c = run(model_file(name), energy_momentum(), step, 5);
    EXPECT_LE(static_cast<double>(c.newton.iterations) / static_cast<double>(c.steps), 3.0)
        << name;  // measured 2.66, 2.79
    EXPECT_EQ(c.newton.halved_steps, 0);
  }
}

TEST(EnergyMomentum, HasTheDigitsAndForcesOfTheSchemeOnGeradinsTops) {
  for (const std::string name : {"geradin_top_1", "geradin_top_2"})
    for (const auto& row : references(name).at("schemes")) {
      if (row.at("integrator").at("name") != "energy-momentum") continue;
      Simulation simulation(with(model_file(name), energy_momentum(), row.at("step"), row.at("time")));
      const Certificate c = simulation.run();
      EXPECT_LE(distance(c, row, true), 10 * row.at("accuracy").get<double>()) << name << " t = " << row.at("time");
      if (!row.contains("force")) continue;
      const Vec3 error = force_from_ground(simulation, 0) - vector_of(row.at("force"));
      EXPECT_LE(error.cwiseAbs().maxCoeff(), 10 * row.at("force_accuracy").get<double>()) << name;
    }
}

// A body that nothing acts on turns about a momentum that stays: the polhode closes.
TEST(EnergyMomentum, KeepsThePolhodeOfAFreeBodyClosed) {
  const Certificate c = run(model_file("free_rigid_body"), energy_momentum(), 0.02, 100);
  EXPECT_LE(c.energy.max_relative_error, 1e-12);
  EXPECT_LE(c.momentum.angular_error, 1e-11);
  EXPECT_EQ(c.momentum.angular_components, 3);
}

}  // namespace
}  // namespace polhode::energy_momentum_test
