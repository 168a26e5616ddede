// What forces show of themselves in results: it is what their laws do to the motion.
#include <polhode/system/outputs.hpp>

#include <unistd.h>

#include <filesystem>
#include <sstream>

#include <gtest/gtest.h>

#include <polhode/io/csv.hpp>
#include <polhode/io/file_recorder.hpp>
#include <polhode/io/result.hpp>

#include "simulate/runs.hpp"

namespace polhode::outputs_test {
namespace {

/// Forces of all kinds that show something, not in the order in which a system keeps laws.
Model swinging() {
  Model model = model_text(R"("gravity": [0, 0, -9.81],
    "bodies": [
      { "name": "bob", "type": "particle", "mass": 1, "position": [1, 0, 0], "velocity": [0, 0.5, 0] },
      { "name": "block", "mass": 2, "inertia": [0.1, 0.2, 0.25], "position": [0, 2, 0], "velocity": [0.3, 0, 0.1], "angular_velocity": [0.5, -1, 2] },
      { "name": "wheel", "mass": 1, "inertia": [0.1, 0.1, 0.2], "position": [0, 0, 5], "angular_velocity": [0, 0, 3] } ],
    "joints": [ { "name": "axle", "type": "revolute", "between": ["ground", "wheel"], "at": [0, 0, 5], "axis": [0, 0, 1] } ],
    "forces": [
      { "name": "mount", "type": "bushing", "between": ["ground", "block"], "at": [0, 2, 0.1], "stiffness": [100, 200, 300, 5, 6, 7] },
      { "name": "gravity of another", "type": "force", "body": "bob", "vector": [0, 0, -1] },
      { "name": "spring", "type": "spring-damper", "between": ["ground", "bob"], "at_a": [0, 0, 0], "stiffness": 50, "damping": 2, "length": 0.8 },
      { "name": "motor", "type": "joint-force", "joint": "axle", "function": { "type": "harmonic", "amplitude": 2, "angular_frequency": 3 } },
      { "name": "clock spring", "type": "torsional-spring-damper", "joint": "axle", "stiffness": 4, "damping": 0.5, "angle": 0.2 } ])");
  return with(model, energy_momentum(), 1e-2, 1);
}

struct Recorded {
  explicit Recorded(const Model& model) : simulation(model), memory(simulation.layout("")) { simulation.run(memory); }
  std::span<const double> output(const std::string& name, std::size_t sample) const {
    const auto& all = memory.layout().outputs;
    const auto found = std::find_if(all.begin(), all.end(), [&](const NumberInfo& one) { return one.word == name; });
    EXPECT_NE(found, all.end()) << name;
    return memory["outputs"].subspan(sample * all.size() + static_cast<std::size_t>(found - all.begin()));
  }
  double number(const std::string& name, std::size_t sample) const { return output(name, sample)[0]; }
  Vec3 vector(const std::string& name, std::size_t sample) const { return Vec3(output(name + ".x", sample).data()); }
  Simulation simulation;
  MemoryRecorder memory;
};

TEST(Outputs, AreWhatTheLawsSayOfTheMotion) {
  const Recorded run(swinging());
  const auto &positions = run.memory["bodies/position"], &velocities = run.memory["bodies/velocity"],
             &spins = run.memory["bodies/angular_velocity"];
  ASSERT_EQ(run.memory.samples(), 101u);
  for (std::size_t k = 0; k < run.memory.samples(); ++k) {
    const Vec3 x(&positions[9 * k]), v(&velocities[9 * k]);
    const double length = x.norm(), rate = x.dot(v) / length;
    EXPECT_NEAR(run.number("spring.length", k), length, 1e-14);
    EXPECT_NEAR(run.number("spring.rate", k), rate, 1e-13);
    EXPECT_NEAR(run.number("spring.force", k), 50 * (length - 0.8) + 2 * rate, 1e-12);
    const double angle = run.number("clock spring.angle", k), turning = spins[9 * k + 8];
    EXPECT_NEAR(run.number("clock spring.torque", k), 4 * (angle - 0.2) + 0.5 * turning, 1e-12);
    EXPECT_NEAR(run.number("motor.coordinate", k), angle, 1e-14);
    EXPECT_NEAR(run.number("motor.rate", k), turning, 1e-13);
    EXPECT_NEAR(run.number("motor.force", k), 2 * std::sin(3 * run.memory["time"][k]), 1e-13);
  }
}

// The energy of all springs is what their strains and stresses say.
TEST(Outputs, GiveTheStrainEnergy) {
  const Recorded run(swinging());
  double largest = 0;
  for (std::size_t k = 0; k < run.memory.samples(); ++k) {
    const double stretch = run.number("spring.length", k) - 0.8, turn = run.number("clock spring.angle", k) - 0.2;
    const double mount = 0.5 * (run.vector("mount.displacement", k).dot(run.vector("mount.force", k)) +
                                run.vector("mount.rotation", k).dot(run.vector("mount.torque", k)));
    const double energy = run.memory["energy/strain"][k];
    EXPECT_NEAR(mount + 25 * stretch * stretch + 2 * turn * turn, energy, 1e-13 * std::max(1.0, energy));
    largest = std::max(largest, mount);
  }
  EXPECT_GT(largest, 1);
}

TEST(Outputs, GoToFilesAndTablesWithTheirNames) {
  const Model model = swinging();
  Simulation simulation(model);
  const std::string path =
      (std::filesystem::temp_directory_path() / ("polhode-outputs-" + std::to_string(::getpid()) + ".h5")).string();
  {
    FileRecorder file(path, result_layout(simulation));
    file.finish(simulation.run(file));
  }
  const Result read = read_result(path);
  std::filesystem::remove(path);
  ASSERT_EQ(read.layout.outputs.size(), 12u + 3 + 3 + 3);
  EXPECT_EQ(read.layout.outputs.front().word, "mount.displacement.x");
  EXPECT_EQ(read.layout.outputs[14].word, "spring.force");
  EXPECT_EQ(read.layout.outputs[14].unit, "N");
  const Recorded run(model);
  EXPECT_TRUE(std::ranges::equal(read["outputs"], run.memory["outputs"]));
  std::ostringstream table;
  write_csv(table, read, {"spring.force", "mount.torque"});
  EXPECT_TRUE(table.str().starts_with("time,spring.force,mount.torque.x,mount.torque.y,mount.torque.z\n"));
}

}  // namespace
}  // namespace polhode::outputs_test
