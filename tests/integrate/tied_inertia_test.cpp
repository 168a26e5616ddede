// Inertia that ties nodes, with a kind of our own: T = k |v_a - v_b|^2/2, the coupled translations of a beam's nodes.
// Energy and momentum stay exact, the motion is that of the exact equations, and methods that need each body alone say
// so.
#include <cmath>

#include <gtest/gtest.h>

#include <polhode/simulate/start.hpp>
#include <polhode/study/exact_motion.hpp>

#include "simulate/runs.hpp"
#include "simulate/says.hpp"

namespace polhode::tied_inertia_test {
namespace {

class CoupledTranslations final : public InertiaArray {
 public:
  struct Item {
    int a, b;
    double k;
  };
  explicit CoupledTranslations(std::vector<Item> items) : items_(std::move(items)) {}

  std::string name() const override { return "coupled translation"; }
  std::vector<std::pair<int, int>> pairs() const override {
    std::vector<std::pair<int, int>> out;
    for (const Item& e : items_) out.emplace_back(e.a, e.b);
    return out;
  }
  double kinetic_energy(std::span<const Frame>, std::span<const Vec6> V) const override {
    double T = 0;
    for (const Item& e : items_) T += 0.5 * e.k * (V[e.a] - V[e.b]).head<3>().squaredNorm();
    return T;
  }
  void add_momentum(std::span<const Frame>, std::span<const Vec6> V, std::span<Vec6> p) const override {
    for (const Item& e : items_) add(e, e.k * (V[e.a] - V[e.b]).head<3>(), p);
  }
  void add_matrix(const System& system, std::span<const Frame>, double factor, BlockMatrix& A) const override {
    for (const Item& e : items_) {
      Mat6 K = Mat6::Zero();
      K.topLeftCorner<3, 3>() = factor * e.k * Mat3::Identity();
      system.add_block(e.a, e.a, K, A), system.add_block(e.b, e.b, K, A);
      system.add_block(e.a, e.b, -K, A), system.add_block(e.b, e.a, -K, A);
    }
  }
  void add_bias(std::span<const Frame>, std::span<const Vec6>, std::span<Vec6>) const override {}
  /// (h/2) k (v1 - v0) = k (dx - h v0), of the difference of the two nodes.
  void add_midpoint(const System& system, const MidpointMotion& m, std::span<Vec6> force,
                    BlockMatrix* A) const override {
    for (const Item& e : items_)
      add(e, e.k * (m.dx[e.a] - m.dx[e.b] - m.h * (m.state->nodes[e.a].v - m.state->nodes[e.b].v)), force);
    if (A) add_matrix(system, m.end, 1, *A);
  }

 private:
  static void add(const Item& e, const Vec3& d, std::span<Vec6> to) {
    to[e.a].head<3>() += d;
    to[e.b].head<3>() -= d;
  }
  std::vector<Item> items_;
};

/// Two bodies on a spring, and a third one that hangs on the second by a hinge; the inertia of the first two is tied.
CompiledModel tied(const Vec3& gravity, double k) {
  Model model = model_text(R"("bodies": [
      { "name": "a", "mass": 2, "inertia": [0.1, 0.2, 0.3], "position": [0, 0, 0], "velocity": [0.3, 0.2, 0], "angular_velocity": [1, 2, 3] },
      { "name": "b", "mass": 1, "inertia": [0.1, 0.1, 0.2], "position": [1, 0, 0], "velocity": [0, -0.4, 0.1], "angular_velocity": [0, 0, 1] },
      { "name": "c", "mass": 0.5, "inertia": [0.1, 0.1, 0.1], "position": [1, 0, -1] } ],
    "joints": [ { "name": "hinge", "type": "revolute", "between": ["b", "c"], "at": [1, 0, -0.5], "axis": [0, 1, 0] } ],
    "forces": [ { "name": "s", "type": "spring-damper", "between": ["a", "b"], "at_a": [0, 0.1, 0], "at_b": [0, 0, 0.1], "stiffness": 40, "length": 0.8 } ])");
  model.gravity = gravity;
  CompiledModel compiled = compile(model);
  compiled.system.inertia.ties.push_back(
      std::make_shared<CoupledTranslations>(std::vector<CoupledTranslations::Item>{{0, 1, k}}));
  return compiled;
}

State consistent(const CompiledModel& compiled) {
  State state = compiled.start;
  consistent_start(compiled, SimulationOptions::Assembly::project, state);
  return state;
}

State moved(const CompiledModel& compiled, const IntegratorChoice& choice, double h, double end) {
  State state = consistent(compiled);
  const auto integrator = make_integrator(compiled.system, choice);
  integrator->start(state, h);
  for (long k = 0, n = std::lround(end / h); k < n; ++k) EXPECT_TRUE(integrator->step(state, h).converged);
  return state;
}

TEST(TiedInertia, KeepsEnergyAndMomentum) {
  const CompiledModel compiled = tied(Vec3::Zero(), 0.7);
  const System& system = compiled.system;
  const State start = consistent(compiled), end = moved(compiled, energy_momentum(), 0.01, 5);
  std::vector<Frame> q0, q1;
  system.frames(start, q0);
  system.frames(end, q1);
  const Energy E0 = energy(system, start, q0), E1 = energy(system, end, q1);
  const Momentum L0 = momentum(system, start, q0), L1 = momentum(system, end, q1);
  EXPECT_GT(std::abs(E1.kinetic - E0.kinetic), 0.01);  // it moves
  EXPECT_NEAR(E1.total(), E0.total(), 1e-11 * std::abs(E0.total()));
  EXPECT_LE((L1.linear - L0.linear).norm(), 1e-12 * L0.linear_size);
  EXPECT_LE((L1.angular - L0.angular).norm(), 1e-11 * L0.angular_size);
}

TEST(TiedInertia, MovesAsTheExactEquationsSay) {
  const CompiledModel compiled = tied(Vec3(0, 0, -9.81), 0.7);
  ExactMotion exact(compiled, consistent(compiled), 1e-12);
  ASSERT_TRUE(exact.advance(1));
  for (const IntegratorChoice& choice :
       {energy_momentum(), IntegratorChoice{"energy-decaying", {{"energy", std::string("augmented")}}}}) {
    std::vector<double> errors;
    for (const double h : {0.02, 0.01, 0.005, 0.0025}) {
      const State state = moved(compiled, choice, h, 1);
      double error = 0;
      for (std::size_t i = 0; i < state.nodes.size(); ++i)
        error = std::max(error, (state.nodes[i].x - exact.state().nodes[i].x).norm());
      errors.push_back(error);
    }
    EXPECT_NEAR(observed_order(errors), 2.0, 0.15) << choice.name;
  }
}

// Of two particles on a spring, the distance swings with omega^2 = K/(m/2 + k): with a tie of half the mass, at
// 1/sqrt(2) of the frequency.
TEST(TiedInertia, SlowsASpringDown) {
  const Model model = model_text(R"("bodies": [ { "name": "a", "type": "particle", "mass": 1, "position": [0, 0, 0] },
      { "name": "b", "type": "particle", "mass": 1, "position": [1.1, 0, 0] } ],
    "forces": [ { "name": "s", "type": "spring-damper", "between": ["a", "b"], "at_a": [0, 0, 0], "at_b": [0, 0, 0], "stiffness": 50, "length": 1 } ])");
  CompiledModel compiled = compile(model);
  compiled.system.inertia.ties.push_back(
      std::make_shared<CoupledTranslations>(std::vector<CoupledTranslations::Item>{{0, 1, 0.5}}));
  const State state = moved(compiled, energy_momentum(4), 1e-3, 1);
  EXPECT_NEAR(state.nodes[1].x.x() - state.nodes[0].x.x(), 1 + 0.1 * std::cos(std::sqrt(50.0)), 1e-9);
}

TEST(TiedInertia, IsRefusedByMethodsThatNeedEachBodyAlone) {
  const CompiledModel compiled = tied(Vec3::Zero(), 0.7);
  for (const char* name : {"generalized-alpha", "energy-decaying", "lens-cardona", "geradin", "director", "rattlie"}) {
    const auto reason = why_not(compiled.system, {name, {}});
    ASSERT_TRUE(reason) << name;
    EXPECT_TRUE(says(*reason, "coupled translation")) << name;
    EXPECT_TRUE(says(*reason, "energy-momentum")) << name;
  }
  EXPECT_FALSE(why_not(compiled.system, energy_momentum()));
  EXPECT_EQ(settle_options(compiled.system, energy_momentum()).options.all().at("index"), OptionValue(3.0));
  const auto reason = why_not(compiled.system, {"energy-momentum", {{"index", 2.0}}});
  ASSERT_TRUE(reason);
  EXPECT_TRUE(says(*reason, "use index 3"));
}

}  // namespace
}  // namespace polhode::tied_inertia_test
