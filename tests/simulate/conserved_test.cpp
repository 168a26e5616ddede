// Which momenta a model conserves, on mechanisms where the answer is plain; and that they are conserved.
#include <polhode/simulate/conserved.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <polhode/elements/joints.hpp>

#include "simulate/runs.hpp"

namespace polhode::conserved_test {
namespace {

ConservedMomenta conserved(const Model& model) {
  const CompiledModel compiled = compile(model);
  State state = compiled.start;
  consistent_start(compiled, SimulationOptions::Assembly::strict, state);
  return conserved_momenta(compiled, state);
}

const std::string body_text =
    R"("bodies": [ { "name": "body", "mass": 2, "inertia": [0.1, 0.2, 0.25], "position": [1, 0.5, 0.25],
    "angular_velocity": [1, 2, 3] } ])";
const std::string gravity = R"(, "gravity": [0, 0, -9.81])";

TEST(ConservedMomenta, AreAllOfAFreeBody) {
  const ConservedMomenta m = conserved(model_text(body_text));
  EXPECT_EQ(m.linear.size(), 3u);
  EXPECT_EQ(m.angular.size(), 3u);
}

// In gravity: momentum across it, and angular momentum about the vertical through any point; with the translations
// taken out.
TEST(ConservedMomenta, OfABodyInGravityAreHorizontalAndAboutTheVertical) {
  const ConservedMomenta m = conserved(model_text(body_text + gravity));
  ASSERT_EQ(m.linear.size(), 2u);
  for (const Generator& g : m.linear) EXPECT_LE(std::abs(g.t.z()), 1e-12);
  ASSERT_EQ(m.angular.size(), 1u);
  EXPECT_LE(m.angular[0].w.normalized().cross(Vec3::UnitZ()).norm(), 1e-12);
}

TEST(ConservedMomenta, OfAParticleInGravityAreTheSame) {
  const ConservedMomenta m =
      conserved(model_text(R"("bodies": [ { "name": "p", "type": "particle", "mass": 1 } ])" + gravity));
  EXPECT_EQ(m.linear.size(), 2u);
  EXPECT_EQ(m.angular.size(), 1u);
}

TEST(ConservedMomenta, OfTheHeavyTopIsTheVerticalOne) {
  const ConservedMomenta m = conserved(model_file("heavy_top"));
  EXPECT_TRUE(m.linear.empty());
  ASSERT_EQ(m.angular.size(), 1u);
  EXPECT_LE(m.angular[0].w.normalized().cross(Vec3::UnitZ()).norm(), 1e-12);
  EXPECT_LE(m.angular[0].t.norm(), 1e-12);
}

// The pivot at p: rotations x -> w x (x - p), so t = -w x p.
TEST(ConservedMomenta, OfATopAwayFromTheOriginTurnAboutItsPivot) {
  const Vec3 p(3, -2, 1);
  Model model = model_file("heavy_top");
  model.bodies[0].position += p;
  for (auto& joint : model.joints) joint.edit<Spherical>()->at = joint.get<Spherical>()->at.value_or(Vec3::Zero()) + p;
  const ConservedMomenta m = conserved(model);
  EXPECT_TRUE(m.linear.empty());
  ASSERT_EQ(m.angular.size(), 1u);
  EXPECT_LE((m.angular[0].t + m.angular[0].w.cross(p)).norm(), 1e-10 * m.angular[0].w.norm());
  const Certificate c = run(model, energy_momentum(), 1e-3, 0.5);
  EXPECT_EQ(c.momentum.angular_components, 1);
  EXPECT_LE(c.momentum.angular_error, 1e-11);
}

std::string hinge(const std::string& axis) {
  return R"(, "joints": [ { "name": "hinge", "type": "revolute", "between": ["ground", "body"], "at": [0.5, 0.5, 0], "axis": )" +
         axis + " } ]";
}
const std::string resting =
    R"("bodies": [ { "name": "body", "mass": 2, "inertia": [0.1, 0.2, 0.25], "position": [1, 0.5, 0.25] } ])";

TEST(ConservedMomenta, OfABodyOnAHingeParallelToGravityIsThatAboutTheHinge) {
  const ConservedMomenta m = conserved(model_text(resting + gravity + hinge("[0, 0, 1]")));
  EXPECT_TRUE(m.linear.empty());
  ASSERT_EQ(m.angular.size(), 1u);
  EXPECT_LE((m.angular[0].t + m.angular[0].w.cross(Vec3(0.5, 0.5, 0))).norm(), 1e-10);
}

TEST(ConservedMomenta, AreNoneOfAPendulum) {
  const ConservedMomenta m = conserved(model_text(resting + gravity + hinge("[0, 1, 0]")));
  EXPECT_TRUE(m.linear.empty());
  EXPECT_TRUE(m.angular.empty());
}

TEST(ConservedMomenta, OfASliderIsTheOneAlongItsAxis) {
  const ConservedMomenta m = conserved(model_text(
      resting +
      R"(, "joints": [ { "name": "guide", "type": "prismatic", "between": ["ground", "body"], "at": [0, 0, 0], "axis": [1, 1, 0] } ])"));
  ASSERT_EQ(m.linear.size(), 1u);
  EXPECT_LE(m.linear[0].t.normalized().cross(Vec3(1, 1, 0).normalized()).norm(), 1e-10);
  EXPECT_TRUE(m.angular.empty());
}

// A screw leaves one motion that is neither: turning and travelling together, t = pitch w.
TEST(ConservedMomenta, OfAScrewTieTravelToTurn) {
  const ConservedMomenta m = conserved(model_text(
      resting +
      R"(, "joints": [ { "name": "thread", "type": "screw", "between": ["ground", "body"], "at": [0, 0, 0], "axis": [0, 0, 1], "pitch": 0.1 } ])"));
  EXPECT_TRUE(m.linear.empty());
  ASSERT_EQ(m.angular.size(), 1u);
  EXPECT_NEAR(m.angular[0].t.z() / m.angular[0].w.z(), 0.1, 1e-10);
}

TEST(ConservedMomenta, AreNotThoseAlongALoadOrASpringToTheGround) {
  const ConservedMomenta load = conserved(model_text(
      body_text +
      R"(, "forces": [ { "type": "force", "body": "body", "vector": [0, 0, 1], "function": { "type": "harmonic", "amplitude": 1, "angular_frequency": 1 } } ])"));
  EXPECT_EQ(load.linear.size(), 2u);
  const ConservedMomenta spring = conserved(model_text(
      body_text + R"(, "forces": [ { "type": "spring-damper", "between": ["ground", "body"], "stiffness": 5 } ])"));
  EXPECT_TRUE(spring.linear.empty());
  EXPECT_EQ(spring.angular.size(), 3u);  // about the anchor
}

// A force that turns with its body points in any direction in the end: one configuration forbids one motion, six all.
TEST(ConservedMomenta, AreNoneUnderAForceThatTurnsWithItsBody) {
  const Model model = model_text(
      body_text +
      R"(, "forces": [ { "type": "force", "body": "body", "at": [0.1, 0, 0.2], "vector": [0.5, -1, 0.8], "follower": true } ])");
  const ConservedMomenta m = conserved(model);
  EXPECT_TRUE(m.known && m.linear.empty() && m.angular.empty());
  const Certificate c = run(model, energy_momentum(), 0.01, 1);
  EXPECT_TRUE(unmet(c, {{"momentum", 1e-6}}).empty());  // none is conserved, so none is lost
}

// Beside the follower, a torque of fixed direction on the other of two bodies that springs tie.
TEST(ConservedMomenta, AreNoneOfTwoBodiesOfWhichOneIsThrust) {
  const ConservedMomenta m = conserved(model_text(
      R"("bodies": [ { "name": "a", "mass": 1.4, "inertia": [0.14, 0.2, 0.23] },
                     { "name": "b", "mass": 0.6, "inertia": [0.03, 0.05, 0.06], "position": [1.2, 0.1, -0.2] } ],
      "forces": [ { "name": "spring", "type": "spring-damper", "between": ["a", "b"], "at_a": [0, 0.2, -0.1],
                    "at_b": [0, 0, -0.1], "stiffness": 60, "damping": 1.2, "length": 0.9 },
                  { "name": "thrust", "type": "force", "body": "a", "at": [-0.1, 0.1, 0.1], "vector": [0.7, -0.4, 1.1],
                    "follower": true },
                  { "name": "torque", "type": "torque", "body": "b", "vector": [0.1, 0.05, -0.2] } ])"));
  EXPECT_TRUE(m.known && m.linear.empty() && m.angular.empty());
}

/// n links of 0.1 m on spherical joints, from the ground along x, in gravity.
std::string chain(int n) {
  std::string bodies, joints;
  for (int k = 0; k < n; ++k) {
    const std::string comma = k ? "," : "";
    bodies += comma + fmt::format(R"({{ "name": "l{}", "mass": 0.5, "inertia": [1e-4, 5e-4, 5e-4],
                                        "position": [{}, 0, 0] }})",
                                  k, 0.1 * k + 0.05);
    joints += comma + fmt::format(R"({{ "name": "j{}", "type": "spherical", "between": ["{}", "l{}"],
                                        "at": [{}, 0, 0] }})",
                                  k, k ? fmt::format("l{}", k - 1) : "ground", k, 0.1 * k);
  }
  return fmt::format(R"("bodies": [{}], "joints": [{}])", bodies, joints) + gravity;
}

// However long: that about the vertical through the first joint. Links moved without regard to the joints could not
// be put together again, and one configuration alone leaves a second rotation.
TEST(ConservedMomenta, OfALongChainAreThoseOfAShortOne) {
  for (const int n : {2, 50, 1000, 2500}) {
    const ConservedMomenta m = conserved(model_text(chain(n)));
    EXPECT_TRUE(m.known && m.linear.empty()) << n;
    ASSERT_EQ(m.angular.size(), 1u) << n;
    EXPECT_LE(m.angular[0].w.cross(Vec3::UnitZ()).norm(), 1e-7) << n;
    EXPECT_LE(m.angular[0].t.norm(), 1e-7) << n;
  }
}

// Particles on rods, zigzag: the first hangs from the ground.
TEST(ConservedMomenta, OfTwoHundredRodsIsTheOneAboutTheVertical) {
  std::string bodies, joints;
  for (int k = 0; k < 200; ++k) {
    const std::string comma = k ? "," : "";
    bodies += comma + fmt::format(R"({{ "name": "p{}", "type": "particle", "mass": 1, "position": [{}, {}, {}] }})", k,
                                  k + 1, 0.3 * (k % 2), 0.2 * (k % 3));
    joints += comma + fmt::format(R"({{ "name": "r{}", "type": "rod", "between": ["{}", "p{}"] }})", k,
                                  k ? fmt::format("p{}", k - 1) : "ground", k);
  }
  const ConservedMomenta m =
      conserved(model_text(fmt::format(R"("bodies": [{}], "joints": [{}])", bodies, joints) + gravity));
  EXPECT_TRUE(m.known && m.linear.empty());
  ASSERT_EQ(m.angular.size(), 1u);
  EXPECT_LE(m.angular[0].w.cross(Vec3::UnitZ()).norm(), 1e-7);
}

// A net of 9 x 9 particles on rods, held at two corners: the rotation about the line through both, which gravity takes
// away.
TEST(ConservedMomenta, OfANetAreThoseThatItsCornersLeave) {
  std::string bodies, joints;
  const auto rod = [&](const std::string& a, const std::string& b) {
    joints += fmt::format(R"({}{{ "name": "{}{}", "type": "rod", "between": ["{}", "{}"] }})",
                          joints.empty() ? "" : ",", a, b, a, b);
  };
  const auto name = [](int i, int j) { return fmt::format("p{}_{}", i, j); };
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j) {
      bodies += fmt::format(R"({}{{ "name": "{}", "type": "particle", "mass": 0.1, "position": [{}, {}, {}] }})",
                            bodies.empty() ? "" : ",", name(i, j), i, j, 0.1 * ((3 * i + 5 * j) % 4));
      if (i) rod(name(i - 1, j), name(i, j));
      if (j) rod(name(i, j - 1), name(i, j));
    }
  for (const int i : {0, 8})
    joints += fmt::format(
        R"(,{{ "name": "h{0}", "type": "rod", "between": ["ground", "p{0}_0"], "at_a": [{0}, -2, 0] }})", i);
  const std::string text = fmt::format(R"("bodies": [{}], "joints": [{}])", bodies, joints);
  const ConservedMomenta weightless = conserved(model_text(text)), heavy = conserved(model_text(text + gravity));
  EXPECT_TRUE(weightless.known && weightless.linear.empty());
  ASSERT_EQ(weightless.angular.size(), 1u);
  EXPECT_LE(weightless.angular[0].w.cross(Vec3::UnitX()).norm(), 1e-7);
  EXPECT_TRUE(heavy.known && heavy.linear.empty() && heavy.angular.empty());
}

// Rods that are too short to meet: no configuration exists, so nothing is claimed.
TEST(ConservedMomenta, AreUnknownWhereTheMechanismCannotBePutTogether) {
  const CompiledModel compiled = compile(model_text(
      R"("bodies": [ { "name": "p", "type": "particle", "mass": 1, "position": [1, 0, 0.1] } ], "joints": [
         { "name": "a", "type": "rod", "between": ["ground", "p"], "length": 0.5 },
         { "name": "b", "type": "rod", "between": ["ground", "p"], "at_a": [3, 0, 0], "length": 0.5 } ])"));
  const ConservedMomenta m = conserved_momenta(compiled, compiled.start);
  EXPECT_FALSE(m.known);
  EXPECT_TRUE(m.linear.empty() && m.angular.empty());
}

}  // namespace
}  // namespace polhode::conserved_test
