// Nielsen and Krenk's scheme in directors and momenta: the same motion as the energy-momentum rule, to rounding, on every model;
// the digits of the scheme; and what the paper shows to be conserved.
#include <polhode/integrate/director.hpp>

#include <gtest/gtest.h>

#include "simulate/runs.hpp"
#include "system/random_models.hpp"

namespace polhode {
namespace {

const IntegratorChoice director{"director", {}};

/// The largest difference of a position or an orientation, or what a difference of velocities makes in a step: with momenta or
/// displacements as unknowns, velocities are known to the rounding of positions divided by h.
double difference(const Certificate& a, const Certificate& b, double h) {
  double largest = 0, velocities = 0;
  for (std::size_t k = 0; k < a.bodies.size(); ++k) {
    const auto &x = a.bodies[k].second, &y = b.bodies[k].second;
    largest = std::max({largest, (x.position - y.position).norm(), so3::log(x.orientation.conjugate() * y.orientation).norm()});
    velocities = std::max({velocities, (x.velocity - y.velocity).norm(), (x.angular_velocity - y.angular_velocity).norm()});
  }
  return std::max(largest, h * velocities);
}

class DirectorModel : public testing::TestWithParam<const char*> {};

TEST_P(DirectorModel, MovesAsByTheEnergyMomentumRule) {
  const Model model = model_file(GetParam());
  const double h = model.simulation.step;
  const Certificate c = run(model, director, h, 50 * h);
  ASSERT_EQ(c.status, "complete");
  EXPECT_EQ(c.newton.halved_steps, 0);
  EXPECT_LE(difference(c, run(model, energy_momentum(), h, 50 * h), h), 1e-12);  // measured 1e-13 on chain_spherical, else 5e-14
  EXPECT_LE(c.energy.balance_error, 1e-13);
}

// trees, loops, redundant loops; springs, dampers, loads, drives, gears, screws; particles and bodies about a fixed point
INSTANTIATE_TEST_SUITE_P(Models, DirectorModel,
                         testing::Values("free_rigid_body", "chain_revolute", "chain_spherical", "planar_four_bar", "four_bar_2", "bennett",
                                         "bricard", "slider_crank", "heavy_top", "flyball_governor", "andrews", "driven_revolute",
                                         "gear_train", "rack_and_pinion", "screw", "car_axis", "double_pendulum", "kovalevskaya_top"),
                         [](const auto& test) { return std::string(test.param); });

TEST(Director, MovesAsByTheEnergyMomentumRuleOnRandomMechanisms) {
  for (unsigned seed = 1; seed <= 6; ++seed)
    for (const bool rigid : {true, false}) {
      const Model model = random_model(seed, {.bodies = 5, .loops = 2, .lesser_nodes = !rigid});
      EXPECT_LE(difference(run(model, director, 0.005, 0.1), run(model, energy_momentum(), 0.005, 0.1), 0.005), 1e-12) << seed << rigid;
    }
}

// The motion is chaotic: to 5 s, 1e-8 is what is left of the 10 digits of an independent implementation.
TEST(Director, HasTheDigitsOfTheSchemeOnTheChains) {
  for (const auto& [name, step] : {std::pair{"chain_revolute", 0.01}, {"chain_spherical", 0.1}}) {
    Simulation simulation(with(model_file(name), director, step, 5));
    int compared = 0;
    while (!simulation.done()) {
      ASSERT_TRUE(simulation.step()) << simulation.failure();
      for (const auto& row : references(name).at("schemes")) {
        if (row.at("integrator").at("name") != "energy-momentum" || row.at("step") != step) continue;
        if (std::abs(row.at("time").get<double>() - simulation.time()) > 1e-9) continue;
        EXPECT_LE(distance(simulation.certificate(), row), 1e-8) << name << " t = " << simulation.time();
        ++compared;
      }
    }
    EXPECT_GE(compared, 8) << name;
  }
}

/// The largest |e|, (3), and |C(q) p|, (18), of the bodies.
std::pair<double, double> internal_constraints(const State& state) {
  double strain = 0, Cp = 0;
  for (std::size_t i = 0; i < state.nodes.size(); ++i) {
    const Eigen::Map<const Mat3> d(&state.memory[24 * static_cast<long>(i) + 3]), p(&state.memory[24 * static_cast<long>(i) + 15]);
    const Mat3 e = 0.5 * (d.transpose() * d - Mat3::Identity());
    Mat3 c = d.transpose() * p + p.transpose() * d;
    c.diagonal() *= 0.5;  // rows q_i . p_i, and q_i . p_j + q_j . p_i
    strain = std::max(strain, e.cwiseAbs().maxCoeff());
    Cp = std::max(Cp, c.cwiseAbs().maxCoeff());
  }
  return {strain, Cp};
}

struct PaperRun {
  const char* model;
  double step, end_time, strain, Cp;
  int iterations;  ///< in any step, at most
};

// Section 6, with its tolerance of 1e-8 on the residual; the update comes before the test, so that what is left is far less.
TEST(Director, KeepsWhatThePaperShows) {
  for (const PaperRun& r : {PaperRun{"chain_revolute", 0.01, 10, 1e-14, 2e-12, 4}, PaperRun{"chain_spherical", 0.1, 30, 1e-14, 2e-11, 12}}) {
    Model model = with(model_file(r.model), director, r.step, r.end_time);
    model.simulation.newton.tolerance = 1e-8;
    Simulation simulation(model);
    double strain = 0, Cp = 0, l3 = 0, l = 0;
    int iterations = 0, most = 0;
    while (!simulation.done()) {
      ASSERT_TRUE(simulation.step()) << simulation.failure();
      const auto [e, c] = internal_constraints(simulation.state());
      strain = std::max(strain, e), Cp = std::max(Cp, c);
      const Vec3 L = simulation.sample().angular_momentum;  // 0 at the start, where all is at rest
      l3 = std::max(l3, std::abs(L.z())), l = std::max(l, L.norm());
      const int all = simulation.certificate().newton.iterations;
      most = std::max(most, all - std::exchange(iterations, all));
    }
    const Certificate c = simulation.certificate();
    EXPECT_GT(l, 1000);
    EXPECT_LE(c.energy.max_relative_error, 1e-12);  // measured 1.5e-14, 1.1e-14
    EXPECT_LE(l3, 1e-12 * l);                       // exactly 0 in the plane, 1.9e-16
    EXPECT_LE(strain, r.strain);                    // 8.9e-16, 1.2e-15
    EXPECT_LE(Cp, r.Cp);                            // 8.5e-14, 6.7e-13 [kg m/s]
    EXPECT_LE(c.constraints.position, 1e-13);       // 3.6e-15, 4.4e-15
    EXPECT_LE(most, r.iterations);                  // 4, 10
  }
}

}  // namespace
}  // namespace polhode
