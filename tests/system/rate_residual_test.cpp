// The rates of the joints' equations without a Jacobian are those with it.
#include <polhode/system/constrained_mass.hpp>

#include <gtest/gtest.h>

#include "system/random_models.hpp"

namespace polhode::rate_residual_test {
namespace {

TEST(RateResidual, IsTheJacobianTimesTheVelocities) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const CompiledModel model = compile(random_model(seed));
    const System& system = model.system;
    if (system.row_count == 0) continue;
    State state = model.start;
    Random random(seed);
    for (int i = 0; i < system.node_count(); ++i) {  // any velocities that the nodes can have
      const Vec6 u = system.spread(i, random.vector6());
      state.nodes[i].v = u.head<3>();
      state.nodes[i].Omega = state.nodes[i].q.conjugate() * Vec3(u.tail<3>());
    }
    std::vector<Frame> frames;
    std::vector<Vec6> V;
    ConstraintJacobian B;
    system.frames(state, frames);
    spatial_velocities(system, state, V);
    system.jacobian(frames, state.angles, B);
    VecX with(system.row_count), without(system.row_count);
    system.velocity_residual(B, V, 0.3, {with.data(), static_cast<std::size_t>(with.size())});
    system.velocity_residual(frames, V, 0.3, {without.data(), static_cast<std::size_t>(without.size())});
    EXPECT_LE((with - without).cwiseAbs().maxCoeff(), 1e-14 * (1 + with.cwiseAbs().maxCoeff())) << seed;
  }
}

}  // namespace
}  // namespace polhode::rate_residual_test
