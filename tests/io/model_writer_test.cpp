// Writing and reading are inverse, to the last bit.
#include <polhode/io/model_writer.hpp>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include <polhode/io/model_reader.hpp>
#include <polhode/model/error.hpp>

#include "model_documents.hpp"

namespace polhode::model_writer_test {
namespace {

TEST(ModelWriter, ReadingWhatWasWrittenGivesTheModel) {
  for (const char* text : {documents::heavy_top, documents::everything}) {
    const Model model = parse_model(text, "m.json");
    const std::string written = write_model(model);
    const Model again = parse_model(written, "written");
    EXPECT_EQ(again, model) << written;
    EXPECT_EQ(write_model(again), written);
  }
}

// Any finite double, drawn by its bits, and rotations in any direction.
TEST(ModelWriter, NumbersComeBackBitByBit) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  Model model = parse_model(documents::heavy_top, "m.json");
  for (int k = 0; k < 1000; ++k) {
    Vec3 v;
    for (double& x : v) do
        x = std::bit_cast<double>(random());
      while (!std::isfinite(x));
    if (k == 0) v = Vec3(-0.0, std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max());
    Body& body = model.bodies[0];
    body.velocity = v;
    body.orientation = Quaternion(normal(random), normal(random), normal(random), normal(random)).normalized();
    const Model again = parse_model(write_model(model), "written");
    ASSERT_EQ(again, model);
    for (int i = 0; i < 3; ++i)
      ASSERT_EQ(std::bit_cast<std::uint64_t>((*again.bodies[0].velocity)[i]), std::bit_cast<std::uint64_t>(v[i]));
  }
}

TEST(ModelWriter, WritesAsTheExamplesAreWritten) {
  const std::string expected = R"({
  "polhode": 1,
  "name": "heavy top",
  "gravity": [0, 0, -9.81],
  "bodies": [
    {
      "name": "top",
      "mass": 15,
      "inertia": [0.234375, 0.46875, 0.234375],
      "position": [0, 1, 0],
      "angular_velocity": [0, 150, -4.61538]
    }
  ],
  "joints": [{ "name": "tip", "type": "spherical", "between": ["ground", "top"], "at": [0, 0, 0] }],
  "simulation": { "integrator": { "name": "energy-momentum" }, "step": 0.001, "end_time": 2 }
}
)";
  EXPECT_EQ(write_model(parse_model(documents::heavy_top, "m.json")), expected);
}

TEST(ModelWriter, RefusesWhatJsonCannotHold) {
  Model model = parse_model(documents::heavy_top, "m.json");
  model.gravity.x() = std::nan("");
  EXPECT_THROW(write_model(model), ModelError);
}

}  // namespace
}  // namespace polhode::model_writer_test
