// What a time integrator is: something that takes a state one step further, or says why it cannot.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

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
  std::string reason{};  ///< why it failed, where that is not that Newton's method does not converge
};

/// A time integrator bound to a system. Owns its buffers: after the first step, a step allocates nothing.
class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Why steps of h cannot be taken from a state, such as a limit of stability; nothing if they can.
  virtual std::optional<std::string> why_not(const State& /*state*/, double /*h*/) const { return std::nullopt; }

  /// Makes the integrator's own memory for a consistent state and the step that will be taken.
  virtual void start(State& state, double h) = 0;

  /// Forces have jumped at this state, configuration and velocities have not: renews what the memory holds of forces.
  virtual void restart(State& /*state*/, double /*h*/) {}

  /// One step of size h; its work is booked in the state. If it fails, the state is left untouched. Nothing is thrown,
  /// except by forces that a program of the user computes.
  virtual StepReport step(State& state, double h) = 0;

  /// What it remembers of earlier steps to save work, as numbers that are added to `numbers`. That is not part of the
  /// motion, but it changes last digits: a state together with these numbers gives the same steps bit by bit.
  virtual void save(std::vector<double>& /*numbers*/) const {}
  /// Puts that back; without numbers, it forgets.
  virtual void restore(std::span<const double> /*numbers*/) {}

  /// True if state.lambda belongs to the end of the step, false if to its middle.
  virtual bool multipliers_at_end() const = 0;
};

}  // namespace polhode
