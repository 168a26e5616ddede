// Reads a model file (or, without one, the text below) and takes its steps one by one, looking at the motion in
// between.
//     step_by_step models/heavy_top.json
#include <algorithm>
#include <cstdio>
#include <exception>

#include <polhode/io/model_reader.hpp>
#include <polhode/simulate/simulation.hpp>

constexpr const char* pendulum = R"({
  "polhode": 1, "name": "pendulum", "gravity": [0, 0, -9.81],
  "bodies": [ { "name": "bob", "type": "particle", "mass": 1, "position": [1, 0, 0] } ],
  "joints": [ { "type": "rod", "between": ["ground", "bob"] } ],
  "simulation": { "step": 0.01, "end_time": 1 }
})";

int main(int count, char** words) {
  try {
    const polhode::Model model = count > 1 ? polhode::read_model(words[1]) : polhode::parse_model(pendulum, "pendulum");
    polhode::Simulation simulation(model);
    const long tenth = std::max(1L, simulation.steps() / 10);
    while (!simulation.done()) {
      if (!simulation.step()) break;
      if (simulation.steps_done() % tenth != 0) continue;
      const polhode::Sample now = simulation.sample();
      std::printf("t = %.3f s  x = (%9.6f, %9.6f, %9.6f) m  E = %.12f J\n", now.time, now.positions[0],
                  now.positions[1], now.positions[2],
                  now.energy.kinetic + now.energy.gravitational + now.energy.strain);
    }
    if (simulation.failure().empty()) return 0;
    std::fprintf(stderr, "%s\n", simulation.failure().c_str());
  } catch (const std::exception& error) {  // ModelError: every line says where, what, by how much and what to try
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 1;
}
