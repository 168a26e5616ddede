// Recorders: what is kept in memory is what a file keeps, field by field.
#include <polhode/simulate/recorder.hpp>

#include <unistd.h>

#include <filesystem>

#include <gtest/gtest.h>

#include <polhode/io/file_recorder.hpp>
#include <polhode/io/result.hpp>

#include "simulate/runs.hpp"

namespace polhode::recorder_test {
namespace {

std::string temporary(const char* name) {
  return (std::filesystem::temp_directory_path() / fmt::format("polhode-recorder-{}-{}", ::getpid(), name)).string();
}

// D7: columns are stored raw, whatever fields the table has
TEST(Recorder, WritesFromMemoryTheFileThatARunWrites) {
  Model model = with(model_file("slider_crank"), energy_momentum(), 1e-3, 0.1);
  model.simulation.output_step = 5e-3;
  Simulation simulation(model);
  const std::string during = temporary("during.h5"), after = temporary("after.h5");
  {
    const ResultLayout layout = result_layout(simulation);
    MemoryRecorder memory(layout);
    FileRecorder file(during, layout);
    Recorders both({&memory, nullptr, &file});
    const Certificate certificate = simulation.run(both);
    both.finish(certificate);
    ASSERT_TRUE(memory.certificate());
    write_result(after, memory, memory.certificate()->complete(), memory.certificate()->status_text(),
                 to_json(*memory.certificate()));
  }
  const Result a = read_result(during), b = read_result(after);
  EXPECT_EQ(a.samples, 21u);
  EXPECT_EQ(a.samples, b.samples);
  EXPECT_TRUE(a.complete && b.complete);
  EXPECT_EQ(a.certificate_json, b.certificate_json);
  EXPECT_EQ(a.layout.model_json, b.layout.model_json);
  EXPECT_EQ(a.layout.options_json, b.layout.options_json);
  for (std::size_t k = 0; k < a.numbers.size(); ++k) {
    EXPECT_EQ(a.numbers[k], b.numbers[k]) << result_fields()[k].dataset;
    EXPECT_EQ(a.numbers[k].size(), a.samples * result_fields()[k].width(a.layout)) << result_fields()[k].dataset;
  }
  std::filesystem::remove(during);
  std::filesystem::remove(after);
}

TEST(Recorder, LeavesNumbersWhereTheyAreWhenItGrows) {
  ResultLayout layout;
  layout.bodies = {"a"};
  layout.samples = 2;
  MemoryRecorder recorder(layout);
  Sample sample;
  sample.positions = {1, 2, 3}, sample.quaternions = {1, 0, 0, 0},
  sample.velocities = sample.angular_velocities = {0, 0, 0};
  recorder.record(sample);
  const MemoryRecorder::Column held = recorder.columns()[1];
  const double* const there = held->data();
  for (int k = 0; k < 100; ++k) sample.positions[0] = k, recorder.record(sample);
  EXPECT_EQ(held->data(), there);
  EXPECT_EQ((*held)[0], 1);
  EXPECT_EQ(recorder["bodies/position"][3 * 100], 99);
  EXPECT_THROW(recorder["bodies/positions"], std::out_of_range);
}

}  // namespace
}  // namespace polhode::recorder_test
