#include <polhode/integrate/explicit_family.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <Eigen/LU>

#include <polhode/system/constrained_mass.hpp>
#include <polhode/system/frequency.hpp>

namespace polhode {

Explicit::Explicit(const System& system, Impulse impulse)
    : system_(system), impulse_(impulse), n_(system.node_count()) {
  for (const BodyInertia& body : system.inertia.bodies) J_inverse_.push_back(body.inverse().bottomRightCorner<3, 3>());
  frames_.resize(n_ + 1);
  force_.resize(n_ + 1);
  V_.assign(n_ + 1, Vec6::Zero());
  rates_act_ = !system.wrenches.empty();
  system.elements.for_each_law(
      [&](const LawArray& laws, int k) { rates_act_ = rates_act_ || laws.properties(k).follows_rate; });
}

StepReport Explicit::step(State& state, double h) {
  trial_ = state;
  StepReport report;
  if (std::abs(trial_.memory[0] - h) > 1e-6 * std::abs(h)) {  // a step of another size begins anew
    if (const auto reason = why_not(state, h)) {
      report.reason = *reason;
      return report;
    }
    start(trial_, h);
  }
  system_.frames(trial_, start_);
  advance(trial_, h);
  const auto finite = [](const NodeState& s) { return s.x.allFinite() && s.v.allFinite() && s.Omega.allFinite(); };
  if (!std::all_of(trial_.nodes.begin(), trial_.nodes.end(), finite)) {
    report.reason = "the motion is no longer finite; try a smaller step, or an implicit method";
    return report;
  }
  trial_.t += h;
  system_.frames(trial_, end_);
  add_work(system_, {.start = start_, .end = end_, .t0 = state.t, .t1 = trial_.t, .given = &trial_}, trial_.work);
  system_.update_angles(end_, trial_.angles);
  std::swap(state, trial_);
  report.converged = true;
  return report;
}

void Explicit::read(const State& state, Places& q, Vectors& W) const {
  q.x.resize(n_);
  q.Lambda.resize(n_);
  W.resize(n_);
  for (int i = 0; i < n_; ++i) {
    q.x[i] = state.nodes[i].x;
    q.Lambda[i] = state.nodes[i].q;
    W[i] << state.nodes[i].v, state.nodes[i].Omega;
  }
}

void Explicit::put(const Places& q, const Vectors& W, State& state) const {
  for (int i = 0; i < n_; ++i) {
    state.nodes[i].x = q.x[i];
    state.nodes[i].q = q.Lambda[i].normalized();
    state.nodes[i].v = W[i].head<3>();
    state.nodes[i].Omega = W[i].tail<3>();
  }
}

void Explicit::momenta(const Places& q, const Vectors& W, Vectors& P) const {
  P.resize(n_);
  for (int i = 0; i < n_; ++i)
    P[i] << system_.inertia[i].moved * W[i].head<3>(), q.Lambda[i] * system_.inertia[i].spin(W[i].tail<3>());
}

void Explicit::rates(const Places& q, const Vectors& P, Vectors& W) const {
  W.assign(n_, Vec6::Zero());
  for (int i = 0; i < n_; ++i) {
    W[i].head<3>() = system_.inertia[i].velocity(P[i].head<3>());
    W[i].tail<3>() = J_inverse_[i] * (q.Lambda[i].conjugate() * P[i].tail<3>());
  }
}

void Explicit::forces(const Places& q, const Vectors& W, double t0, double t1, const State& state, Vectors& m) {
  for (int i = 0; i < n_; ++i) {
    frames_[i] = {q.x[i], q.Lambda[i].toRotationMatrix()};
    V_[i] << W[i].head<3>(), q.Lambda[i] * W[i].tail<3>();
  }
  std::fill(force_.begin(), force_.end(), Vec6::Zero());
  const Stage stage{.start = frames_, .end = frames_, .t0 = t0, .t1 = t1, .given = &state, .pointwise = true, .V = V_};
  system_.evaluate(stage, force_, {});
  m.resize(n_);
  for (int i = 0; i < n_; ++i) m[i] = -system_.spread(i, system_.gather(i, force_[i]));
}

void Explicit::kick(double weight, const Places& q, const Vectors& W, double t0, double t1, const State& state,
                    Vectors& P) {
  forces(q, W, t0, t1, state, m_);
  for (int i = 0; i < n_; ++i) P[i] += weight * m_[i];
}

void Explicit::accelerations_at_start(const State& state, Vectors& A) const {
  ConstrainedMass mass(system_);
  const VecX u_dot = accelerations(system_, state, mass).u_dot;
  A.resize(n_);
  for (int i = 0; i < n_; ++i) {
    A[i] = system_.spread(i, u_dot.segment<6>(6 * i));
    A[i].tail<3>() = state.nodes[i].q.conjugate() * A[i].tail<3>();
  }
}

/// The limits of stability. Springs: omega h <= 2. Spin: as spin_limit() says.
std::optional<std::string> Explicit::why_not(const State& state, double h) const {
  const auto [method, angle_allowed] = spin_limit();
  const double omega = highest_frequency(system_, state);
  const auto above = [&, name = method](double limit, const std::string& reason) {
    return fmt::format(
        "simulation.step: {:g} s is above the stability limit of {}, {:.3g} s ({}); take a smaller step, or an "
        "implicit integrator such as energy-momentum",
        h, name, limit, reason);
  };
  if (omega * std::abs(h) > 2)
    return above(2 / omega, fmt::format("the fastest spring or pendulum turns with {:.3g} rad/s", omega));
  for (int i = 0; i < n_; ++i) {
    const Vec3 Omega = state.nodes[i].Omega;
    if (!system_.nodes[i].rotates() || Omega.norm() == 0) continue;
    const Vec3 axis = Omega.normalized();
    const double angle = angle_allowed(system_.inertia[i].ratio_about(axis));
    if (Omega.norm() * std::abs(h) > angle)
      return above(angle / Omega.norm(), fmt::format("a body spins with {:.3g} rad/s", Omega.norm()));
  }
  return std::nullopt;
}

void Explicit::remember(State& state, double h, std::initializer_list<const Vectors*> parts) const {
  state.memory.resize(1 + static_cast<long>(parts.size()) * 6 * n_);
  state.memory[0] = h;
  long k = 1;
  for (const Vectors* part : parts)
    for (const Vec6& v : *part) {
      state.memory.segment<6>(k) = v;
      k += 6;
    }
}

void Explicit::recall(const State& state, int part, Vectors& out) const {
  out.resize(n_);
  for (int i = 0; i < n_; ++i) out[i] = state.memory.segment<6>(1 + 6 * (static_cast<long>(part) * n_ + i));
}

}  // namespace polhode
