// The random models keep what they promise: consistent as they are built, independent, moving, and of every kind.
#include <set>

#include <gtest/gtest.h>

#include <polhode/simulate/start.hpp>

#include "configurations.hpp"

namespace polhode::random_models_test {
namespace {

TEST(RandomModels, AreConsistentAsBuilt) {
  std::set<std::string> joints;
  std::set<Body::Type> bodies;
  std::set<std::string> forces;
  std::size_t couplings = 0, loops = 0, moving = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const bool free_floating = seed % 3 == 0;
    const Model model =
        random_model(seed, {.bodies = 1 + static_cast<int>(seed % 8), .free_floating = free_floating, .loops = 2});
    const CompiledModel compiled = compile(model);
    State state = compiled.start;
    const StartReport report = consistent_start(compiled, SimulationOptions::Assembly::strict, state);
    EXPECT_LE(report.position_residual, 1e-14) << seed;
    EXPECT_EQ(report.rank, report.equations) << seed;
    double speed = 0;
    for (std::size_t i = 0; i < state.nodes.size(); ++i) {
      EXPECT_LE((state.nodes[i].v - compiled.start.nodes[i].v).norm(), 1e-12) << seed;
      EXPECT_LE((state.nodes[i].Omega - compiled.start.nodes[i].Omega).norm(), 1e-12) << seed;
      speed += state.nodes[i].v.norm() + state.nodes[i].Omega.norm();
    }
    moving += speed > 0.01;
    for (const ConstraintBlock& block : compiled.system.blocks) EXPECT_FALSE(free_floating && block.to_ground) << seed;
    for (const Joint& joint : model.joints) joints.emplace(joint.kind().word);
    for (const Body& body : model.bodies) bodies.insert(body.type);
    for (const Force& force : model.forces) forces.emplace(force.kind().word);
    couplings += model.couplings.size();
    loops += model.joints.size() >= model.bodies.size();
  }
  EXPECT_EQ(joints.size(), 11u);
  EXPECT_EQ(bodies.size(), 4u);
  EXPECT_EQ(forces.size(), 6u);
  EXPECT_GT(couplings, 3u);
  EXPECT_GT(loops, 10u);
  EXPECT_GT(moving, 50u);  // the others have no freedom, or hardly happen to use it
}

TEST(RandomModels, AreTheSameForTheSameSeed) {
  EXPECT_EQ(random_model(4), random_model(4));
  EXPECT_NE(random_model(4), random_model(5));
}

}  // namespace
}  // namespace polhode::random_models_test
