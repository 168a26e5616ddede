// What a time integrator is: something that takes a state one step further, or says why it cannot.
#pragma once

#include <memory>

#include <polhode/model/model.hpp>
#include <polhode/system/quantities.hpp>

namespace polhode {

struct StepReport {
  bool converged = false;
  int iterations = 0;
  int fallbacks = 0;     ///< how often the method had to take its second choice
  double error = 0;      ///< last estimate of the relative error of the unknowns
  int worst_block = -1;  ///< constraint block with the largest residual, if it failed
  double worst_residual = 0;
};

/// A time integrator bound to a system. Owns its buffers: after the first step, a step allocates nothing.
class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Makes the integrator's own memory for a consistent state and the step that will be taken.
  virtual void start(State& state, double h) = 0;

  /// Drops what it remembers of earlier steps to save work, and nothing else: steps from the same state are then the same.
  virtual void forget() {}

  /// One step of size h. If it does not converge, `state` is left untouched. The work of the step is added to `work`.
  virtual StepReport step(State& state, double h, Work& work) = 0;

  /// True if state.lambda belongs to the end of the step, false if to its middle.
  virtual bool multipliers_at_end() const = 0;
};

}  // namespace polhode
