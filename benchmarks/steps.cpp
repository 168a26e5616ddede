// One step of each method on the models of models/, as Google Benchmark measures it.
#include <benchmark/benchmark.h>

#include <string>

#include <polhode/io/model_reader.hpp>
#include <polhode/simulate/simulation.hpp>

namespace {

using namespace polhode;

void measure_step(benchmark::State& bench, const std::string& name, const std::string& integrator, double option) {
  Model model = read_model(std::string(POLHODE_SOURCE_DIR "/models/") + name + ".json");
  model.simulation.integrator = {integrator, {}};
  model.simulation.integrator.options["index"] = option;
  const CompiledModel compiled = compile(model);
  State state = compiled.start;
  consistent_start(compiled, model.simulation.assembly, state);
  const auto stepper = make_integrator(compiled.system, model.simulation.integrator, model.simulation.newton);
  stepper->start(state, model.simulation.step);
  const State start = state;
  long iterations = 0, steps = 0;
  for (auto _ : bench) {
    if (steps % 200 == 0) state = start;
    iterations += stepper->step(state, model.simulation.step).iterations;
    ++steps;
  }
  bench.counters["iterations"] = static_cast<double>(iterations) / static_cast<double>(steps);
  bench.counters["bodies"] = static_cast<double>(model.bodies.size());
}

#define MODELS(integrator, option)                                                                           \
  BENCHMARK_CAPTURE(measure_step, heavy_top / integrator option, "heavy_top", integrator, option);           \
  BENCHMARK_CAPTURE(measure_step, chain_revolute / integrator option, "chain_revolute", integrator, option); \
  BENCHMARK_CAPTURE(measure_step, bricard / integrator option, "bricard", integrator, option);               \
  BENCHMARK_CAPTURE(measure_step, flyball / integrator option, "flyball_governor", integrator, option);      \
  BENCHMARK_CAPTURE(measure_step, four_bar_40 / integrator option, "four_bar_40", integrator, option)

MODELS("energy-momentum", 3);
MODELS("energy-momentum", 2);
MODELS("generalized-alpha", 3);
MODELS("generalized-alpha", 2);

}  // namespace
