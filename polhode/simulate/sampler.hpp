// Looks at a run: fills a sample from a state and the ledger, and changes neither.
#pragma once

#include <optional>

#include <polhode/simulate/ledger.hpp>
#include <polhode/simulate/reactions.hpp>
#include <polhode/simulate/sample.hpp>

namespace polhode {

class Sampler {
 public:
  /// `start`: a consistent state. `redundant`: some equations of the joints follow from others. `instant`: multipliers,
  /// and accelerations, follow from the equations of motion at each sample.
  Sampler(const CompiledModel& model, const State& start, bool redundant, bool instant, ThreadPool* pool = nullptr)
      : model_(model), reactions_(model, start, redundant), pool_(pool) {
    if (instant) mass_.emplace(model.system, pool);
  }

  void sample(const State& state, const Ledger& ledger, Sample& out) const;

  /// False for a connection whose reaction the motion does not determine.
  bool unique(std::size_t connection) const { return reactions_.unique(connection); }

 private:
  const CompiledModel& model_;
  Reactions reactions_;
  ThreadPool* pool_;
  struct Buffers {
    std::vector<Frame> frames;
    std::vector<Vec6> V;
    ConstraintJacobian B;
    VecX lambda, rate;
  };
  void set_accelerations(const State& state, const VecX& u_dot, Sample& out) const;
  mutable std::optional<ConstrainedMass> mass_;  ///< if samples have accelerations
  mutable Buffers buffers_;                      ///< of sample(); nothing in them outlives a call
};

}  // namespace polhode
