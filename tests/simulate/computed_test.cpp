// Energies and loads that a program computes: what they must agree with, and what methods keep with them.
#include <polhode/simulate/simulation.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include <polhode/elements/forces.hpp>
#include <polhode/io/model_writer.hpp>
#include <polhode/model/error.hpp>
#include <polhode/model/validate.hpp>

#include "simulate/runs.hpp"
#include "simulate/says.hpp"

namespace polhode::computed_test {
namespace {

using Of = ComputedPotential::Of;
using Numbers = std::span<const double>;

Body block(const std::string& name, const Vec3& position, const Vec3& velocity) {
  Body body;
  body.name = name;
  body.mass = 2;
  body.inertia.diagonal() << 0.3, 0.2, 0.4;
  body.position = position;
  body.velocity = velocity;
  body.angular_velocity = Vec3(1, -2, 0.5);
  return body;
}

/// Two tumbling blocks, free, with one force between points of them.
Model pair_with(const Force& force) {
  Model model;
  model.name = "pair";
  model.bodies = {block("a", {0, 0, 0}, {0.1, 0, -0.2}), block("b", {1, 0.2, 0.1}, {0, 0.3, 0})};
  model.forces = {force};
  model.forces[0].rename("force");
  model.simulation.step = 0.01;
  model.simulation.end_time = 2;
  return model;
}

/// An element between the two points.
template <class F>
F between_points() {
  return {.between = {"a", "b"}, .at_a = Vec3(0.1, 0.2, 0), .at_b = Vec3(-0.1, 0, 0.1)};
}

Potential potential(Of of, std::function<double(Numbers)> W, std::function<void(Numbers, std::span<double>)> gradient,
                    std::function<void(Numbers, std::span<double>)> hessian = {}) {
  auto force = between_points<Potential>();
  force.potential =
      std::make_shared<ComputedPotential>(ComputedPotential{of, std::move(W), std::move(gradient), std::move(hessian)});
  return force;
}

/// Quartic in the distance.
Potential quartic() {
  return potential(
      Of::coordinate, [](Numbers y) { return 5 * std::pow(y[0] - 0.5, 4); },
      [](Numbers y, std::span<double> g) { g[0] = 20 * std::pow(y[0] - 0.5, 3); },
      [](Numbers y, std::span<double> H) { H[0] = 60 * std::pow(y[0] - 0.5, 2); });
}

/// A double well across the axes of the frame of a, with no Hessian given.
Potential well(Of of) {
  return potential(
      of,
      [](Numbers y) {
        double W = std::pow(y[0] * y[0] - 1, 2) + 3 * y[1] * y[1] + y[2] * y[2] * y[2] * y[2];
        if (y.size() == 6) W += 2 * (1 - std::cos(y[3])) + y[4] * y[4] + 0.5 * y[4] * y[5] + y[5] * y[5];
        return W;
      },
      [](Numbers y, std::span<double> g) {
        g[0] = 4 * y[0] * (y[0] * y[0] - 1);
        g[1] = 6 * y[1];
        g[2] = 4 * y[2] * y[2] * y[2];
        if (y.size() < 6) return;
        g[3] = 2 * std::sin(y[3]);
        g[4] = 2 * y[4] + 0.5 * y[5];
        g[5] = 2 * y[5] + 0.5 * y[4];
      });
}

double difference(const Certificate& a, const Certificate& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.bodies.size(); ++k)
    largest = std::max(largest, (a.bodies[k].second.position - b.bodies[k].second.position).norm());
  return largest;
}

TEST(ComputedPotential, ThatIsQuadraticMovesLikeASpring) {
  auto spring = between_points<SpringDamper>();
  spring.stiffness = 30;
  spring.length = 0.8;
  const Potential computed = potential(
      Of::coordinate, [](Numbers y) { return 15 * (y[0] - 0.8) * (y[0] - 0.8); },
      [](Numbers y, std::span<double> g) { g[0] = 30 * (y[0] - 0.8); },
      [](Numbers, std::span<double> H) { H[0] = 30; });
  for (const IntegratorChoice& method :
       {IntegratorChoice{"energy-momentum", {}}, {"generalized-alpha", {}}, {"director", {}}, {"simo-wong", {}}}) {
    Model a = pair_with(spring), b = pair_with(computed);
    a.simulation.integrator = b.simulation.integrator = method;
    EXPECT_LE(difference(Simulation(a).run(), Simulation(b).run()), 1e-11) << method.name;  // rounding over 200 steps
  }
}

// Energy and both momenta to rounding, whatever the energy is a function of.
TEST(ComputedPotential, IsConservedByDiscreteGradients) {
  for (const Potential& force : {quartic(), well(Of::point), well(Of::pose)})
    for (const std::string method : {"energy-momentum", "director"}) {
      Model model = pair_with(force);
      model.simulation.integrator.name = method;
      const Certificate c = Simulation(model).run();
      EXPECT_TRUE(c.complete());
      EXPECT_LE(c.energy.max_relative_error, 2e-13) << method;
      EXPECT_LE(c.momentum.linear_error, 1e-13) << method;
      EXPECT_LE(c.momentum.angular_error, 1e-13) << method;
      EXPECT_EQ(c.momentum.angular_components, 3);
      EXPECT_EQ(c.newton.halved_steps, 0);
      if (method == "energy-momentum") {
        EXPECT_LE(static_cast<double>(c.newton.iterations) / static_cast<double>(c.steps), 4.5);  // Newton's own pace
      }
    }
}

TEST(ComputedPotential, ConvergesWithOrderTwo) {
  std::vector<Certificate> runs;
  for (const double step : {0.02, 0.01, 0.005}) {
    Model model = pair_with(well(Of::point));
    model.simulation.step = step;
    runs.push_back(Simulation(model).run());
  }
  EXPECT_NEAR(std::log2(difference(runs[0], runs[1]) / difference(runs[1], runs[2])), 2, 0.1);
}

/// Weight and drag of a body as a wrench at a point, and the same by words of the format where there are such.
TEST(ComputedLoad, ThatIsConstantMovesLikeAForce) {
  const PointForce given{.body = "b", .at = Vec3(0.1, 0.2, -0.1), .vector = Vec3(1, -2, 0.5)};
  ProgrammedLoad computed{.body = "b", .at = Vec3(0.1, 0.2, -0.1)};
  auto load = std::make_shared<ComputedLoad>();
  load->wrench = [](const ComputedLoad::Motion&) { return (Vec6() << 1, -2, 0.5, 0, 0, 0).finished(); };
  computed.load = load;
  for (const std::string method : {"energy-momentum", "generalized-alpha", "director", "rattlie"}) {
    Model a = pair_with(given), b = pair_with(computed);
    a.simulation.integrator.name = b.simulation.integrator.name = method;
    const Certificate one = Simulation(a).run(), two = Simulation(b).run();
    EXPECT_LE(difference(one, two), 1e-12) << method;
    EXPECT_NEAR(one.load_work.at("force"), two.load_work.at("force"), 1e-11) << method;
  }
}

TEST(ComputedLoad, ClosesTheBalanceOfEnergyWithItsWork) {
  ProgrammedLoad drag{.body = "b"};
  auto load = std::make_shared<ComputedLoad>();
  load->wrench = [](const ComputedLoad::Motion& m) {
    return (Vec6() << -0.7 * m.velocity * m.velocity.norm() + Vec3(0, 0, std::sin(m.t)),
            -0.1 * (m.orientation * m.angular_velocity))
        .finished();
  };
  drag.load = load;
  for (const std::string method : {"energy-momentum", "director"}) {
    Model model = pair_with(drag);
    model.simulation.integrator.name = method;
    const Certificate c = Simulation(model).run();
    EXPECT_LE(c.energy.balance_error, 1e-13) << method;
    EXPECT_LE(c.load_work.at("force"), -0.1);
    EXPECT_EQ(c.momentum.linear_components, 0);
  }
}

TEST(ComputedLoad, OnACoordinateIsADamper) {
  auto damper = between_points<SpringDamper>();
  auto computed = between_points<ProgrammedLoad>();
  damper.damping = 3;
  auto load = std::make_shared<ComputedLoad>();
  load->on_coordinate = [](double, double, double rate) { return -3 * rate; };
  computed.load = load;
  for (const std::string method : {"energy-momentum", "generalized-alpha", "director", "rattlie"}) {
    Model a = pair_with(damper), b = pair_with(computed);
    a.simulation.integrator.name = b.simulation.integrator.name = method;
    const Certificate one = Simulation(a).run(), two = Simulation(b).run();
    EXPECT_LE(difference(one, two), 1e-11) << method;
    EXPECT_NEAR(one.dissipated.at("force"), -two.load_work.at("force"), 1e-10) << method;
  }
}

TEST(ComputedForces, ThatMakeNoSenseAreRefused) {
  const auto first_error = [](const Force& force) {
    const std::vector<Finding> errors = validate(pair_with(force)).errors();
    return errors.empty() ? std::string() : to_text(errors[0]);
  };
  EXPECT_EQ(first_error(quartic()), "");
  Potential wrong = quartic();
  wrong.between[1] = "c";
  EXPECT_TRUE(says(first_error(wrong), "there is no body \"c\""));
  wrong = quartic();
  wrong.coordinate = Coordinate::angle;
  EXPECT_TRUE(says(first_error(wrong), "needs a joint"));
  wrong = quartic();
  wrong.potential = nullptr;
  EXPECT_TRUE(says(first_error(wrong), "energy is missing"));
  EXPECT_TRUE(says(first_error(between_points<ProgrammedLoad>()), "function is missing"));
  EXPECT_THROW(write_model(pair_with(quartic())), ModelError);
}

// ---- what is done to a simulation between its steps ----

TEST(Simulation, AppliesAForceBetweenSteps) {
  Model still = pair_with(quartic());
  still.forces.clear();
  Model pushed = still;
  const PointForce push{.name = "push", .body = "b", .at = Vec3(0, 0.1, 0), .vector = Vec3(0, 3, -1)};
  pushed.forces = {push};
  Simulation a(still), b(pushed);
  a.apply(1, *push.vector, Vec3::Zero(), *push.at);
  EXPECT_LE(difference(a.run(), b.run()), 1e-14);
  EXPECT_LE(a.certificate().energy.balance_error, 1e-13);
  EXPECT_NEAR(a.certificate().load_work.at(Simulation::applied), b.certificate().load_work.at("push"), 1e-12);
}

TEST(Simulation, SetsVelocitiesThatTheJointsAllow) {
  // generalized-alpha starts as printed: its improved start moves velocities by h^2
  for (const IntegratorChoice& method : {energy_momentum(), generalized_alpha(0.9, 3, "printed")}) {
    Simulation simulation(with(model_file("double_pendulum"), method, 1e-3, 1));
    for (int k = 0; k < 100; ++k) ASSERT_TRUE(simulation.step());
    const double before = simulation.sample().energy.kinetic;
    simulation.set_velocities({{0, Vec3(1, 2, 3), Vec3(0.3, 2, 0.1)}});
    EXPECT_LE(simulation.sample().velocity_residual, 1e-12);
    EXPECT_GT(std::abs(simulation.sample().energy.kinetic - before), 1e-3);
    for (int k = 0; k < 100; ++k) ASSERT_TRUE(simulation.step());
    if (method.name == "energy-momentum") {
      EXPECT_LE(simulation.certificate().energy.balance_error, 1e-12);
    }
  }
}

TEST(Simulation, GoesOnFromACheckpointAsItDidBefore) {
  for (const std::string method : {"energy-momentum", "generalized-alpha"}) {
    Simulation simulation(with(model_file("double_pendulum"), {method, {}}, 1e-3, 1));
    for (int k = 0; k < 10; ++k) simulation.step();
    const auto saved = simulation.checkpoint();
    const Certificate once = simulation.run();
    simulation.restore(saved);
    EXPECT_EQ(difference(once, simulation.run()), 0) << method;
  }
}

}  // namespace
}  // namespace polhode::computed_test
