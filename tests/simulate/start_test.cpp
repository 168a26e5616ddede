// A start that contradicts the joints is an error with a name and an amount, or is moved; what is left out is made
// consistent; and the accelerations keep the constraints.
#include <polhode/simulate/start.hpp>

#include <gtest/gtest.h>

#include <polhode/elements/joints.hpp>
#include <polhode/model/error.hpp>

#include "simulate/runs.hpp"
#include "simulate/says.hpp"
#include "system/random_models.hpp"

namespace polhode::start_test {
namespace {

using Assembly = SimulationOptions::Assembly;

/// Two bars in a row from the ground, hinged about z.
Model two_bars() {
  return model_text(R"("gravity": [0, -9.81, 0],
    "bodies": [ { "name": "upper", "mass": 1, "inertia": [0.01, 0.1, 0.1], "position": [0.5, 0, 0] },
                { "name": "lower", "mass": 1, "inertia": [0.01, 0.1, 0.1], "position": [1.5, 0, 0] } ],
    "joints": [
      { "name": "shoulder", "type": "revolute", "between": ["ground", "upper"], "at_b": [-0.5, 0, 0], "axis": [0, 0, 1] },
      { "name": "elbow", "type": "revolute", "between": ["upper", "lower"], "at_a": [0.5, 0, 0], "at_b": [-0.5, 0, 0], "axis": [0, 0, 1] } ])");
}

StartReport start(const Model& model, Assembly assembly, State& state) {
  const CompiledModel compiled = compile(model);
  state = compiled.start;
  return consistent_start(compiled, assembly, state);
}

std::string error_of_start(const Model& model) {
  try {
    State state;
    start(model, Assembly::strict, state);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(Start, LeavesAConsistentOneAlone) {
  State state;
  const StartReport report = start(two_bars(), Assembly::strict, state);
  EXPECT_LE(report.position_residual, 1e-15);
  EXPECT_LE(report.moved, 1e-15);
  EXPECT_EQ(report.equations, 10);
  EXPECT_EQ(report.rank, 10);
  EXPECT_EQ(report.freedoms, 2);
  for (const NodeState& node : state.nodes) EXPECT_LE(node.v.norm() + node.Omega.norm(), 1e-15);
}

TEST(Start, NamesTheJointAndTheGapOfAPositionThatContradictsIt) {
  Model model = two_bars();
  model.bodies[1].position = Vec3(1.5, 0.003, 0);
  const std::string text = error_of_start(model);
  EXPECT_TRUE(says(text, "joints[1] \"elbow\""));
  EXPECT_TRUE(says(text, "0.003"));
  EXPECT_TRUE(says(text, "project"));
}

TEST(Start, MovesAContradictionAwayIfAsked) {
  Model model = two_bars();
  model.bodies[1].position = Vec3(1.5, 0.003, 0.001);
  model.bodies[1].orientation = so3::exp(Vec3(0.01, 0.02, 0));
  State state;
  const StartReport report = start(model, Assembly::project, state);
  EXPECT_NEAR(report.position_residual, 0.001 + 0.5 * 0.02, 1e-5);  // of the anchor, 0.5 m from the centre
  EXPECT_GT(report.moved, 1e-4);
  EXPECT_LT(report.moved, 0.02);
  EXPECT_GT(report.turned, 1e-3);
  const CompiledModel compiled = compile(model);
  std::vector<Frame> q;
  VecX phi(compiled.system.row_count);
  compiled.system.frames(state, q);
  compiled.system.residual(q, state.angles, 0, {phi.data(), static_cast<std::size_t>(phi.size())});
  EXPECT_LE(phi.cwiseAbs().maxCoeff(), 1e-14);
}

TEST(Start, SaysWhichJointCannotBeClosed) {
  Model model = model_text(R"("simulation": { "assembly": "project" },
    "bodies": [ { "name": "a", "type": "particle", "mass": 1, "position": [1, 0.1, 0] } ],
    "joints": [ { "name": "left", "type": "rod", "between": ["ground", "a"], "length": 1 },
                { "name": "right", "type": "rod", "between": ["ground", "a"], "at_a": [5, 0, 0], "length": 1 } ])");
  State state;
  try {
    start(model, Assembly::project, state);
    FAIL() << "two rods of 1 m do not reach over 5 m";
  } catch (const ModelError& error) {
    EXPECT_TRUE(says(error.what(), "cannot be assembled"));
    EXPECT_TRUE(says(error.what(), "\"left\"") || says(error.what(), "\"right\"")) << error.what();
  }
}

TEST(Start, NamesTheJointAndTheAmountOfAVelocityThatContradictsIt) {
  Model model = two_bars();
  model.bodies[0].velocity = Vec3(0, 1, 0);
  model.bodies[0].angular_velocity = Vec3(0, 0, 2);
  model.bodies[1].velocity = Vec3(0.25, 3, 0);
  model.bodies[1].angular_velocity = Vec3(0, 0, 2);
  const std::string text = error_of_start(model);
  EXPECT_TRUE(says(text, "joints[1] \"elbow\""));
  EXPECT_TRUE(says(text, "0.25"));
  State state;
  const StartReport report = start(model, Assembly::project, state);
  EXPECT_NEAR(report.velocity_residual, 0.25, 1e-6);
  EXPECT_GT(report.velocity_change, 0.01);
}

// The upper bar turns with 2 rad/s, all else is left out: the lower one follows at its end.
TEST(Start, MakesLeftOutVelocitiesConsistentAndKeepsTheGivenOnes) {
  Model model = two_bars();
  model.bodies[0].angular_velocity = Vec3(0, 0, 2);
  State state;
  const StartReport report = start(model, Assembly::strict, state);
  EXPECT_LE(report.velocity_residual, 1e-10);
  EXPECT_LE((state.nodes[0].Omega - Vec3(0, 0, 2)).norm(), 1e-12);
  EXPECT_LE((state.nodes[0].v - Vec3(0, 1, 0)).norm(), 1e-12);
  const Vec3 elbow = state.nodes[1].v + state.nodes[1].q * state.nodes[1].Omega.cross(Vec3(-0.5, 0, 0));
  EXPECT_LE((elbow - Vec3(0, 2, 0)).norm(), 1e-12);
  // as slow as the joint allows: least kinetic energy of the lower bar whose end moves with (0, 2, 0) is a pivot's,
  // m v = J w / 0.5 with v + 0.5 (-w) ... v - w/2 = 2 and m v = -J w/(0.5) => w = -2 m/(2 J + m/2)
  const double w = -2.0 / (2 * 0.1 + 0.5);
  EXPECT_NEAR(state.nodes[1].Omega.z(), w, 1e-9);
  EXPECT_NEAR(state.nodes[1].v.y(), 2 + w / 2, 1e-9);
}

TEST(Start, OfADriveHasItsVelocity) {
  Model model = model_file("driven_revolute");
  model.bodies[0].velocity.reset();
  model.bodies[0].angular_velocity.reset();
  State state;
  start(model, Assembly::strict, state);
  EXPECT_LE((state.nodes[0].Omega - Vec3(0, 0, 1)).norm(), 1e-12);
  EXPECT_LE((state.nodes[0].v - Vec3(0, 0.5, 0)).norm(), 1e-12);
}

// The equations of a hinge hold as well if the axes point against each other.
TEST(Start, RefusesAnAxisThatPointsAgainstItsPartner) {
  Model model = two_bars();
  Revolute& elbow = *model.joints[1].edit<Revolute>();
  elbow.axis.reset();
  elbow.axis_a = Vec3(0, 0, 1);
  elbow.axis_b = Vec3(0, 0, -1);
  const std::string text = error_of_start(model);
  EXPECT_TRUE(says(text, "elbow"));
  EXPECT_TRUE(says(text, "axis"));
}

// d^2 Phi/dt^2 = 0 by finite differences along the accelerated motion, and M a + B^T lambda = forces by the power: the
// rate of the kinetic energy is the power of all forces, found from the energy's own difference.
TEST(Accelerations, KeepTheConstraintsAndTheEnergy) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const bool conservative = seed % 2 == 0;
    const Model model = random_model(seed, {.dampers = !conservative, .drives = !conservative, .loads = !conservative});
    const CompiledModel compiled = compile(model);
    const System& system = compiled.system;
    State state = compiled.start;
    consistent_start(compiled, Assembly::strict, state);
    ConstrainedMass mass(system);
    const Accelerations a = accelerations(system, state, mass);
    const auto moved = [&](double t) {
      State s = state;
      s.t += t;
      for (int i = 0; i < system.node_count(); ++i) {
        const Vec6 u = system.spread(i, a.u_dot.segment<6>(6 * i));
        const Vec3 alpha = s.nodes[i].q.conjugate() * Vec3(u.tail<3>());
        s.nodes[i].x += t * s.nodes[i].v + 0.5 * t * t * u.head<3>();
        s.nodes[i].q = s.nodes[i].q * so3::exp(t * s.nodes[i].Omega + 0.5 * t * t * alpha);
        s.nodes[i].v += t * u.head<3>();
        s.nodes[i].Omega += t * alpha;
      }
      return s;
    };
    const auto phi = [&](double t) {
      const State s = moved(t);
      std::vector<Frame> q;
      VecX out(system.row_count);
      system.frames(s, q);
      system.residual(q, s.angles, s.t, {out.data(), static_cast<std::size_t>(out.size())});
      return out;
    };
    const double e = 1e-3;  // error e^2/12 of a fourth derivative, and 1e-15/e^2 of rounding
    const VecX second = (phi(e) - 2 * phi(0) + phi(-e)) / (e * e);
    if (second.size() > 0) {
      EXPECT_LE(second.cwiseAbs().maxCoeff(), 1e-3);
    }
    if (!conservative) continue;
    const auto total = [&](double t) {
      const State s = moved(t);
      std::vector<Frame> q;
      system.frames(s, q);
      return energy(system, s, q).total();
    };
    EXPECT_NEAR((total(1e-4) - total(-1e-4)) / 2e-4, 0, 1e-4);  // W
  }
}

}  // namespace
}  // namespace polhode::start_test
