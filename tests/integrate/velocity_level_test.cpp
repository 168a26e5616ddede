// The energy-momentum rule with index 2: joints at position and at velocity level, energy and momentum exact.
#include <gtest/gtest.h>

#include <array>
#include <numbers>
#include <utility>

#include <polhode/lie/so3.hpp>
#include <polhode/solve/anderson.hpp>
#include <polhode/system/coordinate.hpp>

#include "simulate/runs.hpp"

namespace polhode::velocity_level_test {
namespace {

IntegratorChoice index_2(double order = 2) { return {"energy-momentum", {{"order", order}, {"index", 2.0}}}; }

void expect_equal(const Vec3& value, const Vec3& digits, double tolerance) {
  EXPECT_LE((value - digits).cwiseAbs().maxCoeff(), tolerance) << value.transpose();
}

// Digits of an independent implementation of the rule in Python with dense Newton, tolerance 1e-15, ten decimals.
TEST(VelocityLevel, HasTheDigitsOfAnIndependentHeavyTop) {
  const Certificate c = run(model_file("heavy_top"), index_2(), 1e-3, 0.5);
  const auto& top = body(c, "top");
  expect_equal(top.position, {-0.7023245128, -0.0212475533, -0.7115397530}, 1e-9);
  expect_equal(top.velocity, {-4.0463401494, 1.7732235251, 3.9409846054}, 1e-8);
  expect_equal(top.angular_velocity, {0.3571106375, 149.9998718445, 5.9094011479}, 1e-7);
}

// The same source: a revolute joint and a spherical joint.
TEST(VelocityLevel, HasTheDigitsOfAnIndependentChain) {
  const Model chain = model_text(R"("name": "chain", "gravity": [0, 0, -9.81],
    "bodies": [ { "name": "1", "mass": 1, "inertia": [0.09, 0.08, 0.02], "position": [0, 0, -0.5],
                  "velocity": [0, 1, 0], "angular_velocity": [2, 0, 0] },
                { "name": "2", "mass": 0.5, "inertia": [0.01, 0.05, 0.06], "position": [0.5, 0, -1],
                  "velocity": [0, 3.5, -0.25], "angular_velocity": [0, 0.5, 3] } ],
    "joints": [ { "name": "r", "type": "revolute", "between": ["ground", "1"], "at": [0, 0, 0], "axis": [1, 0, 0] },
                { "name": "s", "type": "spherical", "between": ["1", "2"], "at": [0, 0, -1] } ])");
  const Certificate c = run(chain, index_2(), 0.01, 1);
  expect_equal(body(c, "1").position, {0, -0.1543382873, -0.4755835290}, 1e-9);
  expect_equal(body(c, "2").position, {-0.4749024078, -0.2726365297, -0.7989539895}, 1e-9);
  expect_equal(body(c, "2").velocity, {-0.4276211952, -2.2995377379, -0.5778388426}, 1e-8);
  expect_equal(body(c, "2").angular_velocity, {-2.8264634730, 2.1743775135, 1.8626624905}, 1e-8);
}

/// What the program chooses for a model, and why, as the certificate says it.
std::string chosen(const Model& model) {
  Model first = model;
  first.simulation.integrator = {"energy-momentum", {}};
  const std::string said = Simulation(first).certificate().integrator;
  return said.substr(0, said.find(", order"));
}

// Loops, couplings and drives; a tree is left to the plain rule, and so is inertia that index 2 does not serve.
TEST(VelocityLevel, IsChosenForLoopsAndDrives) {
  const auto auto_index = [](const std::string& what) { return "energy-momentum, index " + what; };
  EXPECT_EQ(chosen(model_file("slider_crank")), auto_index("2 (auto: loops)"));
  EXPECT_EQ(chosen(model_file("gear_train")), auto_index("2 (auto: loops)"));  // a coupling of two joints
  EXPECT_EQ(chosen(model_file("driven_revolute")), auto_index("2 (auto: drives)"));
  EXPECT_EQ(chosen(model_file("car_axis")), auto_index("2 (auto: loops and drives)"));
  for (const char* tree : {"heavy_top", "chain_revolute", "chain_spherical", "free_rigid_body", "double_pendulum"})
    EXPECT_EQ(chosen(model_file(tree)), auto_index("3 (auto: no loops or drives)")) << tree;
  Model forced = model_file("slider_crank");
  forced.simulation.integrator = {"energy-momentum", {{"index", 3.0}, {"order", 4.0}}};
  EXPECT_EQ(Simulation(forced).certificate().integrator, "energy-momentum, index 3, order 4");
}

// The motion is that of the index itself, bit by bit, in every order.
TEST(VelocityLevel, MovesAsTheIndexThatIsChosen) {
  for (const auto& [name, index] : {std::pair{"slider_crank", 2.0}, std::pair{"chain_revolute", 3.0}})
    for (const double order : {2.0, 4.0}) {
      const auto end = [&](const OptionValue& value) {
        const Certificate c =
            run(model_file(name), {"energy-momentum", {{"order", order}, {"index", value}}}, 0.01, 0.2);
        return c.bodies.back().second.velocity;
      };
      EXPECT_EQ(end("auto"), end(index)) << name << " " << order;
      EXPECT_NE(end("auto"), end(5 - index)) << name << " " << order;
    }
}

/// Models with every kind of equation: joints, drives, gears, racks, screws, rods, redundant loops.
class VelocityLevelOn : public testing::TestWithParam<const char*> {};
TEST_P(VelocityLevelOn, MeetsBothLevelsAndKeepsEnergy) {
  Model model = model_file(GetParam());
  const Certificate c = run(model, index_2(), model.simulation.step, std::min(model.simulation.end_time, 1.0));
  EXPECT_TRUE(c.complete());
  EXPECT_LE(c.energy.balance_error, 1e-12);  // measured at most 2e-13 in whole runs
  EXPECT_LE(c.constraints.position, 1e-13);  // 1e-14
  EXPECT_LE(c.constraints.velocity, 1e-11);  // 2e-12; 60 with the plain rule on lens_d
}
INSTANTIATE_TEST_SUITE_P(Models, VelocityLevelOn,
                         testing::Values("andrews", "bennett", "bricard", "car_axis", "chain_revolute",
                                         "driven_revolute", "flyball_governor", "four_bar_2", "gear_train", "lens_c",
                                         "lens_d", "planar_four_bar", "rack_and_pinion", "screw", "slider_crank"));

/// Errors of position and velocity of the heavy top at 1 s, with steps each half of the one before. Position against the
/// reference; velocity, which that does not have, against a run of order 8.
std::array<std::vector<double>, 2> errors_of_the_top(double order, double h) {
  const Vec3 v = body(run(model_file("heavy_top"), index_2(8), 1e-3, 1), "top").velocity;
  Vec3 x = Vec3::Zero();
  for (const auto& row : references("heavy_top").at("motion"))
    if (row.at("time") == 1) x = vector_of(row.at("position"));
  std::array<std::vector<double>, 2> errors;
  for (int k = 0; k < 3; ++k, h /= 2) {
    const Certificate c = run(model_file("heavy_top"), index_2(order), h, 1);
    errors[0].push_back((body(c, "top").position - x).cwiseAbs().maxCoeff());
    errors[1].push_back((body(c, "top").velocity - v).cwiseAbs().maxCoeff());
  }
  return errors;
}
TEST(VelocityLevel, ConvergesWithOrderTwoAndVelocitiesToo) {
  for (const auto& errors : errors_of_the_top(2, 1e-3)) EXPECT_NEAR(observed_order(errors), 2.0, 0.1);
}
TEST(VelocityLevel, ConvergesWithOrderFourAndVelocitiesToo) {  // 2 with the plain rule
  for (const auto& errors : errors_of_the_top(4, 1e-3)) EXPECT_NEAR(observed_order(errors), 4.0, 0.15);
}

// A straight ramp of 2 rad in 1 s: its rate jumps twice. The plain rule leaves spins of 0, 4, 0, 4 rad/s for ever and
// books work of 0.51 J.
TEST(VelocityLevel, PassesTheKinksOfARampWithoutATrace) {
  const Model ramp = model_text(R"("name": "ramp",
    "bodies": [ { "name": "b", "mass": 1, "inertia": [0.1, 0.1, 0.05], "position": [0.3, 0, 0] } ],
    "joints": [ { "name": "j", "type": "revolute", "between": ["ground", "b"], "at": [0, 0, 0], "axis": [0, 0, 1] } ],
    "drives": [ { "name": "d", "joint": "j", "type": "angle",
                  "motion": { "type": "ramp", "from": 0, "to": 2, "start": 0.5, "end": 1.5 } } ])");
  for (const double h : {0.01, 0.0123, 0.00625}) {
    const double spin = body(run(ramp, index_2(), h, 1), "b").angular_velocity.z();
    EXPECT_NEAR(spin, 2, 1e-12) << h;  // inside the ramp
    const Certificate end = run(ramp, index_2(), h, 2.5);
    EXPECT_NEAR(body(end, "b").angular_velocity.z(), 0, 1e-12) << h;
    EXPECT_NEAR(end.energy.work, 0, 1e-12) << h;
  }
}

/// Turns of the slider-crank's crank in 30 s.
double turns(double h) {
  Simulation simulation(with(model_file("slider_crank"), index_2(), h, 30));
  double sum = 0;
  Quaternion last = Quaternion::Identity();
  bool first = true;
  while (simulation.state().t < 30 - 0.5 * h) {
    simulation.step();
    const Quaternion q = simulation.state().nodes[0].q;
    if (!std::exchange(first, false)) sum += so3::log(q * last.conjugate()).x();
    last = q;
  }
  return std::abs(sum) / (2 * std::numbers::pi);
}
// 52.1 turns are true; the plain rule makes 16.6 at 25 ms, exact in energy.
TEST(VelocityLevel, DoesNotLockTheSliderCrank) { EXPECT_NEAR(turns(0.025), 51.5, 0.2); }

/// N . (z1 - z0) = (y'(z1) - y'(z0)) . w, for any w.
template <class C>
void expect_exact_rate_secant(const typename C::Z::Z& z0, const typename C::Z::Z& z1, const typename C::Z::Z& w) {
  const double change = (C::secant(z1, z1, 0).g1 - C::secant(z0, z0, 0).g1).dot(w);
  EXPECT_NEAR(C::rate_secant(z0, z1, w).dot(z1 - z0), change, 1e-14);
}
TEST(VelocityLevel, SecantsOfRatesAreExact) {
  using Number = Eigen::Matrix<double, 1, 1>;
  expect_exact_rate_secant<TravelCoordinate>(Number(0.3), Number(1.2), Number(0.7));
  expect_exact_rate_secant<LengthCoordinate>(Number(0.3), Number(1.2), Number(0.7));
  expect_exact_rate_secant<AngleCoordinate>({0.8, 0.3}, {-0.4, 0.9}, {0.5, -1.1});
}

// In n steps the mixing solves a linear problem of n unknowns, as a method of Krylov does.
TEST(AndersonMixing, SolvesALinearProblemOfThreeUnknowns) {
  Mat3 A;
  A << 0.5, 0.2, 0, -0.1, 0.4, 0.3, 0.1, 0, 0.3;
  const Vec3 b(1, 2, 3), exact = (Mat3::Identity() - A).lu().solve(b);
  AndersonMixing mixing;
  VecX x = VecX::Zero(3), y;
  for (int k = 0; k < 4; ++k) {
    y = A * x + b;
    const VecX change = y - x;
    mixing.mix(x, y, change, true);
    x = y;
  }
  EXPECT_LE((x - exact).norm(), 1e-10 * exact.norm());
}

}  // namespace
}  // namespace polhode::velocity_level_test
