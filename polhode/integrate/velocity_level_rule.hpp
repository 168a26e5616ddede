// The energy-momentum rule with joints met at position and at velocity level: one more multiplier gamma for each
// equation, and dPhi/dt = 0 at the end of a step.
#pragma once

#include <polhode/integrate/cayley_motion.hpp>
#include <polhode/integrate/predictor.hpp>
#include <polhode/solve/anderson.hpp>
#include <polhode/system/velocity_stage.hpp>

namespace polhode {

/// One step h (docs/methods/energy-momentum.md, equations 6 to 11). With the means qm and ym of the natural coordinates
/// and of their rates at both ends, Cm and N of velocity_kernels.hpp, G = dz(qm)^T Cm^T gamma:
///   x1 = x0 + dx,  R1 = cay(theta) R0                                                                       (6)
///   v1     = 2 (dx/h - G_x/m) - v0                                                                          (7)
///   Omega1 = 2 (R0^T theta/h - J^-1 w) - Omega0,   w = (1 + |theta|^2/4) Rm^T [P(qm)^T G]_theta              (8)
///   m (v1 - v0)               + h g_x                                       = 0                             (9)
///   R1 J Omega1 - R0 J Omega0 + h sum_j (d_jm x g_j + y_jm x G_j)           = 0                            (10)
///   Phi(q1, t1) = 0,   dPhi/dt(q1, v1, t1) = 0                                                             (11)
/// g as in the plain rule, with N^T gamma and the derivative of G along ym added. Energy, momentum and both levels are
/// exact; gamma = 0 without the last equation is the plain rule.
///
/// It is solved with the factors of the plain rule: rounds of a correction of (u, kappa), kappa = lambda^ - gamma^, and
/// then one of gamma^ from the velocities at the new u. lambda^ = (h^2/2) lambda, gamma^ = h gamma.
class VelocityLevelRule {
 public:
  VelocityLevelRule(const System& system, const NewtonOptions& newton, int substeps, const Resources& resources);

  /// Takes the rates of drives at the state into its memory.
  void start(State& state) const;
  void save(std::vector<double>& numbers) const;
  void restore(std::span<const double> numbers);
  StepReport step(State& state, double h, int substep = 0);

 private:
  // ---- equations (velocity_level_equations.cpp)
  void begin(const State& state, double h);
  void move(const State& state);
  void set_wrenches();
  void set_velocities(const State& state);       ///< (7), (8), with the present W
  void set_velocity(int i, const NodeState& s);  ///< (7), (8) of a node
  void set_velocity_rows();                      ///< (11), the second, times h/2
  void evaluate(bool tangent);
  void set_inertia_matrix();
  VecX& columns_times(const BlockMatrix& A, const Eigen::Ref<const VecX>& multipliers, VecX& f) const;
  VelocityStage velocity_stage() const;

  // ---- their solution
  StepReport solve(const State& state, double h);
  StepReport iterate(const State& state);
  bool first_correction(bool tangent, bool unique, StepReport& report);
  double second_correction(const State& state, bool unique);
  bool factor_and_solve(bool unique, StepReport& report);
  void pack(VecX& x) const;
  void unpack(const VecX& x);
  bool mix(bool apply);
  void finish(State& state, int iterations);

  auto kappa() { return both_.head(system_.row_count); }
  auto gamma() { return both_.tail(system_.row_count); }

  const System& system_;
  NewtonOptions newton_;
  bool all_fall_ = true, all_rigid_ = true;
  std::vector<Predictor> predictors_;
  Predictor* predictor_ = nullptr;
  Workspace w_, own_;           ///< own_: inertia and joints alone
  bool inertia_alone_ = false;  ///< gamma is corrected with the factors of own_
  bool sparse_is_used_ = false;
  SparseLU sparse_;
  CayleyMotion motion_;
  MidpointMotion m_;
  Stage stage_;
  Variant variant_;
  std::vector<Frame> start_rates_, end_rates_;  ///< (h/2)(v, omega x d_j)
  std::vector<Vec6> W_;                         ///< P(qm)^T G of each node, times h
  std::vector<Vec6> V_;                         ///< (h/2)(v1, omega1), in space
  std::vector<Vec3> turn_, half_Omega_;         ///< w of (8), and (h/2) Omega1
  std::vector<Mat3> J_inverse_;
  VecX both_, lambda_;  ///< (kappa, gamma^); lambda^
  VecX velocity_rows_, second_, F_kappa_, F_gamma_;
  std::vector<double> rate1_;   ///< of drives at the end
  VecX gamma_;                  ///< of the last step
  double h_ = 0, gamma_h_ = 0;  ///< this step, and the one of gamma_
  double ratio_ = 1;            ///< by which corrections shrink, from experience
  AndersonMixing mixing_;
  VecX x_, y_, measure_;
};

}  // namespace polhode
