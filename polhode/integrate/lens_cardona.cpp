#include <polhode/integrate/lens_cardona.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <polhode/integrate/doubled_equations.hpp>
#include <polhode/integrate/energy_momentum.hpp>
#include <polhode/integrate/geradin.hpp>
#include <polhode/integrate/interval_stress.hpp>
#include <polhode/integrate/stage_velocity.hpp>
#include <polhode/integrate/workspace.hpp>
#include <polhode/lie/so3.hpp>

namespace polhode {
namespace {

using Kappa = LensCardonaOptions::Kappa;

System without_dampers(System system) {
  for_each_element(system.elastic, [](auto& e) { e.damping.setZero(); });
  return system;
}

/// A node in a step: all is of this step, velocities and wrenches times h.
struct NodeMotion {
  Mat6 frame_start;                 ///< takes w to space: diag(1, R), or diag(R, R) where the node moves about a pole
  std::array<Mat6, 2> frame;        ///< the same at the two states
  std::array<Mat6, 2> u_by_q;       ///< of the displacements u^, by spatial variations
  std::array<Vec6, 2> u, w, MQ, Q;  ///< u^, velocities h w, M^-1 h Q, and h Q, all in the node
  std::array<Vec6, 2> V, wrench;    ///< h w and h Q in space
  Vec6 w_start;
};

/// With the states n, j (at t_n + 0) and 1, and the intervals g from j to 1 and h from n to j, a step h of
///   (a)  (p1 - pn)/h + F_g = 0
///   (b)  (pj - pn)/h - (F_g' - F_h)/3 + (alpha/6) F_D = 0
///   (c), (d)  of StageVelocity, Q = B^T eta, which the decaying scheme does not have (eta = 0, kappa = 1)
///   Phi(zj, t_n) = 0,  Phi(z1, t_{n+1}) = 0,  and with eta:  B_j wj = f'(t_n),  B_1 w1 = f'(t_{n+1})
/// Energy changes by the work done less
///   alpha (kappa K_nj + V_nj) + kappa W/2 - (1 - kappa) dK + gamma N.
/// Balances are multiplied by h^2/2, velocity rows by h; the multipliers are scaled alike: all blocks are of order 1 in h.
class LensCardona final : public Integrator {
 public:
  LensCardona(const System& system, const NewtonOptions& newton, const LensCardonaOptions& options)
      : system_(system), undamped_(without_dampers(system)), newton_(newton), options_(options),
        stabilised_(options.scheme == LensCardonaOptions::Scheme::alpha_kappa && system.row_count > 0),
        stress_(system_, options.alpha), equations_(system_, stabilised_), w_(system_, equations_.doubled()) {
    const std::size_t n = system.nodes.size();
    equations_.bind(w_.lu.matrix());
    steps_.resize(n);
    motions_.resize(n);
    for (auto* frames : {&jump_, &mid_h_, &arm_g_, &arm_h_}) frames->resize(n + 1);
    for (auto& V : V_) V.assign(n + 1, Vec6::Zero());
    w_by_scalar_.resize(n);
    for (auto& change : wrench_change_) change.resize(n);
    still_.assign(n + 1, Vec6::Zero());
    no_rate_.assign(n + 1, Mat6::Zero());
    force_h_.resize(n + 1);
    discarded_.resize(n + 1);
    lambda_g_ = lambda_j_ = phi_jump_ = no_phi_ = none_ = eta_[at_end] = eta_[at_jump] = VecX::Zero(system.row_count);
    rate_ = none_;
    for (const Node& node : system.nodes) {
      Mat6 M = Mat6::Zero(), inverse = Mat6::Zero();
      M.topLeftCorner<3, 3>() = node.mass * Mat3::Identity();
      inverse.topLeftCorner<3, 3>() = Mat3::Identity() / node.mass;
      if (node.rotates()) {
        M.bottomRightCorner<3, 3>() = node.J;
        inverse.bottomRightCorner<3, 3>() = node.J.inverse();
      }
      M_.push_back(M);
      M_inverse_.push_back(inverse);
    }
  }

  bool multipliers_at_end() const override { return false; }

  void start(State& state, double) override {
    state.memory = VecX::Zero(2 + 3 * system_.row_count + 6 * system_.node_count());
    state.memory.segment(2, system_.row_count) = state.lambda;
  }

  StepReport step(State& state, double h, Work& work) override {
    predict(state, h);
    kappa_ = 1;
    gamma_ = 0;
    StepReport report = newton(
        w_, NewtonTest(newton_, exact_tangent()), iterations_allowed(), [&] { return move(state); }, [&] { assemble(state, h); },
        [&] { return correct(w_.rhs); });
    if (!report.converged) return report;
    if (stabilised_ && options_.kappa != Kappa::one) find_scalar(state, h, report);
    finish(state, h, work);
    return report;
  }

 private:
  bool half_rotations() const { return options_.torque == Torque::half_rotation; }
  bool exact_tangent() const { return !half_rotations(); }  // how arms vary is left out
  int iterations_allowed() const { return (exact_tangent() ? 1 : 3) * newton_.max_iterations; }

  /// From constant velocities; jumps and multipliers as in the last step.
  void predict(const State& state, double h) {
    const int m = system_.row_count;
    system_.frames(state, w_.start);
    jump_ = mid_h_ = w_.end = w_.mid = arm_g_ = arm_h_ = w_.start;
    for (int i = 0; i < system_.node_count(); ++i) {
      const NodeState& s = state.nodes[i];
      NodeStep& step = steps_[i];
      step.dx = {Vec3(h * s.v), Vec3(state.memory.segment<3>(2 + 3 * m + 6 * i))};
      step.r = {Vec3(h * (w_.start[i].d * s.Omega)), Vec3(state.memory.segment<3>(2 + 3 * m + 6 * i + 3))};
      if (half_rotations() && step.r[at_end].norm() > 1.8) step.r[at_end] *= 1.8 / step.r[at_end].norm();
      motions_[i].frame_start = frame_of(i, w_.start[i]);
      motions_[i].w_start = motions_[i].frame_start.transpose() * (h * spatial_velocity(s));
    }
    lambda_g_ = 0.5 * h * h * state.lambda;
    lambda_j_ = 0.5 * h * h * state.memory.segment(2, m);
    eta_[at_end] = h * state.memory.segment(2 + m, m);
    eta_[at_jump] = h * state.memory.segment(2 + 2 * m, m);
  }

  /// The states, the means of their natural coordinates over the two intervals, and the arms of half rotations.
  bool move(const State& state) {
    for (int i = 0; i < system_.node_count(); ++i) {
      const Node& node = system_.nodes[i];
      const NodeStep& step = steps_[i];
      std::array<Frame*, 2> frames{&w_.end[i], &jump_[i]};
      for (int k : {at_end, at_jump}) {
        if (node.translates()) frames[k]->x = state.nodes[i].x + step.dx[k];
        if (!node.rotates()) continue;
        if (half_rotations() && !(step.r[k].squaredNorm() < 4)) return false;
        frames[k]->d = (rotation_of(options_.torque, step.r[k]) * state.nodes[i].q).toRotationMatrix();
      }
      w_.mid[i] = mean(jump_[i], w_.end[i]);
      mid_h_[i] = mean(w_.start[i], jump_[i]);
      if (!half_rotations()) continue;
      arm_g_[i] = w_.mid[i];
      arm_h_[i] = mid_h_[i];
      if (!node.rotates()) continue;
      arm_g_[i].d = (half_way(step.r[at_end], step.r[at_jump]) * state.nodes[i].q).toRotationMatrix();
      arm_h_[i].d = (half_way(Vec3::Zero(), step.r[at_jump]) * state.nodes[i].q).toRotationMatrix();
    }
    return true;
  }

  Mat6 frame_of(int i, const Frame& q) const {
    Mat6 frame = Mat6::Identity();
    if (moves_about_pole(options_.torque, system_.nodes[i])) frame.topLeftCorner<3, 3>() = q.d;
    if (system_.nodes[i].rotates()) frame.bottomRightCorner<3, 3>() = q.d;
    return frame;
  }

  /// (f~ by theta): how a vector of the node varies in space when the node turns, with the opposite sign.
  Mat6 turned(int i, const Vec6& f) const {
    Mat6 out = Mat6::Zero();
    if (moves_about_pole(options_.torque, system_.nodes[i])) out.topRightCorner<3, 3>() = hat(f.head<3>());
    if (system_.nodes[i].rotates()) out.bottomRightCorner<3, 3>() = hat(f.tail<3>());
    return out;
  }

  /// B, the wrenches Q = B^T eta, and the velocities of the present displacements.
  void find_velocities(std::span<const double> angles) {
    const StageVelocity velocity(options_.alpha, kappa_, gamma_);
    for (int k : {at_end, at_jump}) {
      for (auto& motion : motions_) motion.wrench[k].setZero();
      if (system_.row_count > 0) system_.jacobian(state_frames(k), angles, equations_.B[k]);
      if (stabilised_) scatter(eta_[k], k);
    }
    for (int i = 0; i < system_.node_count(); ++i) {
      NodeMotion& motion = motions_[i];
      for (int k : {at_end, at_jump}) {
        motion.frame[k] = frame_of(i, state_frames(k)[i]);
        motion.Q[k] = motion.frame[k].transpose() * motion.wrench[k];
        motion.MQ[k] = M_inverse_[i] * motion.Q[k];
        set_displacement(i, k);
      }
      for (int k : {at_end, at_jump}) {
        motion.w[k] = velocity.by_start[k] * motion.w_start;
        for (int l : {at_end, at_jump}) motion.w[k] += velocity.by_u(k, l) * motion.u[l] + velocity.by_Q(k, l) * motion.MQ[l];
        motion.V[k] = V_[k][i] = motion.frame[k] * motion.w[k];
      }
    }
  }

  std::span<const Frame> state_frames(int k) const { return k == at_end ? w_.end : jump_; }

  /// u^ = (dx, Rn^T r), about a pole Rn^T (dx - r x dx/2, r), with its derivative.
  void set_displacement(int i, int k) {
    const Node& node = system_.nodes[i];
    const Vec3 &dx = steps_[i].dx[k], &r = steps_[i].r[k];
    Vec6 u;
    u << dx, r;
    Mat6 by_q = Mat6::Identity();
    if (node.rotates()) by_q.bottomRightCorner<3, 3>() = rotation_rate(options_.torque, r);
    if (moves_about_pole(options_.torque, node)) {
      u.head<3>() -= 0.5 * r.cross(dx);
      by_q.topLeftCorner<3, 3>() -= 0.5 * hat(r);
      by_q.topRightCorner<3, 3>() = 0.5 * hat(dx) * by_q.bottomRightCorner<3, 3>();
    }
    motions_[i].u[k] = motions_[i].frame_start.transpose() * u;
    motions_[i].u_by_q[k] = motions_[i].frame_start.transpose() * by_q;
  }

  /// wrench += B^T multipliers
  void scatter(const VecX& multipliers, int k) {
    for (int b = 0; b < static_cast<int>(system_.blocks.size()); ++b) {
      const ConstraintBlock& block = system_.blocks[b];
      for (std::size_t place = 0; place < block.nodes.size(); ++place) {
        const int i = block.nodes[place];
        motions_[i].wrench[k] += system_.spread(
            i, system_.block(equations_.B[k], b, static_cast<int>(place)).transpose() * multipliers.segment(block.first_row, block.rows));
      }
    }
  }

  void assemble(const State& state, double h) {
    BlockMatrix& A = w_.lu.matrix();
    A.set_zero();
    equations_.set_zero();
    find_velocities(state.angles);
    evaluate_intervals(state, h);
    if (stabilised_) evaluate_velocity_level(state, h);
    for (int i = 0; i < system_.node_count(); ++i) set_balance(i);
    equations_.assemble(A);
    set_constraint_residuals(h, state.t);
  }

  static std::span<const double> span(const VecX& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }
  static std::span<double> span(VecX& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

  /// Forces of the two intervals. They are symmetric in the ends of an interval: with these exchanged, the tangent is by the other one.
  void evaluate_intervals(const State& state, double h) {
    const double scale = 0.5 * h * h, t0 = state.t, t1 = t0 + h;
    stress_.at(w_.start, jump_, w_.end, state.angles, h);
    Stage g{jump_, w_.mid, w_.end, t0, t1, scale, span(lambda_g_), state.angles, false, {}, {}};
    Stage h_stage{w_.start, mid_h_, jump_, t0, t1, scale, span(lambda_j_), state.angles, false, {}, {}};
    if (half_rotations()) g.arm = arm_g_, h_stage.arm = arm_h_;
    g.added_stress = stress_.added_g;
    g.strain = stress_.strain_g;
    h_stage.added_stress = stress_.added_h;
    h_stage.strain = stress_.strain_h;
    const AssemblyPlan* const plan = &equations_.single();
    const auto evaluate = [&](const Stage& stage, std::vector<Vec6>& force, VecX& phi, BlockMatrix& matrix) {
      std::fill(force.begin(), force.end(), Vec6::Zero());
      undamped_.evaluate(stage, force, span(phi), plan, &matrix);
    };
    evaluate(g, w_.force, w_.phi, equations_.g_by_end);
    evaluate(h_stage, force_h_, no_phi_, equations_.h_by_jump);
    std::swap(g.start, g.end);
    std::swap(g.t0, g.t1);
    g.strain = {};
    evaluate(g, discarded_, phi_jump_, equations_.g_by_jump);
    stress_.add_tangents(scale, *plan, equations_.g_by_end, equations_.h_by_end, equations_.h_by_jump);
  }

  /// How the wrenches B^T eta vary, and how B V does.
  void evaluate_velocity_level(const State& state, double h) {
    for (int k : {at_end, at_jump}) {
      const std::span<const Frame> q = state_frames(k);
      const double t = k == at_end ? state.t + h : state.t;
      const Stage stage{q, q, q, t, t, 0, span(eta_[k]), state.angles, true, still_, no_rate_};
      undamped_.evaluate(stage, discarded_, span(no_phi_), &equations_.single(), &equations_.Q_by[k]);
      system_.jacobian_rate(q, state.angles, V_[k], equations_.D[k]);
    }
  }

  /// Momentum times h/2, about a pole with that of its translation.
  Vec6 momentum(int i, int k) const {
    const NodeMotion& motion = motions_[i];
    Vec6 p = 0.5 * (motion.frame[k] * (M_[i] * motion.w[k]));
    if (moves_about_pole(options_.torque, system_.nodes[i])) p.tail<3>() += steps_[i].dx[k].cross(p.head<3>());
    return p;
  }

  void set_balance(int i) {
    const NodeMotion& motion = motions_[i];
    NodeEquations& e = equations_.nodes[i];
    const Vec6 &g_g = w_.force[i], &g_h = force_h_[i];
    const ForceMap F(options_.torque, system_.nodes[i], steps_[i], g_g, g_h);
    e.F_a = F.a;
    e.F_b = -F.b / 3;
    e.F_h = F.h / 3;
    const Vec6 p_start = 0.5 * (motion.frame_start * (M_[i] * motion.w_start));
    const Vec6 a = momentum(i, at_end) - p_start + F.a * g_g;
    const Vec6 b = momentum(i, at_jump) - p_start + e.F_b * g_g + e.F_h * g_h;
    w_.rhs.segment<6>(12 * i) = -system_.gather(i, a);
    w_.rhs.segment<6>(12 * i + 6) = -system_.gather(i, b);
    set_inertia(i);
    for (int l : {at_end, at_jump}) {
      e.own[at_end][l] += F.da[l];
      e.own[at_jump][l] -= F.db[l] / 3;
    }
    e.own[at_jump][at_jump] += F.dh / 3;
  }

  /// How momenta and velocities vary with displacements and with the wrenches of the velocity level.
  void set_inertia(int i) {
    const NodeMotion& motion = motions_[i];
    const StageVelocity velocity(options_.alpha, kappa_, gamma_);
    NodeEquations& e = equations_.nodes[i];
    std::array<Mat6, 2> Q_by_q;
    for (int l : {at_end, at_jump}) Q_by_q[l] = motion.frame[l].transpose() * turned(i, motion.wrench[l]);
    for (int k : {at_end, at_jump}) {
      for (int l : {at_end, at_jump}) {
        const double by_u = velocity.by_u(k, l), by_Q = velocity.by_Q(k, l);
        e.own[k][l] = 0.5 * motion.frame[k] * (by_u * M_[i] * motion.u_by_q[l] + by_Q * Q_by_q[l]);
        e.by_Q[k][l] = 0.5 * by_Q * motion.frame[k] * motion.frame[l].transpose();
        e.V_by_q[k][l] = motion.frame[k] * (by_u * motion.u_by_q[l] + by_Q * M_inverse_[i] * Q_by_q[l]);
        e.V_by_Q[k][l] = by_Q * motion.frame[k] * M_inverse_[i] * motion.frame[l].transpose();
      }
      const Vec6 p = 0.5 * (motion.frame[k] * (M_[i] * motion.w[k]));
      e.own[k][k] -= turned(i, p);
      e.V_by_q[k][k] -= turned(i, motion.V[k]);
      if (!moves_about_pole(options_.torque, system_.nodes[i])) continue;
      const Mat3 arm = hat(steps_[i].dx[k]);
      for (int l : {at_end, at_jump}) {
        e.own[k][l].bottomRows<3>() += arm * e.own[k][l].topRows<3>();
        e.by_Q[k][l].bottomRows<3>() += arm * e.by_Q[k][l].topRows<3>();
      }
      e.own[k][k].bottomLeftCorner<3, 3>() -= hat(p.head<3>());
    }
  }

  int levels() const { return stabilised_ ? 4 : 2; }

  void set_constraint_residuals(double h, double t) {
    const BlockMatrix& A = w_.lu.matrix();
    const auto set = [&](int kind, const VecX& residual) {
      for (int b = 0; b < static_cast<int>(system_.blocks.size()); ++b) {
        const ConstraintBlock& block = system_.blocks[b];
        w_.rhs.segment(A.offset(system_.node_count() + b) + kind * block.rows, block.rows) = -residual.segment(block.first_row, block.rows);
      }
    };
    set(0, w_.phi);
    set(1, phi_jump_);
    if (!stabilised_) return;
    for (int k : {at_end, at_jump}) {
      for (auto& V : V_[k]) V /= h;
      system_.velocity_residual(equations_.B[k], V_[k], k == at_end ? t + h : t, span(rate_));
      rate_ *= h;
      set(2 + k, rate_);
    }
  }

  double correct(const VecX& delta) {
    const BlockMatrix& A = w_.lu.matrix();
    for (int b = 0; b < static_cast<int>(system_.blocks.size()); ++b) {
      const int m = system_.blocks[b].rows, first = system_.blocks[b].first_row, at = A.offset(system_.node_count() + b);
      lambda_g_.segment(first, m) += delta.segment(at, m);
      lambda_j_.segment(first, m) += delta.segment(at + m, m);
      if (!stabilised_) continue;
      eta_[at_end].segment(first, m) += delta.segment(at + 2 * m, m);
      eta_[at_jump].segment(first, m) += delta.segment(at + 3 * m, m);
    }
    double length = 0, angle = 0;
    for (int i = 0; i < system_.node_count(); ++i)
      for (int k : {at_end, at_jump}) {
        const Vec6 d = system_.spread(i, delta.segment<6>(12 * i + 6 * k));
        steps_[i].dx[k] += d.head<3>();
        if (system_.nodes[i].rotates()) steps_[i].r[k] += rotation_rate(options_.torque, steps_[i].r[k]) * d.tail<3>();
        length = std::max(length, d.head<3>().norm());
        angle = std::max(angle, d.tail<3>().norm());
      }
    return delta.allFinite() ? std::max(length / system_.length, angle) : std::numeric_limits<double>::infinity();
  }

  /// What the identity of energy is made of, times h^2.
  struct Balance {
    double dK = 0, K_nj = 0, W = 0, N = 0;
  };
  Balance balance() const {
    Balance sum;
    for (int i = 0; i < system_.node_count(); ++i) {
      const NodeMotion& motion = motions_[i];
      const Vec6 &w1 = motion.w[at_end], &wj = motion.w[at_jump], &wn = motion.w_start, d1 = w1 - wn, dj = wj - wn;
      sum.dK += 0.5 * (w1 + wn).dot(M_[i] * d1);
      sum.K_nj += 0.5 * dj.dot(M_[i] * dj);
      sum.W += motion.Q[at_jump].dot(d1 + dj) + motion.Q[at_end].dot(w1 - wj);
      sum.N += d1.dot(M_[i] * d1) + dj.dot(M_[i] * dj);
    }
    return sum;
  }

  void finish(State& state, double h, Work& work) {
    const int n = system_.node_count(), m = system_.row_count;
    const double t1 = state.t + h;
    find_velocities(state.angles);
    stress_.at(w_.start, jump_, w_.end, state.angles, h);
    const Balance b = balance();
    work.algorithmic += options_.alpha * stress_.jump_energy() +
                        (options_.alpha * kappa_ * b.K_nj + 0.5 * kappa_ * b.W - (1 - kappa_) * b.dK + gamma_ * b.N) / (h * h);
    lambda_g_ *= 2 / (h * h);
    book_work(state, t1, work);

    for (int i = 0; i < n; ++i) {
      NodeState& s = state.nodes[i];
      const Vec6 V = motions_[i].V[at_end] / h;
      s.v = V.head<3>();
      s.Omega = w_.end[i].d.transpose() * V.tail<3>();
      s.x = w_.end[i].x;
      s.q = (rotation_of(options_.torque, steps_[i].r[at_end]) * s.q).normalized();
      state.memory.segment<6>(2 + 3 * m + 6 * i) << steps_[i].dx[at_jump], steps_[i].r[at_jump];
    }
    state.memory[0] = kappa_ - 1;
    state.memory[1] = gamma_;
    state.memory.segment(2, m) = 2 / (h * h) * lambda_j_;
    state.memory.segment(2 + m, m) = eta_[at_end] / h;
    state.memory.segment(2 + 2 * m, m) = eta_[at_jump] / h;
    state.t = t1;
    state.lambda = lambda_g_;
    system_.update_angles(w_.end, state.angles);
  }

  /// Of drives and loads interval by interval, of dampers from the whole step.
  void book_work(const State& state, double t1, Work& work) {
    whole_ = work;
    add_work(system_, w_.start, w_.end, state.t, t1, state.angles, span(lambda_g_), whole_);
    work.dampers = whole_.dampers;
    add_work(undamped_, jump_, w_.end, state.t, t1, state.angles, span(lambda_g_), work);
    add_work(undamped_, w_.start, jump_, state.t, t1, state.angles, span(none_), work);
    if (!half_rotations()) return;
    for (const Load& load : system_.loads) {  // torques turn by other vectors than Cayley's
      if (!load.torque) continue;
      const int i = load.node;
      const Vec3 value = system_.load_value(load, state.t, t1), &rj = steps_[i].r[at_jump];
      const auto at = [&](const Frame& mid) { return load.follower ? Vec3(mid.d * value) : value; };
      const ForceMap F(options_.torque, system_.nodes[i], steps_[i], Vec6::Zero(), Vec6::Zero());
      const Vec3 g = F.a.bottomRightCorner<3, 3>().transpose() * (steps_[i].r[at_end] - rj);
      work.forces[load.force] += at(w_.mid[i]).dot(g - so3::cay_inverse(Mat3(w_.end[i].d * jump_[i].d.transpose()))) +
                                 at(mid_h_[i]).dot(rj - so3::cay_inverse(Mat3(jump_[i].d * w_.start[i].d.transpose())));
    }
  }

  static constexpr double most_kappa = 0.1, most_gamma = 0.5;  // further from 1 and 0 they spoil the motion

  /// From the solution with kappa = 1 to the kappa, or the gamma, that leaves alpha (kappa K_nj + V_nj) alone in the identity of energy:
  ///   kappa (2 dK + W) - 2 dK = 0,   or   gamma N + W/2 = 0,
  /// by Newton's method on the equations of the step with that one as a border. Where none is found near by, the step stays as it was:
  /// a fallback, and its energy may grow.
  void find_scalar(const State& state, double h, StepReport& report) {
    find_velocities(state.angles);
    const Balance b = balance();
    const bool exact = options_.kappa == Kappa::exact;
    if (std::abs(b.W) <= 1e-15 * kinetic_energy()) return;  // nothing to correct
    const double foreseen = exact ? -b.W / (2 * b.dK + b.W) : -0.5 * b.W / b.N;
    kept_steps_ = steps_;
    kept_[0] = lambda_g_, kept_[1] = lambda_j_, kept_[2] = eta_[at_end], kept_[3] = eta_[at_jump];
    if (std::abs(foreseen) < 10 * (exact ? most_kappa : most_gamma) && border(state, h, report)) return;
    steps_ = kept_steps_;
    lambda_g_ = kept_[0], lambda_j_ = kept_[1], eta_[at_end] = kept_[2], eta_[at_jump] = kept_[3];
    kappa_ = 1;
    gamma_ = 0;
    move(state);
    ++report.fallbacks;
  }

  bool border(const State& state, double h, StepReport& report) {
    const bool exact = options_.kappa == Kappa::exact;
    NewtonTest test(newton_, exact_tangent());
    for (int iteration = 0; iteration < iterations_allowed(); ++iteration) {
      ++report.iterations;
      if (!move(state)) return false;
      assemble(state, h);
      set_scalar_rates();
      const double defect = identity_defect();
      if (!w_.lu.factor()) return false;
      w_.lu.solve(w_.rhs);
      w_.lu.solve(column_);
      const double change = -(defect + defect_rate(w_.rhs, 0)) / defect_rate(column_, 1);
      w_.rhs += change * column_;
      (exact ? kappa_ : gamma_) += change;
      const double error = std::max(correct(w_.rhs), std::abs(change));
      if (!(std::abs(exact ? kappa_ - 1 : gamma_) <= (exact ? 2 * most_kappa : 2 * most_gamma)) || test.diverges(error)) return false;
      if (test.accepts(error, w_.residual())) return std::abs(exact ? kappa_ - 1 : gamma_) <= (exact ? most_kappa : most_gamma) && move(state);
    }
    return false;
  }

  double kinetic_energy() const {
    double sum = 0;
    for (std::size_t i = 0; i < motions_.size(); ++i) sum += 0.5 * motions_[i].w[at_end].dot(M_[i] * motions_[i].w[at_end]);
    return sum;
  }

  double identity_defect() const {
    const Balance b = balance();
    return options_.kappa == Kappa::exact ? kappa_ * (2 * b.dK + b.W) - 2 * b.dK : gamma_ * b.N + 0.5 * b.W;
  }

  /// Velocities by the scalar, and the column -dF/d(scalar) of the step's equations F = 0.
  void set_scalar_rates() {
    const StageVelocity velocity(options_.alpha, kappa_, gamma_);
    const BlockMatrix& A = w_.lu.matrix();
    column_ = VecX::Zero(w_.rhs.size());
    for (int i = 0; i < system_.node_count(); ++i) {
      const NodeMotion& motion = motions_[i];
      w_by_scalar_[i] = options_.kappa == Kappa::exact ? velocity.by_kappa(motion.w, motion.MQ, motion.w_start)
                                                       : velocity.by_gamma(motion.w, motion.w_start);
      for (int k : {at_end, at_jump}) {
        Vec6 p = 0.5 * (motion.frame[k] * (M_[i] * w_by_scalar_[i][k]));
        if (moves_about_pole(options_.torque, system_.nodes[i])) p.tail<3>() += steps_[i].dx[k].cross(p.head<3>());
        column_.segment<6>(12 * i + 6 * k) = -system_.gather(i, p);
      }
    }
    for (int b = 0; b < static_cast<int>(system_.blocks.size()); ++b) {
      const ConstraintBlock& block = system_.blocks[b];
      for (std::size_t place = 0; place < block.nodes.size(); ++place) {
        const int i = block.nodes[place];
        for (int k : {at_end, at_jump})
          column_.segment(A.offset(system_.node_count() + b) + (2 + k) * block.rows, block.rows).noalias() -=
              system_.block(equations_.B[k], b, static_cast<int>(place)) * system_.gather(i, motions_[i].frame[k] * w_by_scalar_[i][k]);
      }
    }
  }

  /// The derivative of the identity's defect along a change of the unknowns and of the scalar.
  double defect_rate(const VecX& delta, double scalar) {
    const StageVelocity velocity(options_.alpha, kappa_, gamma_);
    const Balance b = balance();
    for (const Where k : {at_end, at_jump}) equations_.wrench_change(delta, k, w_.lu.matrix(), wrench_change_[k]);
    double dK = 0, W = 0, N = 0;
    for (int i = 0; i < system_.node_count(); ++i) {
      const NodeMotion& motion = motions_[i];
      std::array<Vec6, 2> u, Q, w;
      for (int k : {at_end, at_jump}) {
        const Vec6 d = system_.spread(i, delta.segment<6>(12 * i + 6 * k));
        u[k] = motion.u_by_q[k] * d;
        Q[k] = motion.frame[k].transpose() * (system_.spread(i, wrench_change_[k][i]) + turned(i, motion.wrench[k]) * d);
      }
      for (int k : {at_end, at_jump}) {
        w[k] = scalar * w_by_scalar_[i][k];
        for (int l : {at_end, at_jump}) w[k] += velocity.by_u(k, l) * u[l] + velocity.by_Q(k, l) * (M_inverse_[i] * Q[l]);
      }
      const Vec6 &w1 = motion.w[at_end], &wj = motion.w[at_jump], d1 = w1 - motion.w_start, dj = wj - motion.w_start;
      dK += w1.dot(M_[i] * w[at_end]);
      W += Q[at_jump].dot(d1 + dj) + Q[at_end].dot(w1 - wj) + motion.Q[at_jump].dot(w[at_end] + w[at_jump]) +
           motion.Q[at_end].dot(w[at_end] - w[at_jump]);
      N += 2 * (d1.dot(M_[i] * w[at_end]) + dj.dot(M_[i] * w[at_jump]));
    }
    return options_.kappa == Kappa::exact ? scalar * (2 * b.dK + b.W) + kappa_ * (2 * dK + W) - 2 * dK
                                          : scalar * b.N + gamma_ * N + 0.5 * W;
  }

  const System& system_;
  System undamped_;
  NewtonOptions newton_;
  LensCardonaOptions options_;
  bool stabilised_;  ///< are there constraints at velocity level, with their multipliers eta?
  IntervalStress stress_;
  DoubledEquations equations_;
  Workspace w_;  ///< start, the mean of the second interval, end
  std::vector<Mat6> M_, M_inverse_;
  std::vector<NodeStep> steps_;
  std::vector<NodeMotion> motions_;
  std::vector<Frame> jump_, mid_h_, arm_g_, arm_h_;
  std::vector<Vec6> force_h_, discarded_, still_;
  std::vector<Mat6> no_rate_;
  std::array<std::vector<Vec6>, 2> V_;
  VecX lambda_g_, lambda_j_, phi_jump_, no_phi_, none_, rate_;
  std::array<VecX, 2> eta_;
  Work whole_;
  VecX column_;
  std::vector<std::array<Vec6, 2>> w_by_scalar_;
  std::array<std::vector<Vec6>, 2> wrench_change_;
  std::vector<NodeStep> kept_steps_;
  std::array<VecX, 4> kept_;
  double kappa_ = 1, gamma_ = 0;
};

}  // namespace

std::unique_ptr<Integrator> make_lens_cardona(const System& system, const NewtonOptions& newton, const LensCardonaOptions& options) {
  if (options.scheme == LensCardonaOptions::Scheme::preserving)
    return options.torque == Torque::half_rotation ? make_geradin(system, newton, {}) : make_energy_momentum(system, newton, 2);
  return std::make_unique<LensCardona>(system, newton, options);
}

}  // namespace polhode
