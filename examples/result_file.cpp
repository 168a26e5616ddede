// Writes a motion that we know, a particle on the unit circle, as a result, reads it back and prints it as CSV.
#include <cmath>
#include <iostream>

#include <polhode/io/csv.hpp>
#include <polhode/io/result_file.hpp>
#include <polhode/version.hpp>

int main() {
  const polhode::ResultLayout layout{.model_json = "{}",
                                     .options_json = "{}",
                                     .version = std::string(polhode::version),
                                     .bodies = {"particle"},
                                     .joints = {},
                                     .rows = {},
                                     .samples = 9};
  auto file = polhode::ResultFile::create("circle.h5", layout);
  for (int k = 0; k < 9; ++k) {
    const double t = k * M_PI / 4;
    file.append(polhode::Sample{.time = t,
                                .positions = {std::cos(t), std::sin(t), 0},
                                .quaternions = {1, 0, 0, 0},
                                .velocities = {-std::sin(t), std::cos(t), 0},
                                .angular_velocities = {0, 0, 0},
                                .reactions = {},
                                .multipliers = {},
                                .energy = {.kinetic = 0.5}});
  }
  file.finish(true, "completed", "{}");

  const polhode::Result result = polhode::read_result("circle.h5");
  polhode::write_csv(std::cout, result, {"particle.position", "energy.kinetic"});
  return result.complete && result.position(4, 0).isApprox(-polhode::Vec3::UnitX()) ? 0 : 1;
}
