// polhode-write-slowly FILE SAMPLES PAUSE [finish]: a particle on the unit circle, x = (cos t, sin t, 0) at t = 0, 1,
// 2, ..., with a pause [s] and a flush after each sample. It prints the number of samples after each, and ends as a run
// that was interrupted unless told to finish.
#include <chrono>
#include <cmath>
#include <iostream>
#include <string>
#include <thread>

#include <polhode/io/result_file.hpp>

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const std::size_t samples = std::stoul(argv[2]);
  const auto pause = std::chrono::duration<double>(std::stod(argv[3]));
  auto file = polhode::ResultFile::create(argv[1], {.model_json = R"({"name": "Kreis – circle"})",
                                                    .options_json = "{}",
                                                    .version = "0",
                                                    .bodies = {"particle", "other"},
                                                    .joints = {},
                                                    .rows = {},
                                                    .outputs = {},
                                                    .samples = samples});
  for (std::size_t k = 0; k < samples; ++k) {
    const double t = static_cast<double>(k);
    polhode::Sample sample;
    sample.time = t;
    sample.positions = {std::cos(t), std::sin(t), 0, 0, 0, 0};
    sample.velocities = {-std::sin(t), std::cos(t), 0, 0, 0, 0};
    sample.quaternions = {1, 0, 0, 0, 1, 0, 0, 0};
    sample.angular_velocities = {0, 0, 0, 0, 0, 0};
    sample.energy.kinetic = 0.5;
    file.append(sample);
    file.flush();
    std::cout << k + 1 << std::endl;
    std::this_thread::sleep_for(pause);
  }
  if (argc > 4) file.finish(true, "completed", R"({"status": "completed"})");
}
