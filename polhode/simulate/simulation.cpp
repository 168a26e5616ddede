#include <polhode/simulate/simulation.hpp>

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

namespace polhode {

Simulation::Simulation(const Model& model, const StepPlan& plan)
    : model_(model),
      stepper_(model, plan),
      accountant_(compiled(), stepper_.resources().pool.get()),
      ledger_(accountant_.open(state())),
      sampler_(compiled(), state(), !start_report().redundancies.empty(),
               model.simulation.reactions == SimulationOptions::Reactions::instant, stepper_.resources().pool.get()),
      steps_(plan.steps_to_end()) {
  stepper_.start();
  accountant_.account(state(), ledger_);
  failure_ = verdict();
}

bool Simulation::step() {
  StepOutcome outcome = stepper_.advance();
  accountant_.account(state(), outcome, ledger_);
  failure_ = std::move(outcome.failure);
  at_output_ = outcome.is_output;
  if (outcome.accepted) failure_ = verdict();
  return failure_.empty();
}

std::string Simulation::verdict() const {
  const Ledger::NotFinite& first = ledger_.not_finite;
  const bool endless = *first.figure != 0, blown_up = plan().finished(time()) && ledger_.blown_up();
  if (!endless && !blown_up) return {};
  const std::string when = fmt::format("t = {:.6g} s, step {}: ", time(), plan().steps);
  if (endless)
    return when + fmt::format(
                      "{} is {}, not a finite number; try a smaller step than {:g} s, or smaller numbers in the "
                      "model",
                      first.figure, first.value, plan().h());
  return when + fmt::format(
                    "the integrator made {:.3g} J where the motion exchanges {:.3g} J: it has blown up; try a "
                    "smaller step than {:g} s, or an integrator that conserves energy",
                    ledger_.gained, ledger_.energy_scale(), plan().h());
}

void Simulation::apply(std::size_t body, const Vec3& force, const Vec3& torque, const Vec3& at) {
  const BodyPlace& place = compiled().bodies.at(body);
  if (stepper_.apply({.node = place.node, .X = place.origin + at, .force = force, .torque = torque}))
    ledger_.conserved = {};
}

void Simulation::set_velocities(const std::vector<Velocity>& velocities) {
  const System& system = compiled().system;
  const double before = ledger_.energy.total();
  stepper_.edit([&](State& state) {
    for (const Velocity& one : velocities) {
      const BodyPlace& place = compiled().bodies.at(one.body);
      const Node& node = system.nodes[place.node];
      NodeState& s = state.nodes[place.node];
      const Vec3 at_origin = one.velocity.value_or(s.v + s.q * s.Omega.cross(place.origin));
      if (one.angular_velocity && node.rotates()) s.Omega = *one.angular_velocity;
      Vec6 u = Vec6::Zero();
      u.head<3>() = at_origin - s.q * s.Omega.cross(place.origin);
      if (node.translates()) s.v = system.spread(place.node, system.gather(place.node, u)).head<3>();
    }
    if (system.row_count > 0) {
      ConstrainedMass mass(system);
      project_velocities(system, mass, {}, state);
      state.lambda = accelerations(system, state, mass).lambda;
    }
  });
  ledger_.conserved = {};
  std::vector<Frame> frames;
  system.frames(state(), frames);
  stepper_.book_applied(energy(system, state(), frames).total() - before);
  accountant_.account(state(), ledger_);
}

void Simulation::restore(const Checkpoint& checkpoint) {
  stepper_.restore(checkpoint.stepper);
  ledger_ = checkpoint.ledger;
  accountant_.restart(state());
  failure_.clear();
  interruption_.clear();
}

Certificate Simulation::run(Recorder& recorder, const Progress& progress) {
  const auto began = std::chrono::steady_clock::now();
  interruption_.clear();
  if (steps_done() == 0) record(recorder);
  while (!done()) {
    const bool taken = step();
    if (at_output_ && *ledger_.not_finite.figure == 0) record(recorder);
    if (!taken) break;
    if (progress && !progress()) {
      if (!done()) interruption_ = fmt::format("interrupted at t = {:g} s", time());
      break;
    }
  }
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return certificate();
}

Certificate Simulation::run(const std::function<void(const Sample&)>& sample, const Progress& progress) {
  struct Caller final : Recorder {
    explicit Caller(const std::function<void(const Sample&)>& own) : call(own) {}
    void record(const Sample& taken) override {
      if (call) call(taken);
    }
    void finish(const Certificate&) override {}
    const std::function<void(const Sample&)>& call;
  };
  Caller caller(sample);
  return run(caller, progress);
}

void Simulation::record(Recorder& recorder) {
  sampler_.sample(state(), ledger_, sample_);
  account(sample_, ledger_);
  recorder.record(sample_);
}

Sample Simulation::sample() const {
  Sample now;
  sampler_.sample(state(), ledger_, now);
  return now;
}

double Simulation::fraction() const { return plan().end > 0 ? std::min(1.0, time() / plan().end) : 1.0; }

ResultLayout Simulation::layout(const std::string& version) const {
  ResultLayout layout;
  layout.version = version;
  layout.samples = sample_count();
  layout.rows = compiled().row_labels;
  layout.accelerations = model_.simulation.reactions == SimulationOptions::Reactions::instant;
  for (const auto& body : compiled().bodies) layout.bodies.push_back(body.name);
  for (const auto& connection : compiled().connections) layout.joints.push_back(connection.name);
  for (const OutputPlace& one : compiled().outputs)
    for (NumberInfo& number : numbers_of(*one.kind)) {
      number.word = one.element + "." + number.word;
      layout.outputs.push_back(std::move(number));
    }
  return layout;
}

Certificate Simulation::certificate() const {
  using enum Certificate::Status;
  Certificate c = certify(model_, stepper_, ledger_, sampler_);
  c.seconds = seconds_;
  c.reason = !failure_.empty() ? failure_ : interruption_;
  c.status = !failure_.empty() ? failed : !interruption_.empty() ? interrupted : done() ? complete : running;
  judge(c);
  return c;
}

}  // namespace polhode
