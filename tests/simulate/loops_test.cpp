// Loops whose data are rounded: said, and decided once, so that the mechanism moves with every method; and loops that
// are redundant to rounding, or only for an instant, are none of them.
#include <polhode/simulate/loops.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <polhode/elements/joints.hpp>
#include <polhode/integrate/methods.hpp>
#include <polhode/model/error.hpp>
#include <polhode/study/check.hpp>

#include "simulate/runs.hpp"
#include "simulate/says.hpp"

namespace polhode::loops_test {
namespace {

/// Four bars in a plane; the axis of B leaves its normal by `angle`.
Model misaligned(double angle) {
  Model model = model_text(R"("name": "misaligned", "gravity": [3, -9, 0.5],
    "bodies": [ { "name": "b0", "mass": 1, "inertia": [0.02, 0.03, 0.04], "position": [0.1, 0.25, 0] },
                { "name": "b1", "mass": 2, "inertia": [0.02, 0.03, 0.04], "position": [0.65, 0.6, 0] },
                { "name": "b2", "mass": 3, "inertia": [0.02, 0.03, 0.04], "position": [1, 0.325, 0] } ],
    "joints": [
      { "name": "A", "type": "revolute", "between": ["ground", "b0"], "at": [0, 0, 0], "axis": [0, 0, 1] },
      { "name": "C", "type": "revolute", "between": ["b1", "b2"], "at": [1.1, 0.7, 0], "axis": [0, 0, 1] },
      { "name": "D", "type": "revolute", "between": ["ground", "b2"], "at": [0.9, -0.05, 0], "axis": [0, 0, 1] } ])");
  model.joints.push_back(Revolute{.name = "B",
                                  .between = {"b0", "b1"},
                                  .at = Vec3(0.2, 0.5, 0),
                                  .axis = Vec3(0, std::sin(angle), std::cos(angle))});
  model.simulation = {.step = 0.005, .end_time = 1};
  return model;
}

Vec3 rounded(const Vec3& v, double unit) { return (v / unit).array().round() * unit; }

/// Bennett's linkage with points and axes of so many digits: more than two turns of its first link.
Model rounded_bennett(double unit) {
  Model model = model_file("bennett");
  for (Joint& joint : model.joints) {
    Revolute& hinge = *joint.edit<Revolute>();
    hinge.at = rounded(*hinge.at, unit);
    hinge.axis = rounded(*hinge.axis, unit);
  }
  model.simulation = {.step = 0.005, .end_time = 10};
  return model;
}

/// Sarrus' linkage: two legs of two links with parallel hinges in vertical planes guide a plate along z. All data are
/// rounded; a hinge of the first leg is off by half a unit.
Model rounded_sarrus(double unit) {
  Model model;
  model.gravity = Vec3(0, 0, -9.81);
  const double c = 0.5 * std::cos(1.0), s = 0.5 * std::sin(1.0);
  const auto body = [&](const std::string& name, const Vec3& at) {
    Body link;
    link.name = name;
    link.mass = 1;
    link.inertia = Vec3(0.02, 0.02, 0.01).asDiagonal();
    link.position = rounded(at, unit);
    model.bodies.push_back(link);
  };
  body("plate", Vec3(0, 0, 2 * s));
  for (const double phi : {0.3, 2.0}) {
    const std::string leg = phi < 1 ? " 1" : " 2";
    const Vec3 r(std::cos(phi), std::sin(phi), 0), n(-std::sin(phi), std::cos(phi), 0);
    const Vec3 foot = 0.3 * r, knee = foot + c * r + s * Vec3::UnitZ(), top = foot + 2 * s * Vec3::UnitZ();
    body("low" + leg, 0.5 * (foot + knee));
    body("up" + leg, 0.5 * (knee + top));
    const auto hinge = [&](const std::string& name, const std::string& a, const std::string& b, const Vec3& at) {
      Vec3 axis = rounded(n, unit);
      if (name == "knee 1") axis += Vec3(0.5, 0, 0.3) * unit;
      model.joints.push_back(Revolute{.name = name, .between = {a, b}, .at = rounded(at, unit), .axis = axis});
    };
    hinge("foot" + leg, "ground", "low" + leg, foot);
    hinge("knee" + leg, "low" + leg, "up" + leg, knee);
    hinge("top" + leg, "up" + leg, "plate", top);
  }
  model.simulation = {.step = 0.002, .end_time = 0.35};
  return model;
}

/// Every method that takes joints, and those of its variants that solve for them in another way.
std::vector<IntegratorChoice> methods_for_joints() {
  std::vector<IntegratorChoice> out;
  const Model model = misaligned(0);
  const CompiledModel compiled = compile(model);
  for (const Method& method : methods())
    if (!why_not(compiled.system, {method.name, {}})) out.push_back({method.name, {}});
  out.push_back({"energy-momentum", {{"index", 2.0}}});
  out.push_back({"energy-momentum", {{"order", 4.0}}});
  out.push_back({"generalized-alpha", {{"index", 2.0}}});
  return out;
}

TEST(Loops, OfRoundedDataMoveWithEveryMethodWithoutHalvedSteps) {
  for (const IntegratorChoice& method : methods_for_joints())
    for (const double angle : {1e-9, 1e-8, 1e-7, 1e-6, 1e-5}) {
      const Certificate c = run(misaligned(angle), method, 0.005, 1);
      ASSERT_TRUE(c.complete()) << method.name << " " << angle << ": " << c.reason;
      EXPECT_EQ(c.newton.halved_steps, 0) << method.name << " " << angle;
      EXPECT_EQ(c.constraints.freedoms, 1) << method.name << " " << angle;
      // what is left out opens by what the axis is off, measured 2.0 of it
      EXPECT_LE(c.constraints.position, 3 * angle) << method.name;
      EXPECT_GE(c.constraints.position, 0.5 * angle) << method.name;
    }
}

// The misfit changes the motion in proportion: after a second by 0.55 of it, with every method.
TEST(Loops, OfRoundedDataMoveAsThoseOfExactDataDo) {
  for (const IntegratorChoice& method : methods_for_joints()) {
    const Certificate exact = run(misaligned(0), method, 0.005, 1);
    for (const double angle : {1e-9, 1e-7, 1e-5}) {
      const Certificate off = run(misaligned(angle), method, 0.005, 1);
      for (const char* name : {"b0", "b1", "b2"})
        EXPECT_LE((body(off, name).position - body(exact, name).position).norm(), 0.7 * angle)
            << method.name << " " << angle << " " << name;
    }
  }
}

TEST(Loops, LeftOutRowsDoNoWork) {
  for (const double angle : {1e-9, 1e-7, 1e-5})
    EXPECT_LE(run(misaligned(angle), {"energy-momentum", {}}, 0.005, 1).energy.balance_error, 1e-12) << angle;
}

TEST(Loops, BeyondTheToleranceAreStructures) {
  for (const double angle : {1e-4, 1e-3}) {
    const Certificate c = run(misaligned(angle), {"energy-momentum", {}}, 0.005, 1);
    EXPECT_TRUE(c.complete());
    EXPECT_EQ(c.constraints.freedoms, 0);
    EXPECT_LE(c.constraints.position, 1e-12);
  }
  EXPECT_EQ(check(misaligned(1e-4)).start.near_loops.at(0).left_out, 0);
  Model told = misaligned(1e-4);
  told.simulation.loop_tolerance = 1e-4;
  EXPECT_EQ(run(told, {"energy-momentum", {}}, 0.005, 1).constraints.freedoms, 1);
  told = misaligned(1e-6);
  told.simulation.loop_tolerance = 1e-7;
  EXPECT_EQ(run(told, {"energy-momentum", {}}, 0.005, 1).constraints.freedoms, 0);
}

// The part is that of the axis, in proportion; the loop is named from the joint that closes it around.
TEST(Loops, CheckSaysWhichIsNearlyRedundantAndByHowMuch) {
  const NearLoop reference = check(misaligned(1e-6)).start.near_loops.at(0);
  EXPECT_GT(reference.part, 1e-7);
  EXPECT_LT(reference.part, 1e-6);
  EXPECT_EQ(reference.joints.size(), 4u);
  EXPECT_EQ(reference.left_out, 3);
  EXPECT_NEAR(reference.angle, 1e-6, 1e-6);
  for (const double angle : {1e-9, 1e-8, 1e-7, 1e-5}) {
    const NearLoop loop = check(misaligned(angle)).start.near_loops.at(0);
    EXPECT_NEAR(loop.part / reference.part, angle / 1e-6, 0.01 * angle / 1e-6);
    EXPECT_NEAR(loop.angle / reference.angle, angle / 1e-6, 0.01 * angle / 1e-6);
  }
  const std::string text = to_text(check(misaligned(1e-6)));
  EXPECT_TRUE(says(text, "nearly redundant"));
  EXPECT_TRUE(says(text, "loop_tolerance"));
  EXPECT_TRUE(says(to_text(run(misaligned(1e-6), {"energy-momentum", {}}, 0.005, 0.1)), "nearly redundant"));
}

// Other rows take the place of those that become dependent; each time the mechanism is put where its rounded data allow
// it, which changes its energy by a part of their error.
TEST(Loops, OfRoundedBennettTurnWithEveryMethod) {
  for (const IntegratorChoice& method : methods_for_joints()) {
    const Certificate c = run(rounded_bennett(1e-6), method, 0.005, 10);
    ASSERT_TRUE(c.complete()) << method.name << ": " << c.reason;
    EXPECT_EQ(c.newton.halved_steps, 0) << method.name;
    EXPECT_LE(c.constraints.position, 1e-5) << method.name;  // measured 1.7e-6
  }
  for (const double unit : {1e-4, 1e-5, 1e-6, 1e-7}) {
    const Certificate c = run(rounded_bennett(unit), {"energy-momentum", {}}, 0.005, 10);
    ASSERT_TRUE(c.complete()) << unit << ": " << c.reason;
    EXPECT_LE(c.energy.balance_error, 5 * unit);  // measured 0.1 to 0.6 of it
    EXPECT_LE(c.energy.identity_error, 1e-12);    // that is all of it
  }
}

TEST(Loops, OfRoundedSarrusGuideThePlate) {
  for (const double unit : {1e-5, 1e-6}) {
    const Model model = rounded_sarrus(unit);
    const CheckReport report = check(model);
    ASSERT_EQ(report.start.near_loops.size(), 1u);
    EXPECT_EQ(report.start.near_loops[0].joints.size(), 6u);
    EXPECT_EQ(report.start.freedoms, 1);
    const Certificate c = run(model, {"energy-momentum", {}}, 0.002, 0.35);
    ASSERT_TRUE(c.complete()) << c.reason;
    EXPECT_EQ(c.newton.halved_steps, 0);
    EXPECT_LE(c.energy.balance_error, 1e-12);
    const Vec3 plate = body(c, "plate").position;
    EXPECT_LE(plate.head<2>().norm(), 10 * unit);
    EXPECT_LT(plate.z(), 0.6);
  }
}

TEST(Loops, ThatAreRedundantToRoundingOrForAnInstantAreNotNearlySo) {
  for (const char* name : {"bennett", "bricard", "four_bar_2", "four_bar_40", "andrews", "planar_four_bar"})
    EXPECT_TRUE(check(model_file(name)).start.near_loops.empty()) << name;
  // a parallelogram that starts where all its bars lie on one line
  Model flat = misaligned(0);
  flat.bodies[0].position = Vec3(0.5, 0, 0);
  flat.bodies[1].position = Vec3(2, 0, 0);
  flat.bodies[2].position = Vec3(2.5, 0, 0);
  const std::map<std::string, Vec3> places{
      {"A", Vec3(0, 0, 0)}, {"B", Vec3(1, 0, 0)}, {"C", Vec3(3, 0, 0)}, {"D", Vec3(2, 0, 0)}};
  for (Joint& joint : flat.joints) joint.edit<Revolute>()->at = places.at(joint.name());
  EXPECT_TRUE(check(flat).start.near_loops.empty());
}

// Saved where rows have changed places, restored after they have changed again: the same bits.
TEST(Loops, GoOnFromACheckpoint) {
  Simulation simulation(rounded_bennett(1e-5));
  for (int k = 0; k < 400; ++k) ASSERT_TRUE(simulation.step());
  const Simulation::Checkpoint checkpoint = simulation.checkpoint();
  for (int k = 0; k < 800; ++k) ASSERT_TRUE(simulation.step());
  const Vec3 first = simulation.state().nodes[1].x;
  simulation.restore(checkpoint);
  for (int k = 0; k < 800; ++k) ASSERT_TRUE(simulation.step());
  EXPECT_EQ(simulation.state().nodes[1].x, first);
}

// Two drives of one loop agree at the start and then part: the message names the loop, not the step.
TEST(Loops, AStepThatFailsNamesItsLoop) {
  const Model driven = model_text(R"("name": "driven",
    "bodies": [ { "name": "b0", "mass": 1, "inertia": [0.02, 0.03, 0.04], "position": [0.1, 0.25, 0] },
                { "name": "b1", "mass": 2, "inertia": [0.02, 0.03, 0.04], "position": [0.65, 0.6, 0] },
                { "name": "b2", "mass": 3, "inertia": [0.02, 0.03, 0.04], "position": [1, 0.325, 0] } ],
    "joints": [
      { "name": "A", "type": "revolute", "between": ["ground", "b0"], "at": [0, 0, 0], "axis": [0, 0, 1] },
      { "name": "B", "type": "revolute", "between": ["b0", "b1"], "at": [0.2, 0.5, 0], "axis": [0, 0, 1] },
      { "name": "C", "type": "revolute", "between": ["b1", "b2"], "at": [1.1, 0.7, 0], "axis": [0, 0, 1] },
      { "name": "D", "type": "revolute", "between": ["ground", "b2"], "at": [0.9, -0.05, 0], "axis": [0, 0, 1] } ],
    "drives": [
      { "name": "one", "joint": "A", "type": "angle", "motion": { "type": "polynomial", "coefficients": [0, 0, 0.1] } },
      { "name": "two", "joint": "D", "type": "angle", "motion": { "type": "polynomial", "coefficients": [0, 0, 0.3] } } ])");
  const Certificate c = run(driven, {"energy-momentum", {}}, 0.01, 1);
  EXPECT_FALSE(c.complete());
  EXPECT_TRUE(says(c.reason, "loop of joints")) << c.reason;
  EXPECT_FALSE(says(c.reason, "smaller step")) << c.reason;
}

// Joints that nothing feels, and numbers that overflow, have no null vectors to decompose.
TEST(Loops, OfEmptyOrInfiniteEquationsAreNoCrash) {
  const Model gear_of_one_pair = model_text(R"("bodies": [ { "name": "a", "mass": 1, "inertia": [1, 1, 1] } ],
    "joints": [ { "name": "h1", "type": "revolute", "between": ["ground", "a"], "at": [0, 0, 0], "axis": [0, 0, 1] },
                { "name": "h2", "type": "revolute", "between": ["ground", "a"], "at": [0, 0, 1], "axis": [0, 0, 1] },
                { "name": "g", "type": "gear", "joints": ["h1", "h2"], "ratio": -1 } ])");
  const CheckReport geared = check(gear_of_one_pair);
  EXPECT_EQ(geared.start.freedoms, 1);
  EXPECT_EQ(geared.start.redundancies.size(), 6u);
  EXPECT_TRUE(says(to_text(geared), "joint \"g\": no force"));
  for (const char* type : {"spherical", "point-on-line", "point-on-plane"}) {
    const Model fixed = model_text(fmt::format(R"("bodies": [ {{ "name": "a", "mass": 1, "inertia": [1, 1, 1],
      "type": "fixed-point" }} ],
      "joints": [ {{ "name": "j", "type": "{}", "between": ["ground", "a"], "at": [0, 0, 0] {} }} ])",
                                               type, type == std::string("spherical") ? "" : R"(, "axis": [0, 0, 1])"));
    const CheckReport report = check(fixed);
    EXPECT_EQ(report.start.freedoms, 3) << type;
    EXPECT_EQ(report.start.rank, 0) << type;
  }
  const Model large = model_text(R"("bodies": [ { "name": "a", "mass": 1, "inertia": [1, 1, 1] },
                { "name": "b", "mass": 1, "inertia": [1, 1, 1] } ],
    "joints": [ { "name": "h", "type": "revolute", "between": ["ground", "a"], "axis": [0, 0, 1] },
                { "name": "k", "type": "revolute", "between": ["ground", "b"], "axis": [0, 0, 1] },
                { "name": "g", "type": "gear", "joints": ["h", "k"], "ratio": 1e155 } ])");
  EXPECT_NO_THROW(check(large));
}

}  // namespace
}  // namespace polhode::loops_test
