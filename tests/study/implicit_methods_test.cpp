// Every implicit method on mechanisms: its order, and what its page claims that it keeps.
#include <gtest/gtest.h>

#include <polhode/integrate/integrator_text.hpp>
#include <polhode/study/convergence.hpp>

#include "simulate/runs.hpp"
#include "system/random_models.hpp"

namespace polhode::implicit_methods_test {
namespace {

struct Promise {
  const char* integrator;
  double order;
  bool energy, velocity;  // balance of energy, and joints at velocity level: exact
};

const std::vector<Promise> promises = {
    {"energy-momentum", 2, true, false},
    {"energy-momentum order=4", 4, true, false},
    {"generalized-alpha", 2, false, true},
    {"generalized-alpha index=3", 2, false, false},
    {"generalized-alpha index=2 metric=identity", 2, false, true},
    {"generalized-alpha index=3 update=rotation-vector", 2, false, false},
    {"generalized-alpha index=3 group=SE3", 2, false, false},
    {"geradin", 2, true, false},
    {"geradin variant=published", 2, false, false},
    {"director", 2, true, false},
    {"rattlie", 2, false, true},
    {"lens-cardona", 2, false, true},
    {"lens-cardona scheme=preserving", 2, true, false},
    {"lens-cardona torque=fixed-pole", 2, false, true},
};

struct Mechanism {
  std::string name;
  double end_time;
  std::vector<double> steps;
};

Model random_tree() {
  RandomModelOptions options;
  options.loops = 0;
  // what the director method has no equations for
  options.dampers = options.drives = options.loads = options.lesser_nodes = false;
  Model model = random_model(7, options);
  model.name = "random tree";
  return model;
}

class ImplicitMethodsOn : public testing::TestWithParam<Mechanism> {};

TEST_P(ImplicitMethodsOn, HaveTheirOrderAndKeepWhatTheyPromise) {
  const Mechanism& mechanism = GetParam();
  Model model = mechanism.name == "random_tree" ? random_tree() : model_file(mechanism.name);
  model.simulation.end_time = mechanism.end_time;
  std::vector<IntegratorChoice> choices;
  for (const Promise& p : promises) choices.push_back(parse_integrator(p.integrator));
  const ConvergenceStudy study = converge(model, choices, mechanism.steps, std::nullopt, {.most_times = 10});
  for (std::size_t k = 0; k < promises.size(); ++k) {
    const Promise& promise = promises[k];
    const Convergence& measured = study.methods[k];
    for (const ComparedRun& run : measured.runs) {
      ASSERT_EQ(run.failure, "") << promise.integrator;
      EXPECT_LT(run.certificate.constraints.position, 1e-11) << promise.integrator;
      if (promise.energy) {
        EXPECT_LT(run.certificate.energy.balance_error, 1e-10) << promise.integrator;
      }
      if (promise.velocity) {
        EXPECT_LT(run.certificate.constraints.velocity, 1e-9) << promise.integrator;
      }
    }
    if (measured.position.points < 2) {  // order 4 with steps that a stiff spring makes small is at the floor at once
      EXPECT_LT(measured.runs.back().largest.position, 1e-10) << promise.integrator;
      EXPECT_FALSE(measured.stopped.empty());
    } else {
      EXPECT_NEAR(measured.position.order, promise.order, 0.15) << promise.integrator;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, ImplicitMethodsOn,
                         testing::Values(Mechanism{"planar_four_bar", 0.2, {0.01, 0.005, 0.0025}},
                                         Mechanism{"bricard", 0.5, {0.02, 0.01, 0.005}},
                                         Mechanism{"flyball_governor", 0.01, {1e-4, 5e-5, 2.5e-5}},
                                         Mechanism{"random_tree", 0.2, {0.01, 0.005, 0.0025}}),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace polhode::implicit_methods_test
