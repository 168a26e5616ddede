// Laws with coupled strains, what they show of themselves, and the rates of joints without a Jacobian.
#include <gtest/gtest.h>

#include <polhode/elements/forces.hpp>
#include <polhode/integrate/methods.hpp>
#include <polhode/system/constrained_mass.hpp>
#include <polhode/system/elements.hpp>
#include <polhode/system/quantities.hpp>

#include "configurations.hpp"

namespace polhode::law_test {
namespace {

/// Two free bodies on a bushing.
Model two_bodies() {
  Model model;
  for (const char* name : {"a", "b"}) {
    Body body;
    body.name = name;
    body.mass = 2;
    body.inertia = Vec3(0.3, 0.4, 0.5).asDiagonal();
    body.angular_velocity = name[0] == 'a' ? Vec3(1, 2, -1) : Vec3(-2, 0.5, 1);
    body.position = name[0] == 'a' ? Vec3(0, 0, 0) : Vec3(1, 0, 0);
    model.bodies.push_back(body);
  }
  Bushing bushing{.name = "bushing", .between = {"a", "b"}, .at = Vec3(0.5, 0, 0)};
  bushing.stiffness = Vec6(900, 800, 700, 60, 50, 40);
  model.forces.push_back(bushing);
  return model;
}

/// The same with strains that are coupled: K = diag + a positive matrix of all numbers.
CompiledModel coupled() {
  CompiledModel compiled = compile(two_bodies());
  auto& bushing = dynamic_cast<ElasticArray<BushingMeasure>&>(*compiled.system.elements.laws.at(0)).elements.at(0);
  Random random(7);
  Mat6 A;
  for (int k = 0; k < 6; ++k) A.col(k) = random.vector6(5);
  bushing.stiffness += A * A.transpose();
  return compiled;
}

double energy_of(const CompiledModel& model, const State& state) {
  return energy(model.system, state, frames_of(model.system, state)).total();
}

TEST(Law, WithCoupledStrainsKeepsTheEnergyWithConservingMethods) {
  const CompiledModel model = coupled();
  for (const char* method : {"energy-momentum", "director"}) {
    State state = model.start;
    const auto integrator = make_integrator(model.system, {method, {}});
    integrator->start(state, 0.01);
    const double before = energy_of(model, state);
    double largest = 0, exchanged = 0;
    for (int k = 0; k < 200; ++k) {
      ASSERT_TRUE(integrator->step(state, 0.01).converged) << method;
      const Energy now = energy(model.system, state, frames_of(model.system, state));
      largest = std::max(largest, std::abs(now.total() - before));
      exchanged = std::max(exchanged, now.strain);
    }
    EXPECT_LE(largest, 1e-12 * before) << method;
    EXPECT_GE(exchanged, 0.1 * before) << method;
  }
}

TEST(Law, WithCoupledStrainsIsTheSameForAllMethods) {
  const CompiledModel model = coupled();
  const auto end_of = [&](const char* method, double h) {
    State state = model.start;
    const auto integrator = make_integrator(model.system, {method, {}});
    integrator->start(state, h);
    for (int k = 0; k < std::lround(0.2 / h); ++k) EXPECT_TRUE(integrator->step(state, h).converged) << method;
    return state.nodes[1].x;
  };
  const Vec3 exact = end_of("rattlie", 2.5e-5);
  for (const char* method : {"energy-momentum", "generalized-alpha", "energy-decaying", "lens-cardona", "geradin",
                             "director", "staggered"}) {
    const double coarse = (end_of(method, 2e-3) - exact).norm(), fine = (end_of(method, 1e-3) - exact).norm();
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.15) << method << ": " << coarse << ", " << fine;
  }
}

TEST(Law, ShowsLengthRateAndForceOfASpring) {
  Model model = two_bodies();
  model.bodies[1].velocity = Vec3(0.3, 0.4, 0);
  model.forces = {SpringDamper{.name = "spring", .between = {"a", "b"}, .stiffness = 100, .damping = 7, .length = 0.8}};
  const CompiledModel compiled = compile(model);
  const std::vector<Frame> q = frames_of(compiled.system, compiled.start);
  std::vector<Vec6> V;
  spatial_velocities(compiled.system, compiled.start, V);
  const Stage point{.start = q, .end = q, .given = &compiled.start, .pointwise = true, .V = V};
  const LawOutput output = compiled.system.elements.laws.at(0)->output(0, point, compiled.system);
  EXPECT_EQ(output.size, 1);
  EXPECT_NEAR(output.y[0], 1, 1e-15);
  EXPECT_NEAR(output.rate[0], 0.3, 1e-15);  // across the spring nothing changes its length
  EXPECT_NEAR(output.stress[0], 100 * 0.2 + 7 * 0.3, 1e-13);
}

class Rates : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(RandomModels, Rates, ::testing::Range(1u, 9u));

TEST_P(Rates, OfJointsAreThoseOfTheirJacobian) {
  const CompiledModel model = compile(random_model(GetParam(), {.bodies = 5, .loops = 2}));
  const System& system = model.system;
  Random random(GetParam());
  const std::vector<Frame> q = moved(frames_of(system, model.start), random_motion(system, random, 0.5));
  const std::vector<Vec6> V = random_motion(system, random, 2);
  ConstraintJacobian B;
  VecX by_rows(system.row_count), by_jacobian(system.row_count);
  system.jacobian(q, model.start.angles, B);
  system.velocity_residual(B, V, 0.3, span_of(by_jacobian));
  system.velocity_residual(q, V, 0.3, span_of(by_rows));
  EXPECT_LE(error(by_rows, by_jacobian), 1e-14);
}

}  // namespace
}  // namespace polhode::law_test
