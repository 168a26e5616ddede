#include <polhode/study/trajectory.hpp>

#include <cmath>

namespace polhode {

Moment moment_of(const CompiledModel& model, const State& state) {
  Moment moment{state.t, {}, {}};
  for (const BodyPlace& body : model.bodies) moment.bodies.push_back(body_state(body, state));
  return moment;
}

bool reaches(double step, double end_time, double time) {
  const double count = time / step;
  return std::abs(time - end_time) <= 1e-9 * end_time ||
         std::abs(count - std::round(count)) <= 1e-9 * std::max(1.0, count);
}

Trajectory record(const Model& model, const std::vector<double>& times, const std::function<bool()>& progress) {
  Simulation simulation(model);
  const CompiledModel& compiled = simulation.compiled();
  const double h = model.simulation.step, tiny = 1e-6 * h;
  Reactions reactions(compiled, simulation.state(), !simulation.start_report().redundancies.empty());
  Trajectory out;
  for (const BodyPlace& body : compiled.bodies) out.bodies.push_back(body.name);

  std::size_t next = 0;
  State open;  // whose reaction waits for the multipliers of the next step
  bool waiting = false;
  const auto add_reactions = [&](const State& state, const VecX& lambda) {
    out.moments.back().reactions = reactions.evaluate(state, lambda);
  };
  const auto look = [&] {
    const State& state = simulation.state();
    if (waiting) {
      add_reactions(open, 0.5 * (open.lambda + state.lambda));
      waiting = false;
    }
    if (next >= times.size() || state.t < times[next] - tiny) return;
    ++next;
    out.moments.push_back(moment_of(compiled, state));
    if (simulation.multipliers_at_end() || simulation.steps_done() == 0) {
      add_reactions(state, state.lambda);
    } else {
      open = state;
      waiting = true;
    }
  };
  look();
  bool going = true;
  out.certificate = simulation.run({}, [&] {
    look();
    going = !progress || progress();
    return going;
  });
  // a run that is judged to have failed at its end is still looked at there; the mean at the very end needs a step beyond
  const bool blown_up = out.certificate.reached_end() && !out.certificate.complete();
  if (blown_up && next < times.size()) look();
  if (waiting && going && out.certificate.reached_end() && (simulation.step() || blown_up)) look();
  return out;
}

}  // namespace polhode
