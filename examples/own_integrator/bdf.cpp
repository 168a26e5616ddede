#include "bdf.hpp"

#include <algorithm>

#include <polhode/integrate/workspace.hpp>
#include <polhode/lie/so3.hpp>
#include <polhode/system/constrained_mass.hpp>

namespace {

using namespace polhode;

/// In a step every node moves by x = (dx, y): x1 = x0 + dx in space, R1 = R0 exp(y) in the body. With velocities u = (v, Omega),
///   h u1     = b x  - c x_             the velocity of the parabola through the last three configurations
///   h du1/dt = b u1 - a u0 + c u_      its acceleration, from the last three velocities
///   M du1/dt + (0, Omega1 x J Omega1) + f(q1, u1, t1) + B(q1)^T lambda = 0,   Phi(q1, t1) = 0
/// for x and lambda, where x_ and u_ are of the step before, of the length h/r. Order 2: b = (1 + 2r)/(1 + r), a = 1 + r,
/// c = r^2/(1 + r). Order 1: b = a = 1, c = 0. On the group it has the same order, because y is the integral of Omega up to h^3.
class Bdf final : public Integrator {
 public:
  Bdf(const System& system, const NewtonOptions& newton, int order)
      : system_(system), newton_(newton), order_(order), w_(system, 1), x_(system.nodes.size()), u_(system.nodes.size()),
        V_(system.nodes.size() + 1, Vec6::Zero()), dV_(system.nodes.size() + 1, Mat6::Zero()) {}

  /// The memory of a state is (x_, u_) of every node, and the step that they belong to. At first: a step before the start that
  /// never was, with the accelerations of the start.
  void start(State& state, double h) override {
    ConstrainedMass mass(system_);
    const VecX u_dot = accelerations(system_, state, mass).u_dot;
    state.memory.resize(12 * system_.node_count() + 1);
    for (int i = 0; i < system_.node_count(); ++i) {
      const Vec6 a_S = system_.spread(i, u_dot.segment<6>(6 * i)), u = velocity(state.nodes[i]);
      Vec6 a;
      a << a_S.head<3>(), state.nodes[i].q.conjugate() * Vec3(a_S.tail<3>());
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
    system_.frames(state, w_.start);
    w_.end = w_.start;
    for (int i = 0; i < n; ++i) x_[i] = h * velocity(state.nodes[i]);
    lambda_ = scale * state.lambda;

    const Stage stage{.start = w_.end, .end = w_.end, .t0 = t1, .t1 = t1, .scale = scale, .lambda = span(lambda_), .given = &state,
                      .pointwise = true, .V = V_, .dV = dV_};
    const StepReport report = newton(
        w_, NewtonTest(newton_), newton_.max_iterations, [&] { return move(state, h); }, [&] { assemble(state, h, stage); },
        [&] { return correct(); });
    if (!report.converged) return report;  // the state is as it was: the driver will try h/2

    lambda_ /= scale;
    add_work(system_, {.start = w_.start, .end = w_.end, .t0 = state.t, .t1 = t1, .lambda = span(lambda_), .given = &state}, state.work);
    for (int i = 0; i < n; ++i) {
      NodeState& s = state.nodes[i];
      state.memory.segment<12>(12 * i) << x_[i], velocity(s);
      s = {w_.end[i].x, (s.q * so3::exp(x_[i].tail<3>())).normalized(), u_[i].head<3>(), u_[i].tail<3>()};
    }
    state.memory[12 * n] = h;
    state.t = t1;
    state.lambda = lambda_;
    system_.update_angles(w_.end, state.angles);
    return report;
  }

 private:
  static Vec6 velocity(const NodeState& s) { return (Vec6() << s.v, s.Omega).finished(); }

  /// q1 and u1 of the present x; the velocities in space, and how they vary with (delta x, theta) of their node.
  bool move(const State& state, double h) {
    for (int i = 0; i < system_.node_count(); ++i) {
      const Vec3 y = x_[i].tail<3>();
      w_.end[i] = {w_.start[i].x + x_[i].head<3>(), w_.start[i].d * so3::exp_matrix(y)};
      const Mat3& R1 = w_.end[i].d;
      u_[i] = (b_ * x_[i] - c_ * state.memory.segment<6>(12 * i)) / h;
      V_[i] << u_[i].head<3>(), R1 * u_[i].tail<3>();
      dV_[i].topLeftCorner<3, 3>() = b_ / h * Mat3::Identity();
      dV_[i].bottomRightCorner<3, 3>() = b_ / h * R1 * so3::tangent_inverse(y) * R1.transpose() - hat(V_[i].tail<3>());
    }
    return true;
  }

  void assemble(const State& state, double h, const Stage& stage) {
    BlockMatrix& A = w_.lu.matrix();
    A.set_zero();
    const int n = system_.node_count();
    for (int i = 0; i < n; ++i) {
      const Node& node = system_.nodes[i];
      const Mat3& R1 = w_.end[i].d;
      const Vec3 Omega = u_[i].tail<3>(), y = x_[i].tail<3>();
      const Vec6 u_dot = (b_ * u_[i] - a_ * velocity(state.nodes[i]) + c_ * state.memory.segment<6>(12 * i + 6)) / h;
      const Vec3 torque_B = node.J * u_dot.tail<3>() + Omega.cross(node.J * Omega);
      w_.force[i] << node.mass * u_dot.head<3>(), R1 * torque_B;
      w_.force[i] *= stage.scale;
      Mat6 K = Mat6::Zero();  // du1/dx = b/h,  d(du1/dt)/dx = b^2/h^2,  dy = T^-1(y) R1^T theta
      const Mat3 by_y = node.J + h / b_ * (hat(Omega) * node.J - hat(node.J * Omega));
      K.topLeftCorner<3, 3>() = node.mass * Mat3::Identity();
      K.bottomRightCorner<3, 3>() = R1 * by_y * so3::tangent_inverse(y) * R1.transpose() - hat(w_.force[i].tail<3>());
      system_.add_node_block(i, K, w_.plan, A);
    }
    w_.force[n].setZero();
    w_.evaluate(stage);  // springs, loads, gravity, joints: all of the model
    w_.set_rhs();
  }

  /// Applies the solution of the linear equations, and measures it.
  double correct() {
    double length = 0, angle = 0;
    for (int i = 0; i < system_.node_count(); ++i) {
      const Vec6 delta = system_.spread(i, w_.rhs.segment<6>(6 * i));
      x_[i].head<3>() += delta.head<3>();
      x_[i].tail<3>() += so3::tangent_inverse(x_[i].tail<3>()) * (w_.end[i].d.transpose() * delta.tail<3>());
      length = std::max(length, delta.head<3>().norm());
      angle = std::max(angle, delta.tail<3>().norm());
    }
    lambda_ += w_.rhs.tail(system_.row_count);
    return std::max(length / system_.length, angle);
  }

  const System& system_;
  NewtonOptions newton_;
  int order_;
  double a_ = 0, b_ = 0, c_ = 0;
  Workspace w_;
  std::vector<Vec6> x_, u_, V_;
  std::vector<Mat6> dV_;
  VecX lambda_;
};

}  // namespace

std::unique_ptr<polhode::Integrator> make_bdf(const polhode::System& system, const polhode::NewtonOptions& newton, int order) {
  return std::make_unique<Bdf>(system, newton, order);
}
