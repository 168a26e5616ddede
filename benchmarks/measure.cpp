// Time, work and accuracy of one run of a model through the library, without files: what the other programs here, the
// peers' harness (benchmarks/peers) and the count of instructions (benchmarks/instructions) ask polhode.
//
//   polhode-measure MODEL [--step H] [--end T] [--at T1,T2,...] [--repeat R] [--states FILE] [--set PATH=VALUE] [--exact TOL]
//
// --set replaces an option of the model's simulation block: integrator.name=generalized-alpha, newton.tolerance=1e-10.
// The answer is one
// JSON object: processor seconds and wall seconds of the steps (of each the least of R runs), steps, iterations, error
// of energy (relative to the largest of the energy and its kinetic and potential parts) and of the joints. --states: x,
// q, v, w of all bodies at the times of --at, as doubles.
// --exact: not an integrator, but the motion itself (study/exact_motion.hpp).
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include <polhode/integrate/methods.hpp>
#include <polhode/io/model_override.hpp>
#include <polhode/io/model_reader.hpp>
#include <polhode/model/error.hpp>
#include <polhode/model/validate.hpp>
#include <polhode/simulate/start.hpp>
#include <polhode/study/exact_motion.hpp>
#include <polhode/study/trajectory.hpp>

namespace {

using namespace polhode;

struct Options {
  std::string model, states;
  std::vector<double> at;
  int repeat = 1;
  double exact = 0;
  std::vector<std::pair<std::string, std::string>> overrides;
};

Options read_options(int argc, char** argv) {
  Options o;
  if (argc < 2) throw ModelError("polhode-measure: which model?");
  o.model = argv[1];
  for (int k = 2; k < argc; k += 2) {
    const std::string name = argv[k];
    if (k + 1 == argc) throw ModelError(fmt::format("{}: a value is missing", name));
    const std::string value = argv[k + 1];
    if (name == "--step")
      o.overrides.emplace_back("step", value);
    else if (name == "--end")
      o.overrides.emplace_back("end_time", value);
    else if (name == "--repeat")
      o.repeat = std::stoi(value);
    else if (name == "--states")
      o.states = value;
    else if (name == "--exact")
      o.exact = std::stod(value);
    else if (name == "--set")
      o.overrides.emplace_back(value.substr(0, value.find('=')), value.substr(value.find('=') + 1));
    else if (name == "--at") {
      std::stringstream list(value);
      for (std::string t; std::getline(list, t, ',');) o.at.push_back(std::stod(t));
    } else
      throw ModelError(fmt::format("{}: there is no such option", name));
  }
  return o;
}

/// What the work of a run was, and what it kept.
struct Figures {
  double seconds = 0, wall_seconds = 0, energy_error = 0, position_error = 0;
  long steps = 0, iterations = 0, halved = 0;
};

double processor_seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

/// Steps to a time, halved where Newton does not converge, as a simulation does it.
class Runner {
 public:
  Runner(const Model& model, const CompiledModel& compiled, const State& start)
      : state_(start), h_(model.simulation.step) {
    const Resources resources = Resources::of(model.simulation.threads, compiled.system.parts);
    integrator_ = make_integrator(compiled.system, model.simulation.integrator, model.simulation.newton, resources);
    if (const auto reason = integrator_->why_not(state_, h_)) throw ModelError(*reason);
    integrator_->start(state_, h_);
  }
  void advance(double to, Figures& figures) {
    const long n = std::lround((to - state_.t) / h_);
    if (n < 1 || std::abs(double(n) * h_ - (to - state_.t)) > 1e-6 * h_)
      throw ModelError(fmt::format("--at {:g}: not a multiple of the step {:g}", to, h_));
    for (long k = 0; k < n; ++k) {
      step(h_, 0, figures);
      ++figures.steps;
    }
    state_.t = to;
  }
  const State& state() const { return state_; }
  double work() const { return state_.work.done() - state_.work.dissipated(); }

 private:
  void step(double h, int depth, Figures& figures) {
    const StepReport report = integrator_->step(state_, h);
    figures.iterations += report.iterations;
    if (report.converged) return;
    if (depth == 8)
      throw ModelError(
          fmt::format("t = {:g} s: Newton does not converge, also with the step halved 8 times", state_.t));
    figures.halved += depth == 0;
    step(0.5 * h, depth + 1, figures);
    step(0.5 * h, depth + 1, figures);
  }
  State state_;
  double h_;
  std::unique_ptr<Integrator> integrator_;
};

void append(const Moment& moment, std::vector<double>& rows) {
  for (const auto& b : moment.bodies) {
    for (int i = 0; i < 3; ++i) rows.push_back(b.position[i]);
    rows.insert(rows.end(), {b.orientation.w(), b.orientation.x(), b.orientation.y(), b.orientation.z()});
    for (int i = 0; i < 3; ++i) rows.push_back(b.velocity[i]);
    for (int i = 0; i < 3; ++i) rows.push_back(b.angular_velocity[i]);
  }
}

int measure(const Options& o) {
  Model model = read_model(o.model);
  for (const auto& [path, value] : o.overrides)
    if (path == "integrator.name" && value != model.simulation.integrator.name)
      model.simulation.integrator.options.clear();
  for (const auto& [path, value] : o.overrides) apply_override(model, path, value);
  if (const Findings findings = validate(model); findings.has_errors()) throw ModelError(findings.errors());
  CompiledModel compiled = compile(model);
  const std::size_t bodies = model.bodies.size();
  // what is compiled, and the labels of results, would count as memory of the run
  std::vector<Body>().swap(model.bodies);
  std::vector<Joint>().swap(model.joints);
  std::vector<Force>().swap(model.forces);
  std::vector<std::string>().swap(compiled.row_labels);
  const System& system = compiled.system;
  State start = std::move(compiled.start);
  consistent_start(compiled, model.simulation.assembly, start);
  std::vector<double> times = o.at;
  if (times.empty() || times.back() < model.simulation.end_time * (1 - 1e-12))
    times.push_back(model.simulation.end_time);

  std::vector<double> rows;
  std::vector<Frame> frames;
  VecX phi(system.row_count);
  Figures best;
  for (int r = 0; r < o.repeat; ++r) {
    rows.clear();
    Figures figures;
    system.frames(start, frames);
    const Energy first = energy(system, start, frames);
    double scale = std::max(std::abs(first.total()), first.kinetic);
    std::unique_ptr<Runner> runner;
    std::unique_ptr<ExactMotion> exact;
    if (o.exact > 0)
      exact = std::make_unique<ExactMotion>(compiled, start, o.exact);
    else
      runner = std::make_unique<Runner>(model, compiled, start);
    for (const double t : times) {
      const double began = processor_seconds();
      const auto clock = std::chrono::steady_clock::now();
      if (exact && !exact->advance(t)) throw ModelError("the exact motion could not be followed to the end");
      if (runner) runner->advance(t, figures);
      figures.wall_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - clock).count();
      figures.seconds += processor_seconds() - began;
      const State& state = exact ? exact->state() : runner->state();
      if (!o.states.empty()) append(moment_of(compiled, state), rows);
      system.frames(state, frames);
      const Energy e = energy(system, state, frames);
      scale = std::max({scale, e.kinetic, std::abs(e.gravitational - first.gravitational), e.strain});
      figures.energy_error =
          std::max(figures.energy_error, std::abs(e.total() - first.total() - (runner ? runner->work() : 0)));
      system.residual(frames, state.angles, state.t, {phi.data(), std::size_t(phi.size())});
      if (phi.size()) figures.position_error = std::max(figures.position_error, phi.cwiseAbs().maxCoeff());
    }
    figures.energy_error /= scale;
    if (exact) figures.steps = exact->evaluations();
    const double wall_seconds = r == 0 ? figures.wall_seconds : std::min(best.wall_seconds, figures.wall_seconds);
    if (r == 0 || figures.seconds < best.seconds) best = figures;
    best.wall_seconds = wall_seconds;
  }
  if (!o.states.empty())
    std::ofstream(o.states, std::ios::binary)
        .write(reinterpret_cast<const char*>(rows.data()), std::streamsize(8 * rows.size()));
  fmt::print(
      "{{\"seconds\": {:.9g}, \"wall_seconds\": {:.9g}, \"steps\": {}, \"iterations\": {}, \"halved_steps\": {}, "
      "\"energy_error\": {:.3e}, "
      "\"position_error\": {:.3e}, \"bodies\": {}}}\n",
      best.seconds, best.wall_seconds, best.steps, best.iterations, best.halved, best.energy_error, best.position_error,
      bodies);
  return 0;
}

}  // namespace

int main(int argc, char** argv) try { return measure(read_options(argc, argv)); } catch (const std::exception& e) {
  fmt::print(stderr, "{}\n", e.what());
  return 2;
}
