// Newton's method for the equations of a step, and when it has converged. All of its constants stand in one table, with
// their reasons.
#pragma once

#include <utility>

#include <polhode/integrate/workspace.hpp>

namespace polhode {

/// The constants of Newton's method. The tolerance itself is the user's (NewtonOptions); docs/solver.md has this table
/// with what was measured.
struct NewtonConstants {
  /// Corrections above this have lost the solution: they are relative to the model's size, or radians.
  static constexpr double diverged = 1e6;
  /// Corrections below this may be rounding: ten times what the conditioning of models/ leaves of 1e-16.
  static constexpr double floor = 1e-10;
  /// The same far from the origin, in parts of the rounding of places as angles of the smallest body.
  static constexpr double floor_by_rounding = 100;
  /// Below the floor, a correction that is not 0.3 of the one before does not shrink any more: quadratic or linear, it
  /// would be smaller.
  static constexpr double stagnation = 0.3;
  /// Corrections below this teach nothing about curvature: their ratio is that of rounding errors; and so are those
  /// below ten times the rounding that was seen.
  static constexpr double least_that_teaches = 1e-13, above_rounding = 10;
  /// A tangent that is kept leaves c e0 e1 with the c of other directions: a margin for that.
  static constexpr double margin_of_kept_tangent = 30;
  /// Errors that are predicted below this part of the rounding seen in earlier steps are noise beside it.
  static constexpr double part_of_rounding = 0.03;
  /// How the experience fades: rounding in ten steps, curvature in a thousand, because it is that of rare, large
  /// corrections.
  static constexpr double rounding_fades = 0.9, curvature_fades = 0.999;
  /// A constraint residual that is larger than this many corrections, and than a nanometre a metre, stays: its rows
  /// contradict others.
  static constexpr double residual_per_correction = 1e3, residual_of_rounding = 1e-9;
  /// With part of the tangent missing, corrections shrink at most by this, whatever the first two say.
  static constexpr double least_ratio_of_missing_tangent = 1e-3;
  /// How many more iterations a method may take whose tangent leaves out a part for good: linear convergence takes that
  /// many times.
  static constexpr int iterations_of_linear_convergence = 3;
  /// How much stricter the tolerance is where the first correction is quadratic and the later ones linear: their ratio
  /// promises too much.
  static constexpr double stricter_after_quadratic_start = 1e-3;
  /// Multipliers that are unknowns of the motion's end: an error e of the configuration is one of e/h^2 of them; ten
  /// digits suffice.
  static constexpr double weight_of_multipliers = 1e-5;
  /// Multipliers that move the model by less than this part of its size in a step count as that much: rounding has no
  /// relative error.
  static constexpr double no_multiplier = 1e-10;
};

/// Decides when Newton's method has converged, from the size e of its corrections of the configuration: lengths
/// relative to the size of the model, and angles. Convergence is quadratic: corrections e0, e1 predict an error of e1
/// (e1/e0)^2 after the second, and c e0 (e0 + l) after the first, with the c of earlier steps and the correction l of
/// the multipliers, which the equations have in products with the configuration. Multipliers do not otherwise enter the
/// test: they are right once the configuration is, and those of redundant equations are not determined at all.
class NewtonTest {
 public:
  using C = NewtonConstants;
  static constexpr double floor = C::floor;

  /// `exact`: the tangent is; else convergence is taken to be linear.
  explicit NewtonTest(const NewtonOptions& options, bool exact = true) : options_(options), exact_(exact) {}
  /// Knows the rounding of places at this state: far from the origin, larger corrections than near it are noise.
  NewtonTest&& with_rounding_at(const System& system, const State& state) && {
    system_ = &system;
    state_ = &state;
    return std::move(*this);
  }

  /// True if the iterate after the correction of size e is good. `residual`: of the constraints, before it. One that is
  /// far larger than the correction stays: its rows were taken for redundant but contradict the others. `kept`: the
  /// correction was made with the tangent of the one before. `multipliers`: how much they changed, see
  /// Workspace::multiplier_change.
  bool accepts(double e, double residual, bool kept, NewtonExperience& experience, double multipliers = 0) {
    const double before = std::exchange(last_, e);
    if (!(e < 1e300)) return false;  // not a number, or lost
    const double predicted = predict(e, before, kept, experience, multipliers);
    if (!(residual <= C::residual_per_correction * e + C::residual_of_rounding)) return false;
    if (predicted <= options_.tolerance) return true;
    // less than the noise of rounding is enough after a second correction, but not before: what the first leaves is no
    // noise, it adds up
    if (before > 0 && predicted <= C::part_of_rounding * experience.rounding) return true;
    stagnates_ = before > 0 && e >= C::stagnation * before && e < floor_here();
    return stagnates_;
  }
  bool accepts(double e, double residual = 0) {
    NewtonExperience none;
    return accepts(e, residual, false, none);
  }
  /// Whether the tangent of the correction e is good enough for the next one, and that would be the last.
  bool keeps(double e, const NewtonExperience& experience, double multipliers) const {
    return exact_ &&
           left(e + multipliers, experience.curvature * e * (e + multipliers), experience) <= options_.tolerance;
  }
  /// Part of the tangent is missing: convergence is linear, and the first corrections shrink by the part that is there.
  void expect_linear() {
    exact_ = false;
    least_ratio_ = C::least_ratio_of_missing_tangent;
  }
  bool diverges(double e) const { return !(e < C::diverged); }
  double last() const { return last_; }
  bool stagnates() const { return stagnates_; }

  /// A step ended; `stagnant`: its last correction if that did not shrink any more. Old experience fades where there is
  /// new.
  static void learn(double stagnant, bool learned, NewtonExperience& experience) {
    experience.rounding = std::max(stagnant, C::rounding_fades * experience.rounding);
    if (learned) experience.curvature = std::max(1.0, C::curvature_fades * experience.curvature);
  }

 private:
  /// Below it, corrections may be rounding. It looks at all nodes, but is asked for only where corrections do not shrink.
  double floor_here() const {
    return system_ ? std::max(C::floor, C::floor_by_rounding * rounding_of_places(*system_, *state_)) : C::floor;
  }
  /// What a tangent that is kept leaves: after a correction e0 with it, and then e1, about c e0 e1.
  static double left(double e0, double e1, const NewtonExperience& experience) {
    return C::margin_of_kept_tangent * experience.curvature * e0 * e1;
  }
  /// The error after the correction e that followed `before`. Learns from it, unless it may be rounding.
  double predict(double e, double before, bool kept, NewtonExperience& experience, double multipliers) const {
    if (!(before > 0)) return exact_ ? experience.curvature * e * (e + multipliers) : e;
    const double ratio = e / before;
    if (exact_ && e > C::least_that_teaches && e > C::above_rounding * experience.rounding)
      experience.curvature = std::max(experience.curvature, ratio / before);
    if (kept) return left(before, e, experience);
    return e * (exact_ ? ratio * ratio : std::max(ratio, least_ratio_));
  }

  NewtonOptions options_;
  bool exact_;
  double last_ = -1, least_ratio_ = 0;
  const System* system_ = nullptr;
  const State* state_ = nullptr;
  bool stagnates_ = false;
};

/// Given instead of a function that computes the right-hand side alone: every iteration then has its own tangent.
struct AlwaysTangents {};

/// Newton's method. `move` brings the configuration up to date (false: it cannot), `assemble` fills the matrix and the
/// right-hand side, `correct` applies the solution and returns its size. If it converges, the configuration is up to
/// date, if asked for.
/// With `residual`, which fills the right-hand side alone, the tangent is kept for a last small correction: that costs
/// less than half.
/// It and `assemble` then bring the configuration up to date themselves; `move` is for the end.
template <class Move, class Assemble, class Correct, class Residual = AlwaysTangents>
StepReport newton(Workspace& w, NewtonTest&& test, int max_iterations, Move&& move, Assemble&& assemble,
                  Correct&& correct, Residual&& residual = {}) {
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
  NewtonTest::learn(test.stagnates() ? report.error : 0, report.iterations > 1, experience);
  if (report.converged && w.end_is_asked_for) report.converged = move();
  if (!report.converged) name_the_worst(w.system, w.phi, report);
  return report;
}

}  // namespace polhode
