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

// A run that is taken up again, after steps of its own, after an interruption and after its end, writes the samples that
// were recorded and those to come: the file is complete, and what a single run would have written.
TEST(Recorder, WritesAWholeFileWhereverARunIsTakenUp) {
  Model model = with(model_file("slider_crank"), energy_momentum(), 1e-3, 0.0995);  // the last step is shorter
  model.simulation.output_step = 5e-3;
  const std::string path = temporary("again.h5");
  MemoryRecorder whole(result_layout(Simulation(model)));
  Simulation(model).run(whole);
  const auto run_on = [&](Simulation& simulation, MemoryRecorder& memory, int most_steps) {
    FileRecorder file(path, result_layout(simulation), memory);
    Recorders both({&memory, &file});
    int taken = 0;
    both.finish(simulation.run(both, [&] { return ++taken < most_steps; }));
    return read_result(path);
  };
  const auto expect_recorded = [&](const Result& read, std::size_t from, std::size_t samples, bool complete) {
    EXPECT_EQ(read.samples, samples);
    EXPECT_EQ(read.complete, complete);
    for (std::size_t k = 0; k < read.numbers.size(); ++k) {
      const auto all = std::span<const double>(*whole.columns()[k]);
      const std::size_t width = result_fields()[k].width(read.layout);
      const auto part = all.subspan(from * width, samples * width);
      if (from > 0 && result_fields()[k].dataset == "newton/iterations") continue;  // since the start, not a sample
      EXPECT_EQ(read.numbers[k], std::vector<double>(part.begin(), part.end())) << result_fields()[k].dataset;
    }
  };
  {
    Simulation simulation(model);
    MemoryRecorder memory(result_layout(simulation));
    expect_recorded(run_on(simulation, memory, 12), 0, 3, false);
    expect_recorded(run_on(simulation, memory, 3), 0, 4, false);  // it stops with a sample
    expect_recorded(run_on(simulation, memory, 1000), 0, 21, true);
    expect_recorded(run_on(simulation, memory, 1000), 0, 21, true);  // at its end already
  }
  for (const int steps : {1, 10, 12, 99}) {
    Simulation simulation(model);
    for (int k = 0; k < steps; ++k) simulation.step();
    MemoryRecorder memory(result_layout(simulation));
    const std::size_t before = static_cast<std::size_t>(steps / 5) + 1;
    expect_recorded(run_on(simulation, memory, 1000), before, 21 - before, true);
  }
  std::filesystem::remove(path);
}

// With nothing to write, what stands there is left alone.
TEST(Recorder, LeavesAnOldFileWhereThereIsNothingToRecord) {
  const Model model = with(model_file("heavy_top"), energy_momentum(), 1e-3, 0.01);
  const std::string path = temporary("old.h5");
  Simulation simulation(model);
  {
    FileRecorder file(path, result_layout(simulation));
    file.finish(simulation.run(file));
  }
  Simulation ended(model);
  while (!ended.done()) ended.step();
  EXPECT_EQ(ended.sample_count(), 0u);
  EXPECT_THROW(FileRecorder(path, result_layout(ended), MemoryRecorder(result_layout(ended))), ResultError);
  EXPECT_EQ(read_result(path).samples, 11u);
  std::filesystem::remove(path);
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
