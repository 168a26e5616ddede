// Hulbert's explicit family: the digits of an independent implementation, order, exact momentum, limits that are named.
#include <polhode/integrate/explicit_momentum.hpp>

#include <gtest/gtest.h>

#include <polhode/model/error.hpp>

#include "simulate/runs.hpp"

namespace polhode {
namespace {

IntegratorChoice explicit_choice(const std::string& name, const std::string& impulse = "") {
  return impulse.empty() ? IntegratorChoice{name, {}} : IntegratorChoice{name, {{"impulse", impulse}}};
}

// Angular velocities at t = 5 s of the tumbling body, 1 ms steps (independent C++ and NumPy implementations agree in them).
TEST(ExplicitMomentum, HasTheDigitsOfTheTumblingBody) {
  const std::vector<std::pair<std::string, Vec3>> expected{{"simo-wong", {-7.995917462148, -0.017287380446, -0.207636973925}},
                                                           {"predictor-corrector", {-7.995845879830, -0.023119033288, -0.219471369692}},
                                                           {"staggered", {-7.995920657367, -0.017028152229, -0.206700828934}},
                                                           {"park-chiou-downer", {-7.995920882637, -0.016990348301, -0.206652980449}}};
  for (const auto& [name, Omega] : expected) {
    const Certificate c = run(model_file("tumbling_body"), explicit_choice(name), 1e-3, 5);
    EXPECT_LE((body(c, "body").angular_velocity - Omega).norm(), 1e-10) << name;  // 12 digits given
  }
}

// The top's axis at t = 1 s, for both rules of the impulse.
TEST(ExplicitMomentum, HasTheDigitsOfTheFastTop) {
  struct Row {
    std::string name, impulse;
    Vec3 axis;
  };
  for (const Row& row : {Row{"simo-wong", "midpoint", {0.127102225712, -0.294401901723, 0.947191925895}},
                         Row{"simo-wong", "trapezoidal", {0.127102281295, -0.294401874494, 0.947191926900}},
                         Row{"predictor-corrector", "midpoint", {0.127045398786, -0.294433932628, 0.947189593463}},
                         Row{"predictor-corrector", "trapezoidal", {0.127045527609, -0.294433947080, 0.947189571692}},
                         Row{"staggered", "midpoint", {0.127079713494, -0.294415192922, 0.947190815303}},
                         Row{"staggered", "trapezoidal", {0.127079768572, -0.294415168347, 0.947190815552}},
                         Row{"park-chiou-downer", "", {0.127094469044, -0.294444873284, 0.947179609438}}}) {
    const Certificate c = run(model_file("fast_top"), explicit_choice(row.name, row.impulse), 1e-3, 1);
    EXPECT_LE((body(c, "top").position - row.axis).norm(), 1e-11) << row.name << ' ' << row.impulse;
  }
}

// Against the exact axis at t = 1 s (order 8 integration at 1e-13).
TEST(ExplicitMomentum, ConvergesWithOrderTwo) {
  const Vec3 exact(0.127091429919, -0.294409779767, 0.947190925853);
  for (const std::string name : {"simo-wong", "predictor-corrector", "staggered", "park-chiou-downer"}) {
    std::vector<double> errors;
    for (double h : {4e-3, 2e-3, 1e-3})
      errors.push_back((body(run(model_file("fast_top"), explicit_choice(name), h, 1), "top").position - exact).norm());
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.15) << name;
  }
}

// Free bodies joined by springs: momenta to round-off, whatever the forces.
TEST(ExplicitMomentum, KeepsTheMomentumOfBodiesOnSprings) {
  const Model model = model_text(R"("bodies": [
      { "name": "a", "mass": 1, "inertia": [0.1, 0.2, 0.3], "velocity": [1, 0, 0], "angular_velocity": [1, 2, 3] },
      { "name": "b", "mass": 2, "inertia": [0.3, 0.2, 0.1], "position": [1, 0, 0], "velocity": [0, 1, 0], "angular_velocity": [0, 1, 0] } ],
    "forces": [ { "name": "s1", "type": "spring-damper", "between": ["a", "b"], "at_a": [0.1, 0, 0], "at_b": [0, 0.2, 0], "stiffness": 50 },
                { "name": "s2", "type": "spring-damper", "between": ["a", "b"], "at_a": [0, 0.1, 0.1], "stiffness": 20, "length": 0.5 } ])");
  for (const std::string name : {"simo-wong", "staggered"}) {
    const Certificate c = run(model, explicit_choice(name, "midpoint"), 1e-3, 2);
    EXPECT_LE(c.momentum.linear_error, 1e-12) << name;  // round-off of 2000 steps
    EXPECT_EQ(c.momentum.linear_components, 3);
    EXPECT_LE(c.energy.max_relative_error, 1e-3) << name;  // second order, h = 1e-3
  }
}

TEST(ExplicitMomentum, RefusesJointsAndStepsAboveTheLimit) {
  const auto message = [](const Model& model) {
    try {
      Simulation simulation(model);
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message(with(model_file("heavy_top"), explicit_choice("staggered"), 1e-3, 1)).find("rattlie"), std::string::npos);
  // omega = 10 rad/s: the limit is 0.2 s
  const Model oscillator = model_text(R"("bodies": [ { "name": "mass", "type": "scalar", "mass": 1, "coordinate": 1 } ],
    "forces": [ { "name": "spring", "type": "spring-damper", "between": ["ground", "mass"], "at_a": [-9, 0, 0], "stiffness": 100, "length": 9 } ])");
  EXPECT_EQ(message(with(oscillator, explicit_choice("staggered"), 0.19, 1)), "");
  EXPECT_NE(message(with(oscillator, explicit_choice("staggered"), 0.21, 1)).find("0.2 s"), std::string::npos);
}

}  // namespace
}  // namespace polhode
