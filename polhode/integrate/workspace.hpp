// What implicit integrators share: buffers of a step, the linear equations, and the test for convergence.
#pragma once

#include <polhode/integrate/integrator.hpp>
#include <polhode/solve/block_lu.hpp>
#include <polhode/solve/sparse_lu.hpp>

namespace polhode {

/// Solves for rhs by the general sparse LU, with a matrix that has not been factored; its loop-closing rows may be redundant.
bool solve_sparse(const System& system, const BlockLU& lu, VecX& rhs);

/// The buffers of a step and its linear equations.
struct Workspace {
  Workspace(const System& s, int levels) : Workspace(s, s.plan(levels)) {}
  Workspace(const System& s, AssemblyPlan own);  ///< its pattern may have more groups, after those of the system

  const System& system;
  AssemblyPlan plan;
  BlockLU lu;
  std::vector<Frame> start, mid, end;  ///< of the nodes and, last, of the ground
  std::vector<Vec6> force;
  VecX phi, rhs;
  bool whole_tangent = true;  ///< false: a program computes forces, and the tangent of these is missing or as good as it says

  /// The largest residual of a constraint: angles, and lengths relative to the size of the model if that is above 1 m.
  double residual() const { return phi.size() > 0 ? phi.cwiseAbs().maxCoeff() / std::max(1.0, system.length) : 0.0; }

  std::span<double> phi_span() { return {phi.data(), static_cast<std::size_t>(phi.size())}; }

  /// Factors and solves for rhs. If the block elimination meets a singular pivot, `assemble` is called to fill the matrix
  /// again and the general sparse LU takes over. False if that fails too.
  template <class Assemble>
  bool solve(Assemble&& assemble) {
    if (lu.factor()) {
      lu.solve(rhs);
      return rhs.allFinite();
    }
    assemble();
    return solve_sparse(system, lu, rhs);
  }
};

/// Decides when Newton's method has converged, from the size e of its corrections of the configuration: lengths relative to
/// the size of the model, and angles. Convergence is quadratic: corrections e0, e1 foretell an error of e1 (e1/e0)^2 after
/// the second. Multipliers are not asked: the equations are linear in them, so they are right once the configuration is,
/// and those of redundant equations are not determined at all.
class NewtonTest {
 public:
  /// `exact`: the tangent is; else convergence is taken to be linear.
  explicit NewtonTest(const NewtonOptions& options, bool exact = true) : options_(options), exact_(exact) {}

  /// True if the iterate after the correction of size e is good. `residual`: of the constraints, before it. One that is far
  /// larger than the correction stays: its rows were taken for redundant but contradict the others.
  bool accepts(double e, double residual = 0) {
    const double before = std::exchange(last_, e);
    if (!(e < 1e300)) return false;  // not a number, or lost
    if (!(residual <= 1e3 * e + 1e-9)) return false;
    const double ratio = before > 0 ? e / before : 1;
    const double foretold = before > 0 ? (exact_ ? e * ratio * ratio : e * ratio) : (exact_ ? e * e : e);
    if (foretold <= options_.tolerance) return true;
    return before > 0 && e >= 0.3 * before && e < floor;  // corrections do not shrink any more: round-off
  }
  void expect_linear() { exact_ = false; }
  bool diverges(double e) const { return !(e < 1e6); }
  double last() const { return last_; }
  static constexpr double floor = 1e-10;

 private:
  NewtonOptions options_;
  bool exact_;
  double last_ = -1;
};

/// Fills in which constraint block has the largest residual.
void name_the_worst(const System& system, const VecX& phi, StepReport& report);

/// Newton's method. `move` brings the configuration up to date (false: it cannot), `assemble` fills the matrix and the right-hand
/// side, `correct` applies the solution and returns its size. If it converges, the configuration is up to date.
template <class Move, class Assemble, class Correct>
StepReport newton(Workspace& w, NewtonTest test, int max_iterations, Move&& move, Assemble&& assemble, Correct&& correct) {
  StepReport report;
  if (!w.whole_tangent) test.expect_linear();
  while (!report.converged && report.iterations < max_iterations) {
    ++report.iterations;
    if (!move()) break;
    assemble();
    if (!w.solve(assemble)) break;
    report.error = correct();
    if (test.diverges(report.error)) break;
    report.converged = test.accepts(report.error, w.residual());
  }
  if (report.converged) report.converged = move();
  if (!report.converged) name_the_worst(w.system, w.phi, report);
  return report;
}

}  // namespace polhode
