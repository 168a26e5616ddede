// Motions that are prescribed or tied together, counted over many turns, and the work of what drives them; loads whose
// impulse over a step is exact.
#include <numbers>

#include <gtest/gtest.h>

#include "simulate/runs.hpp"

namespace polhode::drives_test {
namespace {

// Angle 2 t - sin t: 20 rad in 10 s. The body is where the drive says, to round-off, with every method.
TEST(Drive, PrescribesTheMotionExactly) {
  for (const IntegratorChoice& method :
       {energy_momentum(), energy_momentum(4), generalized_alpha(), generalized_alpha(0.9, 2)}) {
    Simulation simulation(with(model_file("driven_revolute"), method, 0.01, 10));
    while (!simulation.done()) {
      ASSERT_TRUE(simulation.step()) << simulation.failure();
      const double angle = 2 * simulation.time() - std::sin(simulation.time());
      const Quaternion q = simulation.state().nodes[0].q;
      EXPECT_LE(so3::log(so3::exp(Vec3(0, 0, angle)).conjugate() * q).norm(), 1e-12) << simulation.time();
      ASSERT_FALSE(simulation.state().angles.empty());
      EXPECT_NEAR(simulation.state().angles[0], angle, 1e-12);  // over three turns
    }
  }
}

TEST(Drive, DoesTheWorkThatChangesTheEnergy) {
  const Certificate c = run(model_file("driven_revolute"), energy_momentum(), 0.01, 10);
  EXPECT_LE(c.energy.balance_error, 1e-10);  // measured 3e-15
  EXPECT_NEAR(c.drive_work.at("motor"), c.energy.final - c.energy.initial, 1e-10 * c.energy.scale);
  EXPECT_GT(c.energy.max_relative_error, 0.5);  // it does a lot
  // closed form of the work, E(10) - E(0) with the exact velocity; that of the rule is of second order
  double exact = 0;
  for (const auto& row : references("driven_revolute").at("energy"))
    if (row.at("time") == 10) exact = row.at("value").get<double>() - c.energy.initial;
  EXPECT_NEAR(c.drive_work.at("motor"), exact, 2e-3);
}

// A drive of the length between two particles does work on both; nothing else acts: momentum stays, energy is the work.
TEST(Drive, OfALengthKeepsMomentumAndClosesTheBalance) {
  const Model model = model_text(R"("bodies": [
      { "name": "a", "type": "particle", "mass": 1 }, { "name": "b", "type": "particle", "mass": 3, "position": [0, 2, 0] } ],
    "drives": [ { "name": "telescope", "type": "length", "between": ["a", "b"],
      "motion": { "type": "harmonic", "amplitude": 0.5, "angular_frequency": 3, "offset": 2 } } ])");
  Model moving = model;
  moving.bodies[0].velocity = Vec3(1, 0, 0.5);
  moving.bodies[1].velocity = Vec3(-1, 1.5, 1);
  const Certificate c = run(moving, energy_momentum(), 0.01, 5);
  EXPECT_EQ(c.momentum.linear_components, 3);
  EXPECT_EQ(c.momentum.angular_components, 3);
  EXPECT_LE(c.momentum.linear_error, 1e-13);
  EXPECT_LE(c.momentum.angular_error, 1e-12);
  EXPECT_LE(c.energy.balance_error, 1e-11);
  EXPECT_NEAR((body(c, "a").position - body(c, "b").position).norm(), 2 + 0.5 * std::sin(15.0), 1e-12);
}

/// The angle of each body about z since the start, counted over turns: steps are below half a turn.
class AngleCounter {
 public:
  explicit AngleCounter(const Simulation& simulation)
      : simulation_(simulation), last_(nodes()), total_(last_.size(), 0) {}
  void count() {
    const auto now = nodes();
    for (std::size_t i = 0; i < now.size(); ++i) total_[i] += so3::log(last_[i].conjugate() * now[i]).z();
    last_ = now;
  }
  double operator[](std::size_t i) const { return total_[i]; }

 private:
  std::vector<Quaternion> nodes() const {
    std::vector<Quaternion> out;
    for (const NodeState& node : simulation_.state().nodes) out.push_back(node.q);
    return out;
  }
  const Simulation& simulation_;
  std::vector<Quaternion> last_;
  std::vector<double> total_;
};

TEST(GearTrain, KeepsItsRatiosOverManyTurns) {
  for (const IntegratorChoice& method : {energy_momentum(), generalized_alpha(), generalized_alpha(0.9, 2)}) {
    Simulation simulation(with(model_file("gear_train"), method, 5e-3, 5));
    AngleCounter angle(simulation);
    double largest = 0, error = 0;
    while (!simulation.done()) {
      ASSERT_TRUE(simulation.step()) << simulation.failure();
      angle.count();
      largest = std::max(largest, std::abs(angle[2]));
      error = std::max({error, std::abs(angle[0] + 2 * angle[1]), std::abs(angle[1] + 0.25 * angle[2])});
    }
    EXPECT_LE(error, 1e-11) << method.name;  // measured below 1e-12; the sum of 1000 logarithms adds 1e-13
    EXPECT_GT(largest, 3 * 2 * std::numbers::pi);
    if (method.name == "energy-momentum") {
      EXPECT_LE(simulation.certificate().energy.balance_error, 1e-10);
    }
  }
}

TEST(Screw, TravelsByItsPitchOverManyTurns) {
  for (const IntegratorChoice& method : {energy_momentum(), generalized_alpha()}) {
    Simulation simulation(with(model_file("screw"), method, 1e-3, 2));
    AngleCounter angle(simulation);
    while (!simulation.done()) {
      ASSERT_TRUE(simulation.step()) << simulation.failure();
      angle.count();
      ASSERT_NEAR(simulation.state().nodes[0].x.z(), 0.005 * angle[0], 1e-12);
    }
    EXPECT_LT(angle[0], -5 * 2 * std::numbers::pi);
    EXPECT_LE(simulation.certificate().energy.balance_error, 1e-10);
  }
}

TEST(RackAndPinion, RollsWithoutSlip) {
  Simulation simulation(with(model_file("rack_and_pinion"), energy_momentum(), 1e-3, 5));
  AngleCounter angle(simulation);
  while (!simulation.done()) {
    ASSERT_TRUE(simulation.step()) << simulation.failure();
    angle.count();
    ASSERT_NEAR(simulation.state().nodes[0].x.x(), -0.05 * angle[1], 1e-12);  // the axle points along -z
  }
  EXPECT_LE(simulation.certificate().energy.balance_error, 1e-10);  // measured 5e-14
}

/// A particle of 2 kg at rest under a force f(t) along x, after one large step: momentum is the integral of f.
double momentum_after(const std::string& function, const IntegratorChoice& method, double step, double end_time) {
  const Model model = model_text(R"("bodies": [ { "name": "p", "type": "particle", "mass": 2 } ],
    "forces": [ { "name": "push", "type": "force", "body": "p", "vector": [1, 0, 0], "function": )" +
                                 function + " } ]");
  const Certificate c = run(model, method, step, end_time);
  return 2 * body(c, "p").velocity.x();
}

TEST(Load, HasItsExactImpulseInAStep) {
  // a triangle of 1 N s that lies within one step; a harmonic with several periods in a step; a parabola
  EXPECT_NEAR(momentum_after(R"({ "type": "table", "times": [0.2, 0.21, 0.22], "values": [0, 100, 0] })",
                             energy_momentum(), 1, 1),
              1, 1e-13);
  const double w = 20, integral = (1 - std::cos(w)) / w + 0.5;
  EXPECT_NEAR(momentum_after(R"({ "type": "harmonic", "amplitude": 1, "angular_frequency": 20, "offset": 0.5 })",
                             energy_momentum(), 1, 1),
              integral, 1e-13);
  EXPECT_NEAR(momentum_after(R"({ "type": "polynomial", "coefficients": [0, 0, 3] })", energy_momentum(), 0.5, 2), 8,
              1e-12);
  EXPECT_NEAR(momentum_after(R"({ "type": "polynomial", "coefficients": [0, 0, 3] })", energy_momentum(4), 0.5, 2), 8,
              1e-12);
}

TEST(Load, WorkClosesTheBalance) {
  const Model model = model_text(R"("gravity": [0, 0, -9.81],
    "bodies": [ { "name": "arm", "mass": 2, "inertia": [0.1, 0.2, 0.2], "position": [0.5, 0, 0] } ],
    "joints": [ { "name": "hinge", "type": "revolute", "between": ["ground", "arm"], "at": [0, 0, 0], "axis": [0, 1, 0] } ],
    "forces": [
      { "name": "wind", "type": "force", "body": "arm", "at": [0.5, 0, 0], "vector": [3, 1, 2],
        "function": { "type": "harmonic", "amplitude": 1, "angular_frequency": 7 } },
      { "name": "jet", "type": "force", "body": "arm", "at": [0.5, 0, 0], "vector": [0, 0, 4], "follower": true },
      { "name": "twist", "type": "torque", "body": "arm", "vector": [1, 2, 3] },
      { "name": "motor", "type": "joint-force", "joint": "hinge", "function": { "type": "polynomial", "coefficients": [1, -2] } } ])");
  const Certificate c = run(model, energy_momentum(), 0.01, 3);
  EXPECT_LE(c.energy.balance_error, 1e-11);
  ASSERT_EQ(c.load_work.size(), 4u);
  double sum = 0;
  for (const auto& [name, work] : c.load_work) {
    EXPECT_GT(std::abs(work), 1e-3) << name;
    sum += work;
  }
  EXPECT_NEAR(sum, c.energy.final - c.energy.initial, 1e-11 * c.energy.scale);
  // a motor at angle: its work between two angles is the integral of torque by angle; a constant one is torque times
  // angle
  const Model constant = model_text(R"(
    "bodies": [ { "name": "wheel", "mass": 1, "inertia": [0.1, 0.1, 0.2] } ],
    "joints": [ { "name": "axle", "type": "revolute", "between": ["ground", "wheel"], "axis": [0, 0, 1] } ],
    "forces": [ { "name": "motor", "type": "joint-force", "joint": "axle", "function": 3 } ])");
  Simulation simulation(with(constant, energy_momentum(), 0.01, 2));
  const Certificate motor = simulation.run();
  ASSERT_FALSE(simulation.state().angles.empty());
  EXPECT_GT(simulation.state().angles[0], 2 * 2 * std::numbers::pi);  // 30 rad
  EXPECT_NEAR(motor.load_work.at("motor"), 3 * simulation.state().angles[0], 1e-10);
}

}  // namespace
}  // namespace polhode::drives_test
