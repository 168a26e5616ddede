// Plans of steps, and steps that a controller chooses: lengths, times of samples, refusals without a trace, errors that
// follow the tolerance.
#include <polhode/simulate/stepper.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include "simulate/runs.hpp"

namespace polhode::stepper_test {
namespace {

/// Runs a plan without a model: every step has the error of the function.
std::vector<double> times_of(StepPlan plan, const std::function<double(double t, double h)>& error) {
  std::vector<double> times{0};
  double t = 0;
  for (int tries = 0; !plan.finished(t) && tries < 100000; ++tries) {
    const StepPlan::Next next = plan.next(t);
    const double e = error(t, next.h);
    if (plan.refuses(next, e)) continue;
    plan.accept(next, e);
    times.push_back(t = next.t1);
  }
  return times;
}

TEST(StepPlan, TakesFixedStepsWithoutAddingUpRounding) {
  const auto times = times_of({.rule = StepPlan::Fixed{.h = 0.1}, .end = 1000}, [](double, double) { return 0.0; });
  ASSERT_EQ(times.size(), 10001u);
  for (std::size_t k = 0; k < times.size(); ++k) EXPECT_EQ(times[k], k == 10000 ? 1000 : 0.1 * static_cast<double>(k));
}

TEST(StepPlan, MeetsTheTimesOfSamplesWhateverTheControllerChooses) {
  const StepPlan plan{.rule = StepPlan::Controlled{.tolerance = 1e-4, .h = 1e-3, .output_step = 0.3}, .end = 2};
  EXPECT_EQ(plan.sample_count(), 8);  // 0, 0.3, ..., 1.8, 2
  const auto times = times_of(plan, [](double t, double h) { return std::pow(h * (2 + std::cos(5 * t)), 3); });
  for (int k = 0; k <= 6; ++k) EXPECT_TRUE(std::find(times.begin(), times.end(), k * 0.3) != times.end()) << k;
  EXPECT_EQ(times.back(), 2);
  for (std::size_t k = 1; k < times.size(); ++k) EXPECT_GT(times[k] - times[k - 1], 1e-4);  // no tiny remainders
}

// With an error C h^3 of a step, the controller settles where 0.9^(p/0.3) of the tolerance is used: h = (tolerance x /
// C)^(1/3).
// The count of samples to come falls by one with every sample, wherever a plan stands, and ends at 0.
TEST(StepPlan, CountsTheSamplesToCome) {
  std::vector<StepPlan> plans;
  for (const double end : {0.0, 1e-3, 0.01, 0.0105, 0.037})
    for (const long stride : {1L, 3L, 5L, 1000L}) {
      plans.push_back({.rule = StepPlan::Fixed{.h = 1e-3, .stride = stride}, .end = end});
      plans.push_back({.rule = StepPlan::Controlled{.h = 0.7e-3, .output_step = 1e-3 * double(stride)}, .end = end});
    }
  plans.push_back({.rule = StepPlan::Controlled{.h = 0.7e-3}, .end = 0.01});
  for (StepPlan plan : plans) {
    if (plan.end == 0 && plan.controlled()) continue;  // nobody runs it
    double t = 0;
    long to_come = plan.sample_count() - 1;  // that of the start is taken
    while (!plan.finished(t)) {
      const StepPlan::Next next = plan.next(t);
      plan.accept(next, 1e-9);
      t = next.t1;
      to_come -= next.is_output;
      ASSERT_EQ(plan.sample_count(), to_come) << "t = " << t << " of " << plan.end;
    }
    EXPECT_EQ(to_come, 0) << plan.end;
    const StepPlan::Next beyond = plan.next(t);
    plan.accept(beyond, 1e-9);
    EXPECT_EQ(plan.sample_count(), 0);
  }
}

TEST(StepPlan, SettlesWhereTheToleranceIsNearlyUsed) {
  const auto times = times_of({.rule = StepPlan::Controlled{.tolerance = 1e-6, .h = 1e-4}, .end = 100},
                              [](double, double h) { return 8 * h * h * h; });
  const double last = times[times.size() - 3] - times[times.size() - 4];
  EXPECT_NEAR(8 * last * last * last / 1e-6, std::pow(0.9, 3 / 0.3), 0.02);
}

TEST(StepPlan, RefusesWhatIsNotANumber) {
  StepPlan plan{.rule = StepPlan::Controlled{.tolerance = 1, .h = 1}};
  EXPECT_TRUE(plan.refuses(plan.next(0), std::nan("")));
  EXPECT_LE(plan.next(0).h, 0.11);
  EXPECT_EQ(plan.steps, 0);
}

/// A pendulum that swings far and slowly through its top: steps must differ.
Model swing(double end_time) {
  Model model = model_text(R"("name": "swing", "gravity": [0, 0, -9.81],
    "bodies": [ { "name": "bob", "type": "particle", "mass": 1, "position": [0, 0, 1], "velocity": [0.5, 0, 0] } ],
    "joints": [ { "name": "rod", "type": "rod", "between": ["ground", "bob"], "length": 1 } ])");
  model.simulation.step = 1e-5;
  model.simulation.end_time = end_time;
  return model;
}

StepPlan controlled(double tolerance, double end, double h = 1e-2) {
  return {.rule = StepPlan::Controlled{.tolerance = tolerance, .h = h, .output_step = end / 4}, .end = end};
}

TEST(Stepper, ControlsTheErrorOfARunByItsTolerance) {
  const double end = 2;
  const Vec3 exact = body(run(swing(end), energy_momentum(4), 1e-4, end), "bob").position;
  std::vector<double> errors;
  for (const double tolerance : {1e-5, 1e-6, 1e-7, 1e-8}) {
    Simulation simulation(swing(end), controlled(tolerance, end));
    MemoryRecorder recorder(simulation.layout(""));
    const std::size_t planned = simulation.sample_count();
    const Certificate c = simulation.run(recorder);
    ASSERT_TRUE(c.complete()) << c.reason;
    ASSERT_EQ(recorder.samples(), planned);
    for (int k = 0; k <= 4; ++k) EXPECT_EQ(recorder["time"][static_cast<std::size_t>(k)], k * 0.5);
    EXPECT_LE(c.energy.balance_error,
              1e-12);  // whatever the steps: energy-momentum keeps it, and no refused step has left work
    EXPECT_LE(c.constraints.position, 1e-12);
    errors.push_back((body(c, "bob").position - exact).norm());
  }
  // the error of a step is C h^3 = tolerance, so that of a run with end / h steps follows tolerance^(2/3)
  EXPECT_NEAR(std::log10(errors.front() / errors.back()) / 3, 2.0 / 3, 0.1) << errors.front() << " " << errors.back();
}

TEST(Stepper, TakesStepsThatDiffer) {
  Stepper stepper(swing(2), controlled(1e-6, 2));
  double shortest = 1, longest = 0;
  while (!stepper.plan().finished(stepper.state().t)) {
    const StepOutcome outcome = stepper.advance();
    ASSERT_TRUE(outcome.accepted) << outcome.failure;
    if (!outcome.is_output) shortest = std::min(shortest, outcome.h), longest = std::max(longest, outcome.h);
  }
  EXPECT_GT(longest / shortest, 3);
}

// A first step that is far too long is refused; what follows is the run that began with the step that was then found.
TEST(Stepper, LeavesNoTraceOfARefusedStep) {
  for (const char* method : {"energy-momentum", "generalized-alpha", "rattlie"}) {
    Model model = swing(1);
    model.simulation.integrator = {method, {}};
    Stepper bold(model, controlled(1e-7, 1, 0.2));
    const StepOutcome first = bold.advance();
    ASSERT_TRUE(first.accepted) << first.failure;
    EXPECT_GT(first.refused, 0) << method;
    Stepper careful(model, controlled(1e-7, 1, 0.2));
    const auto saved = careful.save();
    careful.advance();
    careful.restore(saved);
    careful.advance();
    EXPECT_EQ(bold.state().nodes[0].x, careful.state().nodes[0].x) << method;
    EXPECT_EQ(bold.state().t, careful.state().t) << method;
  }
}

// A torsional spring on a body that turns by 3.3 rad a step, theta'' = -0.4 theta: angles are counted to the nearest half
// turn, so these steps are halved. With the exponential map the spin then is the exact one; counted backwards it was 538.
TEST(Stepper, HalvesStepsInWhichACountedAngleTurnsByMoreThanHalfATurn) {
  const Model model = model_text(
      R"("bodies": [ { "name": "b", "mass": 1, "inertia": [0.1, 0.1, 0.05], "angular_velocity": [0, 0, 330] } ],
    "joints": [ { "name": "j", "type": "revolute", "between": ["ground", "b"], "at": [0, 0, 0], "axis": [0, 0, 1] } ],
    "forces": [ { "name": "t", "type": "torsional-spring-damper", "joint": "j", "stiffness": 0.02, "angle": 0 } ])");
  const double exact = 330 * std::cos(2 * std::sqrt(0.4));
  for (const char* method : {"generalized-alpha", "rattlie"}) {
    const Certificate c = run(model, {method, {}}, 0.01, 2);
    EXPECT_TRUE(c.complete());
    EXPECT_GT(c.newton.halved_steps, 0) << method;
    EXPECT_LT(c.newton.halved_steps, 100) << method;  // it slows down
    EXPECT_NEAR(body(c, "b").angular_velocity.z(), exact, 0.01) << method;
  }
}

// Where even the shortest steps turn too far, the reason is said.
TEST(Stepper, SaysThatACountedAngleTurnsTooFar) {
  Model model = model_text(
      R"("bodies": [ { "name": "b", "mass": 1, "inertia": [0.1, 0.1, 0.05], "angular_velocity": [0, 0, 1e5] } ],
    "joints": [ { "name": "j", "type": "revolute", "between": ["ground", "b"], "at": [0, 0, 0], "axis": [0, 0, 1] } ],
    "forces": [ { "name": "t", "type": "torsional-spring-damper", "joint": "j", "stiffness": 0.02, "angle": 0 } ])");
  model.simulation.step = 0.01;
  Stepper stepper(model, plan_of(model.simulation));
  const StepOutcome outcome = stepper.advance();
  EXPECT_FALSE(outcome.accepted);
  EXPECT_NE(outcome.failure.find("more than half a turn cannot be counted: try a step below 3.1e-05 s"),
            std::string::npos)
      << outcome.failure;
}

// The drive asks for what the rod does not allow: the step fails after all halvings, and the state is that of the step
// before.
TEST(Stepper, LeavesNoTraceOfAStepThatFails) {
  Model model = model_text(R"("bodies": [ { "name": "p", "type": "particle", "mass": 1, "position": [1, 0, 0] } ],
    "joints": [ { "name": "tether", "type": "rod", "between": ["ground", "p"], "length": 1 } ],
    "drives": [ { "name": "winch", "type": "length", "between": ["ground", "p"], "at_a": [0, 3, 0],
                  "motion": { "type": "polynomial", "coefficients": [3.1622776601683795, 4] } } ])");
  model.simulation.step = 0.01;
  Stepper stepper(model, plan_of(model.simulation));
  for (;;) {
    const State before = stepper.state();
    const StepOutcome outcome = stepper.advance();
    if (outcome.accepted) continue;
    EXPECT_TRUE(outcome.halved);
    EXPECT_EQ(before.t, stepper.state().t);
    EXPECT_EQ(before.nodes[0].x, stepper.state().nodes[0].x);
    EXPECT_EQ(before.work.done(), stepper.state().work.done());
    break;
  }
}

}  // namespace
}  // namespace polhode::stepper_test
