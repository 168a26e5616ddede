// Loops whose equations nearly follow from each other, as in rounded data: found and decided at the start, watched
// during the run.
#pragma once

#include <memory>
#include <optional>

#include <polhode/simulate/start.hpp>

namespace polhode {

/// Decides once and for all which rows of nearly redundant loops count: those that follow from the others but for less
/// than the tolerance are left out of the system's equations. Loops that are redundant to rounding are left as they are,
/// and so are singular positions, which only look redundant: their rank is found in every factorisation. Returns the
/// loops that are nearly redundant, also those whose equations all count.
std::vector<NearLoop> settle_loops(CompiledModel& model, const State& start, double tolerance);

/// settle_loops() and consistent_start(), with the options of a run.
StartReport settled_start(CompiledModel& model, const SimulationOptions& options, State& state);

/// Watches rows that are left out. Those that are kept in their place may become dependent as the mechanism moves: then
/// others of the same joint take their place and keep the gap that they have by then, so that no step jumps.
class LoopWatch {
 public:
  LoopWatch(CompiledModel& model, double tolerance);

  /// Why the decision does not hold any more, if it does not: rows that are left out open too far.
  std::optional<std::string> contradiction(const State& state);
  /// True if other rows are left out from now on; the multipliers are then those of the state.
  bool choose_again(State& state);

 private:
  CompiledModel& model_;
  double tolerance_;
  std::unique_ptr<ConstrainedMass> all_rows_;
  std::vector<Frame> q_;
  ConstraintJacobian B_;
  VecX raw_;
};

/// The joints of the shortest loop through a connection, that one first; it alone if it closes none.
std::vector<std::string> loop_through(const CompiledModel& model, int connection);

}  // namespace polhode
