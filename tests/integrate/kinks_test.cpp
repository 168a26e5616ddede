// Drives whose rate jumps: velocities follow by impulses, in every method, and the work of the impulses has one limit.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <polhode/integrate/integrator_text.hpp>
#include <polhode/model/kinks.hpp>

#include "simulate/runs.hpp"

namespace polhode::kinks_test {
namespace {

Function function_of(const std::string& motion) {
  const Model model = model_text(R"("name": "m", "bodies": [ { "name": "b", "mass": 1, "inertia": [1, 1, 1] } ],
    "joints": [ { "name": "j", "type": "revolute", "between": ["ground", "b"], "at": [0, 0, 0], "axis": [0, 0, 1] } ],
    "drives": [ { "name": "d", "joint": "j", "motion": )" +
                                 motion + " } ]");
  return model.drives.at(0).motion;
}

TEST(Kinks, AreWhereTheRateJumps) {
  using Times = std::vector<double>;
  EXPECT_EQ(kinks(function_of(R"({ "type": "ramp", "from": 0, "to": 2, "start": 0.5, "end": 1.5 })")),
            Times({0.5, 1.5}));
  EXPECT_EQ(kinks(function_of(R"({ "type": "ramp", "from": 0, "to": 2, "start": 0, "end": 1.5 })")), Times({1.5}));
  EXPECT_EQ(kinks(function_of(R"({ "type": "ramp", "from": 0, "to": 2, "start": 0.5, "end": 1.5, "smooth": true })")),
            Times());
  EXPECT_EQ(kinks(function_of(R"({ "type": "table", "times": [0, 1, 2, 3], "values": [0, 1, 2, 1] })")), Times({2, 3}));
  EXPECT_EQ(
      kinks(function_of(R"({ "type": "table", "times": [0, 1, 2], "values": [0, 1, 0], "interpolation": "cubic" })")),
      Times({2}));
  EXPECT_EQ(kinks(function_of(R"({ "type": "piecewise", "times": [0, 1], "functions": [
                    { "type": "polynomial", "coefficients": [0, 0, 1] }, { "type": "polynomial", "coefficients": [-1, 2] } ] })")),
            Times());  // t^2, then its tangent
  EXPECT_EQ(kinks(function_of(R"({ "type": "harmonic", "amplitude": 1, "angular_frequency": 3 })")), Times());
}

TEST(Kinks, HaveARateOnEitherSide) {
  const Function f = function_of(R"({ "type": "piecewise", "times": [0, 0.7], "functions": [
    { "type": "harmonic", "amplitude": 1, "angular_frequency": 30 }, { "type": "polynomial", "coefficients": [-0.8, 0, 1] } ] })");
  for (const double t : {0.7, 0.7 * (1 + 4e-16), 7 * 0.1}) {
    EXPECT_NEAR(rate(f, t, Limit::left), 30 * std::cos(21), 1e-12) << t;
    EXPECT_NEAR(rate(f, t, Limit::right), 1.4, 1e-14) << t;
  }
  EXPECT_EQ(rate(f, 0.3, Limit::left), f.derivative(0.3));
  EXPECT_EQ(rate_at_end(f, 0), 30);  // a run begins there
}

/// A body on a hinge that a ramp turns by 2 rad in 1 s.
Model ramp(double start, double end) {
  return model_text(fmt::format(R"("name": "ramp",
    "bodies": [ {{ "name": "b", "mass": 1, "inertia": [0.1, 0.1, 0.05], "position": [0.3, 0, 0] }} ],
    "joints": [ {{ "name": "j", "type": "revolute", "between": ["ground", "b"], "at": [0, 0, 0], "axis": [0, 0, 1] }} ],
    "drives": [ {{ "name": "d", "joint": "j",
                  "motion": {{ "type": "ramp", "from": 0, "to": 2, "start": {}, "end": {} }} }} ])",
                                start, end));
}

/// A turntable that a ramp turns, with a bob on a universal joint, a spring and a damper.
Model turntable(double start) {
  return model_text(fmt::format(R"("name": "turntable", "gravity": [0, 0, -9.81],
    "bodies": [ {{ "name": "table", "mass": 5, "inertia": [0.4, 0.5, 0.9], "position": [0.05, 0.02, 0] }},
                {{ "name": "bob", "mass": 1.5, "inertia": [0.02, 0.025, 0.01],
                  "position": [0.4984037292723799, 0.4946496323794415, -0.5849761957369051],
                  "orientation": [0.9640718953917107, 0.2461679699645253, -0.09672983749092606, -0.024699182544331684] }} ],
    "joints": [ {{ "name": "A", "type": "revolute", "between": ["ground", "table"], "at": [0, 0, 0], "axis": [0, 0, 1] }},
                {{ "name": "U", "type": "universal", "between": ["table", "bob"], "at": [0.3, 0.1, 0.2],
                  "axis_a": [1, 0, 0], "axis_b": [0, 1, 0] }} ],
    "drives": [ {{ "name": "motor", "joint": "A",
                  "motion": {{ "type": "ramp", "from": 0, "to": 2, "start": {}, "end": {} }} }} ],
    "forces": [ {{ "name": "sd", "type": "spring-damper", "between": ["table", "bob"], "at_a": [-0.45, 0.28, -0.5],
                  "at_b": [0, 0, 0.2], "stiffness": 15, "damping": 0.6, "length": 0.8 }} ])",
                                start, start + 1));
}

/// The methods that serve joints, with their order on smooth motions.
struct Served {
  std::string method;
  double order;
};
const std::vector<Served>& served() {
  static const std::vector<Served> all{{"energy-momentum index=3", 2},
                                       {"energy-momentum index=2", 2},
                                       {"energy-momentum order=4 index=2", 4},
                                       {"generalized-alpha", 2},
                                       {"generalized-alpha index=2", 2},
                                       {"energy-decaying", 2},
                                       {"energy-decaying energy=augmented", 2},
                                       {"lens-cardona", 2},
                                       {"lens-cardona scheme=preserving", 2},
                                       {"geradin", 2},
                                       {"director", 2},
                                       {"rattlie", 2}};
  return all;
}

class KinksIn : public testing::TestWithParam<Served> {
 protected:
  IntegratorChoice method() const { return parse_integrator(GetParam().method); }
};

// It stands still, turns by 2 rad/s, and stands still again: no energy and no work are left. Spins of methods that meet
// joints at position level alone alternate by (4/3) h^2, and works are of second order (measured at most 1.2e-5 J) but for
// those that balance energy exactly; a method that steps over the kinks has spins of 0 and 4 rad/s, and 0.5 J.
TEST_P(KinksIn, SpinsARampUpAndDown) {
  for (const double h : {0.01, 0.0123, 0.00625}) {
    const Certificate within = run(ramp(0.5, 1.5), method(), h, 1), end = run(ramp(0.5, 1.5), method(), h, 2.5);
    EXPECT_TRUE(end.complete()) << h;
    EXPECT_NEAR(body(within, "b").angular_velocity.z(), 2, 3e-4) << h;
    EXPECT_LE(body(end, "b").angular_velocity.norm(), 1e-9) << h;
    EXPECT_NEAR(end.drive_work.at("d"), 0, 3e-5) << h;
  }
}

/// Errors of the work of the drive, with steps each half of the one before.
std::vector<double> errors_of_work(const Model& model, const IntegratorChoice& method, double exact) {
  std::vector<double> errors;
  for (const double h : {0.01, 0.005, 0.0025}) {
    const Certificate c = run(model, method, h, 2.5);
    errors.push_back(std::abs(c.drive_work.at("motor") - exact));
  }
  return errors;
}

double exact_work(const Model& model) {
  return run(model, parse_integrator("energy-momentum order=6"), 0.0025, 2.5).drive_work.at("motor");
}

TEST_P(KinksIn, DoWorkThatConvergesToOneValue) {
  const Model model = turntable(0.5);
  const double exact = exact_work(model);
  EXPECT_NEAR(exact, 2.5785, 1e-4);
  const std::vector<double> errors = errors_of_work(model, method(), exact);
  EXPECT_LE(errors.back(), 2e-4);  // J; measured at most 8.1e-5
  EXPECT_GE(observed_order(errors), GetParam().order - 0.3) << errors[0] << " " << errors[1] << " " << errors[2];
}

// A kink anywhere in a step.
TEST_P(KinksIn, DoWorkThatConvergesAlsoInsideSteps) {
  const Model model = turntable(0.50137);
  const std::vector<double> errors = errors_of_work(model, method(), exact_work(model));
  EXPECT_LE(errors.back(), 2e-4);  // J; measured at most 8.1e-5
  EXPECT_GE(observed_order(errors), GetParam().order - 0.5) << errors[0] << " " << errors[1] << " " << errors[2];
}

// The last sample of a ramp that ends with the run has the rate of the ramp.
TEST_P(KinksIn, EndARunWithTheRateBefore) {
  const Certificate c = run(ramp(0, 1), method(), 0.01, 1);
  EXPECT_NEAR(body(c, "b").angular_velocity.z(), 2, 3e-4);
}

INSTANTIATE_TEST_SUITE_P(Methods, KinksIn, testing::ValuesIn(served()), [](const auto& one) {
  std::string name = one.param.method;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

// Steps that a tolerance chooses end at kinks: with an error of h^3 a step of length h ~ tolerance^(1/3), the error of the
// work falls as tolerance^(2/3).
TEST(Kinks, EndStepsOfAController) {
  const Model model = with(turntable(0.50137), parse_integrator("energy-momentum"), 1e-3, 2.5);
  const double exact = exact_work(model);
  std::vector<double> errors;
  for (const double tolerance : {1e-6, 1e-7, 1e-8}) {
    Simulation simulation(model, StepPlan{.rule = StepPlan::Controlled{.tolerance = tolerance, .h = 1e-3}, .end = 2.5});
    const Certificate c = simulation.run();
    EXPECT_TRUE(c.complete());
    EXPECT_LE(c.energy.balance_error, 1e-11);
    errors.push_back(std::abs(c.drive_work.at("motor") - exact));
  }
  const double order = std::log10(errors[0] / errors[2]) / 2;
  EXPECT_NEAR(order, 2.0 / 3, 0.1) << errors[0] << " " << errors[1] << " " << errors[2];
}

// Energy is balanced to rounding by the methods that keep it, whatever their velocities miss the joints by.
TEST(Kinks, KeepTheBalanceOfEnergy) {
  for (const char* method : {"energy-momentum index=3", "energy-momentum index=2", "geradin", "director"})
    EXPECT_LE(run(turntable(0.50137), parse_integrator(method), 0.01, 2.5).energy.balance_error, 1e-10) << method;
}

}  // namespace
}  // namespace polhode::kinks_test
