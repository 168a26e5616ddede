#include <polhode/papers/hulbert.hpp>

#include <polhode/elements/forces/body_torque.hpp>
#include <polhode/integrate/explicit_momentum.hpp>
#include <polhode/study/exact_motion.hpp>

namespace polhode::papers::hulbert {
namespace {

struct Prepared {
  CompiledModel compiled;
  State state;
};

Prepared prepared(const Model& model) {
  Prepared out{compile(model), {}};
  out.state = out.compiled.start;
  consistent_start(out.compiled, model.simulation.assembly, out.state);
  return out;
}

Vec3 angular_momentum(const System& system, const State& state) {
  return system.inertia[0].momentum(state.nodes[0]).tail<3>();
}

}  // namespace

IntegratorChoice Scheme::choice() const {
  return impulse.empty() ? IntegratorChoice{method, {}} : IntegratorChoice{method, {{"impulse", impulse}}};
}

const std::vector<Scheme>& schemes() {
  static const std::vector<Scheme> all{{"simo-wong", "trapezoidal", "Simo-Wong, trapezoidal"},
                                       {"simo-wong", "midpoint", "Simo-Wong, midpoint"},
                                       {"predictor-corrector", "trapezoidal", "predictor-corrector, trapezoidal"},
                                       {"predictor-corrector", "midpoint", "predictor-corrector, midpoint"},
                                       {"staggered", "trapezoidal", "staggered, trapezoidal"},
                                       {"staggered", "midpoint", "staggered, midpoint"},
                                       {"park-chiou-downer", "", "Park-Chiou-Downer"}};
  return all;
}

const Scheme& scheme(const std::string& method, const std::string& impulse) {
  for (const Scheme& s : schemes())
    if (s.method == method && (s.impulse.empty() || s.impulse == impulse)) return s;
  throw std::out_of_range("there is no scheme " + method + ", " + impulse);
}

Model tumbling_body(double push) {
  Model model = built_in_model("tumbling_body");
  LoadFunctions& torque = model.forces.at(0).edit<BodyTorque>()->function;
  torque[0].times = {0, 2 - push};
  torque[1].times = {2 - push, 2};
  torque[1].terms[0] = Function::constant(0.2 / push);
  return model;
}

Model thrown_body() {
  Model model = built_in_model("tumbling_body");
  model.forces.clear();
  model.bodies.at(0).angular_velocity = Vec3(1, 2, 8);
  return model;
}

Model fast_top() { return built_in_model("fast_top"); }

bool steps(const Model& model, const IntegratorChoice& choice, double h, double end, const Look& look) {
  auto [compiled, state] = prepared(model);
  const auto integrator = make_integrator(compiled.system, choice, model.simulation.newton);
  integrator->start(state, h);
  look(compiled.system, state);
  for (long k = 1, n = std::lround(end / h); k <= n; ++k) {
    if (!integrator->step(state, h).converged) return false;
    state.t = static_cast<double>(k) * h;  // not a sum of many
    look(compiled.system, state);
  }
  return true;
}

NodeState end_of(const Model& model, const Scheme& scheme, double h, double end) {
  NodeState last;
  steps(model, scheme.choice(), h, end, [&](const System&, const State& state) { last = state.nodes[0]; });
  return last;
}

std::vector<NodeState> exact_nodes(const Model& model, double t) {
  const auto [compiled, state] = prepared(model);
  ExactMotion motion(compiled, state, 1e-13);
  motion.advance(t);
  return motion.state().nodes;
}

NodeState exact(const Model& model, double t) { return exact_nodes(model, t).at(0); }

History history(const Model& model, const Scheme& scheme, double h, double end, double from, int parts) {
  History out;
  std::vector<Frame> frames;
  Vec3 pi_half = Vec3::Zero();
  const bool two_chains = scheme.method == "staggered" || scheme.method == "park-chiou-downer";
  const ExplicitMethod method =
      scheme.method == "staggered" ? ExplicitMethod::staggered : ExplicitMethod::park_chiou_downer;
  bool begun = false;
  const bool complete = steps(model, scheme.choice(), h, end, [&](const System& system, const State& state) {
    const Vec3 half_before = pi_half;
    if (two_chains) pi_half = half_chain_momentum(system, method, state, 0);
    if (state.t < from - 0.5 * h) return;
    system.frames(state, frames);
    const double E = energy(system, state, frames).total();
    const Vec3 pi = angular_momentum(system, state);
    if (!begun) {
      begun = true;
      out.energy = E;
      out.momentum = pi;
    } else if (two_chains) {
      out.chains_apart = std::max(out.chains_apart, (pi - 0.5 * (half_before + pi_half)).norm());
    }
    const double nutation = std::acos(std::clamp(frames[0].d(2, 2), -1.0, 1.0));
    out.final = E - out.energy;
    out.lowest = std::min(out.lowest, out.final);
    out.highest = std::max(out.highest, out.final);
    out.momentum_error = std::max(out.momentum_error, (pi - out.momentum).norm());
    out.vertical_momentum_error = std::max(out.vertical_momentum_error, std::abs(pi.z() - out.momentum.z()));
    out.least_nutation = std::min(out.least_nutation, nutation);
    out.most_nutation = std::max(out.most_nutation, nutation);
    const std::size_t part =
        std::min<std::size_t>(parts - 1, static_cast<std::size_t>((state.t - from) / (end - from) * parts));
    if (out.parts.size() <= part) out.parts.push_back({state.t, out.final, out.final, nutation, nutation});
    History::Part& p = out.parts.back();
    p.energy_low = std::min(p.energy_low, out.final);
    p.energy_high = std::max(p.energy_high, out.final);
    p.nutation_low = std::min(p.nutation_low, nutation);
    p.nutation_high = std::max(p.nutation_high, nutation);
  });
  if (!complete) out.final = out.highest = std::numeric_limits<double>::infinity();
  return out;
}

Model four_links() { return built_in_model("four_links"); }

Model flying_links() {
  Model model = four_links();
  model.name = "flying links";
  model.gravity = Vec3::Zero();
  model.joints.erase(model.joints.begin());
  for (std::size_t k = 0; k < model.bodies.size(); ++k) {
    Body& link = model.bodies[k];
    link.angular_velocity = Vec3(0, k < 3 ? 5 : -3, 2);
    link.velocity = Vec3(0, 0, 2).cross(link.position);
  }
  return model;
}

ChainRun chain_run(const Model& model, double h, double end) {
  ChainRun out;
  std::vector<Frame> frames;
  Vec3 L0 = Vec3::Zero();
  bool begun = false;
  steps(model, {"rattlie", {}}, h, end, [&](const System& system, const State& state) {
    system.frames(state, frames);
    const double E = energy(system, state, frames).total();
    const Vec3 L = momentum(system, state, frames).angular;
    if (!begun) {
      begun = true;
      out.energy = E;
      L0 = L;
    }
    out.energy_error = std::max(out.energy_error, std::abs(E - out.energy));
    out.momentum_error = std::max(out.momentum_error, (L - L0).norm());
    out.last = state.nodes.back().x;
  });
  return out;
}

}  // namespace polhode::papers::hulbert
