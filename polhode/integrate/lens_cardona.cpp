#include <polhode/integrate/lens_cardona.hpp>

#include <algorithm>
#include <cmath>

#include <polhode/integrate/end_velocity.hpp>
#include <polhode/integrate/energy_momentum.hpp>
#include <polhode/integrate/geradin.hpp>
#include <polhode/integrate/interval_stress.hpp>
#include <polhode/integrate/jump_motion.hpp>
#include <polhode/integrate/newton.hpp>
#include <polhode/lie/so3.hpp>
#include <polhode/model/kinks.hpp>

namespace polhode {
namespace {

using Kappa = LensCardonaOptions::Kappa;

double largest(const VecX& v) { return v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0; }

/// With the states n, j (at t_n + 0) and 1, and the intervals g from j to 1 and h from n to j, a step h of
///   (a)  (p1 - pn)/h + F_g = 0
///   (b)  (pj - pn)/h - (F_g' - F_h)/3 + (alpha/6) F_D = 0
///   (c), (d)  of StageVelocity, Q = B^T eta, which the decaying scheme does not have (eta = 0, kappa = 1)
///   Phi(zj, t_n) = 0,  Phi(z1, t_{n+1}) = 0,  and with eta:  B_j wj = f'(t_n),  B_1 w1 = f'(t_{n+1})
/// Energy changes by the work done less
///   alpha (kappa K_nj + V_nj) + kappa W/2 - (1 - kappa) dK + gamma N.
/// Balances are multiplied by h^2/2, velocity rows by h; the multipliers are scaled alike: all blocks are of order 1 in
/// h.
class LensCardona final : public Integrator {
 public:
  LensCardona(const System& system, const NewtonOptions& newton, const LensCardonaOptions& options,
              const Resources& resources)
      : system_(system),
        newton_(newton),
        options_(options),
        stabilised_(options.scheme == LensCardonaOptions::Scheme::alpha_kappa && system.row_count > 0),
        motion_(system_, options.torque, options.damping()),
        stress_(system_, options.damping()),
        equations_(system_, stabilised_),
        w_(system_, equations_.doubled(), resources),
        end_(system_, w_.pool()) {
    const std::size_t n = system.nodes.size();
    equations_.bind(w_.lu.matrix());
    for (auto& V : V_) V.assign(n + 1, Vec6::Zero());
    for (auto& change : wrench_change_) change.resize(n);
    still_.assign(n + 1, Vec6::Zero());
    no_rate_.assign(n + 1, Mat6::Zero());
    force_h_.resize(n + 1);
    discarded_.resize(n + 1);
    u_ = VecX::Zero(6 * system.node_count());
    lambda_g_ = lambda_j_ = phi_jump_ = no_phi_ = none_ = rate_ = impulse_ = eta_[at_end] = eta_[at_jump] =
        VecX::Zero(system.row_count);
  }

  bool multipliers_at_end() const override { return false; }

  void start(State& state, double) override {
    state.memory = VecX::Zero(2 + 3 * system_.row_count + 6 * system_.node_count());
  }

  StepReport step(State& state, double h) override {
    predict(state, h);
    StepReport report = newton(
        w_, NewtonTest(newton_, exact_tangent()).with_rounding_at(system_, state), iterations_allowed(),
        [&] { return move(state); }, [&] { assemble(state, h); }, [&] { return correct(w_.rhs); });
    if (!report.converged) return report;
    if (stabilised_ && options_.kappa != Kappa::one) find_scalar(state, h, report);
    finish(state, h);
    return report;
  }

 private:
  static constexpr Variant undamped{.dampers = false};

  bool half_rotations() const { return options_.torque == Torque::half_rotation; }
  bool exact_tangent() const { return !half_rotations(); }  // how arms vary is left out
  int iterations_allowed() const {
    return (exact_tangent() ? 1 : NewtonConstants::iterations_of_linear_convergence) * newton_.max_iterations;
  }
  std::span<const Frame> configuration(Where k) const { return k == at_end ? w_.end : jump_; }

  /// From constant velocities, without jumps. eta starts from zero: what redundant rows leave undetermined in it would
  /// else pile up from step to step.
  void predict(const State& state, double h) {
    system_.frames(state, w_.start, w_.pool());
    jump_ = w_.end = arm_g_ = arm_h_ = w_.start;
    motion_.kappa = 1;
    motion_.gamma = 0;
    motion_.predict(state, w_.start, h);
    lambda_g_ = lambda_j_ = 0.5 * h * h * state.lambda;
    eta_[at_end].setZero();
    eta_[at_jump].setZero();
  }

  /// A light body between heavy ones has velocities that are the small difference of large wrenches B^T eta: where more
  /// than rounding is left of B v - f' at the end, v is brought there, in the metric M. That takes T of the difference.
  /// Leaves v in u_; false if it was good as it is.
  bool meet_velocity_level(const State& state, double h, Work& work) {
    if (!stabilised_) return false;
    constexpr double rounding = 1e-12;  // of rates, relative to the largest velocity
    const double t1 = state.t + h;
    double size = 0;
    for (int i = 0; i < system_.node_count(); ++i) {
      V_[at_end][i] = motion_.nodes[i].V[at_end] / h;
      size = std::max(size, V_[at_end][i].cwiseAbs().maxCoeff());
      u_.segment<6>(6 * i) = system_.gather(i, V_[at_end][i]);
    }
    system_.velocity_residual(equations_.B[at_end], V_[at_end], t1, span(rate_));
    if (largest(rate_) <= rounding * std::max(1.0, system_.length) * size) return false;
    if (!end_.at(w_.end, state.angles, t1)) return false;
    work.algorithmic += end_.project(u_, work, impulse_);
    return true;
  }

  /// The two states, and the arms of half rotations over the two intervals.
  bool move(const State& state) {
    for (int i = 0; i < system_.node_count(); ++i) {
      const NodeState& start = state.nodes[i];
      if (!motion_.place(i, at_end, start, w_.end[i]) || !motion_.place(i, at_jump, start, jump_[i])) return false;
      if (!half_rotations()) continue;
      const NodeStep& step = motion_.nodes[i].step;
      arm_g_[i] = mean(jump_[i], w_.end[i]);
      arm_h_[i] = mean(w_.start[i], jump_[i]);
      if (!system_.nodes[i].rotates()) continue;
      arm_g_[i].d = (half_way(step.r[at_end], step.r[at_jump]) * start.q).toRotationMatrix();
      arm_h_[i].d = (half_way(Vec3::Zero(), step.r[at_jump]) * start.q).toRotationMatrix();
    }
    return true;
  }

  /// B, the wrenches B^T eta, and the velocities of the present displacements.
  void find_velocities(std::span<const double> angles) {
    for (const Where k : states) {
      for (NodeMotion& node : motion_.nodes) node.wrench[k].setZero();
      if (system_.row_count > 0) system_.jacobian(configuration(k), angles, equations_.B[k], w_.pool());
      if (stabilised_)
        equations_.B[k].add_wrenches(1, eta_[k], [&](int i) -> Vec6& { return motion_.nodes[i].wrench[k]; });
    }
    motion_.find_velocities(w_.end, jump_);
  }

  void assemble(const State& state, double h) {
    BlockMatrix& A = w_.lu.matrix();
    A.set_zero();
    equations_.set_zero();
    find_velocities(state.angles);
    evaluate_intervals(state, h);
    for (int i = 0; i < system_.node_count(); ++i) set_balance(i);
    set_residual(0, w_.phi);
    set_residual(1, phi_jump_);
    if (stabilised_)
      for (const Where k : states) evaluate_velocity_level(state, h, k);
    equations_.assemble(A);
    w_.lu.expect_error(std::max(largest(w_.phi), largest(phi_jump_)));
  }

  /// Forces of the two intervals. They are symmetric in the ends of an interval: with these exchanged, the tangent is
  /// by the other.
  void evaluate_intervals(const State& state, double h) {
    const double scale = 0.5 * h * h, t0 = state.t, t1 = t0 + h;
    stress_.at(w_.start, jump_, w_.end, state.angles, h);
    // dampers see the rate of the whole step: their stress is among what is added
    Variant of_g{.dampers = false, .added_stress = stress_.added_g, .strain = stress_.strain_g};
    Variant of_h{.dampers = false, .added_stress = stress_.added_h, .strain = stress_.strain_h};
    if (half_rotations()) of_g.arm = arm_g_, of_h.arm = arm_h_;
    Stage g{.start = jump_,
            .end = w_.end,
            .t0 = t0,
            .t1 = t1,
            .scale = scale,
            .lambda = span(lambda_g_),
            .given = &state,
            .variant = &of_g};
    const Stage h_stage{.start = w_.start,
                        .end = jump_,
                        .t0 = t0,
                        .t1 = t1,
                        .scale = scale,
                        .lambda = span(lambda_j_),
                        .given = &state,
                        .variant = &of_h};
    const auto evaluate = [&](const Stage& stage, std::vector<Vec6>& force, VecX& phi, BlockMatrix& matrix) {
      std::fill(force.begin(), force.end(), Vec6::Zero());
      system_.evaluate(stage, force, span(phi), &equations_.single(), &matrix, w_.pool());
    };
    evaluate(g, w_.force, w_.phi, equations_.g_by_end);
    evaluate(h_stage, force_h_, no_phi_, equations_.h_by_jump);
    std::swap(g.start, g.end);
    std::swap(g.t0, g.t1);
    of_g.strain = {};
    evaluate(g, discarded_, phi_jump_, equations_.g_by_jump);
    stress_.add_tangents(scale, equations_.single(), equations_.g_by_end, equations_.h_by_end, equations_.h_by_jump);
  }

  void set_balance(int i) {
    NodeEquations& e = equations_.nodes[i];
    const Vec6 &g_g = w_.force[i], &g_h = force_h_[i], p_start = motion_.momentum_at_start(i);
    const ForceMap F(options_.torque, system_.nodes[i], motion_.nodes[i].step, g_g, g_h);
    e.F_a = F.a;
    e.F_b = -F.b / 3;
    e.F_h = F.h / 3;
    w_.rhs.segment<6>(12 * i) = -system_.gather(i, motion_.momentum(i, at_end) - p_start + F.a * g_g);
    w_.rhs.segment<6>(12 * i + 6) =
        -system_.gather(i, motion_.momentum(i, at_jump) - p_start + e.F_b * g_g + e.F_h * g_h);
    motion_.set_inertia(i, e);
    for (const Where l : states) {
      e.own[at_end][l] += F.da[l];
      e.own[at_jump][l] -= F.db[l] / 3;
    }
    e.own[at_jump][at_jump] += F.dh / 3;
  }

  /// Rows h (B V - f') = 0 at a state, and how the wrenches B^T eta and B V vary there.
  void evaluate_velocity_level(const State& state, double h, Where k) {
    const std::span<const Frame> q = configuration(k);
    const double t = k == at_end ? state.t + h : state.t;
    const Stage stage{.start = q,
                      .end = q,
                      .t0 = t,
                      .t1 = t,
                      .scale = 0,
                      .lambda = span(eta_[k]),
                      .given = &state,
                      .pointwise = true,
                      .V = still_,
                      .dV = no_rate_,
                      .variant = &undamped};
    system_.evaluate(stage, discarded_, span(no_phi_), &equations_.single(), &equations_.Q_by[k], w_.pool());
    for (int i = 0; i < system_.node_count(); ++i) V_[k][i] = motion_.nodes[i].V[k];
    system_.jacobian_rate(q, state.angles, V_[k], equations_.D[k]);
    for (Vec6& V : V_[k]) V /= h;
    system_.velocity_residual(equations_.B[k], V_[k], t, span(rate_));
    if (k == at_jump)  // a step begins after a kink
      for (const GivenRow& given : system_.given_rows) {
        const Function& f = system_.functions[given.function];
        rate_[given.row] += rate_at_end(f, t) - rate(f, t, Limit::right);
      }
    rate_ *= h;
    set_residual(2 + k, rate_);
  }

  /// The part of the right-hand side for one kind of rows: Phi at the end and at the jump, rates at the end and at the
  /// jump.
  void set_residual(int kind, const VecX& residual) {
    for (int b = 0; b < static_cast<int>(system_.blocks.size()); ++b) {
      const ConstraintBlock& block = system_.blocks[b];
      w_.rhs.segment(first_row(b) + kind * block.rows, block.rows) = -residual.segment(block.first_row, block.rows);
    }
  }
  int first_row(int block) const { return w_.lu.matrix().offset(system_.node_count() + block); }

  double correct(const VecX& delta) {
    for (int b = 0; b < static_cast<int>(system_.blocks.size()); ++b) {
      const int m = system_.blocks[b].rows, first = system_.blocks[b].first_row, at = first_row(b);
      lambda_g_.segment(first, m) += delta.segment(at, m);
      lambda_j_.segment(first, m) += delta.segment(at + m, m);
      if (stabilised_)
        for (const Where k : states) eta_[k].segment(first, m) += delta.segment(at + (2 + k) * m, m);
    }
    return motion_.correct(delta);
  }

  static constexpr double most_kappa = 0.1, most_gamma = 0.5;  // further from 1 and 0 they spoil the motion
  bool seeks_kappa() const { return options_.kappa == Kappa::exact; }
  /// How far the scalar is from what changes nothing, as a part of what is allowed.
  double use_of_scalar() const {
    return seeks_kappa() ? std::abs(motion_.kappa - 1) / most_kappa : std::abs(motion_.gamma) / most_gamma;
  }

  /// From the solution with kappa = 1 to the kappa, or the gamma, that leaves alpha (kappa K_nj + V_nj) alone in the
  /// identity:
  ///   kappa (2 dK + W) - 2 dK = 0,   or   gamma N + W/2 = 0.
  /// Where none is found near by, the step stays as it was: a fallback, and its energy may grow.
  void find_scalar(const State& state, double h, StepReport& report) {
    find_velocities(state.angles);
    const EnergyTerms e = motion_.energy_terms();
    if (std::abs(e.W) <= 1e-15 * motion_.kinetic_energy()) return;  // nothing to correct
    const double foreseen = seeks_kappa() ? e.W / (2 * e.dK + e.W) / most_kappa : 0.5 * e.W / e.N / most_gamma;
    kept_nodes_ = motion_.nodes;
    kept_[0] = lambda_g_, kept_[1] = lambda_j_, kept_[2] = eta_[at_end], kept_[3] = eta_[at_jump];
    if (std::abs(foreseen) < 10 && solve_bordered(state, h, report)) return;
    motion_.nodes = kept_nodes_;
    lambda_g_ = kept_[0], lambda_j_ = kept_[1], eta_[at_end] = kept_[2], eta_[at_jump] = kept_[3];
    motion_.kappa = 1;
    motion_.gamma = 0;
    move(state);
    ++report.fallbacks;
  }

  /// Newton's method on the equations of the step F = 0 and the scalar's own, s = 0: with A x = -F and A y =
  /// -dF/d(scalar), the scalar changes by -(s + ds.x)/(ds.y) and the unknowns by x + change y.
  bool solve_bordered(const State& state, double h, StepReport& report) {
    NewtonTest test = NewtonTest(newton_, exact_tangent()).with_rounding_at(system_, state);
    int unsettled = 0;
    for (int iteration = 0; iteration < iterations_allowed(); ++iteration) {
      ++report.iterations;
      if (!move(state)) return false;
      assemble(state, h);
      motion_.find_scalar_rates(seeks_kappa());
      set_column();
      if (!w_.lu.factor()) return false;
      w_.lu.solve(w_.rhs);
      w_.lu.solve(column_);
      const double lacks = scalar_residual() + scalar_rate(w_.rhs, 0), change = -lacks / scalar_rate(column_, 1);
      w_.rhs += change * column_;
      (seeks_kappa() ? motion_.kappa : motion_.gamma) += change;
      const double error = std::max(correct(w_.rhs), std::abs(lacks) / motion_.kinetic_energy());
      if (!(use_of_scalar() <= 2) || test.diverges(error)) return false;
      if (!test.accepts(error, w_.residual())) continue;
      // where the scalar does little to the energy, its last digits are rounding; with more than that in gamma,
      // velocities would not meet the joints
      if (seeks_kappa() || std::abs(change) <= NewtonTest::floor) return use_of_scalar() <= 1 && move(state);
      if (++unsettled == 3) return false;
    }
    return false;
  }

  /// column := -dF/d(scalar)
  void set_column() {
    column_ = VecX::Zero(w_.rhs.size());
    for (int i = 0; i < system_.node_count(); ++i)
      for (const Where k : states) column_.segment<6>(12 * i + 6 * k) = -system_.gather(i, motion_.momentum_rate(i, k));
    for (int b = 0; b < static_cast<int>(system_.blocks.size()); ++b) {
      const ConstraintBlock& block = system_.blocks[b];
      for (std::size_t place = 0; place < block.nodes.size(); ++place)
        for (const Where k : states) {
          const Vec6 V = system_.gather(block.nodes[place], motion_.velocity_rate(block.nodes[place], k));
          column_.segment(first_row(b) + (2 + k) * block.rows, block.rows).noalias() -=
              system_.block(equations_.B[k], b, static_cast<int>(place)) * V;
        }
    }
  }

  double scalar_residual() const {
    const EnergyTerms e = motion_.energy_terms();
    return seeks_kappa() ? motion_.kappa * (2 * e.dK + e.W) - 2 * e.dK : motion_.gamma * e.N + 0.5 * e.W;
  }

  /// The rate of that along a change of the unknowns and of the scalar.
  double scalar_rate(const VecX& delta, double scalar) {
    for (const Where k : states) equations_.wrench_change(delta, k, w_.lu.matrix(), wrench_change_[k]);
    const EnergyTerms e = motion_.energy_terms(), rate = motion_.energy_rates(delta, wrench_change_, scalar);
    return seeks_kappa() ? scalar * (2 * e.dK + e.W) + motion_.kappa * (2 * rate.dK + rate.W) - 2 * rate.dK
                         : scalar * e.N + motion_.gamma * rate.N + 0.5 * rate.W;
  }

  void finish(State& state, double h) {
    Work& work = state.work;
    const int m = system_.row_count;
    const double t1 = state.t + h, alpha = options_.damping(), kappa = motion_.kappa;
    find_velocities(state.angles);
    stress_.at(w_.start, jump_, w_.end, state.angles, h);
    const EnergyTerms e = motion_.energy_terms();
    work.algorithmic +=
        alpha * stress_.jump_energy() +
        (alpha * kappa * e.K_nj + 0.5 * kappa * e.W - (1 - kappa) * e.dK + motion_.gamma * e.N) / (h * h);
    lambda_g_ *= 2 / (h * h);
    book_work(state, t1, work);
    const bool projected = meet_velocity_level(state, h, work);

    for (int i = 0; i < system_.node_count(); ++i) {
      NodeState& s = state.nodes[i];
      const NodeStep& step = motion_.nodes[i].step;
      const Vec6 V = projected ? system_.spread(i, u_.segment<6>(6 * i)) : Vec6(motion_.nodes[i].V[at_end] / h);
      s.v = V.head<3>();
      s.Omega = w_.end[i].d.transpose() * V.tail<3>();
      s.x = w_.end[i].x;
      s.q = (rotation_of(options_.torque, step.r[at_end]) * s.q).normalized();
      state.memory.segment<6>(2 + 3 * m + 6 * i) << step.dx[at_jump], step.r[at_jump];
    }
    state.memory[0] = kappa - 1;
    state.memory[1] = motion_.gamma;
    state.memory.segment(2, m) = 2 / (h * h) * lambda_j_;
    state.memory.segment(2 + m, m) = eta_[at_end] / h;
    state.memory.segment(2 + 2 * m, m) = eta_[at_jump] / h;
    state.t = t1;
    state.lambda = lambda_g_;
    system_.update_angles(w_.end, state.angles);
  }

  /// Of drives and loads interval by interval, of dampers from the whole step.
  void book_work(const State& state, double t1, Work& work) {
    WorkInterval step{
        .start = w_.start, .end = w_.end, .t0 = state.t, .t1 = t1, .lambda = span(lambda_g_), .given = &state};
    whole_ = work;
    add_work(system_, step, whole_);
    work.dampers = whole_.dampers;
    step.dampers = false;
    step.start = jump_;
    add_work(system_, step, work);
    step.start = w_.start;
    step.end = jump_;
    step.lambda = span(none_);
    add_work(system_, step, work);
    if (half_rotations()) correct_work_of_torques(state, t1, work);
  }

  /// Torques turn by other vectors than Cayley's.
  void correct_work_of_torques(const State& state, double t1, Work& work) {
    const auto lacks = [&](int i, const auto& torque_at) {
      const NodeStep& step = motion_.nodes[i].step;
      const Vec3& rj = step.r[at_jump];
      const ForceMap F(options_.torque, system_.nodes[i], step, Vec6::Zero(), Vec6::Zero());
      const Vec3 g = F.a.bottomRightCorner<3, 3>().transpose() * (step.r[at_end] - rj);
      return torque_at(mean(jump_[i], w_.end[i]))
                 .dot(g - so3::cay_inverse(Mat3(w_.end[i].d * jump_[i].d.transpose()))) +
             torque_at(mean(w_.start[i], jump_[i]))
                 .dot(rj - so3::cay_inverse(Mat3(jump_[i].d * w_.start[i].d.transpose())));
    };
    for (const Load& load : system_.loads) {
      if (!load.torque) continue;
      const Vec3 value = system_.load_value(load, state.t, t1);
      work.forces[load.force] +=
          lacks(load.node, [&](const Frame& mid) { return load.follower ? Vec3(mid.d * value) : value; });
    }
    for (const Applied& load : state.applied)
      if (!load.torque.isZero(0)) work.applied() += lacks(load.node, [&](const Frame&) { return load.torque; });
  }

  const System& system_;
  NewtonOptions newton_;
  LensCardonaOptions options_;
  bool stabilised_;  ///< are there constraints at velocity level, with their multipliers eta?
  JumpMotion motion_;
  IntervalStress stress_;
  DoubledEquations equations_;
  Workspace w_;  ///< start, the mean of the second interval, end
  std::vector<Frame> jump_, arm_g_, arm_h_;
  std::vector<Vec6> force_h_, discarded_, still_;
  std::vector<Mat6> no_rate_;
  std::array<std::vector<Vec6>, 2> V_, wrench_change_;
  EndVelocity end_;
  VecX lambda_g_, lambda_j_, phi_jump_, no_phi_, none_, rate_, column_, u_, impulse_;
  std::array<VecX, 2> eta_;
  std::vector<NodeMotion> kept_nodes_;
  std::array<VecX, 4> kept_;
  Work whole_;
};

}  // namespace

std::unique_ptr<Integrator> make_lens_cardona(const System& system, const NewtonOptions& newton,
                                              const LensCardonaOptions& options, const Resources& resources) {
  if (options.scheme == LensCardonaOptions::Scheme::preserving)
    return options.torque == Torque::half_rotation ? make_geradin(system, newton, {}, resources)
                                                   : make_energy_momentum(system, newton, {}, resources);
  return std::make_unique<LensCardona>(system, newton, options, resources);
}

Method lens_cardona_method() {
  return MethodOf<LensCardonaOptions>{
      .name = "lens-cardona",
      .summary =
          "Lens and Cardona's schemes with a jump at the start of each step: preserving, decaying, "
          "decaying-alpha, alpha-kappa",
      .order =
          "2 for preserving and alpha-kappa; 1 for decaying and decaying-alpha with joints, which do not converge "
          "with alpha 0",
      .conserves =
          "constraints at position level, alpha-kappa at velocity level too; linear momentum; angular momentum "
          "with torque fixed-pole. Energy falls in every step with the decaying schemes and with kappa exact "
          "or gamma where these are found; with kappa one it may grow",
      .use =
          "reproducing the paper and comparing; damping of vibrations with a small period error. For mechanisms with "
          "joints energy-decaying does the same with half the unknowns, and its energy never grows",
      .source = "Lens & Cardona 2007; for any joints and laws docs/methods/lens-cardona.md",
      .why_not = [](const System& system, const LensCardonaOptions&) { return why_not_tied("lens-cardona", system); },
      .make = make_lens_cardona};
}

}  // namespace polhode
