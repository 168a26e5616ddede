// Every feature of a simulation with every method that serves the model: what a program does between steps,
// checkpoints, mixing steps and runs, output steps, threads, steps beyond the end.
#include <gtest/gtest.h>

#include <polhode/elements/forces.hpp>
#include <polhode/elements/joints.hpp>
#include <polhode/integrate/integrator_text.hpp>
#include <polhode/model/error.hpp>
#include <polhode/study/conservation.hpp>
#include <polhode/study/serving_methods.hpp>

#include "simulate/runs.hpp"

namespace polhode::crossing_test {
namespace {

constexpr double h = 1e-3;

/// Two bodies on joints, with a spring, a damper and gravity.
Model swinging_pair() {
  return model_text(R"("name": "pair", "gravity": [0, 0, -9.81],
    "bodies": [ { "name": "upper", "mass": 2, "inertia": [0.2, 0.3, 0.25], "position": [0.5, 0, 0], "angular_velocity": [0, 1, 0.5] },
                { "name": "lower", "mass": 1, "inertia": [0.1, 0.15, 0.12], "position": [1.5, 0, 0] } ],
    "joints": [ { "name": "shoulder", "type": "spherical", "between": ["ground", "upper"], "at": [0, 0, 0] },
                { "name": "elbow", "type": "revolute", "between": ["upper", "lower"], "at": [1, 0, 0], "axis": [0, 1, 0] } ],
    "forces": [ { "name": "spring", "type": "spring-damper", "between": ["ground", "lower"], "at_a": [1.5, 0, 1], "stiffness": 40,
                  "damping": 0.5, "length": 1 } ],
    "simulation": { "step": 0.001, "end_time": 0.04 })");
}

/// A crank that a drive turns, whose rate jumps at the end of a step and inside one, and a rod that closes a loop with it.
Model driven_loop() {
  return model_text(R"("name": "crank", "gravity": [0, 0, -9.81],
    "bodies": [ { "name": "crank", "mass": 2, "inertia": [0.2, 0.3, 0.25], "position": [0.5, 0, 0] },
                { "name": "rod", "mass": 1, "inertia": [0.1, 0.15, 0.12], "position": [1.5, 0, 0] } ],
    "joints": [ { "name": "hinge", "type": "revolute", "between": ["ground", "crank"], "at": [0, 0, 0], "axis": [0, 1, 0] },
                { "name": "ball", "type": "spherical", "between": ["crank", "rod"], "at": [1, 0, 0] },
                { "name": "end", "type": "rod", "between": ["ground", "rod"], "at_a": [2, 0, 1], "at_b": [0.5, 0, 0] } ],
    "drives": [ { "name": "motor", "joint": "hinge",
                  "motion": { "type": "ramp", "from": 0, "to": 0.02, "start": 0.01, "end": 0.0234 } } ],
    "simulation": { "step": 0.001, "end_time": 0.04 })");
}

/// Two bodies on springs alone, for methods that cannot hold a joint.
Model flying_bodies() {
  Model model = flying_pair(false, 100);
  model.simulation.step = h;
  model.simulation.end_time = 40 * h;
  return model;
}

/// A chain of bodies that is large enough to be shared by threads.
Model chain(int threads) {
  Model model;
  model.name = "chain";
  model.gravity = Vec3(0, 0, -9.81);
  for (int k = 0; k < 260; ++k) {
    Body body;
    body.name = fmt::format("b{}", k);
    body.mass = 1;
    body.inertia = Vec3(0.01, 0.02, 0.025).asDiagonal();
    body.position = Vec3(k + 0.5, 0, 0);
    model.bodies.push_back(body);
    model.joints.push_back(Spherical{.name = fmt::format("j{}", k),
                                     .between = {k ? fmt::format("b{}", k - 1) : "ground", body.name},
                                     .at = Vec3(k, 0, 0)});
  }
  model.simulation.step = h;
  model.simulation.end_time = 3 * h;
  model.simulation.threads = threads;
  return model;
}

struct Crossing {
  std::string name;
  Model model;
};
void PrintTo(const Crossing& crossing, std::ostream* out) { *out << crossing.name; }

/// Each model with every method, its defaults and each of its options changed alone, that can serve it.
std::vector<Crossing> crossings(const std::vector<Model>& models) {
  std::vector<Crossing> out;
  for (const Model& model : models)
    for (const IntegratorChoice& method : method_variants()) {
      if (why_not(model, method)) continue;
      Crossing one{model.name + " " + to_text(method), model};
      one.model.simulation.integrator = method;
      out.push_back(one);
    }
  return out;
}

std::string test_name(const testing::TestParamInfo<Crossing>& info) {
  std::string name = info.param.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

/// All numbers of a state.
std::vector<double> numbers(const State& state) {
  std::vector<double> out{state.t, state.work.algorithmic};
  const auto add = [&](const auto& v) { out.insert(out.end(), v.data(), v.data() + v.size()); };
  for (const NodeState& s : state.nodes) add(s.x), add(s.q.coeffs()), add(s.v), add(s.Omega);
  add(state.angles), add(state.lambda), add(state.memory);
  add(state.work.drives), add(state.work.forces), add(state.work.dampers);
  return out;
}

/// The figures of a certificate but the time of computation and those that depend on which samples were taken.
nlohmann::json figures(const Simulation& simulation) {
  nlohmann::json out = nlohmann::json::parse(to_json(simulation.certificate()));
  for (const char* key : {"seconds", "reactions", "reaction_samples"}) out.erase(key);
  return out;
}

void take(Simulation& simulation, int steps) {
  for (int k = 0; k < steps; ++k) ASSERT_TRUE(simulation.step()) << simulation.failure();
}

/// What a program may do between steps.
void interfere(Simulation& simulation) {
  simulation.apply(1, Vec3(3, -2, 5), Vec3(0.1, 0.2, -0.1), Vec3(0, 0.1, 0));
  take(simulation, 3);
  simulation.set_velocities({{0, Vec3(0.1, 0.2, 0.3), Vec3(0.5, 0, 1)}});
  take(simulation, 3);
}

class Features : public testing::TestWithParam<Crossing> {
 protected:
  const Model& model() const { return GetParam().model; }
};

// D1, D5
TEST_P(Features, AForceAppliedAtTheStartIsTheLoadOfTheModel) {
  Model loaded = model();
  const std::string body = loaded.bodies[1].name;
  const PointForce push{.name = "push", .body = body, .at = Vec3(0, 0.1, 0), .vector = Vec3(3, -2, 5)};
  const BodyTorque turn{.name = "turn", .body = body, .vector = Vec3(0.1, 0.2, -0.1)};
  loaded.forces.push_back(push), loaded.forces.push_back(turn);
  Simulation in_model(loaded), by_hand(model()), unforced(model());
  by_hand.apply(1, *push.vector, *turn.vector, *push.at);
  take(in_model, 20), take(by_hand, 20), take(unforced, 20);
  double apart = 0, moved = 0;
  for (std::size_t i = 0; i < by_hand.state().nodes.size(); ++i) {
    const auto x = [&](const Simulation& s) { return s.state().nodes[i].x; };
    apart = std::max(apart, (x(in_model) - x(by_hand)).norm());
    moved = std::max(moved, (x(unforced) - x(by_hand)).norm());
  }
  EXPECT_GT(moved, 1e-5);          // 5 N on 1 kg for 20 ms: 1e-3 m for a free body
  EXPECT_LE(apart, 1e-6 * moved);  // rounding, and Newton's tolerance
  const Certificate a = by_hand.certificate(), b = in_model.certificate();
  EXPECT_NEAR(a.load_work.at(Simulation::applied), b.load_work.at("push") + b.load_work.at("turn"), 1e-9);
}

// D3
TEST_P(Features, RestoringRepeatsTheSameBits) {
  Simulation straight(model()), twice(model());
  take(straight, 30);
  take(twice, 10);
  const auto saved = twice.checkpoint();
  interfere(twice);
  twice.restore(saved);
  take(twice, 20);
  EXPECT_EQ(numbers(straight.state()), numbers(twice.state()));
  EXPECT_EQ(figures(straight), figures(twice));
}

// D3 again: what was done before the checkpoint is part of it
TEST_P(Features, RestoringBringsBackWhatWasApplied) {
  Simulation simulation(model());
  simulation.apply(0, Vec3(1, 2, 3), Vec3::Zero());
  take(simulation, 5);
  const auto saved = simulation.checkpoint();
  take(simulation, 10);
  const auto once = numbers(simulation.state());
  simulation.apply(0, Vec3::Zero(), Vec3::Zero());
  take(simulation, 5);
  simulation.restore(saved);
  take(simulation, 10);
  EXPECT_EQ(once, numbers(simulation.state()));
}

// D8, and a checkpoint is a look, too
TEST_P(Features, LookingChangesNothing) {
  Model sparse = model();
  sparse.simulation.output_step = 4 * h;
  Simulation plain(sparse), watched(sparse);
  MemoryRecorder a(plain.layout("")), b(watched.layout(""));
  plain.run(a);
  watched.run(b, [&] {
    const Sample now = watched.sample();
    const auto saved = watched.checkpoint();
    EXPECT_EQ(now.time, saved.stepper.state.t);
    watched.certificate();
    return true;
  });
  for (std::size_t k = 0; k < a.columns().size(); ++k)
    EXPECT_EQ(*a.columns()[k], *b.columns()[k]) << result_fields()[k].dataset;
  EXPECT_EQ(figures(plain), figures(watched));
}

// D4
TEST_P(Features, TheCertificateDoesNotDependOnTheOutputStep) {
  Model often = model(), seldom = model();
  often.simulation.output_step = h;
  seldom.simulation.output_step = 20 * h;
  Simulation a(often), b(seldom), c(model());
  const Certificate sampled = a.run();
  b.run();
  while (!c.done()) take(c, 1);
  EXPECT_EQ(figures(a), figures(b));
  EXPECT_EQ(figures(a), figures(c));
  EXPECT_EQ(sampled.reaction_samples, 41);
  EXPECT_EQ(b.certificate().reaction_samples, 3);
  EXPECT_EQ(c.certificate().reaction_samples, 0);
  for (const auto& [name, reaction] : c.certificate().reactions)
    EXPECT_TRUE(std::isnan(reaction.force)) << name;  // not taken
  for (const auto& [name, reaction] : sampled.reactions) EXPECT_GT(reaction.force, 0) << name;
}

TEST_P(Features, StepsAndRunsMix) {
  Simulation run(model()), mixed(model());
  run.run();
  take(mixed, 7);
  mixed.run({}, [&] { return mixed.steps_done() < 13; });  // interrupted
  EXPECT_EQ(mixed.certificate().status, Certificate::Status::interrupted);
  take(mixed, 5);
  EXPECT_TRUE(mixed.run().complete());
  EXPECT_EQ(numbers(run.state()), numbers(mixed.state()));
  EXPECT_EQ(figures(run), figures(mixed));
}

// D6
TEST_P(Features, StepsBeyondAShortLastOneAreOfTheStep) {
  Model fraction = model();
  fraction.simulation.end_time = 2.5 * h;
  Simulation simulation(fraction);
  for (const double length : {1.0, 1.0, 0.5, 1.0, 1.0}) {
    const double before = simulation.time();
    take(simulation, 1);
    EXPECT_NEAR((simulation.time() - before) / h, length, 1e-12);
  }
  EXPECT_EQ(simulation.steps(), 3);
  EXPECT_EQ(simulation.steps_done(), 5);
}

// What why_not refuses has no tests: every method must serve one of the models.
TEST(Crossing, HasEveryMethod) {
  const std::vector<Crossing> all = crossings({swinging_pair(), driven_loop(), flying_bodies()});
  for (const Method& method : methods())
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Crossing& one) {
      return one.model.simulation.integrator.name == method.name;
    })) << method.name;
}

// A velocity beyond the stability limit of an explicit method is refused between steps as it is in the model.
TEST(Crossing, VelocitiesThatAMethodCannotServeAreRefusedAndLeaveNoTrace) {
  Model model = flying_bodies();
  model.simulation.integrator = {"simo-wong", {}};
  Simulation simulation(model);
  take(simulation, 3);
  const auto before = numbers(simulation.state());
  EXPECT_THROW(simulation.set_velocities({{0, {}, Vec3(0, 0, 2 / model.simulation.step)}}), ModelError);
  EXPECT_EQ(numbers(simulation.state()), before);
  take(simulation, 3);
}

INSTANTIATE_TEST_SUITE_P(Crossing, Features,
                         testing::ValuesIn(crossings({swinging_pair(), driven_loop(), flying_bodies()})), test_name);

class Threads : public testing::TestWithParam<Crossing> {};

TEST_P(Threads, GiveTheSameBitsWhateverIsDone) {
  const auto after = [&](int threads) {
    Model model = GetParam().model;
    model.simulation.threads = threads;
    Simulation simulation(model);
    take(simulation, 1);
    simulation.apply(200, Vec3(0, 5, 0), Vec3::Zero());
    take(simulation, 1);
    const auto saved = simulation.checkpoint();
    take(simulation, 1);
    simulation.restore(saved);
    take(simulation, 1);
    return std::pair(numbers(simulation.state()), figures(simulation));
  };
  auto one = after(1), four = after(4);
  one.second.erase("threads"), four.second.erase("threads");
  EXPECT_EQ(one.first, four.first);
  EXPECT_EQ(one.second, four.second);
}

INSTANTIATE_TEST_SUITE_P(Crossing, Threads, testing::ValuesIn(crossings({chain(1)})), test_name);

}  // namespace
}  // namespace polhode::crossing_test
