// The joint and the force of docs/extending.md, compiled from the page itself as kinds from outside the library: read,
// written, checked, described and run like any other.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <polhode/elements/kinds.hpp>
#include <polhode/io/model_description.hpp>
#include <polhode/io/model_reader.hpp>
#include <polhode/io/model_writer.hpp>
#include <polhode/model/error.hpp>
#include <polhode/simulate/simulation.hpp>
#include <polhode/system/builder_kernels.hpp>

#include "simulate/runs.hpp"
#include "simulate/says.hpp"

#include <extending/parallel.hpp>
#include <extending/travel_spring_damper.hpp>

namespace polhode::extending_test {
namespace {

/// A block in space whose axis stays parallel to z, and a slider on the ground with a spring along its guide.
const char* const text = R"({
  "polhode": 1, "name": "extended", "gravity": [0, 0, -9.81],
  "bodies": [
    { "name": "block", "mass": 2, "inertia": [0.1, 0.2, 0.3], "velocity": [1, 0.5, 3], "angular_velocity": [0, 0, 4] },
    { "name": "slider", "mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [0, 0, 0.3] }
  ],
  "joints": [
    { "name": "upright", "type": "parallel", "between": ["ground", "block"], "axis": [0, 0, 1] },
    { "name": "guide", "type": "prismatic", "between": ["ground", "slider"], "axis": [0, 0, 1] }
  ],
  "forces": [ { "name": "spring", "type": "travel-spring-damper", "joint": "guide", "stiffness": 50, "damping": 0, "length": 0.1 } ],
  "simulation": { "step": 0.01, "end_time": 1 }
})";

class Extending : public testing::Test {
 protected:
  Extending() {
    add_kind(kind<Parallel>);
    add_kind(kind<TravelSpringDamper>);
  }
  ~Extending() override {
    remove_kind(kind<Parallel>);
    remove_kind(kind<TravelSpringDamper>);
  }
};

TEST_F(Extending, KindsAreReadAndWritten) {
  const Model model = parse_model(text, "page");
  ASSERT_NE(model.joints[0].get<Parallel>(), nullptr);
  EXPECT_EQ(model.joints[0].get<Parallel>()->axis, Vec3(0, 0, 1));
  ASSERT_NE(model.forces[0].get<TravelSpringDamper>(), nullptr);
  EXPECT_EQ(model.forces[0].get<TravelSpringDamper>()->length, 0.1);
  EXPECT_EQ(parse_model(write_model(model), "again"), model);
  EXPECT_THROW(add_kind(joint_kind<Parallel>({.word = "revolute", .summary = ""})), ModelError);
}

TEST_F(Extending, MistakesAreSaidInTheirWords) {
  const auto refusal = [](const std::string& from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    try {
      parse_model(changed, "page");
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal("\"axis\": [0, 0, 1]", "\"axes\": [0, 0, 1]"),
            "page: joints[0] \"upright\": unknown key \"axes\"; did you mean \"axis\"?");
  EXPECT_EQ(refusal("\"axis\": [0, 0, 1]", "\"axis\": [0, 0, 0]"),
            "page: joints[0] \"upright\": axis is [0, 0, 0]; give a direction such as [0, 0, 1]");
  EXPECT_EQ(refusal("\"parallel\"", "\"paralel\""),
            "page: joints[0] \"upright\": type is \"paralel\"; did you mean \"parallel\"?");
  EXPECT_EQ(refusal("\"joint\": \"guide\"", "\"joint\": \"upright\""),
            "page: forces[0] \"spring\": joint \"upright\" is a parallel joint, which has no travel for a "
            "travel-spring-damper; it has: angle");
}

TEST_F(Extending, SchemaAndTablesKnowThem) {
  EXPECT_TRUE(says(model_schema(), "\"const\": \"parallel\""));
  EXPECT_TRUE(
      says(description_table("joints"),
           "| `parallel` | two axes stay parallel, everything else is free | `axis`, `axis_a`, `axis_b` | 2 |"));
  EXPECT_TRUE(says(description_table("forces"), "`travel-spring-damper`"));
  EXPECT_TRUE(says(model_description(), "\"travel at rest\""));
}

// The block flies and spins about z; the slider swings about the length at which spring and weight balance.
TEST_F(Extending, MotionIsTheExactOneWithEveryMethod) {
  Model model = parse_model(text, "page");
  const double omega = std::sqrt(50.0), middle = 0.1 - 9.81 / 50;
  for (const Method& method : methods()) {
    model.simulation.integrator = {method.name, {}};
    Certificate c;
    try {
      c = Simulation(model).run();
    } catch (const ModelError& error) {
      EXPECT_TRUE(says(error.what(), "joint")) << method.name << ": " << error.what();  // explicit methods take none
      continue;
    }
    ASSERT_TRUE(c.complete()) << method.name << ": " << c.reason;
    const auto &block = c.bodies[0].second, &slider = c.bodies[1].second;
    EXPECT_LE((block.position - Vec3(1, 0.5, 3 - 9.81 / 2)).norm(), 0.06)
        << method.name;  // h g/2 for methods of first order
    EXPECT_LE((block.orientation * Vec3::UnitZ() - Vec3::UnitZ()).norm(), 1e-9) << method.name;
    EXPECT_NEAR(slider.position.z(), middle + (0.3 - middle) * std::cos(omega), 0.06) << method.name;
    if (method.name == "energy-momentum") {
      EXPECT_LE(c.energy.max_relative_error, 1e-12);
    }
  }
}

}  // namespace
}  // namespace polhode::extending_test
