// Time per body and step on a hanging chain of N bodies with spherical joints, and how it grows with N.
//
//   build/release/benchmarks/polhode-chain [largest N]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <vector>

#include <fmt/format.h>

#include <polhode/elements/joints/spherical.hpp>
#include <polhode/integrate/methods.hpp>
#include <polhode/lie/so3.hpp>
#include <polhode/simulate/start.hpp>

namespace {

using namespace polhode;

/// N bodies of 1 m, joined at their ends, at rest and straight, at 45 degrees to gravity.
Model chain(int n) {
  Model model;
  model.gravity = {0, 0, -9.81};
  const Vec3 along = Vec3(1, 0, -1).normalized();
  for (int i = 0; i < n; ++i) {
    Body body;
    body.name = fmt::format("body{}", i);
    body.mass = 1;
    body.inertia = Vec3(0.1, 0.1, 0.02).asDiagonal();
    body.orientation = so3::between(Vec3::UnitZ(), along);
    body.position = (i + 0.5) * along;
    model.bodies.push_back(body);
    const std::string before = i == 0 ? "ground" : fmt::format("body{}", i - 1);
    model.joints.push_back(
        Spherical{.name = fmt::format("joint{}", i), .between = {before, body.name}, .at = Vec3(i * along)});
  }
  return model;
}

struct Run {
  int n;
  CompiledModel compiled;
  State state;
  std::unique_ptr<Integrator> integrator;
  double best = 1e300;
  long iterations = 0, steps = 0;

  explicit Run(int bodies) : n(bodies), compiled(compile(chain(bodies))), state(compiled.start) {
    consistent_start(compiled, SimulationOptions::Assembly::strict, state);
    integrator = make_integrator(compiled.system, {"energy-momentum", {{"index", 3.0}}});
    integrator->start(state, 0.01);
    integrator->step(state, 0.01);
  }

  /// Seconds per body and step of some steps; keeps the least.
  void measure() {
    const int count = std::max(2, 20000 / n);
    const auto began = std::chrono::steady_clock::now();
    for (int k = 0; k < count; ++k) {
      const StepReport report = integrator->step(state, 0.01);
      if (!report.converged) std::exit(1);
      iterations += report.iterations;
      ++steps;
    }
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() / (double(n) * count));
  }
};

}  // namespace

int main(int argc, char** argv) {
  const int largest = argc > 1 ? std::atoi(argv[1]) : 100000;
  std::deque<Run> runs;  // a run must not move: its integrator refers to its system
  for (int n = 100; n <= largest; n *= 10) runs.emplace_back(n);
  for (int round = 0; round < 5; ++round)  // interleaved: noise of the machine meets all of them
    for (Run& run : runs) run.measure();
  fmt::print("{:>8} {:>22} {:>18}\n", "bodies", "us per body and step", "iterations a step");
  for (const Run& run : runs)
    fmt::print("{:>8} {:>22.3f} {:>18.2f}\n", run.n, 1e6 * run.best, double(run.iterations) / double(run.steps));
  const Run &first = runs.front(), &last = runs.back();
  const double exponent = 1 + std::log(last.best / first.best) / std::log(double(last.n) / first.n);
  fmt::print("growth exponent of the time of a step, N = {} to {}: {:.3f}\n", first.n, last.n, exponent);
}
