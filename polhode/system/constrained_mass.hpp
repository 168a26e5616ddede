// The equations M u + B^T mu = f, B u = b at a configuration: projections, initial accelerations, reactions.
#pragma once

#include <polhode/solve/block_lu.hpp>
#include <polhode/system/system.hpp>

namespace polhode {

class ConstrainedMass {
 public:
  explicit ConstrainedMass(const System& system, ThreadPool* pool = nullptr);

  /// How heavy a node counts: a factor on its translational and rotational inertia.
  struct Weight {
    double translation = 1, rotation = 1;
  };

  /// Sets M at a configuration, with the given weights (all 1 if empty), and B.
  bool factor(std::span<const Frame> frames, const ConstraintJacobian& B, std::span<const Weight> weights = {});
  /// Sets M + factor C, with the C by which forces vary with the velocities at a point, and B.
  bool factor_damped(const Stage& point, double factor, const ConstraintJacobian& B);
  /// Sets M = 1, and -regularisation in the place of the zero block.
  bool factor_unit(const ConstraintJacobian& B, double regularisation);
  /// On entry u holds f and mu holds b; on return the solution. u has 6 numbers for each node.
  void solve(VecX& u, VecX& mu);

  /// From now on rank is decided by a tolerance, also that of rows that the system leaves out.
  void reveal_rank(double tolerance) { lu_.reveal_rank(tolerance); }

  const BlockLU& lu() const { return lu_; }

 private:
  void add_mass(std::span<const Frame> frames, std::span<const Weight> weights);

  const System& system_;
  AssemblyPlan plan_;
  BlockLU lu_;
  VecX work_;
  std::vector<Mat6> unit_, zero_;  // how velocities vary, in factor_damped
  std::vector<Vec6> force_;
  VecX phi_;
};

/// Accelerations (in space: dv/dt, d omega/dt, as the nodes' unknowns) and multipliers of the motion at a state:
/// M du/dt + f + B^T lambda = 0 and the second derivative of the constraints is zero.
struct Accelerations {
  VecX u_dot, lambda;
};
Accelerations accelerations(const System& system, const State& state, ConstrainedMass& mass);

/// Spatial velocities of all nodes and, last, of the ground.
void spatial_velocities(const System& system, const State& state, std::vector<Vec6>& V);

}  // namespace polhode
