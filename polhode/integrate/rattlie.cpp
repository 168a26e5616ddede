#include <polhode/integrate/rattlie.hpp>

#include <algorithm>

#include <polhode/integrate/step_equations.hpp>
#include <polhode/lie/so3.hpp>
#include <polhode/system/constrained_mass.hpp>

namespace polhode {
namespace {

/// One step h, with spatial momenta (p, pi), forces F = -f(q, v, t) of springs, loads and gravity:
///   p½ = p0 + h/2 (F(q0) - B(q0)^T lambda),   m dx = h p½,   T(x)^-1 J x = h R0^T pi½,   q1 = q0 o (dx, exp x)
///   with lambda such that Phi(q1, t1) = 0;  spatial momenta do not change along the free move;
///   p1 = p½ + h/2 F(q1) - B(q1)^T mu,  with mu such that B(q1) v1 = df/dt.
/// The memory of a state is (p, pi) of every node.
class Rattlie final : public Integrator {
 public:
  Rattlie(const System& system, const NewtonOptions& newton, const Resources& resources)
      : system_(system), newton_(newton), eq_(system, resources), w_(eq_.w), mass_(system, w_.pool()) {
    const std::size_t n = system.nodes.size();
    half_.resize(n);
    V_.resize(n + 1);
    none_ = VecX::Zero(system.row_count);
    has_dampers_ = false;
    system.elements.for_each_law([&](const LawArray& laws, int k) { has_dampers_ |= laws.properties(k).follows_rate; });
    has_dampers_ |= !system.wrenches.empty();
  }

  bool multipliers_at_end() const override { return false; }

  void start(State& state, double) override {
    state.memory.resize(6 * system_.node_count());
    for (int i = 0; i < system_.node_count(); ++i) state.memory.segment<6>(6 * i) = momentum_of(i, state.nodes[i]);
  }

  StepReport step(State& state, double h) override {
    const int n = system_.node_count();
    const double t1 = state.t + h;
    eq_.guess(state, h, 0.5 * h * h);
    V_[n].setZero();
    for (int i = 0; i < n; ++i) V_[i] = spatial_velocity(state.nodes[i]);
    applied(w_.start, state.t, state);
    system_.jacobian(w_.start, state.angles, B_start_);
    for (int i = 0; i < n; ++i) half_[i] = h * state.memory.segment<6>(6 * i) - 0.5 * h * h * w_.force[i];

    const StepReport report = newton(
        w_, NewtonTest(newton_).with_rounding_at(system_, state), newton_.max_iterations,
        [&] { return eq_.move(state); }, [&] { assemble(state.angles, t1); }, [&] { return eq_.correct(); });
    if (!report.converged) return report;

    // momenta after the first half kick, and the second
    B_start_.add_wrenches(-1, eq_.lambda, [&](int i) -> Vec6& { return half_[i]; });
    for (int i = 0; i < n; ++i) half_[i] /= h;
    next_ = state;
    for (int i = 0; i < n; ++i) {
      next_.nodes[i].x = w_.end[i].x;
      if (system_.nodes[i].rotates()) next_.nodes[i].q = (state.nodes[i].q * so3::exp(eq_.x[i].tail<3>())).normalized();
    }
    next_.t = t1;
    system_.update_angles(w_.end, next_.angles);
    system_.jacobian(w_.end, next_.angles, B_);
    second_kick(h);

    eq_.lambda *= 2 / (h * h);
    mu_ *= 2 / h;
    mean_lambda_ = 0.5 * (eq_.lambda + mu_);
    add_work(system_,
             {.start = w_.start, .end = w_.end, .t0 = state.t, .t1 = t1, .lambda = span(mean_lambda_), .given = &state},
             next_.work);
    // lambda is wrong by c h, mu by -c h: the mean is right to second order, in the middle of the step
    next_.lambda = mean_lambda_;
    std::swap(state, next_);
    return report;
  }

 private:
  Vec6 momentum_of(int i, const NodeState& s) const { return system_.inertia[i].momentum(s); }

  /// Sets w_.force to f(q, v, t): what springs, loads and gravity add to the balance.
  void applied(std::span<const Frame> q, double t, const State& given) {
    std::fill(w_.force.begin(), w_.force.end(), Vec6::Zero());
    system_.evaluate(point(q, t, given), w_.force, w_.phi_span(), nullptr, nullptr, w_.pool());
  }
  /// With the velocities V_.
  Stage point(std::span<const Frame> q, double t, const State& given) const {
    return {.start = q, .end = q, .t0 = t, .t1 = t, .lambda = span(none_), .given = &given, .pointwise = true, .V = V_};
  }

  void assemble(std::span<const double> angles, double t1) {
    BlockMatrix& A = w_.lu.matrix();
    A.set_zero();
    const int n = system_.node_count();
    balance_.assign(n, Vec6::Zero());
    for (int i = 0; i < n; ++i) {
      const BodyInertia& body = system_.inertia[i];
      Mat6 K = Mat6::Zero();
      balance_[i] = -half_[i];
      balance_[i].head<3>() += body.moved * eq_.x[i].head<3>();
      K.topLeftCorner<3, 3>() = body.moved * Mat3::Identity();
      if (body.rotates) {
        // R0 T(x)^-1 J x, by theta at the end: x varies with T(x)^-1 R1^T theta
        const Mat3 T_inv = so3::tangent_inverse(eq_.x[i].tail<3>());
        const auto [spin, by_x] = body.free_rotation(eq_.x[i].tail<3>(), T_inv);
        balance_[i].tail<3>() += w_.start[i].d * spin;
        K.bottomRightCorner<3, 3>() = w_.start[i].d * by_x * T_inv * w_.end[i].d.transpose();
      }
      system_.add_node_block(i, K, w_.plan, A);
    }
    system_.jacobian(w_.end, angles, B_);
    system_.residual(w_.end, angles, t1, w_.phi_span());
    system_.left_out.apply(w_.phi_span());
    set_constraints(B_, B_start_, 0, n, A);
    B_start_.add_wrenches(1, eq_.lambda, [&](int i) -> Vec6& { return balance_[i]; });
    for (int i = 0; i < n; ++i) w_.rhs.segment<6>(6 * i) = -system_.gather(i, balance_[i]);
    w_.rhs.tail(system_.row_count) = -w_.phi;
  }

  /// Momenta p1 = p½ - h/2 f(q1, v1) - B^T mu at the end, and the velocities that they belong to: by Newton's method
  /// for v1 and mu. The second round clears what the elimination of loops leaves, or more where a program computes
  /// forces of velocities.
  void second_kick(double h) {
    const int n = system_.node_count();
    mu_ = VecX::Zero(system_.row_count);
    applied_at_end();
    if (has_dampers_)
      mass_.factor_damped(point(w_.end, next_.t, next_), 0.5 * h, B_);
    else
      mass_.factor(w_.end, B_);
    for (int round = 0; round < (has_dampers_ ? 50 : 2); ++round) {
      if (round > 0 && has_dampers_) applied_at_end();
      kick(h);
      u_.resize(6 * n);
      rest_.resize(system_.row_count);
      for (int i = 0; i < n; ++i) u_.segment<6>(6 * i) = system_.gather(i, kicked_[i] - momentum_of(i, next_.nodes[i]));
      for (int i = 0; i < n; ++i) V_[i] = spatial_velocity(next_.nodes[i]);
      system_.velocity_residual(B_, V_, next_.t, span(rest_));
      rest_ = -rest_;
      mass_.solve(u_, rest_);
      mu_ += rest_;
      if (change_velocities() < 1e-15) break;
    }
    if (has_dampers_) applied_at_end();
    kick(h);
    for (int i = 0; i < n; ++i) next_.memory.segment<6>(6 * i) = system_.spread(i, system_.gather(i, kicked_[i]));
  }

  void applied_at_end() {
    for (int i = 0; i < system_.node_count(); ++i) V_[i] = spatial_velocity(next_.nodes[i]);
    applied(w_.end, next_.t, next_);
  }

  void kick(double h) {
    kicked_.resize(half_.size());
    for (std::size_t i = 0; i < half_.size(); ++i) kicked_[i] = half_[i] - 0.5 * h * w_.force[i];
    B_.add_wrenches(-1, mu_, [&](int i) -> Vec6& { return kicked_[i]; });
  }

  /// Adds u to the velocities at the end; returns their relative change.
  double change_velocities() {
    double change = 0, size = 1e-300;
    for (int i = 0; i < system_.node_count(); ++i) {
      NodeState& s = next_.nodes[i];
      const Vec6 dV = system_.spread(i, u_.segment<6>(6 * i));
      const Vec3 dOmega = w_.end[i].d.transpose() * dV.tail<3>();
      s.v += dV.head<3>();
      s.Omega += dOmega;
      change = std::max({change, dV.head<3>().norm(), dOmega.norm()});
      size = std::max({size, s.v.norm(), s.Omega.norm()});
    }
    return change / size;
  }

  const System& system_;
  NewtonOptions newton_;
  StepEquations<ExponentialMap> eq_;
  Workspace& w_;  ///< its
  ConstrainedMass mass_;
  std::vector<Vec6> half_, kicked_, balance_, V_;
  VecX mean_lambda_, mu_, u_, rest_, none_;
  ConstraintJacobian B_start_, B_;
  State next_;
  bool has_dampers_;
};

}  // namespace

std::unique_ptr<Integrator> make_rattlie(const System& system, const NewtonOptions& newton,
                                         const Resources& resources) {
  return std::make_unique<Rattlie>(system, newton, resources);
}

Method rattlie_method() {
  return MethodOf<NoOptions>{
      .name = "rattlie",
      .summary = "RATTLE on the rotation group: variational, explicit but for the constraints",
      .order = "2",
      .conserves =
          "momentum and constraints at position and velocity level, to round-off; energy stays bounded, to "
          "second order. Symmetric in time",
      .use =
          "long runs of mechanisms without stiff springs, where constraints must hold at velocity level too. Its "
          "step is limited by the fastest spring",
      .source = "Leimkuhler & Reich 2004; Hante & Arnold 2021",
      .why_not = [](const System& system, const NoOptions&) { return why_not_tied("rattlie", system); },
      .make = [](const System& system, const NewtonOptions& newton, const NoOptions&,
                 const Resources& resources) { return make_rattlie(system, newton, resources); }};
}

}  // namespace polhode
