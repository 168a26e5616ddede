// Drives whose rate jumps at a time: velocities follow by impulses of the joints. Every method is stopped there, so that
// each of its steps sees smooth drives.
#pragma once

#include <optional>

#include <polhode/system/constrained_mass.hpp>

namespace polhode {

class DriveKinks {
 public:
  explicit DriveKinks(const System& system, ThreadPool* pool = nullptr);

  bool none() const { return times_.empty(); }
  bool at(double t) const;
  /// The first one between t0 and t1, apart from both by more than rounding.
  std::optional<double> between(double t0, double t1) const;
  /// The kink that is nearly at t, within `apart`; else t.
  double nearest(double t, double apart) const;

  /// Takes a state from before a kink to after it, where it is: M (v+ - v-) + B^T Lambda = 0 with B v+ = f'+. Drives do
  /// the work -Lambda (f'- + f'+)/2.
  void pass(State& state);

 private:
  void book(const State& state, const VecX& rate_before, const VecX& impulse, Work& work) const;

  const System& system_;
  std::vector<double> times_;
  ThreadPool* pool_;
  std::optional<ConstrainedMass> mass_;  ///< made at the first kink
};

}  // namespace polhode
