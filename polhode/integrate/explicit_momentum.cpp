#include <polhode/integrate/explicit_momentum.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/LU>
#include <fmt/format.h>

#include <polhode/lie/so3.hpp>
#include <polhode/model/error.hpp>
#include <polhode/system/constrained_mass.hpp>
#include <polhode/system/frequency.hpp>

namespace polhode {
namespace {

/// Places of all nodes: x, and the rotation Lambda.
struct Places {
  std::vector<Vec3> x;
  std::vector<Quaternion> Lambda;
};

/// A vector for each node: momenta (p, pi) in space, or rates (dx/dt, Omega in the body).
using Vectors = std::vector<Vec6>;

/// What the four methods share. Symbols of Hulbert 1991, with translations beside the rotations: Theta the increment of a step,
/// W the rates, A their derivatives, P spatial momenta, I impulses.
class Explicit : public Integrator {
 public:
  Explicit(const System& system, Impulse impulse) : system_(system), impulse_(impulse), n_(system.node_count()) {
    for (const Node& node : system.nodes) J_inverse_.push_back(node.rotates() ? Mat3(node.J.inverse()) : Mat3::Zero());
    frames_.resize(n_ + 1);
    force_.resize(n_ + 1);
    V_.assign(n_ + 1, Vec6::Zero());
  }
  bool multipliers_at_end() const override { return true; }

  StepReport step(State& state, double h, Work& work) override {
    if (std::abs(state.memory[0] - h) > 1e-6 * std::abs(h)) start(state, h);  // a step of another size begins anew
    system_.frames(state, start_);
    advance(state, h);
    state.t += h;
    system_.frames(state, end_);
    add_work(system_, start_, end_, state.t - h, state.t, state.angles, {}, work);
    system_.update_angles(end_, state.angles);
    bool finite = true;
    for (const NodeState& s : state.nodes) finite &= s.x.allFinite() && s.v.allFinite() && s.Omega.allFinite();
    return {.converged = finite, .iterations = 0, .error = 0, .worst_block = -1, .worst_residual = 0};
  }

 protected:
  virtual void advance(State& state, double h) = 0;

  Places places(const State& state) const {
    Places q;
    for (const NodeState& s : state.nodes) {
      q.x.push_back(s.x);
      q.Lambda.push_back(s.q);
    }
    return q;
  }
  void put(const Places& q, const Vectors& W, State& state) const {
    for (int i = 0; i < n_; ++i) {
      state.nodes[i].x = q.x[i];
      state.nodes[i].q = q.Lambda[i].normalized();
      state.nodes[i].v = W[i].head<3>();
      state.nodes[i].Omega = W[i].tail<3>();
    }
  }
  Vectors rates(const State& state) const {
    Vectors W(n_);
    for (int i = 0; i < n_; ++i) W[i] << state.nodes[i].v, state.nodes[i].Omega;
    return W;
  }

  /// q o exp(Theta)
  Places moved(const Places& q, const Vectors& Theta) const {
    Places out = q;
    for (int i = 0; i < n_; ++i) {
      if (system_.nodes[i].translates()) out.x[i] += Theta[i].head<3>();
      if (system_.nodes[i].rotates()) out.Lambda[i] = q.Lambda[i] * so3::exp(Theta[i].tail<3>());
    }
    return out;
  }
  static Vectors sum(double a, const Vectors& u, double b, const Vectors& w) {
    Vectors out(u.size());
    for (std::size_t i = 0; i < u.size(); ++i) out[i] = a * u[i] + b * w[i];
    return out;
  }

  /// P = (m v, Lambda J Omega) and back.
  Vectors momenta(const Places& q, const Vectors& W) const {
    Vectors P(n_, Vec6::Zero());
    for (int i = 0; i < n_; ++i) {
      const Node& node = system_.nodes[i];
      if (node.translates()) P[i].head<3>() = node.mass * W[i].head<3>();
      if (node.rotates()) P[i].tail<3>() = q.Lambda[i] * (node.J * W[i].tail<3>());
    }
    return P;
  }
  Vectors rates(const Places& q, const Vectors& P) const {
    Vectors W(n_, Vec6::Zero());
    for (int i = 0; i < n_; ++i) {
      if (system_.nodes[i].translates()) W[i].head<3>() = P[i].head<3>() / system_.nodes[i].mass;
      W[i].tail<3>() = J_inverse_[i] * (q.Lambda[i].conjugate() * P[i].tail<3>());
    }
    return W;
  }

  /// Force and torque in space on every node at q, with rates W; what is given as a function of time, as its mean over
  /// [t0, t1]: times t1 - t0 it is the exact impulse of a load that jumps.
  Vectors forces(const Places& q, const Vectors& W, double t0, double t1, const State& state) {
    for (int i = 0; i < n_; ++i) {
      frames_[i] = {q.x[i], q.Lambda[i].toRotationMatrix()};
      V_[i] << W[i].head<3>(), q.Lambda[i] * W[i].tail<3>();
    }
    std::fill(force_.begin(), force_.end(), Vec6::Zero());
    const Stage stage{frames_, frames_, frames_, t0, t1, 1.0, {}, state.angles, true, V_, {}};
    system_.evaluate(stage, force_, {});
    Vectors m(n_);
    for (int i = 0; i < n_; ++i) m[i] = -system_.spread(i, system_.gather(i, force_[i]));
    return m;
  }

  /// ModelError if the step is above the stability limit, which is named. Springs: omega h <= 2. Spin: `spin_limit` tells how
  /// far a body may turn in a step about an axis whose inertia is `ratio` times the smallest one across it.
  void check_step(const std::string& method, const State& state, double h, double (*spin_limit)(double ratio)) const {
    const double omega = highest_frequency(system_, state);
    const auto refuse = [&](double limit, const std::string& reason) {
      throw ModelError(fmt::format("simulation.step: {:g} s is above the stability limit of {}, {:.3g} s ({}); take a smaller step, or an "
                                   "implicit integrator such as energy-momentum",
                                   h, method, limit, reason));
    };
    if (omega * h > 2) refuse(2 / omega, fmt::format("the fastest spring or pendulum turns with {:.3g} rad/s", omega));
    for (int i = 0; i < n_; ++i) {
      const Vec3 Omega = state.nodes[i].Omega;
      if (!system_.nodes[i].rotates() || Omega.norm() == 0) continue;
      const Vec3 axis = Omega.normalized();
      const Mat3 across = system_.nodes[i].J - axis * (system_.nodes[i].J * axis).transpose();
      Eigen::Matrix<double, 3, 2> e;
      e << axis.unitOrthogonal(), axis.cross(axis.unitOrthogonal());
      const Eigen::Matrix2d plane = e.transpose() * across * e;
      const double half = 0.5 * plane.trace(), least = half - std::sqrt(std::max(0.0, half * half - plane.determinant()));
      const double angle = spin_limit(axis.dot(system_.nodes[i].J * axis) / least);
      if (Omega.norm() * h > angle) refuse(angle / Omega.norm(), fmt::format("a body spins with {:.3g} rad/s", Omega.norm()));
    }
  }

  /// A = dW/dt at the start.
  Vectors accelerations_at_start(const State& state) {
    ConstrainedMass mass(system_);
    const VecX u_dot = accelerations(system_, state, mass).u_dot;
    Vectors A(n_);
    for (int i = 0; i < n_; ++i) {
      A[i] = system_.spread(i, u_dot.segment<6>(6 * i));
      A[i].tail<3>() = state.nodes[i].q.conjugate() * A[i].tail<3>();
    }
    return A;
  }

  /// Memory: the step, then vectors one after the other.
  void remember(State& state, double h, std::initializer_list<const Vectors*> parts) const {
    state.memory.resize(1 + static_cast<long>(parts.size()) * 6 * n_);
    state.memory[0] = h;
    long k = 1;
    for (const Vectors* part : parts)
      for (const Vec6& v : *part) {
        state.memory.segment<6>(k) = v;
        k += 6;
      }
  }
  Vectors recall(const State& state, int part) const {
    Vectors out(n_);
    for (int i = 0; i < n_; ++i) out[i] = state.memory.segment<6>(1 + 6 * (static_cast<long>(part) * n_ + i));
    return out;
  }

  const System& system_;
  Impulse impulse_;
  int n_;
  std::vector<Mat3> J_inverse_;
  std::vector<Frame> frames_, start_, end_;
  std::vector<Vec6> force_, V_;
};

/// Simo & Wong 1991. Memory: P, A.
class SimoWong final : public Explicit {
 public:
  using Explicit::Explicit;
  void start(State& state, double h) override {
    // for a flat body (ratio 1.8) growth was measured between 0.75 and 0.80 rad a step; thin ones are not limited
    check_step("simo-wong", state, h, [](double ratio) { return ratio <= 1 ? std::numbers::pi : 1.35 / ratio; });
    const Vectors P = momenta(places(state), rates(state)), A = accelerations_at_start(state);
    remember(state, h, {&P, &A});
  }

 private:
  void advance(State& state, double h) override {
    const Places q = places(state);
    const Vectors W = rates(state), P = recall(state, 0), A = recall(state, 1);
    const double t = state.t;
    // Theta = h W + h^2/2 A,  q1 = q o exp(Theta),  P1 = P + I,  A1 = -A + (2/h)(W1 - W)
    const Places q1 = moved(q, sum(h, W, 0.5 * h * h, A));
    const Vectors I = impulse_ == Impulse::midpoint
                          ? forces(moved(q, sum(0.5 * h, W, 0.125 * h * h, A)), W, t, t + h, state)
                          : sum(0.5, forces(q, W, t, t + h, state), 0.5, forces(q1, W, t, t + h, state));
    const Vectors P1 = sum(1, P, h, I), W1 = rates(q1, P1);
    Vectors A1 = sum(2 / h, W1, -2 / h, W);
    A1 = sum(1, A1, -1, A);
    put(q1, W1, state);
    remember(state, h, {&P1, &A1});
  }
};

/// The predictor-corrector form of Tamma & Namburu's algorithm. Memory: P.
class PredictorCorrector final : public Explicit {
 public:
  using Explicit::Explicit;
  void start(State& state, double h) override {
    check_step("predictor-corrector", state, h, [](double) { return 1.0; });
    const Vectors P = momenta(places(state), rates(state));
    remember(state, h, {&P});
  }

 private:
  void advance(State& state, double h) override {
    const Places q = places(state);
    const Vectors W = rates(state), P = recall(state, 0);
    const double t = state.t;
    const auto impulse = [&](const Places& end) {
      return impulse_ == Impulse::midpoint ? forces(moved(q, sum(0.5 * h, W, 0, W)), W, t, t + h, state)
                                           : sum(0.5, forces(q, W, t, t + h, state), 0.5, forces(end, W, t, t + h, state));
    };
    const Places predicted = moved(q, sum(h, W, 0, W));
    const Vectors W_predicted = rates(predicted, sum(1, P, h, impulse(predicted)));
    const Places q1 = moved(q, sum(0.5 * h, W, 0.5 * h, W_predicted));
    const Vectors P1 = sum(1, P, h, impulse(q1));
    put(q1, rates(q1, P1), state);
    remember(state, h, {&P1});
  }
};

/// Two chains half a step apart, each carried by the rates of the other. Memory: P, and of the half chain x (3 of 6), Lambda as a
/// quaternion (4 of 6), P.
class Staggered : public Explicit {
 public:
  using Explicit::Explicit;
  void start(State& state, double h) override {
    // (J3/J1) |sin(W3 h/2)| <= 1 for a symmetric body that spins about its axis
    check_step("staggered", state, h, [](double ratio) { return ratio <= 1 ? std::numbers::pi : 2 * std::asin(1 / ratio); });
    const Places q = places(state);
    const Vectors W = rates(state), P = momenta(q, W), A = accelerations_at_start(state);
    const double t = state.t;
    const Places half = moved(q, sum(0.5 * h, W, 0.125 * h * h, A));
    const Vectors I = impulse_ == Impulse::midpoint
                          ? forces(moved(q, sum(0.25 * h, W, h * h / 32, A)), W, t, t + 0.5 * h, state)
                          : sum(0.5, forces(q, W, t, t + 0.5 * h, state), 0.5, forces(half, W, t, t + 0.5 * h, state));
    keep(state, h, P, half, sum(1, P, 0.5 * h, I));
  }

 protected:
  void keep(State& state, double h, const Vectors& own, const Places& half, const Vectors& other) const {
    Vectors x(n_, Vec6::Zero()), Lambda(n_, Vec6::Zero());
    for (int i = 0; i < n_; ++i) {
      x[i].head<3>() = half.x[i];
      Lambda[i].head<4>() = half.Lambda[i].normalized().coeffs();
    }
    remember(state, h, {&own, &x, &Lambda, &other});
  }
  Places half_places(const State& state) const {
    const Vectors x = recall(state, 1), Lambda = recall(state, 2);
    Places q;
    for (int i = 0; i < n_; ++i) {
      q.x.push_back(x[i].head<3>());
      q.Lambda.push_back(Quaternion(Eigen::Vector4d(Lambda[i].head<4>())));
    }
    return q;
  }

 private:
  void advance(State& state, double h) override {
    const Places q = places(state), half = half_places(state);
    const Vectors P = recall(state, 0), P_half = recall(state, 3);
    const double t = state.t;
    const auto impulse = [&](const Places& from, const Places& middle, const Places& to, const Vectors& W, double t0) {
      return impulse_ == Impulse::midpoint ? forces(middle, W, t0, t0 + h, state)
                                           : sum(0.5, forces(from, W, t0, t0 + h, state), 0.5, forces(to, W, t0, t0 + h, state));
    };
    // q1 = q o exp(h W½),  P1 = P + I(0, 1);  q3/2 = q½ o exp(h W1),  P3/2 = P½ + I(½, 3/2)
    const Vectors W_half = rates(half, P_half);
    const Places q1 = moved(q, sum(h, W_half, 0, W_half));
    const Vectors P1 = sum(1, P, h, impulse(q, half, q1, W_half, t)), W1 = rates(q1, P1);
    const Places next = moved(half, sum(h, W1, 0, W1));
    const Vectors P_next = sum(1, P_half, h, impulse(half, q1, next, W1, t + 0.5 * h));
    put(q1, W1, state);
    keep(state, h, P1, next, P_next);
  }
};

/// Park, Chiou & Downer: as staggered, with rates in place of momenta and the midpoint rule on the Euler parameters, which
/// is the Cayley map. Memory: as staggered, with rates W in place of P.
class ParkChiouDowner final : public Staggered {
 public:
  using Staggered::Staggered;
  void start(State& state, double h) override {
    // |J3 - J1|/J1 |W3| h <= 2
    check_step("park-chiou-downer", state, h, [](double ratio) { return ratio == 1 ? std::numbers::pi : std::min(std::numbers::pi, 2 / std::abs(ratio - 1)); });
    const Vectors W = rates(state), A = accelerations_at_start(state);
    const Places half = turned(places(state), sum(0.5 * h, W, 0.125 * h * h, A));
    keep(state, h, W, half, sum(1, W, 0.5 * h, A));
  }

 private:
  Places turned(const Places& q, const Vectors& Theta) const {
    Places out = q;
    for (int i = 0; i < n_; ++i) {
      if (system_.nodes[i].translates()) out.x[i] += Theta[i].head<3>();
      if (system_.nodes[i].rotates()) out.Lambda[i] = q.Lambda[i] * so3::cay(Theta[i].tail<3>());
    }
    return out;
  }
  /// W + h (m/M, J^-1 (Lambda^T m - Omega x J Omega)), with all on the right at q and rates there.
  Vectors kicked(const Vectors& W, const Places& q, const Vectors& there, double t0, double h, const State& state) {
    const Vectors m = forces(q, there, t0, t0 + h, state);
    Vectors out = W;
    for (int i = 0; i < n_; ++i) {
      const Node& node = system_.nodes[i];
      if (node.translates()) out[i].head<3>() += h / node.mass * m[i].head<3>();
      const Vec3 Omega = there[i].tail<3>();
      out[i].tail<3>() += h * (J_inverse_[i] * (q.Lambda[i].conjugate() * m[i].tail<3>() - Omega.cross(node.J * Omega)));
    }
    return out;
  }
  void advance(State& state, double h) override {
    const Places q = places(state), half = half_places(state);
    const Vectors W = recall(state, 0), W_half = recall(state, 3);
    const Places q1 = turned(q, sum(h, W_half, 0, W_half));
    const Vectors W1 = kicked(W, half, W_half, state.t, h, state);
    const Places next = turned(half, sum(h, W1, 0, W1));
    const Vectors W_next = kicked(W_half, q1, W1, state.t + 0.5 * h, h, state);
    put(q1, W1, state);
    keep(state, h, W1, next, W_next);
  }
};

}  // namespace

std::unique_ptr<Integrator> make_explicit_momentum(const System& system, ExplicitMethod method, Impulse impulse) {
  if (system.row_count > 0)
    throw ModelError(fmt::format("simulation.integrator: this explicit method cannot hold constraints, and the model has {} of them; "
                                 "use rattlie (explicit but for the constraints) or energy-momentum",
                                 system.row_count));
  switch (method) {
    case ExplicitMethod::simo_wong: return std::make_unique<SimoWong>(system, impulse);
    case ExplicitMethod::predictor_corrector: return std::make_unique<PredictorCorrector>(system, impulse);
    case ExplicitMethod::staggered: return std::make_unique<Staggered>(system, impulse);
    case ExplicitMethod::park_chiou_downer: break;
  }
  return std::make_unique<ParkChiouDowner>(system, Impulse::midpoint);
}

}  // namespace polhode
