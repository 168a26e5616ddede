// What FastCayley computes with prediction, kept tangents and fused loops is what a plain solver finds.
#include <gtest/gtest.h>

#include <polhode/integrate/energy_momentum_rule.hpp>
#include <polhode/simulate/start.hpp>

#include "integrate/plain_cayley.hpp"
#include "simulate/runs.hpp"

namespace polhode::fast_cayley_test {
namespace {

/// The largest difference of positions, orientations and velocities, relative to the largest of each, of 200 steps by
/// both.
double difference(const std::string& name) {
  const Model model = model_file(name);
  const CompiledModel compiled = compile(model);
  State plain = compiled.start;
  consistent_start(compiled, model.simulation.assembly, plain);
  State fast = plain;
  const double h = model.simulation.step;
  const auto integrator = make_integrator(compiled.system, plain_energy_momentum());
  integrator->start(fast, h);
  EnergyMomentumRule<PlainCayley> rule(compiled.system, {});
  for (int k = 0; k < 200; ++k) {
    EXPECT_TRUE(integrator->step(fast, h).converged) << name;
    EXPECT_TRUE(rule.step(plain, h).converged) << name;
  }
  double x = 0, q = 0, v = 0, Omega = 0, length = compiled.system.length, speed = 1e-300, spin = 1e-300;
  for (std::size_t i = 0; i < plain.nodes.size(); ++i) {
    const NodeState &a = plain.nodes[i], &b = fast.nodes[i];
    x = std::max(x, (a.x - b.x).norm());
    q = std::max(q, so3::log(a.q.conjugate() * b.q).norm());
    v = std::max(v, (a.v - b.v).norm()), speed = std::max(speed, a.v.norm());
    Omega = std::max(Omega, (a.Omega - b.Omega).norm()), spin = std::max(spin, a.Omega.norm());
  }
  EXPECT_NEAR(plain.work.done(), fast.work.done(), 1e-8 * (1 + std::abs(plain.work.done()))) << name;
  return std::max({x / length, q, v / std::max(speed, length), Omega / std::max(spin, 1.0)});
}

TEST(FastCayley, FindsWhatAPlainSolverFinds) {
  for (const char* name : {"heavy_top", "bricard", "flyball_governor", "slider_crank", "gear_train", "driven_revolute",
                           "dzhanibekov", "double_pendulum"})
    EXPECT_LE(difference(name), 1e-10) << name;
  EXPECT_LE(difference("andrews"), 1e-8);  // fast, and sensitive to the last digit
}

}  // namespace
}  // namespace polhode::fast_cayley_test
