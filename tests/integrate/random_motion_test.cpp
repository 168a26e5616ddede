// Laws of mechanics on random mechanisms: balance of energy, conserved momenta, no preferred place or direction in
// space, time that runs back, and two methods that agree.
#include <gtest/gtest.h>

#include <polhode/solve/svd.hpp>

#include "simulate/moved_model.hpp"
#include "simulate/runs.hpp"
#include "system/random_models.hpp"

namespace polhode::random_motion_test {
namespace {

constexpr int steps = 200;
constexpr double h = 0.005;

struct Kind {
  const char* name;
  RandomModelOptions options;
  bool reversible() const { return !options.dampers && !options.drives && !options.loads; }
  friend std::ostream& operator<<(std::ostream& out, const Kind& kind) { return out << kind.name; }
};

const std::vector<Kind> kinds{
    {"everything", {.bodies = 6}},
    {"floating", {.bodies = 5, .free_floating = true, .dampers = false, .drives = false, .loads = false}},
    {"floating_with_motors", {.bodies = 5, .free_floating = true}},
    {"tree", {.bodies = 6, .loops = 0, .springs = false, .dampers = false, .drives = false, .loads = false}},
    {"loops_with_springs", {.bodies = 5, .loops = 2, .dampers = false, .drives = false, .loads = false}},
    {"rigid_bodies", {.bodies = 4, .loops = 1, .lesser_nodes = false}}};

class RandomMotion : public testing::TestWithParam<Kind> {};
class ReversibleRandomMotion : public RandomMotion {
};  ///< without dampers, drives and loads, which know the direction of time

template <class F>
void for_seeds(const Kind& kind, unsigned count, F&& f) {
  for (unsigned seed = 1; seed <= count; ++seed) {
    SCOPED_TRACE(fmt::format("{}, seed {}", kind.name, seed));
    f(random_model(seed, kind.options));
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST_P(RandomMotion, ClosesItsBalances) {
  int completed = 0;
  for_seeds(GetParam(), 8, [&](const Model& model) {
    Simulation simulation(with(model, energy_momentum(), h, steps * h));
    const Certificate c = simulation.run();
    if (!model.drives.empty() && !c.complete()) {  // a drive may ask what the mechanism cannot do: it locks
      Simulation closer(with(model, energy_momentum(), h / 256, steps * h));  // ends at the last step before that
      closer.run();
      const Eigen::JacobiSVD<MatX> svd(dense_jacobian(closer.compiled().system, closer.state()));
      EXPECT_LE(svd.singularValues().minCoeff(), 5e-3) << c.reason;  // 0.05 at least at the start
      return;
    }
    ASSERT_TRUE(c.complete());
    ++completed;
    EXPECT_LE(c.energy.balance_error, 1e-10);
    EXPECT_LE(c.constraints.position, 1e-12);
    EXPECT_LE(c.momentum.linear_error, 1e-10);
    EXPECT_LE(c.momentum.angular_error, 1e-10);
    if (GetParam().options.free_floating) {
      EXPECT_EQ(c.momentum.linear_components, 3);
      EXPECT_EQ(c.momentum.angular_components, 3);
    }
    if (GetParam().reversible()) {
      EXPECT_LE(c.energy.max_relative_error, 1e-10);
    }
  });
  EXPECT_GE(completed, 6);
}

TEST_P(RandomMotion, DoesNotDependOnWhereItIsInSpace) {
  const ModelMover mover(so3::exp(Vec3(0.7, -1.1, 0.4)), Vec3(3, -2, 1));
  for_seeds(GetParam(), 4, [&](const Model& model) {
    for (const IntegratorChoice& method : {energy_momentum(), generalized_alpha(0.8, 3), generalized_alpha(0.8, 2)}) {
      const Certificate here = run(model, method, h, steps * h), there = run(mover(model), method, h, steps * h);
      ASSERT_TRUE(here.complete());
      ASSERT_TRUE(there.complete());
      for (std::size_t k = 0; k < here.bodies.size(); ++k) {
        const auto &a = here.bodies[k].second, &b = there.bodies[k].second;
        EXPECT_LE((b.position - mover.place(a.position)).norm(), 1e-10 * (1 + a.position.norm())) << method.name;
        EXPECT_LE((b.velocity - mover.direction(a.velocity)).norm(), 1e-9 * (1 + a.velocity.norm())) << method.name;
        if (model.bodies[k].type == Body::Type::rigid || model.bodies[k].type == Body::Type::fixed_point) {
          EXPECT_LE(so3::log(mover.orientation(a.orientation).conjugate() * b.orientation).norm(), 1e-10)
              << method.name;
        }
      }
    }
  });
}

TEST_P(ReversibleRandomMotion, RunsBackToItsStart) {
  for_seeds(GetParam(), 6, [&](const Model& model) {
    for (const double order : {2, 4}) {
      const CompiledModel compiled = compile(model);
      State state = compiled.start;
      consistent_start(compiled, SimulationOptions::Assembly::strict, state);
      const State start = state;
      const auto integrator = make_integrator(compiled.system, energy_momentum(order));
      for (const bool back : {false, true}) {
        if (back)
          for (NodeState& node : state.nodes) {
            node.v = -node.v;
            node.Omega = -node.Omega;
          }
        integrator->start(state, h);
        for (int k = 0; k < steps; ++k) ASSERT_TRUE(integrator->step(state, h).converged);
      }
      for (std::size_t i = 0; i < state.nodes.size(); ++i) {
        EXPECT_LE((state.nodes[i].x - start.nodes[i].x).norm(), 1e-8);
        EXPECT_LE((state.nodes[i].v + start.nodes[i].v).norm(), 1e-8);
        EXPECT_LE(so3::log(start.nodes[i].q.conjugate() * state.nodes[i].q).norm(), 1e-8);
        EXPECT_LE((state.nodes[i].Omega + start.nodes[i].Omega).norm(), 1e-8);
      }
    }
  });
}

double difference(const Certificate& a, const Certificate& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.bodies.size(); ++k) {
    const auto &x = a.bodies[k].second, &y = b.bodies[k].second;
    largest = std::max(
        {largest, (x.position - y.position).norm(), so3::log(x.orientation.conjugate() * y.orientation).norm()});
  }
  return largest;
}

// Two methods with nothing in common but the model: their difference is the sum of their errors, of order h^2.
TEST_P(RandomMotion, IsTheSameWithBothMethodsToSecondOrder) {
  for_seeds(GetParam(), 4, [&](const Model& model) {
    std::vector<double> differences;
    for (const double step : {h / 2, h / 4, h / 8})
      differences.push_back(
          difference(run(model, energy_momentum(), step, 0.5), run(model, generalized_alpha(), step, 0.5)));
    EXPECT_NEAR(observed_order(differences), 2.0, 0.15) << testing::PrintToString(differences);
    EXPECT_LE(differences.back(), 1e-2);
  });
}

std::vector<Kind> reversible_kinds() {
  std::vector<Kind> out;
  std::copy_if(kinds.begin(), kinds.end(), std::back_inserter(out), [](const Kind& kind) { return kind.reversible(); });
  return out;
}
INSTANTIATE_TEST_SUITE_P(Slow, ReversibleRandomMotion, testing::ValuesIn(reversible_kinds()),
                         [](const auto& test) { return test.param.name; });
INSTANTIATE_TEST_SUITE_P(Slow, RandomMotion, testing::ValuesIn(kinds),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace polhode::random_motion_test
