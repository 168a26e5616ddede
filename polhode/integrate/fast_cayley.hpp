// All that saves work in a Cayley midpoint step, and no equation: prediction, a tangent kept for the last correction,
// forces summed in the right-hand side, weight counted with inertia, an end that nobody asks for left out, each node's
// work beside its elements', huge pages.
#pragma once

#include <utility>

#include <polhode/integrate/cayley_motion.hpp>
#include <polhode/integrate/predictor.hpp>
#include <polhode/system/mass_matrix.hpp>
#include <polhode/system/midpoint.hpp>

namespace polhode {

/// Finds dx, theta and lambda of a step by Newton's method. The inertia is the caller's: set_inertia(i, motion, out)
/// sets that of a node.
class FastCayley {
 public:
  FastCayley(const System& system, const NewtonOptions& newton, int substeps, const Resources& resources);

  /// Moves the arrays of a state that every step traverses into huge pages.
  static void settle(State& state);
  void save(std::vector<double>& numbers) const;
  void restore(std::span<const double> numbers);

  template <class SetInertia>
  StepReport solve(const State& state, double h, int substep, SetInertia&& set_inertia) {
    predictor_ = &predictors_[substep];
    w_.end_is_asked_for = system_.angle_count > 0 || may_work(system_, state);
    StepReport report = try_once(state, h, set_inertia);
    if (!report.converged && predictor_->predicts()) {  // not smooth here: extrapolation from past steps misleads
      const int in_vain = report.iterations;
      predictor_->forget();
      report = try_once(state, h, set_inertia);
      report.iterations += in_vain;
    }
    if (!report.converged) predictor_->forget();
    iterations_ = report.iterations;
    return report;
  }

  /// Takes the step that was found: update(i, motion, node) brings a node to its end.
  template <class Update>
  void finish(State& state, Update&& update) {
    predictor_->begin_record(motion_.dx, motion_.theta, lambda_, w_.division, iterations_);
    state.lambda = lambda_ / stage_.scale;
    if (w_.end_is_asked_for)
      add_work(system_,
               {.start = w_.start,
                .end = w_.end,
                .t0 = stage_.t0,
                .t1 = stage_.t1,
                .lambda = span(state.lambda),
                .given = &state},
               state.work);
    w_.division.for_each(system_.node_count(), [&](int i) {
      update(i, m_, state.nodes[i]);
      predictor_->record(i, motion_.dx[i], motion_.theta[i]);
    });
    state.t = stage_.t1;
    if (system_.angle_count > 0) system_.update_angles(w_.end, state.angles);
  }

 private:
  /// Newton's method from the prediction.
  template <class SetInertia>
  StepReport try_once(const State& state, double h, SetInertia& set_inertia) {
    const bool asks = begin(state, h);
    const auto predict = [&](int i) {
      motion_.begin(i, state, w_);
      if (asks) motion_.go_on(i, state, h, w_);
      predictor_->predict(i, motion_.dx[i], motion_.theta[i]);
      motion_.restrict(i, system_);
    };
    bool begins = true;  // what is predicted of a node is used at once
    const auto assemble = [&] {
      BlockMatrix& A = w_.lu.matrix();
      system_.clear(A, w_.pool());
      if (std::exchange(begins, false))
        fill(state, &A, set_inertia, predict);
      else
        fill(state, &A, set_inertia, [](int) {});
    };
    return newton(
        w_, NewtonTest(newton_).with_rounding_at(system_, state), newton_.max_iterations,
        [&] { return motion_.move(state, w_), true; }, assemble, [&] { return correct(); },
        [&] { fill(state, nullptr, set_inertia, [](int) {}); });
  }

  /// The equations of the present increments; before(i) comes first, for each node. Forces on the nodes are added up
  /// where they are needed: the right-hand side begins with them. It is the residual, not its opposite.
  template <class SetInertia, class Before>
  void fill(const State& state, BlockMatrix* A, SetInertia& set_inertia, Before&& before) {
    const std::span<Vec6> force{reinterpret_cast<Vec6*>(w_.rhs.data()), system_.nodes.size()};
    const auto node = [&](int i) {
      before(i);
      motion_.move(i, state, w_);
      set_inertia(i, m_, NodeOut{force[i], w_.plan, A});
    };
    system_.evaluate_after_nodes(node, stage_, force, w_.phi_span(), A ? &w_.plan : nullptr, A, w_.pool());
    if (tied_) add_tied_midpoint(system_, m_, force, A);
    if (!all_rigid_) w_.division.for_each(system_.node_count(), [&](int i) { force[i] = system_.gather(i, force[i]); });
    w_.rhs.tail(system_.row_count) = w_.phi;
  }

  bool begin(const State& state, double h);
  double correct();

  const System& system_;
  NewtonOptions newton_;
  bool all_fall_ = true;  ///< every node translates: gravity is part of its inertia forces
  bool all_rigid_ = true;
  bool tied_ = false;                  ///< are there ties of inertia?
  double least_inertia_;               ///< mass times length, of the lightest body
  std::vector<Predictor> predictors_;  ///< of each substep
  Predictor* predictor_ = nullptr;     ///< of this one
  int iterations_ = 0;
  Workspace w_;
  CayleyMotion motion_;
  VecX lambda_;
  Stage stage_;  ///< of this step; built once: constructing it costs as much as a division
  Variant variant_;
  MidpointMotion m_;  ///< likewise
};

}  // namespace polhode
