#include <polhode/integrate/generalized_alpha.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <polhode/integrate/workspace.hpp>
#include <polhode/lie/so3.hpp>
#include <polhode/system/constrained_mass.hpp>

namespace polhode {
namespace {

/// Symbols of Bruls & Cardona 2010: v = (dx/dt in space, Omega in the body), increments x of the configuration
/// q = q_n o exp(x), a the auxiliary accelerations. The memory of a state is (a, dv/dt, h), 6 + 6 numbers a node and 1.
///
/// Newton's unknowns are the spatial variations delta of the configuration at the end of the step, in which all elements
/// give their tangents; the increment follows by delta x = A delta, A = diag(1, T(x)^-1 R^T). Balances are multiplied by
/// 1/b' = beta h^2 (1 - alpha_f)/(1 - alpha_m), multipliers divided by it: all blocks are of order 1 in h.
class GeneralizedAlpha final : public Integrator {
 public:
  GeneralizedAlpha(const System& system, const NewtonOptions& newton, const GeneralizedAlphaOptions& options)
      : system_(system), newton_(newton), options_(options), w_(system, options.index == 2 ? 2 : 1), mass_(system) {
    const double r = options.rho_inf;
    alpha_m_ = (2 * r - 1) / (r + 1);
    alpha_f_ = r / (r + 1);
    gamma_ = 0.5 + alpha_f_ - alpha_m_;
    beta_ = 0.25 * std::pow(1 + alpha_f_ - alpha_m_, 2);
    const std::size_t n = system.nodes.size();
    x_.resize(n);
    v_.resize(n);
    v_dot_.resize(n);
    shift_.resize(n);
    a_plus_.resize(n);
    V_.resize(n + 1);
    dV_.resize(n + 1);
    eta_ = VecX::Zero(system.row_count);
    rate_ = VecX::Zero(system.row_count);
    inertia_.resize(n);
    sharing_.resize(n);
    for (int c = 0; c < static_cast<int>(system.blocks.size()); ++c)
      for (std::size_t k = 0; k < system.blocks[c].nodes.size(); ++k) sharing_[system.blocks[c].nodes[k]].emplace_back(c, k);
  }

  bool multipliers_at_end() const override { return true; }

  void start(State& state, double h) override {
    const int n = system_.node_count();
    const Accelerations now = accelerations(system_, state, mass_);
    const VecX v_dot = body_accelerations(state, now.u_dot);
    state.lambda = now.lambda;
    state.memory.resize(12 * n + 1);
    state.memory << v_dot, v_dot, h;
    if (options_.improved_start) improve_start(state, h, v_dot);
  }

  StepReport step(State& state, double h, Work& work) override {
    const int n = system_.node_count(), m = system_.row_count;
    const double b = (1 - alpha_m_) / (beta_ * h * h * (1 - alpha_f_)), g = gamma_ / (beta_ * h);  // b', gamma'
    const double t1 = state.t + h;
    system_.frames(state, w_.start);
    w_.mid.back() = w_.end.back() = Frame{};
    V_[n].setZero();
    dV_[n] = {};
    if (options_.index == 2) system_.jacobian(w_.start, state.angles, B_start_);

    // predictor: dv/dt = 0, a+ = (alpha_f dv/dt_n - alpha_m a_n)/(1 - alpha_m)
    const double h_last = state.memory[12 * n];
    for (int i = 0; i < n; ++i) {
      const Vec6 v_dot_n = state.memory.segment<6>(6 * (n + i));
      // a_n belongs to t_n + (alpha_m - alpha_f) h: with another step it is moved there
      const Vec6 a_n = v_dot_n + h / h_last * (state.memory.segment<6>(6 * i) - v_dot_n);
      const Vec6 a_plus = (alpha_f_ * v_dot_n - alpha_m_ * a_n) / (1 - alpha_m_);
      Vec6 v_n;
      v_n << state.nodes[i].v, state.nodes[i].Omega;
      v_[i] = v_n + h * (1 - gamma_) * a_n + h * gamma_ * a_plus;
      x_[i] = h * v_n + h * h * (0.5 - beta_) * a_n + beta_ * h * h * a_plus;
      v_dot_[i].setZero();
      shift_[i].setZero();
      a_plus_[i] = a_plus;
      // start the iteration at constant acceleration rather than at none: the equations are the same
      add_increment(i, v_dot_n / b, b, g);
    }
    lambda_ = state.lambda / b;
    eta_.setZero();

    const std::span<const double> lambda(lambda_.data(), static_cast<std::size_t>(m));
    const Stage stage{w_.end, w_.end, w_.end, t1, t1, 1 / b, lambda, state.angles, true, V_, dV_};
    NewtonTest test(newton_);
    StepReport report;
    while (!report.converged && report.iterations < newton_.max_iterations) {
      ++report.iterations;
      move(state, g);
      const auto assemble = [&] { this->assemble(state, h, b, g, stage); };
      assemble();
      if (!w_.solve(assemble)) break;
      report.error = correct(b, g);
      if (test.diverges(report.error)) break;
      report.converged = test.accepts(report.error);
    }
    if (!report.converged) {
      name_the_worst(system_, w_.phi, report);
      return report;
    }
    move(state, g);
    lambda_ *= b;
    mean_lambda_ = 0.5 * (state.lambda + lambda_);
    add_work(system_, w_.start, w_.end, state.t, t1, state.angles, {mean_lambda_.data(), static_cast<std::size_t>(m)}, work);
    for (int i = 0; i < n; ++i) {
      NodeState& s = state.nodes[i];
      const Vec6 xx = x_[i] - shift_[i];
      if (system_.nodes[i].translates()) s.x += xx.head<3>();
      if (system_.nodes[i].rotates()) s.q = (s.q * so3::exp(xx.tail<3>())).normalized();
      s.v = v_[i].head<3>();
      s.Omega = v_[i].tail<3>();
      // a_{n+1} = a+ + (1 - alpha_f)/(1 - alpha_m) dv/dt_{n+1}
      state.memory.segment<6>(6 * i) = a_plus_[i] + (1 - alpha_f_) / (1 - alpha_m_) * v_dot_[i];
      state.memory.segment<6>(6 * (n + i)) = v_dot_[i];
    }
    state.memory[12 * n] = h;
    state.t = t1;
    state.lambda = lambda_;
    system_.update_angles(w_.end, state.angles);
    return report;
  }

 private:
  /// x += dx, v += gamma' dx, dv/dt += b' dx
  void add_increment(int i, const Vec6& dx, double b, double g) {
    x_[i] += dx;
    v_[i] += g * dx;
    v_dot_[i] += b * dx;
  }

  /// The configuration q_n o exp(x - B_n^T eta), its spatial velocities and how they vary with it.
  void move(const State& state, double g) {
    for (int i = 0; i < system_.node_count(); ++i) {
      const Node& node = system_.nodes[i];
      const Vec6 xx = x_[i] - shift_[i];
      Frame& q = w_.end[i];
      q = w_.start[i];
      if (node.translates()) q.x = state.nodes[i].x + xx.head<3>();
      if (node.rotates()) q.d = (state.nodes[i].q * so3::exp(xx.tail<3>())).toRotationMatrix();
      const Vec3 omega = q.d * v_[i].tail<3>();
      V_[i] << v_[i].head<3>(), omega;
      dV_[i].translation = g;
      dV_[i].rotation = g * q.d * so3::tangent_inverse(xx.tail<3>()) * q.d.transpose() - hat(omega);
    }
  }

  void assemble(const State& state, double h, double b, double g, const Stage& stage) {
    BlockMatrix& A = w_.lu.matrix();
    A.set_zero();
    const int n = system_.node_count();
    for (int i = 0; i < n; ++i) {
      const Node& node = system_.nodes[i];
      Mat6 K = Mat6::Zero();
      w_.force[i].setZero();
      inertia_[i].setZero();
      if (node.translates()) {
        w_.force[i].head<3>() = node.mass / b * v_dot_[i].head<3>();
        K.topLeftCorner<3, 3>() = inertia_[i].topLeftCorner<3, 3>() = node.mass * Mat3::Identity();
      }
      if (node.rotates()) {
        // R (J dOmega/dt + Omega x J Omega)
        const Mat3& R = w_.end[i].d;
        const Vec3 Omega = v_[i].tail<3>(), L = node.J * Omega;
        const Vec3 balance = R * (node.J * v_dot_[i].tail<3>() + Omega.cross(L)) / b;
        const Mat3 by_increment = R * (node.J + g / b * (hat(Omega) * node.J - hat(L)));
        w_.force[i].tail<3>() = balance;
        inertia_[i].bottomRightCorner<3, 3>() = by_increment;
        K.bottomRightCorner<3, 3>() =
            by_increment * so3::tangent_inverse((x_[i] - shift_[i]).tail<3>()) * R.transpose() - hat(balance);
      }
      system_.add_node_block(i, K, w_.plan, A);
    }
    w_.force[n].setZero();
    system_.evaluate(stage, w_.force, w_.phi_span(), &w_.plan, &A);
    for (int i = 0; i < n; ++i) w_.rhs.segment<6>(6 * i) = -system_.gather(i, w_.force[i]);
    if (options_.index == 3)
      w_.rhs.tail(system_.row_count) = -w_.phi;
    else
      add_velocity_level(state, h, g, stage.t1);
  }

  /// The rows h (B v - df/dt) = 0 and the columns of eta (times h), by which the configuration is shifted: with
  /// delta x = A delta + B_n^T d eta,
  ///   balance    + inertia B_n^T d eta
  ///   h (B dV + D) delta + h gamma' B diag(1, R) B_n^T d eta = -h (B v - df/dt)
  /// The effect of eta on dampers, through the velocities, is left out of the matrix: it changes no root.
  void add_velocity_level(const State& state, double h, double g, double t1) {
    BlockMatrix& A = w_.lu.matrix();
    double* const values = A.values().data();
    const int n = system_.node_count();
    system_.jacobian(w_.end, state.angles, B_);
    system_.jacobian_rate(w_.end, state.angles, V_, D_);
    system_.velocity_residual(B_, V_, t1, {rate_.data(), static_cast<std::size_t>(rate_.size())});
    const int blocks = static_cast<int>(system_.blocks.size());
    for (int c = 0; c < blocks; ++c) {
      const ConstraintBlock& block = system_.blocks[c];
      const int m = block.rows, group = n + c;
      w_.rhs.segment(A.offset(group), m) = -w_.phi.segment(block.first_row, m);
      w_.rhs.segment(A.offset(group) + m, m) = -h * rate_.segment(block.first_row, m);
      for (std::size_t k = 0; k < block.nodes.size(); ++k) {
        const int i = block.nodes[k];
        // columns of eta in the balance of node i
        Eigen::Map<Eigen::Matrix<double, 6, Eigen::Dynamic>> column(values + A.find(i, group) + 6 * m, 6, m);
        for (int j = 0; j < m; ++j) column.col(j) += system_.gather(i, inertia_[i] * body_row(B_start_, c, k, j));
        // rows of the velocity level
        const auto B = system_.block(B_, c, static_cast<int>(k)), D = system_.block(D_, c, static_cast<int>(k));
        Eigen::Map<MatX, 0, Eigen::OuterStride<>> row(values + A.find(group, i) + m, m, 6, Eigen::OuterStride<>(2 * m));
        row += h * D;
        row.leftCols<3>() += h * dV_[i].translation * B.leftCols<3>();
        if (system_.nodes[i].rotates()) row.rightCols<3>().noalias() += h * B.rightCols<3>() * dV_[i].rotation;
      }
    }
    // eta of one block in the velocity rows of another that shares a node
    for (int c = 0; c < blocks; ++c)
      for (std::size_t k = 0; k < system_.blocks[c].nodes.size(); ++k)
        for (const auto& [c2, k2] : sharing_[system_.blocks[c].nodes[k]]) {
          const int m = system_.blocks[c].rows, m2 = system_.blocks[c2].rows, i = system_.blocks[c].nodes[k];
          Eigen::Map<MatX, 0, Eigen::OuterStride<>> S(values + A.find(n + c, n + c2) + m + 2 * m * m2, m, m2,
                                                      Eigen::OuterStride<>(2 * m));
          const auto B = system_.block(B_, c, static_cast<int>(k));
          for (int j = 0; j < m2; ++j) {
            Vec6 move = body_row(B_start_, c2, k2, j);
            move.tail<3>() = w_.end[i].d * move.tail<3>();
            S.col(j).noalias() += h * g * B * system_.gather(i, move);
          }
        }
  }

  /// Row j of a Jacobian block as a vector of the increment x: translation in space, rotation in the body, at the start.
  Vec6 body_row(const ConstraintJacobian& B, int c, std::size_t k, int j) const {
    const int i = system_.blocks[c].nodes[k];
    Vec6 row = system_.spread(i, system_.block(B, c, static_cast<int>(k)).row(j).transpose());
    row.tail<3>() = w_.start[i].d.transpose() * row.tail<3>();
    return row;
  }

  double correct(double b, double g) {
    const int n = system_.node_count();
    const BlockMatrix& A = w_.lu.matrix();
    double length = 0, angle = 0, dlambda = 0;
    if (options_.index == 2) {
      for (int c = 0; c < static_cast<int>(system_.blocks.size()); ++c) {
        const int m = system_.blocks[c].rows, first = system_.blocks[c].first_row;
        eta_.segment(first, m) += w_.rhs.segment(A.offset(n + c) + m, m);
      }
    }
    for (int i = 0; i < n; ++i) {
      const Vec6 delta = system_.spread(i, w_.rhs.segment<6>(6 * i));
      Vec6 dx = delta;
      const Vec3 xx = (x_[i] - shift_[i]).tail<3>();
      dx.tail<3>() = so3::tangent_inverse(xx) * (w_.end[i].d.transpose() * delta.tail<3>());
      if (options_.index == 2) {
        Vec6 shift = Vec6::Zero();
        for (const auto& [c, k] : sharing_[i])
          for (int j = 0; j < system_.blocks[c].rows; ++j)
            shift += eta_[system_.blocks[c].first_row + j] * body_row(B_start_, c, k, j);
        dx += shift - shift_[i];
        shift_[i] = shift;
      }
      add_increment(i, dx, b, g);
      length = std::max(length, delta.head<3>().norm());
      angle = std::max(angle, delta.tail<3>().norm());
    }
    for (int c = 0; c < static_cast<int>(system_.blocks.size()); ++c) {
      const int m = system_.blocks[c].rows;
      const auto change = w_.rhs.segment(A.offset(n + c), m);
      lambda_.segment(system_.blocks[c].first_row, m) += change;
      dlambda = std::max(dlambda, change.cwiseAbs().maxCoeff());
    }
    // an error e of the configuration is one of e/h^2 of the multipliers: ask for 10 digits of them too
    const double lambda = system_.row_count > 0 ? lambda_.cwiseAbs().maxCoeff() : 0;
    const double e = std::max({length / system_.length, angle, lambda > 0 ? 1e-5 * dlambda / lambda : 0.0});
    return w_.rhs.allFinite() ? e : std::numeric_limits<double>::infinity();
  }

  /// dv/dt = (d^2x/dt^2 in space, dOmega/dt in the body) from accelerations in space.
  VecX body_accelerations(const State& state, const VecX& u_dot) const {
    VecX v_dot(u_dot.size());
    for (int i = 0; i < system_.node_count(); ++i) {
      Vec6 a = system_.spread(i, u_dot.segment<6>(6 * i));
      a.tail<3>() = state.nodes[i].q.conjugate() * a.tail<3>();  // R^T d(R Omega)/dt = dOmega/dt
      v_dot.segment<6>(6 * i) = a;
    }
    return v_dot;
  }

  /// a_0 = dv/dt + Delta h d2v/dt2, and for index 3 a velocity perturbed by h^2 such that the constraints at the end of the
  /// first steps do not ring (Arnold, Bruls & Cardona 2015): v_0 += M^-1 B^T (B M^-1 B^T)^-1 B h^2 l,
  /// l = k d2v/dt2 + c [v, dv/dt], k = 1/6 - beta - Delta/2, c = 1/12, with Delta = alpha_m - alpha_f.
  void improve_start(State& state, double h, const VecX& v_dot) {
    const int n = system_.node_count();
    double speed = 0;
    for (const NodeState& s : state.nodes) speed = std::max({speed, s.v.norm(), s.Omega.norm()});
    const double epsilon = 1e-5 / (1 + speed);
    const auto along = [&](double t) {  // accelerations on a flow of second order
      State s = state;
      s.t += t;
      for (int i = 0; i < n; ++i) {
        const Vec6 a = v_dot.segment<6>(6 * i);
        NodeState& node = s.nodes[i];
        node.x += t * node.v + 0.5 * t * t * a.head<3>();
        node.q = (node.q * so3::exp(t * node.Omega + 0.5 * t * t * a.tail<3>())).normalized();
        node.v += t * a.head<3>();
        node.Omega += t * a.tail<3>();
        if (!system_.nodes[i].translates()) node.x = state.nodes[i].x;
      }
      return body_accelerations(s, accelerations(system_, s, mass_).u_dot);
    };
    const VecX v_ddot = (along(epsilon) - along(-epsilon)) / (2 * epsilon);
    const double Delta = alpha_m_ - alpha_f_;
    state.memory.head(6 * n) += Delta * h * v_ddot;
    if (options_.index != 3 || system_.row_count == 0) return;

    std::vector<Frame> q;
    system_.frames(state, q);
    ConstraintJacobian B;
    system_.jacobian(q, state.angles, B);
    VecX u = VecX::Zero(6 * n), mu = VecX::Zero(system_.row_count);
    std::vector<Vec6> l(n);
    for (int i = 0; i < n; ++i) {
      l[i] = (1.0 / 6 - beta_ - Delta / 2) * v_ddot.segment<6>(6 * i);
      l[i].tail<3>() += state.nodes[i].Omega.cross(Vec3(v_dot.segment<3>(6 * i + 3))) / 12;
      l[i].tail<3>() = q[i].d * l[i].tail<3>();
    }
    for (int c = 0; c < static_cast<int>(system_.blocks.size()); ++c)
      for (std::size_t k = 0; k < system_.blocks[c].nodes.size(); ++k) {
        const int i = system_.blocks[c].nodes[k];
        mu.segment(system_.blocks[c].first_row, system_.blocks[c].rows) +=
            h * h * system_.block(B, c, static_cast<int>(k)) * system_.gather(i, l[i]);
      }
    mass_.factor(q, B);
    mass_.solve(u, mu);
    for (int i = 0; i < n; ++i) {
      const Vec6 dv = system_.spread(i, u.segment<6>(6 * i));
      state.nodes[i].v += dv.head<3>();
      state.nodes[i].Omega += q[i].d.transpose() * dv.tail<3>();
    }
  }

  const System& system_;
  NewtonOptions newton_;
  GeneralizedAlphaOptions options_;
  Workspace w_;
  ConstrainedMass mass_;
  double alpha_m_, alpha_f_, gamma_, beta_;
  std::vector<Vec6> x_, v_, v_dot_, shift_, a_plus_, V_;
  std::vector<VelocityTangent> dV_;
  std::vector<Mat6> inertia_;                                        ///< of the balance, by the increment x
  std::vector<std::vector<std::pair<int, std::size_t>>> sharing_;    ///< of each node: (block, its place there)
  VecX lambda_, mean_lambda_, eta_, rate_;
  ConstraintJacobian B_start_, B_, D_;
};

}  // namespace

std::unique_ptr<Integrator> make_generalized_alpha(const System& system, const NewtonOptions& newton,
                                                   const GeneralizedAlphaOptions& options) {
  return std::make_unique<GeneralizedAlpha>(system, newton, options);
}

}  // namespace polhode
