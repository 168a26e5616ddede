// Which momenta a model conserves, on mechanisms where the answer is plain; and that they are conserved.
#include <polhode/simulate/conserved.hpp>

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

}  // namespace
}  // namespace polhode::conserved_test
