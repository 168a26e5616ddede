// The motion itself, as near as double precision comes: what integrators are measured against.
#pragma once

#include <polhode/simulate/drive_kinks.hpp>
#include <polhode/simulate/start.hpp>

namespace polhode {

/// Solves the equations of motion as an ordinary differential equation, M du/dt + f + B^T lambda = 0 with the
/// constraints differentiated twice, by extrapolation of the explicit midpoint rule (Gragg; orders to 20) in
/// coordinates x and R = R0 exp(theta) about the last accepted state, and returns to the constraints after every step.
/// It shares the forces and joints of the model with the integrators, and no formula of theirs.
class ExactMotion {
 public:
  /// `tolerance`: on the error of a step, relative. `first_step`: in parts of the usual one, so that a second solution
  /// takes other steps.
  ExactMotion(const CompiledModel& model, const State& start, double tolerance, double first_step = 1);

  /// False if the step had to become too small to go on.
  bool advance(double time);

  const State& state() const { return state_; }
  /// The multipliers of the motion at the present state.
  VecX multipliers();
  long evaluations() const { return evaluations_; }

 private:
  void rates(const VecX& y, double t, VecX& dy);
  State state_at(const VecX& y, double t) const;
  bool step(double H, int& columns);
  bool advance_smoothly(double time);

  const CompiledModel& model_;
  const System& system_;
  ConstrainedMass mass_;
  State state_;
  std::vector<double> breaks_;  ///< times at which loads or drives are not smooth: no step crosses them
  double tolerance_, first_step_, H_ = 0;
  DriveKinks kinks_;
  long evaluations_ = 0;
};

}  // namespace polhode
