// The kernels that a step is made of, as Google Benchmark measures them: maps of rotations, small LU, elements, factor
// and solve.
#include <benchmark/benchmark.h>

#include <array>

#include <fmt/format.h>

#include <polhode/elements/joints/revolute.hpp>
#include <polhode/elements/joints/spherical.hpp>
#include <polhode/integrate/workspace.hpp>
#include <polhode/lie/so3.hpp>
#include <polhode/simulate/start.hpp>
#include <polhode/solve/small_lu.hpp>
#include <polhode/system/compile.hpp>

namespace {

using namespace polhode;

// ---- rotations
// ----------------------------------------------------------------------------------------------------------------------

template <class Map>
void measure_map(benchmark::State& bench, Map map) {
  Vec3 p(0.1, -0.2, 0.3);
  for (auto _ : bench) {
    benchmark::DoNotOptimize(p);
    auto image = map(p);
    benchmark::DoNotOptimize(image);
  }
}

BENCHMARK_CAPTURE(measure_map, so3_exp, [](const Vec3& p) { return so3::exp(p); });
BENCHMARK_CAPTURE(measure_map, so3_exp_matrix, [](const Vec3& p) { return so3::exp_matrix(p); });
BENCHMARK_CAPTURE(measure_map, so3_cay, [](const Vec3& p) { return so3::cay(p); });
BENCHMARK_CAPTURE(measure_map, so3_cay_matrix, [](const Vec3& p) { return so3::cay_matrix(p); });
BENCHMARK_CAPTURE(measure_map, so3_tangent, [](const Vec3& p) { return so3::tangent(p); });
BENCHMARK_CAPTURE(measure_map, so3_tangent_inverse, [](const Vec3& p) { return so3::tangent_inverse(p); });
BENCHMARK_CAPTURE(measure_map, so3_cay_tangent_inverse, [](const Vec3& p) { return so3::cay_tangent_inverse(p); });
BENCHMARK_CAPTURE(measure_map, so3_log, [](const Vec3& p) { return so3::log(so3::cay(p)); });

// ---- small LU
// -----------------------------------------------------------------------------------------------------------------------

void small_lu(benchmark::State& bench) {
  const int n = static_cast<int>(bench.range(0));
  std::array<double, 36> A{}, work{}, B{};
  for (int i = 0; i < n * n; ++i) A[i] = (i % (n + 1) == 0 ? 4.0 : 0.0) + 0.3 * ((7 * i) % 11 - 5);
  B.fill(1);
  std::array<int, 6> pivots{};
  for (auto _ : bench) {
    work = A;
    benchmark::DoNotOptimize(small::factor(n, work.data(), pivots.data()));
    small::solve(n, n, work.data(), pivots.data(), B.data());
    benchmark::DoNotOptimize(B);
  }
}
BENCHMARK(small_lu)->Arg(3)->Arg(5)->Arg(6);

// ---- a chain: its elements, and its linear equations
// --------------------------------------------------------------------------------

/// N bodies of 1 m, hung end to end from the origin at 45 degrees.
template <class J>
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
    J joint{.name = fmt::format("joint{}", i), .between = {before, body.name}, .at = Vec3(i * along)};
    if constexpr (requires { joint.axis; }) joint.axis = Vec3::UnitY();
    model.joints.push_back(joint);
  }
  return model;
}

/// A chain at rest with all that a Newton iteration needs.
struct Iteration {
  CompiledModel compiled;
  State state;
  Workspace w;
  std::vector<double> lambda;

  explicit Iteration(const Model& model)
      : compiled(compile(model)), state(compiled.start), w(compiled.system, 1), lambda(compiled.system.row_count, 1.0) {
    consistent_start(compiled, SimulationOptions::Assembly::strict, state);
    compiled.system.frames(state, w.start);
    w.end = w.start;
  }

  /// Residuals and tangents of all joints and of gravity, and the bodies' inertia.
  void assemble() {
    const System& system = compiled.system;
    BlockMatrix& A = w.lu.matrix();
    A.set_zero();
    for (Vec6& f : w.force) f.setZero();
    w.evaluate({.start = w.start, .end = w.end, .t1 = 0.01, .scale = 1e-4, .lambda = lambda, .given = &state});
    for (int i = 0; i < system.node_count(); ++i) system.add_node_block(i, Mat6::Identity(), w.plan, A);
  }
};

void evaluate_chain(benchmark::State& bench, const Model& model) {
  Iteration it(model);
  for (auto _ : bench) it.assemble();
  bench.counters["per body"] =
      benchmark::Counter(1000, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK_CAPTURE(evaluate_chain, spherical, chain<Spherical>(1000));
BENCHMARK_CAPTURE(evaluate_chain, revolute, chain<Revolute>(1000));

void assemble_factor_and_solve_chain(benchmark::State& bench, const Model& model) {
  Iteration it(model);
  for (auto _ : bench) {
    it.assemble();
    it.w.rhs.setOnes();
    if (!it.w.lu.factor()) bench.SkipWithError("singular");
    it.w.lu.solve(it.w.rhs);
    benchmark::DoNotOptimize(it.w.rhs.data());
  }
  bench.counters["per body"] =
      benchmark::Counter(1000, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK_CAPTURE(assemble_factor_and_solve_chain, spherical, chain<Spherical>(1000));
BENCHMARK_CAPTURE(assemble_factor_and_solve_chain, revolute, chain<Revolute>(1000));

}  // namespace
