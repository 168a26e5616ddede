// The driver: how many steps and samples there are, a step that is too large, one that is hopeless, an interruption.
#include <polhode/simulate/simulation.hpp>

#include <gtest/gtest.h>

#include <polhode/model/error.hpp>

#include "simulate/runs.hpp"
#include "simulate/says.hpp"

namespace polhode::simulation_test {
namespace {

TEST(Simulation, SamplesTheStartEveryOutputStepAndTheEnd) {
  Model model = with(model_file("pendulum"), energy_momentum(), 0.1, 1.05);  // the last step is half a one
  model.simulation.output_step = 0.3;
  Simulation simulation(model);
  std::vector<double> times;
  const std::size_t planned = simulation.sample_count();
  const Certificate c = simulation.run([&](const Sample& sample) { times.push_back(sample.time); });
  EXPECT_EQ(c.steps, 11);
  EXPECT_EQ(times.size(), planned);
  EXPECT_EQ(simulation.sample_count(), 0u);
  ASSERT_EQ(times.size(), 5u);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(times[k], 0.3 * k, 1e-15);
  EXPECT_EQ(times.back(), 1.05);
  EXPECT_EQ(c.time, 1.05);
  EXPECT_LE(c.energy.balance_error, 1e-12);
}

TEST(Simulation, TakesARoundNumberOfStepsOfARoundStep) {
  for (const auto& [step, end_time, steps] :
       {std::tuple{0.1, 0.3, 3L}, {1e-3, 1.0, 1000L}, {0.1, 1e-3, 1L}, {1.0 / 3, 1.0, 3L}})
    EXPECT_EQ(Simulation(with(model_file("pendulum"), energy_momentum(), step, end_time)).steps(), steps)
        << step << " " << end_time;
}

TEST(Simulation, RefusesAnOutputStepThatIsNoMultiple) {
  Model model = with(model_file("pendulum"), energy_momentum(), 0.1, 1);
  model.simulation.output_step = 0.25;
  try {
    Simulation simulation(model);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_TRUE(says(error.what(), "output_step"));
    EXPECT_TRUE(says(error.what(), "0.3"));  // or 0.2: what to try
  }
}

TEST(Simulation, TellsTheSameInItsSamplesAndItsCertificate) {
  Simulation simulation(with(model_file("slider_crank"), energy_momentum(), 1e-3, 0.1));
  std::vector<double> last;
  double energy = 0;
  const Certificate c = simulation.run([&](const Sample& s) {
    last.assign(s.positions.begin(), s.positions.end());
    last.insert(last.end(), s.velocities.begin(), s.velocities.end());
    energy = s.energy.kinetic + s.energy.gravitational + s.energy.strain;
  });
  ASSERT_EQ(last.size(), 6 * c.bodies.size());
  for (std::size_t k = 0; k < c.bodies.size(); ++k)
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(last[3 * k + j], c.bodies[k].second.position[j], 1e-15);
      EXPECT_NEAR(last[3 * (k + c.bodies.size()) + j], c.bodies[k].second.velocity[j], 1e-14);
    }
  EXPECT_DOUBLE_EQ(energy, c.energy.final);
}

// The velocity of a body is that of its frame's origin, not of its centre of mass.
TEST(Simulation, TellsTheVelocityOfTheBodyFramesOrigin) {
  const Certificate c = run(model_file("driven_revolute"), generalized_alpha(0.9, 2), 1e-3, 1);
  EXPECT_LE(body(c, "arm").position.norm(), 1e-13);  // the origin is on the hinge
  EXPECT_LE(body(c, "arm").velocity.norm(), 1e-11);  // index 2 meets the velocity level
}

// Newton from the velocity's prediction does not get there in one step of this size: the driver halves it and says so.
TEST(Simulation, HalvesAStepThatIsTooLargeAndCountsIt) {
  const Certificate c = run(model_file("heavy_top"), generalized_alpha(0.9), 0.02, 0.2);  // 3 rad a step
  EXPECT_TRUE(c.complete());
  EXPECT_GT(c.newton.halved_steps, 0);
  EXPECT_LE(c.newton.halved_steps, c.steps);
  EXPECT_LE(c.constraints.position, 1e-12);
}

TEST(Simulation, ThatCannotGoOnSaysWhereAndKeepsWhatItHas) {
  // pulled apart by a drive until the rod cannot reach: no configuration exists after t = 0.5 s
  const Model model = model_text(R"("bodies": [ { "name": "p", "type": "particle", "mass": 1, "position": [1, 0, 0] } ],
    "joints": [ { "name": "tether", "type": "rod", "between": ["ground", "p"], "length": 1 } ],
    "drives": [ { "name": "winch", "type": "length", "between": ["ground", "p"], "at_a": [3, 0, 0],
                  "motion": { "type": "polynomial", "coefficients": [2, 4] } } ])");
  Model start = model;
  start.bodies[0].position = Vec3(std::cos(0.5), std::sin(0.5), 0);
  const double distance = (start.bodies[0].position - Vec3(3, 0, 0)).norm();
  start.drives[0].motion.coefficients = {distance, 4};
  start.simulation.step = 0.01;
  start.simulation.end_time = 2;
  const double limit = (4 - distance) / 4;  // the farthest point of the circle
  Simulation simulation(start);
  long samples = 0;
  const Certificate c = simulation.run([&](const Sample& s) {
    ++samples;
    for (const double x : s.positions) EXPECT_TRUE(std::isfinite(x));
  });
  EXPECT_FALSE(c.complete());
  EXPECT_EQ(c.reason, simulation.failure());
  EXPECT_TRUE(says(c.reason, "t = "));
  EXPECT_TRUE(says(c.reason, "step "));
  EXPECT_TRUE(says(c.reason, "\"tether\"") || says(c.reason, "\"winch\"")) << c.reason;
  EXPECT_TRUE(says(c.reason, "try"));
  EXPECT_TRUE(simulation.done());
  EXPECT_LE(c.time, limit + 1e-9);
  EXPECT_GT(c.time, limit - 0.05);
  EXPECT_GT(c.newton.halved_steps, 0);
  EXPECT_EQ(samples, c.steps + 1);  // all that were finished
  for (const NodeState& node : simulation.state().nodes) EXPECT_TRUE(node.x.allFinite() && node.v.allFinite());
  EXPECT_LE(c.constraints.position, 1e-12);
  EXPECT_TRUE(std::isfinite(c.energy.final));
}

// Where all lies in one line, one of the two rows looks redundant. It is not: they ask for different motions.
TEST(Simulation, DoesNotCompleteWhereTwoEquationsContradictEachOther) {
  const Model reach =
      model_text(R"("bodies": [ { "name": "p", "type": "particle", "mass": 1, "position": [-1, 0, 0] } ],
    "joints": [ { "name": "tether", "type": "rod", "between": ["ground", "p"], "length": 1 } ],
    "drives": [ { "name": "winch", "type": "length", "between": ["ground", "p"], "at_a": [3, 0, 0],
                  "motion": { "type": "polynomial", "coefficients": [4, 0, 1] } } ])");
  const Model two_motors = model_text(R"("bodies": [ { "name": "arm", "mass": 1, "inertia": [1, 1, 1] } ],
    "joints": [ { "name": "hinge", "type": "revolute", "between": ["ground", "arm"], "axis": [0, 0, 1] } ],
    "drives": [ { "name": "motor", "joint": "hinge", "motion": { "type": "polynomial", "coefficients": [0, 0, 1] } },
                { "name": "other", "type": "angle", "between": ["ground", "arm"], "axis": [0, 0, 1],
                  "motion": { "type": "polynomial", "coefficients": [0, 0, 2] } } ])");
  for (const Model& model : {reach, two_motors})
    for (const IntegratorChoice& method :
         {energy_momentum(), energy_momentum(4), generalized_alpha(), generalized_alpha(0.9, 2),
          IntegratorChoice{"geradin", {}}, IntegratorChoice{"director", {}}, IntegratorChoice{"rattlie", {}}}) {
      const Certificate c = run(model, method, 0.01, 1);
      EXPECT_FALSE(c.complete()) << method.name;
      EXPECT_LE(c.constraints.position, 1e-8) << method.name;
      EXPECT_TRUE(says(c.reason, model.drives.back().name)) << method.name;
    }
}

TEST(Simulation, StopsWhenItsProgressSaysSo) {
  Simulation simulation(with(model_file("pendulum"), energy_momentum(), 0.01, 1));
  long samples = 0;
  const Certificate c = simulation.run([&](const Sample&) { ++samples; }, [&] { return simulation.steps_done() < 10; });
  EXPECT_EQ(c.steps, 10);
  EXPECT_EQ(samples, 11);
  EXPECT_TRUE(says(c.reason, "interrupted"));
}

TEST(Simulation, RefusesMethodsAndOptionsThatDoNotExist) {
  const auto error = [](const IntegratorChoice& choice) {
    try {
      Simulation simulation(with(model_file("pendulum"), choice, 0.01, 1));
    } catch (const ModelError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_TRUE(says(error({"energy-momentun", {}}), "energy-momentum"));
  EXPECT_TRUE(says(error({"generalized-alpha", {{"rho", 0.5}}}), "rho_inf"));
  EXPECT_TRUE(says(error({"generalized-alpha", {{"rho_inf", 1.5}}}), "between 0 and 1"));
  EXPECT_TRUE(says(error({"generalized-alpha", {{"index", 1.0}}}), "2 or 3"));
  EXPECT_TRUE(says(error({"generalized-alpha", {{"start", std::string("good")}}}), "improved or printed"));
  EXPECT_TRUE(says(error({"energy-momentum", {{"order", std::string("four")}}}), "number"));
}

}  // namespace
}  // namespace polhode::simulation_test
