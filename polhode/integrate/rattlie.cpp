#include <polhode/integrate/rattlie.hpp>

#include <algorithm>
#include <limits>

#include <polhode/integrate/workspace.hpp>
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
      : system_(system), newton_(newton), w_(system, 1, resources), mass_(system, w_.pool()) {
    const std::size_t n = system.nodes.size();
    x_.resize(n);
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
    system_.frames(state, w_.start);
    w_.end.back() = Frame{};
    V_[n].setZero();
    for (int i = 0; i < n; ++i) V_[i] = spatial_velocity(state.nodes[i]);
    applied(w_.start, state.t, state);
    system_.jacobian(w_.start, state.angles, B_start_);
    for (int i = 0; i < n; ++i) {
      half_[i] = h * state.memory.segment<6>(6 * i) - 0.5 * h * h * w_.force[i];
      x_[i] << h * state.nodes[i].v, h * state.nodes[i].Omega;
    }
    lambda_ = 0.5 * h * h * state.lambda;

    const StepReport report = newton(
        w_, NewtonTest(newton_), newton_.max_iterations, [&] { return move(state); }, [&] { assemble(state.angles, t1); },
        [&] { return correct(); });
    if (!report.converged) return report;

    // momenta after the first half kick, and the second
    scatter(B_start_, lambda_, half_);
    for (int i = 0; i < n; ++i) half_[i] /= h;
    next_ = state;
    for (int i = 0; i < n; ++i) {
      next_.nodes[i].x = w_.end[i].x;
      if (system_.nodes[i].rotates()) next_.nodes[i].q = (state.nodes[i].q * so3::exp(x_[i].tail<3>())).normalized();
    }
    next_.t = t1;
    system_.update_angles(w_.end, next_.angles);
    system_.jacobian(w_.end, next_.angles, B_);
    second_kick(h);

    lambda_ *= 2 / (h * h);
    mu_ *= 2 / h;
    mean_lambda_ = 0.5 * (lambda_ + mu_);
    add_work(system_, {.start = w_.start, .end = w_.end, .t0 = state.t, .t1 = t1, .lambda = span(mean_lambda_), .given = &state}, next_.work);
    next_.lambda = mean_lambda_;  // lambda is wrong by c h, mu by -c h: the mean is right to second order, in the middle of the step
    std::swap(state, next_);
    return report;
  }

 private:
  Vec6 momentum_of(int i, const NodeState& s) const {
    const Node& node = system_.nodes[i];
    Vec6 p;
    p << (node.translates() ? Vec3(node.mass * s.v) : Vec3::Zero()), (node.rotates() ? Vec3(s.q * (node.J * s.Omega)) : Vec3::Zero());
    return p;
  }

  /// Sets w_.force to f(q, v, t): what springs, loads and gravity add to the balance.
  void applied(std::span<const Frame> q, double t, const State& given) {
    std::fill(w_.force.begin(), w_.force.end(), Vec6::Zero());
    system_.evaluate(point(q, t, given), w_.force, w_.phi_span(), nullptr, nullptr, w_.pool());
  }
  /// With the velocities V_.
  Stage point(std::span<const Frame> q, double t, const State& given) const {
    return {.start = q, .end = q, .t0 = t, .t1 = t, .lambda = span(none_), .given = &given, .pointwise = true, .V = V_};
  }

  /// momenta -= B^T multipliers
  void scatter(const ConstraintJacobian& B, const VecX& multipliers, std::vector<Vec6>& momenta) const {
    for (int c = 0; c < static_cast<int>(system_.blocks.size()); ++c) {
      const auto& block = system_.blocks[c];
      for (std::size_t k = 0; k < block.nodes.size(); ++k)
        momenta[block.nodes[k]] -= system_.spread(
            block.nodes[k], system_.block(B, c, static_cast<int>(k)).transpose() * multipliers.segment(block.first_row, block.rows));
    }
  }

  bool move(const State& state) {
    for (int i = 0; i < system_.node_count(); ++i) {
      w_.end[i] = w_.start[i];
      if (system_.nodes[i].translates()) w_.end[i].x += x_[i].head<3>();
      if (system_.nodes[i].rotates()) w_.end[i].d = (state.nodes[i].q * so3::exp(x_[i].tail<3>())).toRotationMatrix();
    }
    return true;
  }

  void assemble(std::span<const double> angles, double t1) {
    BlockMatrix& A = w_.lu.matrix();
    A.set_zero();
    const int n = system_.node_count();
    balance_.assign(n, Vec6::Zero());
    for (int i = 0; i < n; ++i) {
      const Node& node = system_.nodes[i];
      Mat6 K = Mat6::Zero();
      balance_[i] = -half_[i];
      if (node.translates()) {
        balance_[i].head<3>() += node.mass * x_[i].head<3>();
        K.topLeftCorner<3, 3>() = node.mass * Mat3::Identity();
      }
      if (node.rotates()) {
        // R0 T(x)^-1 J x, by theta at the end: x varies with T(x)^-1 R1^T theta
        const Vec3 x = x_[i].tail<3>(), Jx = node.J * x;
        const Mat3 T_inv = so3::tangent_inverse(x);
        balance_[i].tail<3>() += w_.start[i].d * (T_inv * Jx);
        K.bottomRightCorner<3, 3>() = w_.start[i].d * (so3::tangent_inverse_jacobian(x, Jx) + T_inv * node.J) * T_inv * w_.end[i].d.transpose();
      }
      system_.add_node_block(i, K, w_.plan, A);
    }
    system_.jacobian(w_.end, angles, B_);
    system_.residual(w_.end, angles, t1, w_.phi_span());
    double* const values = A.values().data();
    for (int c = 0; c < static_cast<int>(system_.blocks.size()); ++c) {
      const auto& block = system_.blocks[c];
      for (std::size_t k = 0; k < block.nodes.size(); ++k) {
        const int i = block.nodes[k], place = static_cast<int>(k);
        Eigen::Map<MatX>(values + A.find(n + c, i), block.rows, 6) = system_.block(B_, c, place);
        Eigen::Map<MatX>(values + A.find(i, n + c), 6, block.rows) = system_.block(B_start_, c, place).transpose();
        balance_[i] += system_.spread(i, system_.block(B_start_, c, place).transpose() * lambda_.segment(block.first_row, block.rows));
      }
    }
    for (int i = 0; i < n; ++i) w_.rhs.segment<6>(6 * i) = -system_.gather(i, balance_[i]);
    w_.rhs.tail(system_.row_count) = -w_.phi;
  }

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
    return w_.rhs.allFinite() ? std::max(length / system_.length, angle) : std::numeric_limits<double>::infinity();
  }

  /// Momenta p1 = p½ - h/2 f(q1, v1) - B^T mu at the end, and the velocities that they belong to: by Newton's method for v1 and mu. The
  /// second round clears what the elimination of loops leaves, or more where a program computes forces of velocities.
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
    scatter(B_, mu_, kicked_);
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
  Workspace w_;
  ConstrainedMass mass_;
  std::vector<Vec6> x_, half_, kicked_, balance_, V_;
  VecX lambda_, mean_lambda_, mu_, u_, rest_, none_;
  ConstraintJacobian B_start_, B_;
  State next_;
  bool has_dampers_;
};

}  // namespace

std::unique_ptr<Integrator> make_rattlie(const System& system, const NewtonOptions& newton, const Resources& resources) {
  return std::make_unique<Rattlie>(system, newton, resources);
}

}  // namespace polhode
