#include <polhode/integrate/energy_momentum.hpp>

#include <cmath>
#include <limits>
#include <utility>

#include <polhode/integrate/cayley_motion.hpp>
#include <polhode/integrate/composition.hpp>
#include <polhode/integrate/predictor.hpp>
#include <polhode/lie/so3.hpp>
#include <polhode/solve/huge_pages.hpp>

namespace polhode {
namespace {

class EnergyMomentum final : public Integrator {
 public:
  EnergyMomentum(const System& system, const NewtonOptions& newton, int order, const Resources& resources)
      : system_(system), newton_(newton), weights_(composition(order)), predictors_(weights_.size()), w_(system, 1, resources), motion_(system),
        lambda_(system.row_count) {
    settle_huge(lambda_);
    w_.lu.prefer_speed();
    w_.looks_at_solution = false;
    for (const Node& node : system.nodes) {
      if (node.translates()) least_inertia_ = std::min(least_inertia_, node.mass * system.length);
      all_fall_ = all_fall_ && node.translates();
      all_rigid_ = all_rigid_ && node.kind == Node::Kind::rigid;
    }
    stage_.start = w_.start;
    stage_.end = w_.end;
    stage_.lambda = span(lambda_);
    variant_.gravity = !all_fall_;
    stage_.variant = &variant_;
  }

  void start(State& state, double) override {
    settle(state);
    if (weights_.size() > 1) settle(trial_ = state);
    restore({});
  }
  void save(std::vector<double>& numbers) const override {
    numbers.insert(numbers.end(), {w_.experience.curvature, w_.experience.rounding});
    for (const Predictor& predictor : predictors_) predictor.save(numbers);
  }
  void restore(std::span<const double> numbers) override {
    if (numbers.empty()) {
      for (Predictor& predictor : predictors_) predictor.forget();
      w_.experience = {};
      return;
    }
    w_.experience = {.curvature = numbers[0], .rounding = numbers[1]};
    numbers = numbers.subspan(2);
    for (Predictor& predictor : predictors_) predictor.restore(numbers);
  }
  bool multipliers_at_end() const override { return false; }

  StepReport step(State& state, double h) override {
    if (weights_.size() == 1) return substep(state, h, predictors_[0]);
    trial_ = state;
    mean_lambda_.setZero(system_.row_count);
    StepReport report;
    const std::size_t middle = weights_.size() / 2;
    for (std::size_t k = 0; k < weights_.size(); ++k) {  // each substep is predicted from those in its place
      const StepReport part = substep(trial_, weights_[k] * h, predictors_[k]);
      const int iterations = report.iterations + part.iterations;
      report = part;
      report.iterations = iterations;
      if (!part.converged) return report;
      // the errors of velocities across the joints, and of multipliers to first order, alternate in sign; in the weighted mean of all
      // substeps but the middle one, which belongs to the middle of the step, they cancel
      if (k != middle) mean_lambda_ += weights_[k] / (1 - weights_[middle]) * trial_.lambda;
    }
    trial_.lambda = mean_lambda_;
    trial_.t = state.t + h;
    std::swap(state, trial_);
    return report;
  }

 private:
  /// Moves the arrays that every step traverses into huge pages.
  static void settle(State& state) {
    settle_huge(state.nodes);
    settle_huge(state.lambda);
  }

  /// One step h of
  ///   R1 = cay(theta) R0,  v1 = 2 dx/h - v0,  Omega1 = (2/h) R0^T theta - Omega0
  ///   m (v1 - v0)             + h [P(qm)^T g]_x     = 0
  ///   R1 J Omega1 - R0 J Omega0 + h [P(qm)^T g]_theta = 0
  ///   Phi(q1, t1) = 0
  /// for dx, theta and lambda. g is the discrete gradient of energies and of lambda . Phi, qm the mean of the 12 natural
  /// coordinates. Balances are multiplied by h/2 and lambda by h^2/2: all blocks are then of order 1 in h.
  StepReport substep(State& state, double h, Predictor& predictor) {
    const double scale = 0.5 * h * h, t1 = state.t + h;
    w_.end_is_asked_for = system_.angle_count > 0 || may_work(system_, state);
    StepReport report = solve(state, h, predictor);
    if (!report.converged && predictor.predicts()) {  // not smooth here: extrapolation from past steps misleads
      const int in_vain = report.iterations;
      predictor.forget();
      report = solve(state, h, predictor);
      report.iterations += in_vain;
    }
    if (!report.converged) {
      predictor.forget();
      return report;
    }
    predictor.begin_record(motion_.dx, motion_.theta, lambda_, w_.division, report.iterations);
    state.lambda = lambda_ / scale;
    if (w_.end_is_asked_for)
      add_work(system_, {.start = w_.start, .end = w_.end, .t0 = state.t, .t1 = t1, .lambda = span(state.lambda), .given = &state}, state.work);
    w_.division.for_each(system_.node_count(), [&](int i) {
      NodeState& s = state.nodes[i];
      s.Omega = (2 / h) * (w_.start[i].d.transpose() * motion_.theta[i]) - s.Omega;
      s.v = (2 / h) * motion_.dx[i] - s.v;
      s.x += motion_.dx[i];
      s.q = so3::cay_times(motion_.theta[i], s.q);
      predictor.record(i, motion_.dx[i], motion_.theta[i]);
    });
    state.t = t1;
    if (system_.angle_count > 0) system_.update_angles(w_.end, state.angles);
    return report;
  }

  /// Finds dx, theta and lambda, starting from the prediction.
  StepReport solve(const State& state, double h, Predictor& predictor) {
    const double scale = 0.5 * h * h;
    const bool asks = predictor.begin(h, system_.node_count(), predicted_multipliers());
    const auto predict = [&](int i) {
      motion_.begin(i, state, w_);
      if (asks) motion_.go_on(i, state, h, w_);
      predictor.predict(i, motion_.dx[i], motion_.theta[i]);
      motion_.restrict(i, system_);
    };
    if (predictor.predicts_multipliers()) predictor.predict(lambda_, w_.division);
    else lambda_ = scale * state.lambda;
    stage_.t0 = state.t;
    stage_.t1 = state.t + h;
    stage_.scale = scale;
    stage_.given = &state;
    bool begins = true;  // what is predicted of a node is used at once
    const auto assemble_next = [&] {
      if (std::exchange(begins, false)) assemble(state, h, predict);
      else assemble(state, h, [](int) {});
    };
    return newton(
        w_, NewtonTest(newton_), newton_.max_iterations, [&] { return motion_.move(state, w_), true; }, assemble_next,
        [&] { return correct(); }, [&] { residual(state, h); });
  }

  /// Redundant multipliers are not determined, and not corrected: predicted from their own past, they would grow.
  int predicted_multipliers() const { return w_.lu.closes() ? 0 : system_.row_count; }

  Vec3 fall() const { return all_fall_ ? Vec3(stage_.scale * system_.gravity) : Vec3::Zero(); }

  /// `before`: what is done first, for each node.
  template <class Before>
  void assemble(const State& state, double h, Before&& before) {
    BlockMatrix& A = w_.lu.matrix();
    system_.clear(A, w_.pool());
    const Vec3 falls = fall();
    const std::span<Vec6> force = forces();
    const auto move = [&](int i) {
      before(i);
      motion_.move(i, state, w_);
      motion_.set_inertia_and_tangent(i, state, h, falls, w_, force[i]);
    };
    system_.evaluate_after_nodes(move, stage_, force, w_.phi_span(), &w_.plan, &A, w_.pool());
    complete_rhs(force);
  }

  void residual(const State& state, double h) {
    const Vec3 falls = fall();
    const std::span<Vec6> force = forces();
    const auto move = [&](int i) {
      motion_.move(i, state, w_);
      motion_.set_inertia(i, state, h, falls, w_, force[i]);
    };
    system_.evaluate_after_nodes(move, stage_, force, w_.phi_span(), nullptr, nullptr, w_.pool());
    complete_rhs(force);
  }

  /// Forces on the nodes are added up where they are needed: the right-hand side begins with them. It is the residual, not its opposite.
  std::span<Vec6> forces() { return {reinterpret_cast<Vec6*>(w_.rhs.data()), system_.nodes.size()}; }
  void complete_rhs(std::span<Vec6> force) {
    if (!all_rigid_) w_.division.for_each(system_.node_count(), [&](int i) { force[i] = system_.gather(i, force[i]); });
    w_.rhs.tail(system_.row_count) = w_.phi;
  }

  /// Takes away the solution of the linear equations, and measures it.
  double correct() {
    const double* const change = w_.rhs.data() + 6 * system_.node_count();
    double largest = 0, sum = 0;  // a maximum does not show what is not a number
    for (int k = 0; k < system_.row_count; ++k) {
      lambda_[k] -= change[k];
      largest = std::max(largest, std::abs(change[k]));
      sum += change[k];
    }
    w_.multiplier_change = largest / least_inertia_;
    const double size = motion_.correct<-1>(w_, w_.rhs);
    return std::isfinite(sum) ? size : std::numeric_limits<double>::infinity();
  }

  const System& system_;
  NewtonOptions newton_;
  bool all_fall_ = true;  ///< every node translates: gravity is part of its inertia forces
  bool all_rigid_ = true;
  double least_inertia_ = std::numeric_limits<double>::infinity();  ///< mass times length, of the lightest body
  std::span<const double> weights_;    ///< of the substeps
  std::vector<Predictor> predictors_;  ///< of each of them
  Workspace w_;
  CayleyMotion motion_;
  VecX lambda_, mean_lambda_;
  Stage stage_;  ///< of this step; made once: to make it takes as long as a division
  Variant variant_;
  State trial_;
};

}  // namespace

std::unique_ptr<Integrator> make_energy_momentum(const System& system, const NewtonOptions& newton, int order, const Resources& resources) {
  return std::make_unique<EnergyMomentum>(system, newton, order, resources);
}

}  // namespace polhode
