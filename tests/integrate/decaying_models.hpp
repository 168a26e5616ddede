// Models for the energy-decaying methods, and the claim that all their runs must meet.
#pragma once

#include <gtest/gtest.h>

#include <polhode/elements/forces.hpp>
#include <polhode/elements/joints.hpp>

#include "simulate/runs.hpp"
#include "system/random_models.hpp"

namespace polhode {

inline IntegratorChoice decaying(double rho_inf, const std::string& energy = "physical",
                                 const std::string& light_bodies = "free") {
  return {"energy-decaying", {{"rho_inf", rho_inf}, {"energy", energy}, {"light_bodies", light_bodies}}};
}

/// Physical energy: no step gains any, the loss is what the method tells, constraints hold at both levels.
inline void expect_decay(const Certificate& c) {
  EXPECT_TRUE(c.complete());
  EXPECT_EQ(c.energy.gaining_steps, 0) << c.energy.largest_gain;
  const double summed = std::max(std::abs(c.energy.initial), c.energy.scale);  // what rounding is relative to
  EXPECT_LE(c.energy.identity_error * c.energy.scale, 1e-10 * summed);
  EXPECT_LE(c.constraints.position, 1e-11);
  EXPECT_LE(c.constraints.velocity, 1e-11);
}

/// Two free bodies and three springs.
inline Model spring_pair(double k) {
  const auto spring = [&](int i, const char* at) {
    return fmt::format(R"({{"name": "s{}", "type": "spring-damper", "between": ["a", "b"], "stiffness": {}, {}}})", i,
                       k * (1 + 0.3 * i), at);
  };
  return model_text(
      R"("bodies": [{"name": "a", "mass": 2, "inertia": [0.3, 0.4, 0.5], "velocity": [1, -2, 0.5], "angular_velocity": [2, -1, 3]},
      {"name": "b", "mass": 3, "inertia": [0.5, 0.6, 0.3], "position": [1.5, 0, 0], "velocity": [-1, 2, 1], "angular_velocity": [-1, 2, 1]}], "forces": [)" +
      spring(0, R"("at_a": [0.3, 0.2, 0], "at_b": [-0.3, 0.1, 0.2], "length": 1)") + "," +
      spring(1, R"("at_a": [0.2, -0.3, 0.1], "at_b": [-0.4, -0.2, 0], "length": 1)") + "," +
      spring(2, R"("at_a": [0.1, 0.1, 0.4], "at_b": [-0.2, 0.2, -0.3], "length": 1.1)") + "]");
}

/// Two particles of 1 kg and a spring of 1 m, turning with 3 rad/s at the length that balances, and drifting; drawn
/// apart with some speed.
inline Model dumbbell(double k, double apart) {
  const double L = 1 / (1 - 4.5 / k);
  return model_text(fmt::format(
      R"("bodies": [{{"name": "a", "type": "particle", "mass": 1, "position": [{}, 0, 0], "velocity": [{}, {}, 0.2]}},
      {{"name": "b", "type": "particle", "mass": 1, "position": [{}, 0, 0], "velocity": [{}, {}, 0.2]}}],
      "forces": [{{"name": "s", "type": "spring-damper", "between": ["a", "b"], "stiffness": {}, "length": 1}}])",
      -L / 2, 0.7 - apart / 2, -1.5 * L, L / 2, 0.7 + apart / 2, 1.5 * L, k));
}

/// The chain of four on spherical joints with the second one universal and the third revolute.
inline Model mixed_chain() {
  Model model = model_file("chain_spherical");
  const Spherical second = *model.joints[1].get<Spherical>(), third = *model.joints[2].get<Spherical>();
  model.joints[1] = Universal{.name = second.name,
                              .between = second.between,
                              .at = second.at,
                              .at_a = second.at_a,
                              .at_b = second.at_b,
                              .axis_a = Vec3::UnitX(),
                              .axis_b = Vec3::UnitY()};
  model.joints[2] = Revolute{.name = third.name,
                             .between = third.between,
                             .at = third.at,
                             .at_a = third.at_a,
                             .at_b = third.at_b,
                             .axis_a = Vec3::UnitX(),
                             .axis_b = Vec3::UnitX()};
  return model;
}

/// The same chain with bushings that hold points together for its joints, each measured in a body: not in the ground,
/// whose axes damping would then know.
inline Model bushing_chain(double k) {
  Model model = model_file("chain_spherical");
  for (const Joint& joint : model.joints) {
    const Anchors held = joint.anchors();
    Bushing bushing{
        .name = joint.name(), .between = {held.between[1], held.between[0]}, .at_a = held.at_b, .at_b = held.at_a};
    bushing.stiffness = Vec6(k, k, k, 0, 0, 0);
    model.forces.push_back(bushing);
  }
  model.joints.clear();
  return model;
}

}  // namespace polhode
