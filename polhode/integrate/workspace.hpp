// What implicit integrators share: buffers of a step, the linear equations, and the test for convergence.
#pragma once

#include <polhode/integrate/integrator.hpp>
#include <polhode/integrate/toolkit.hpp>
#include <polhode/solve/block_lu.hpp>
#include <polhode/solve/sparse_lu.hpp>

namespace polhode {

/// Solves for rhs by the general sparse LU, with a matrix that has not been factored; its loop-closing rows may be redundant.
bool solve_sparse(const System& system, const BlockLU& lu, VecX& rhs);

/// What Newton's method learned in earlier steps.
struct NewtonExperience {
  double curvature = 1;  ///< c: a correction e is followed by one of c e^2
  double rounding = 0;   ///< corrections that did not shrink any more, in the last steps

  /// What a tangent that is kept leaves: after a correction e0 with it, and then e1, about c e0 e1; with a margin, because that c is
  /// of other directions.
  double left(double e0, double e1) const { return 30 * curvature * e0 * e1; }
  /// A step ended; `stagnant`: its last correction if that did not shrink any more. Old experience fades where there is new.
  void stepped(double stagnant, bool learned) {
    rounding = std::max(stagnant, 0.9 * rounding);
    if (learned) curvature = std::max(1.0, 0.999 * curvature);
  }
};

/// The buffers of a step and its linear equations.
struct Workspace {
  Workspace(const System& s, int levels, const Resources& lent = {}) : Workspace(s, s.plan(levels), lent) {}
  /// The pattern of a plan may have more groups, after those of the system; it has the elements of the system, and of `extra`.
  Workspace(const System& s, AssemblyPlan own, const Resources& lent = {}, const ElementSet* extra = nullptr);

  const System& system;
  Resources resources;
  Division division;  ///< of the work on the system, with the pool that does it
  AssemblyPlan plan;
  BlockLU lu;
  std::vector<Frame> start, end;  ///< of the nodes and, last, of the ground
  std::vector<Vec6> force;
  VecX phi, rhs;
  NewtonExperience experience;
  double multiplier_change = 0;  ///< of the last correction, as the displacement that it makes: Newton leaves its product with the correction
  bool end_is_asked_for = true;  ///< false: nobody looks at the configuration after the last correction, and it need not be computed
  bool looks_at_solution = true;  ///< false: who applies the solution sees by itself whether it is finite
  bool whole_tangent = true;  ///< false: a program computes forces, and the tangent of these is missing or as good as it says

  /// The largest residual of a constraint: angles, and lengths relative to the size of the model if that is above 1 m.
  double residual() const;

  std::span<double> phi_span() { return span(phi); }
  ThreadPool* pool() const { return division.pool; }

  /// Adds the forces of a stage to `force` and their tangents to the matrix, and sets `phi`.
  void evaluate(const Stage& stage) { system.evaluate(stage, force, phi_span(), &plan, &lu.matrix(), pool()); }
  /// rhs := -(forces in the nodes' unknowns, residuals of the constraints), in the first groups of the pattern.
  void set_rhs();

  /// Factors and solves for rhs. If the block elimination meets a singular pivot, `assemble` is called to fill the matrix
  /// again and the general sparse LU takes over. False if that fails too.
  template <class Assemble>
  bool solve(Assemble&& assemble) {
    factored_ = lu.factor_and_solve(rhs);
    if (factored_) return !looks_at_solution || solution_is_finite();
    assemble();
    return solve_sparse(system, lu, rhs);
  }
  /// Whether the factors of the last solve() are there to be used again.
  bool factored() const { return factored_; }

 private:
  bool solution_is_finite() const;

  bool factored_ = false;
};

/// Decides when Newton's method has converged, from the size e of its corrections of the configuration: lengths relative to
/// the size of the model, and angles. Convergence is quadratic: corrections e0, e1 predict an error of e1 (e1/e0)^2 after
/// the second, and c e0 (e0 + l) after the first, with the c of earlier steps and the correction l of the multipliers, which the equations
/// have in products with the configuration. Otherwise multipliers are not asked: they are right once the configuration is, and those of
/// redundant equations are not determined at all.
class NewtonTest {
 public:
  /// `exact`: the tangent is; else convergence is taken to be linear.
  explicit NewtonTest(const NewtonOptions& options, bool exact = true) : options_(options), exact_(exact) {}

  /// True if the iterate after the correction of size e is good. `residual`: of the constraints, before it. One that is far
  /// larger than the correction stays: its rows were taken for redundant but contradict the others. `kept`: the correction was made
  /// with the tangent of the one before. `multipliers`: how much they changed, see Workspace::multiplier_change.
  bool accepts(double e, double residual, bool kept, NewtonExperience& experience, double multipliers = 0) {
    const double before = std::exchange(last_, e);
    if (!(e < 1e300)) return false;  // not a number, or lost
    const double predicted = predict(e, before, kept, experience, multipliers);
    if (!(residual <= 1e3 * e + 1e-9)) return false;
    if (predicted <= options_.tolerance) return true;
    // less than the noise of rounding is enough after a second correction, but not before: what the first leaves is no noise, it adds up
    if (before > 0 && predicted <= 0.03 * experience.rounding) return true;
    stagnates_ = before > 0 && e >= 0.3 * before && e < floor;  // corrections do not shrink any more: round-off
    return stagnates_;
  }
  bool accepts(double e, double residual = 0) {
    NewtonExperience none;
    return accepts(e, residual, false, none);
  }
  /// Whether the tangent of the correction e is good enough for the next one, and that would be the last.
  bool keeps(double e, const NewtonExperience& experience, double multipliers) const {
    return exact_ && experience.left(e + multipliers, experience.curvature * e * (e + multipliers)) <= options_.tolerance;
  }
  /// Part of the tangent is missing: convergence is linear, and not faster than by 1000 whatever the first corrections say, which shrink
  /// by the part that is there.
  void expect_linear() {
    exact_ = false;
    least_ratio_ = 1e-3;
  }
  bool diverges(double e) const { return !(e < 1e6); }
  double last() const { return last_; }
  bool stagnates() const { return stagnates_; }
  static constexpr double floor = 1e-10;

 private:
  /// The error after the correction e that followed `before`. Learns from it, unless it may be rounding.
  double predict(double e, double before, bool kept, NewtonExperience& experience, double multipliers) const {
    if (!(before > 0)) return exact_ ? experience.curvature * e * (e + multipliers) : e;
    const double ratio = e / before;
    if (exact_ && e > 1e-13 && e > 10 * experience.rounding) experience.curvature = std::max(experience.curvature, ratio / before);
    if (kept) return experience.left(before, e);
    return e * (exact_ ? ratio * ratio : std::max(ratio, least_ratio_));
  }

  NewtonOptions options_;
  bool exact_;
  double last_ = -1, least_ratio_ = 0;
  bool stagnates_ = false;
};

/// Fills in which constraint block has the largest residual.
void name_the_worst(const System& system, const VecX& phi, StepReport& report);

/// Given instead of a function that computes the right-hand side alone: every iteration then has its own tangent.
struct AlwaysTangents {};

/// Newton's method. `move` brings the configuration up to date (false: it cannot), `assemble` fills the matrix and the right-hand
/// side, `correct` applies the solution and returns its size. If it converges, the configuration is up to date, if asked for.
/// With `residual`, which fills the right-hand side alone, the tangent is kept for a last small correction: that costs less than half.
/// It and `assemble` then bring the configuration up to date themselves; `move` is for the end.
template <class Move, class Assemble, class Correct, class Residual = AlwaysTangents>
StepReport newton(Workspace& w, NewtonTest&& test, int max_iterations, Move&& move, Assemble&& assemble, Correct&& correct,
                  Residual&& residual = {}) {
  constexpr bool may_keep = !std::is_same_v<std::decay_t<Residual>, AlwaysTangents>;
  StepReport report;
  NewtonExperience none;
  NewtonExperience& experience = may_keep && w.whole_tangent ? w.experience : none;
  bool keep = false;
  if (!w.whole_tangent) test.expect_linear();
  while (!report.converged && report.iterations < max_iterations) {
    ++report.iterations;
    if constexpr (!may_keep)
      if (!move()) break;
    if (!keep) {
      assemble();
      if (!w.solve(assemble)) break;
    } else if constexpr (may_keep) {
      residual();
      w.lu.solve(w.rhs);
    }
    report.error = correct();
    if (test.diverges(report.error)) break;
    report.converged = test.accepts(report.error, w.residual(), keep, experience, w.multiplier_change);
    if constexpr (may_keep) {
      // redundant rows of a loop are not in the equations: what a single correction leaves of them would add up
      if (report.iterations == 1 && w.lu.closes()) report.converged = false;
      keep = !keep && w.factored() && test.keeps(report.error, experience, w.multiplier_change);
    }
  }
  experience.stepped(test.stagnates() ? report.error : 0, report.iterations > 1);
  if (report.converged && w.end_is_asked_for) report.converged = move();
  if (!report.converged) name_the_worst(w.system, w.phi, report);
  return report;
}

}  // namespace polhode
