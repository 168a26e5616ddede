// How long the steps of a run are and where its samples are taken. Plain data: part of a checkpoint.
#pragma once

#include <variant>

namespace polhode {

/// Steps up to the time `end` and beyond: of one length, or as long as a tolerance allows. A step that would pass `end`
/// ends there.
struct StepPlan {
  /// Step k ends at origin + k h: rounding errors do not add up. A short last step moves the origin, so that steps
  /// beyond it are of h again.
  struct Fixed {
    double h = 1e-3;    ///< [s]
    long stride = 1;    ///< a sample after so many steps
    double origin = 0;  ///< [s]
    long done = 0;      ///< steps since the origin
  };
  /// The error of each step stays below a tolerance. Steps are cut so that they meet the times of samples, k
  /// output_step.
  struct Controlled {
    double tolerance = 1e-6;  ///< of a step: radians, and lengths relative to the model's
    double h = 1e-3;          ///< the next step [s], unless it is cut
    double order = 2;         ///< of the method
    double output_step = 0;   ///< [s]; 0: samples at the start and at the end alone
    double last_error = 1;    ///< of the last accepted step, over the tolerance
    bool refused = false;     ///< the last step was
    long outputs = 0;         ///< times of samples met
  };

  std::variant<Fixed, Controlled> rule = Fixed{};
  double end = 1;  ///< [s]
  long steps = 0;  ///< accepted so far

  struct Next {
    double h = 0, t1 = 0;    ///< length and end of the step [s]
    bool is_output = false;  ///< a sample is due at its end
  };
  Next next(double t) const;

  /// The step was taken: counts it, and chooses the next h. `error`: of the step, in the unit of the tolerance; 0 for
  /// fixed steps.
  void accept(const Next& step, double error = 0);

  /// Whether a step may be accepted. If not, the next one is shorter. An error that is not a number is too large.
  bool refuses(const Next& step, double error);

  double h() const;  ///< the length of a step that nothing cuts [s]
  bool controlled() const { return std::holds_alternative<Controlled>(rule); }
  bool finished(double t) const { return t >= end; }
  long steps_to_end() const;  ///< of a plan that has not begun; 0 if nobody knows
  long sample_count() const;  ///< still to come until the end, that of the start among them if no step is taken
};

}  // namespace polhode
