// What the generalized-alpha method promises: the digits of the published runs, second order of positions and, with the
// right start, of multipliers; damping; with index 2 the velocity level too.
#include <polhode/integrate/generalized_alpha.hpp>

#include <fstream>
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "simulate/runs.hpp"

namespace polhode::generalized_alpha_test {
namespace {

/// A row's method with all its options.
IntegratorChoice choice_of(const nlohmann::json& method) {
  IntegratorChoice choice{method.at("name"), {}};
  for (const auto& [key, value] : method.items()) {
    if (key == "name") continue;
    if (value.is_number())
      choice.options[key] = value.get<double>();
    else
      choice.options[key] = value.get<std::string>();
  }
  if (choice.options.contains("index")) choice.options["metric"] = std::string("identity");  // as in papers
  return choice;
}

// Every update, both groups, both indices, both starts.
TEST(GeneralizedAlpha, HasTheDigitsOfThePublishedHeavyTop) {
  int compared = 0;
  for (const auto& row : references("heavy_top").at("schemes")) {
    const auto& method = row.at("integrator");
    if (method.at("name") != "generalized-alpha") continue;
    Simulation simulation(with(model_file("heavy_top"), choice_of(method), row.at("step"), row.at("time")));
    EXPECT_LE(distance(simulation.run(), row), 1e-9) << method;  // given to 12 digits, and Newton stops at 1e-15
    ++compared;
    if (!row.contains("force")) continue;
    const Vec3 force = force_from_ground(simulation, 0), expected = vector_of(row.at("force"));
    EXPECT_LE((force - expected).norm() / expected.norm(), 1e-8) << method;
  }
  EXPECT_EQ(compared, 10);
}

/// The largest error of the joint's force over (0, 0.1] s. The exact one is that of the accelerations at the states of
/// the energy-momentum rule of order 4 at h/4, which are good to 1e-9.
double multiplier_error(const IntegratorChoice& choice, double h) {
  Simulation run(with(model_file("heavy_top"), choice, h, 0.1));
  Simulation exact(with(model_file("heavy_top"), energy_momentum(4), h / 4, 0.1));
  ConstrainedMass mass(exact.compiled().system);
  double largest = 0;
  while (!run.done()) {
    if (!run.step()) return std::numeric_limits<double>::infinity();
    for (int k = 0; k < 4; ++k) exact.step();
    largest = std::max(
        largest, (run.state().lambda - accelerations(exact.compiled().system, exact.state(), mass).lambda).norm());
  }
  return largest;
}

// With a(0) = dv/dt(0) and exact v(0), as printed, the multipliers ring in the first steps with an error of order h.
TEST(GeneralizedAlpha, MultipliersAreOfFirstOrderAfterThePrintedStart) {
  const double coarse = multiplier_error(generalized_alpha(0.9, 3, "printed"), 1.25e-3);
  const double fine = multiplier_error(generalized_alpha(0.9, 3, "printed"), 6.25e-4);
  EXPECT_NEAR(coarse, 154, 2);  // N, of 450 N
  EXPECT_NEAR(std::log2(coarse / fine), 1.03, 0.1);
}

TEST(GeneralizedAlpha, MultipliersAreOfSecondOrderAfterTheImprovedStart) {
  const double coarse = multiplier_error(generalized_alpha(0.9, 3, "improved"), 1.25e-3);
  const double fine = multiplier_error(generalized_alpha(0.9, 3, "improved"), 6.25e-4);
  EXPECT_NEAR(coarse, 3.319, 0.05);  // N
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1);
}

TEST(GeneralizedAlpha, MultipliersAreOfSecondOrderWithIndexTwo) {
  const double coarse = multiplier_error(generalized_alpha(0.9, 2, "improved"), 1.25e-3);
  const double fine = multiplier_error(generalized_alpha(0.9, 2, "improved"), 6.25e-4);
  EXPECT_NEAR(coarse, 0.825, 0.02);  // N
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1);
}

// Index 3 leaves the velocity level to second order, index 2 meets it: both Phi = 0.
TEST(GeneralizedAlpha, MeetsTheVelocityConstraintsWithIndexTwoOnly) {
  for (const char* name :
       {"heavy_top", "bricard", "slider_crank", "flyball_governor", "chain_spherical", "gear_train"}) {
    const Certificate two = run(model_file(name), generalized_alpha(0.9, 2), 1e-3, 0.2);
    const Certificate three = run(model_file(name), generalized_alpha(0.9, 3), 1e-3, 0.2);
    EXPECT_LE(two.constraints.position, 1e-12) << name;
    EXPECT_LE(two.constraints.velocity, 1e-9) << name;
    EXPECT_LE(three.constraints.position, 1e-12) << name;
    if (std::string(name) != "gear_train") {
      EXPECT_GE(three.constraints.velocity, 10 * two.constraints.velocity) << name;
    }
  }
}

/// A model in other units of length, mass and time.
nlohmann::json in_units(nlohmann::json value, double length, double mass, double time) {
  const std::map<std::string, double> factors = {{"position", length},
                                                 {"at", length},
                                                 {"at_a", length},
                                                 {"at_b", length},
                                                 {"velocity", length / time},
                                                 {"angular_velocity", 1 / time},
                                                 {"mass", mass},
                                                 {"inertia", mass * length * length},
                                                 {"gravity", length / (time * time)},
                                                 {"step", time},
                                                 {"end_time", time}};
  const std::function<void(nlohmann::json&, double)> scale = [&](nlohmann::json& v, double by) {
    if (v.is_number() && by != 1) v = v.get<double>() * by;
    if (v.is_array())
      for (auto& part : v) scale(part, by);
    if (!v.is_object()) return;
    for (auto& [key, part] : v.items()) {
      const auto found = factors.find(key);
      scale(part, found == factors.end() ? 1 : found->second);
    }
  };
  scale(value, 1);
  return value;
}

/// The largest difference of a place, relative to the size of the model, that other units make with index 2.
double difference_in_units(const std::string& name, double length, double mass, double time) {
  std::ifstream file(POLHODE_SOURCE_DIR "/models/" + name + ".json");
  const auto document = nlohmann::json::parse(file, nullptr, true, true);
  const auto ends = [&](double L, double M, double T) {
    Model model = parse_model(in_units(document, L, M, T).dump(), name);
    return run(model, generalized_alpha(0.9, 2), model.simulation.step, 50 * model.simulation.step);
  };
  const Certificate own = ends(1, 1, 1), other = ends(length, mass, time);
  EXPECT_TRUE(other.complete()) << other.reason;
  double size = 0, most = 0;
  for (const auto& [body, state] : own.bodies) {
    size = std::max(size, state.position.norm());
    most = std::max(most, (state.position - polhode::body(other, body).position / length).norm());
  }
  return most / size;
}

// The configuration is shifted by M^-1 B^T eta. Shifted by B^T eta, slider-crank and chain ended 4e-7 and 1e-2
// elsewhere with lengths in micrometres, and the last units led to no end at all.
TEST(GeneralizedAlpha, WithIndexTwoDoesNotDependOnUnits) {
  for (const char* name : {"slider_crank", "chain_spherical", "four_bar_2"})
    for (const auto& [length, mass, time] :
         {std::tuple{1e-6, 1.0, 1.0}, {1e6, 1.0, 1.0}, {1e-3, 1e-12, 1e-4}, {1e9, 1e24, 1e5}})
      EXPECT_LE(difference_in_units(name, length, mass, time), 1e-10) << name << " " << length;
}

// A spring of 1e4 rad/s, 100 rad a step: rho_inf below 1 kills it, rho_inf = 1 keeps it, energy-momentum too. A larger
// stretch would make the first step overshoot, h^2 a, past the other end.
TEST(GeneralizedAlpha, DampsWhatTheStepDoesNotResolve) {
  const Model stiff =
      model_text(R"("bodies": [ { "name": "mass", "type": "particle", "mass": 1, "position": [1.000001, 0, 0] } ],
    "forces": [ { "type": "spring-damper", "between": ["ground", "mass"], "stiffness": 1e8, "length": 1 } ])");
  const double initial = 5e-5;
  EXPECT_LE(run(stiff, generalized_alpha(0), 1e-2, 0.1).energy.final, 1e-12 * initial);  // measured 5e-22
  EXPECT_LE(run(stiff, generalized_alpha(0.5), 1e-2, 0.2).energy.final,
            1e-6 * initial);  // measured 2e-8, 0.25^20 with overshoot
  EXPECT_NEAR(run(stiff, generalized_alpha(1), 1e-2, 1).energy.final, initial, 1e-8 * initial);
  EXPECT_NEAR(run(stiff, energy_momentum(), 1e-2, 1).energy.final, initial,
              1e-8 * initial);  // 1e-16 m of 1e-6 m, squared
}

// Its map is exact for a body that spins about a principal axis.
TEST(GeneralizedAlpha, IsExactForFreeSpinAboutAPrincipalAxis) {
  const Model spinner = model_text(R"("bodies": [ { "name": "rotor", "mass": 1, "inertia": [1, 2, 2.5],
    "velocity": [1, 2, 3], "angular_velocity": [0, 0, 10] } ])");
  const auto c = run(spinner, generalized_alpha(0.8), 0.1, 5);
  EXPECT_LE(so3::log(so3::exp(Vec3(0, 0, 50)).conjugate() * body(c, "rotor").orientation).norm(), 1e-12);
  EXPECT_LE((body(c, "rotor").position - Vec3(5, 10, 15)).norm(), 1e-12);
}

}  // namespace
}  // namespace polhode::generalized_alpha_test
