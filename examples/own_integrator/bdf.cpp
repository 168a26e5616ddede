#include "bdf.hpp"

#include <polhode/integrate/step_equations.hpp>
#include <polhode/system/constrained_mass.hpp>

namespace {

using namespace polhode;

/// In a step every node moves by x = (dx, y): x1 = x0 + dx in space, R1 = R0 exp(y) in the body. With velocities u =
/// (v, Omega),
///   h u1     = b x  - c x_                                                      (1)   the parabola through the last three configurations
///   h du1/dt = b u1 - a u0 + c u_                                               (2)   its acceleration, from the last three velocities
///   M du1/dt + (0, Omega1 x J Omega1) + f(q1, u1, t1) + B(q1)^T lambda = 0      (3)
///   Phi(q1, t1) = 0                                                             (4)
/// for x and lambda, where x_ and u_ are of the step before, of the length h/r. Order 2: b = (1 + 2r)/(1 + r), a = 1 +
/// r, c = r^2/(1 + r). Order 1: b = a = 1, c = 0. On the group it has the same order, because y is the integral of
/// Omega up to h^3.
class Bdf final : public Integrator {
 public:
  Bdf(const System& system, const NewtonOptions& newton, int order, const Resources& resources)
      : system_(system),
        newton_(newton),
        order_(order),
        eq_(system, resources),
        V_(system.nodes.size() + 1, Vec6::Zero()),
        dV_(system.nodes.size() + 1, Mat6::Zero()) {}

  /// The memory of a state is (x_, u_) of every node, and the step that they belong to. At first: a step before the
  /// start that never was, with the accelerations of the start.
  void start(State& state, double h) override {
    ConstrainedMass mass(system_);
    const VecX u_dot = accelerations(system_, state, mass).u_dot;
    state.memory.resize(12 * system_.node_count() + 1);
    for (int i = 0; i < system_.node_count(); ++i) {
      const Vec6 a_S = system_.spread(i, u_dot.segment<6>(6 * i)), u = velocity(state.nodes[i]);
      const Vec6 a = (Vec6() << a_S.head<3>(), state.nodes[i].q.conjugate() * Vec3(a_S.tail<3>())).finished();
      state.memory.segment<12>(12 * i) << h * u - 0.5 * h * h * a, u - h * a;
    }
    state.memory[12 * system_.node_count()] = h;
  }
  void restart(State& state, double h) override { start(state, h); }
  bool multipliers_at_end() const override { return true; }

  StepReport step(State& state, double h) override {
    const int n = system_.node_count();
    const double r = h / state.memory[12 * n], t1 = state.t + h;
    b_ = order_ == 2 ? (1 + 2 * r) / (1 + r) : 1;
    a_ = order_ == 2 ? 1 + r : 1;
    c_ = order_ == 2 ? r * r / (1 + r) : 0;
    const double scale = h * h / (b_ * b_);  // of the balances and of lambda: all blocks are then of order 1 in h
    eq_.guess(state, h, scale);
    const Stage stage{.start = eq_.w.end,
                      .end = eq_.w.end,
                      .t0 = t1,
                      .t1 = t1,
                      .scale = scale,
                      .lambda = span(eq_.lambda),
                      .given = &state,
                      .pointwise = true,
                      .V = V_,
                      .dV = dV_};
    const StepReport report = newton(
        eq_.w, NewtonTest(newton_), newton_.max_iterations, [&] { return eq_.move(state); },
        [&] {
          eq_.w.lu.matrix().set_zero();
          for (int i = 0; i < n; ++i) set_inertia(i, state, h, scale);  // (1), (2), and the first part of (3)
          eq_.add_model(stage);                                         // the rest of (3), and (4)
        },
        [&] { return eq_.correct(); });
    if (!report.converged) return report;  // the state is as it was: the driver will try h/2

    state.lambda = eq_.lambda / scale;
    add_work(system_,
             {.start = eq_.w.start,
              .end = eq_.w.end,
              .t0 = state.t,
              .t1 = t1,
              .lambda = span(state.lambda),
              .given = &state},
             state.work);
    for (int i = 0; i < n; ++i) {
      NodeState& s = state.nodes[i];
      const Vec6 x = eq_.x[i], u1 = velocity(i, state, h);
      state.memory.segment<12>(12 * i) << x, velocity(s);
      s = {eq_.w.end[i].x, (s.q * so3::exp(x.tail<3>())).normalized(), u1.head<3>(), u1.tail<3>()};
    }
    state.memory[12 * n] = h;
    state.t = t1;
    system_.update_angles(eq_.w.end, state.angles);
    return report;
  }

 private:
  static Vec6 velocity(const NodeState& s) { return (Vec6() << s.v, s.Omega).finished(); }
  Vec6 velocity(int i, const State& state, double h) const {
    return (b_ * eq_.x[i] - c_ * state.memory.segment<6>(12 * i)) / h;
  }  // (1)

  /// Inertia of a node in space and its derivative by (delta x, theta) at the end: x varies with D, u with b/h D, du/dt
  /// with b^2/h^2 D.
  void set_inertia(int i, const State& state, double h, double scale) {
    const Mat3& R1 = eq_.w.end[i].d;
    Mat6 S = Mat6::Identity(), D = Mat6::Identity();  // S takes (v, Omega) to space
    S.bottomRightCorner<3, 3>() = R1;
    D.bottomRightCorner<3, 3>() = so3::tangent_inverse(eq_.x[i].tail<3>()) * R1.transpose();
    const Vec6 u1 = velocity(i, state, h);
    const Vec6 rate = (b_ * u1 - a_ * velocity(state.nodes[i]) + c_ * state.memory.segment<6>(12 * i + 6)) / h;  // (2)
    const auto [inertia, by_u, by_rate] = system_.inertia[i].acceleration(u1, rate);
    V_[i] = S * u1;
    dV_[i] = b_ / h * S * D;
    dV_[i].bottomRightCorner<3, 3>() -= hat(V_[i].tail<3>());
    eq_.w.force[i] = scale * (S * inertia);
    Mat6 K = S * (by_rate + h / b_ * by_u) * D;
    K.bottomRightCorner<3, 3>() -= hat(eq_.w.force[i].tail<3>());
    system_.add_node_block(i, K, eq_.w.plan, eq_.w.lu.matrix());
  }

  const System& system_;
  NewtonOptions newton_;
  int order_;
  double a_ = 0, b_ = 0, c_ = 0;
  StepEquations<ExponentialMap> eq_;
  std::vector<Vec6> V_;   ///< velocities in space, and
  std::vector<Mat6> dV_;  ///< how they vary with the configuration
};

}  // namespace

std::unique_ptr<polhode::Integrator> make_bdf(const polhode::System& system, const polhode::NewtonOptions& newton,
                                              const BdfOptions& options, const polhode::Resources& resources) {
  return std::make_unique<Bdf>(system, newton, options.order, resources);
}
