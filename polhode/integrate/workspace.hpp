// What implicit integrators share: buffers of a step and the linear equations.
#pragma once

#include <polhode/integrate/integrator.hpp>
#include <polhode/integrate/toolkit.hpp>
#include <polhode/solve/block_lu.hpp>
#include <polhode/solve/sparse_lu.hpp>

namespace polhode {

/// Solves for rhs by the general sparse LU, with a matrix that has not been factored; its loop-closing rows may be
/// redundant.
bool solve_sparse(const System& system, const BlockLU& lu, VecX& rhs);

/// Makes of equations for corrections of the multipliers equations for the multipliers themselves, and sets these to
/// zero: rhs += F lambda, with their columns F in a matrix that is not factored. Those of redundant equations of a loop,
/// which the elimination drops, are then zero, and not what is left of them from earlier steps.
void ask_for_multipliers(const System& system, const BlockMatrix& A, VecX& lambda, VecX& rhs);

/// The rounding of places as an angle: that of the largest coordinate, seen from the smallest radius of gyration. Far
/// from the origin it is what corrections of angles cannot fall below.
double rounding_of_places(const System& system, const State& state);

/// What Newton's method learned in earlier steps.
struct NewtonExperience {
  double curvature = 1;  ///< c: a correction e is followed by one of c e^2
  double rounding = 0;   ///< corrections that did not shrink any more, in the last steps
};

/// The buffers of a step and its linear equations.
struct Workspace {
  Workspace(const System& s, int levels, const Resources& lent = {}) : Workspace(s, s.plan(levels), lent) {}
  /// The pattern of a plan may have more groups, after those of the system; it has the elements of the system, and of
  /// `extra`.
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
  /// of the last correction, as the displacement that it makes: Newton leaves its product with the correction
  double multiplier_change = 0;
  /// false: nobody looks at the configuration after the last correction, and it need not be computed
  bool end_is_asked_for = true;
  bool looks_at_solution = true;  ///< false: who applies the solution sees by itself whether it is finite
  /// false: a program computes forces, and the tangent of these is missing or as good as it says
  bool whole_tangent = true;

  /// The largest residual of a constraint: angles, and lengths relative to the size of the model if that is above 1 m.
  double residual() const;

  std::span<double> phi_span() { return span(phi); }
  ThreadPool* pool() const { return division.pool; }

  /// Adds the forces of a stage to `force` and their tangents to the matrix, and sets `phi`.
  void evaluate(const Stage& stage) { system.evaluate(stage, force, phi_span(), &plan, &lu.matrix(), pool()); }
  /// rhs := -(forces in the nodes' unknowns, residuals of the constraints), in the first groups of the pattern.
  void set_rhs();

  /// Factors and solves for rhs. If the block elimination meets a singular pivot, `assemble` is called to fill the
  /// matrix again and the general sparse LU takes over. False if that fails too.
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

/// Fills in which constraint block has the largest residual.
void name_the_worst(const System& system, const VecX& phi, StepReport& report);

}  // namespace polhode
