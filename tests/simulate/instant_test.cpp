// Reactions and accelerations of samples that follow from the equations of motion at that instant.
#include <gtest/gtest.h>

#include <cmath>

#include <polhode/integrate/integrator_text.hpp>

#include "simulate/runs.hpp"

namespace polhode::instant_test {
namespace {

Model at_instants(Model model) {
  model.simulation.reactions = SimulationOptions::Reactions::instant;
  return model;
}

/// A rod of 2 kg and 1 m on a hinge at its end, whose frame begins there, from the horizontal.
Model rod() {
  Model model = model_text(R"("name": "rod", "gravity": [0, 0, -9.81],
    "bodies": [ { "name": "rod", "mass": 2, "inertia": [0.001, 0.166667, 0.166667], "centre_of_mass": [0.5, 0, 0],
                  "angular_velocity": [0, 1, 0] } ],
    "joints": [ { "name": "hinge", "type": "revolute", "between": ["ground", "rod"], "at": [0, 0, 0], "axis": [0, 1, 0] } ])");
  return at_instants(model);
}

// With a the angle below the horizontal, l = 1/2 m: (J + m l^2) a'' = m g l cos a, and the hinge pulls with m l a'^2 + m g sin a
// along the rod and m g cos a - m l a'' across it. Whatever error a method has made in a and a', it holds between them.
TEST(Instant, HasTheTensionOfAPendulum) {
  const double m = 2, g = 9.81, l = 0.5, J = 0.166667;
  for (const char* method : {"energy-momentum index=3", "energy-momentum index=2 order=4", "generalized-alpha",
                             "energy-decaying", "lens-cardona", "geradin", "director", "rattlie"}) {
    Simulation simulation(with(rod(), parse_integrator(method), 0.01, 0.5));
    while (!simulation.done()) {
      ASSERT_TRUE(simulation.step());
      const Sample s = simulation.sample();
      const auto& q = s.quaternions;
      const double a = 2 * std::atan2(q[2], q[0]), rate = s.angular_velocities[1];
      const double a_2 = m * g * l * std::cos(a) / (J + m * l * l);
      const double along = m * l * rate * rate + m * g * std::sin(a), across = m * g * std::cos(a) - m * l * a_2;
      const Vec3 force = force_from_ground(simulation, 0);
      EXPECT_NEAR(force.x(), -along * std::cos(a) + across * std::sin(a), 1e-8) << method << " " << s.time;
      EXPECT_NEAR(force.z(), along * std::sin(a) + across * std::cos(a), 1e-8) << method << " " << s.time;
      EXPECT_NEAR(s.angular_accelerations[1], a_2, 1e-8) << method << " " << s.time;
      EXPECT_NEAR(s.accelerations[0], 0, 1e-8);  // of the frame, at the hinge
      EXPECT_NEAR(s.accelerations[2], 0, 1e-8);
    }
  }
}

// With the multipliers of the method they are of order 2, in the middle of a step.
TEST(Instant, HasReactionsOfTheOrderOfTheMotion) {
  const Model top = at_instants(model_file("heavy_top"));
  const auto force = [&](const char* method, double h) {
    Simulation simulation(with(top, parse_integrator(method), h, 0.1));
    simulation.run();
    return force_from_ground(simulation, 0);
  };
  const Vec3 exact = force("energy-momentum index=2 order=6", 2.5e-4);
  std::vector<double> errors;
  for (const double h : {2e-3, 1e-3, 5e-4})
    errors.push_back((force("energy-momentum index=2 order=4", h) - exact).norm());
  EXPECT_NEAR(observed_order(errors), 4, 0.3) << errors[0] << " " << errors[1] << " " << errors[2];
}

// A result has accelerations only if they were asked for.
TEST(Instant, AddsAccelerationsToAResult) {
  for (const bool instant : {false, true}) {
    Model model = rod();
    if (!instant) model.simulation.reactions = SimulationOptions::Reactions::step;
    Simulation simulation(with(model, {"energy-momentum", {}}, 0.01, 0.05));
    MemoryRecorder recorder(simulation.layout(""));
    simulation.run(recorder);
    EXPECT_EQ(recorder["bodies/acceleration"].size(), instant ? 3 * recorder.samples() : 0);
    EXPECT_EQ(recorder["bodies/angular_acceleration"].size(), instant ? 3 * recorder.samples() : 0);
  }
}

}  // namespace
}  // namespace polhode::instant_test
