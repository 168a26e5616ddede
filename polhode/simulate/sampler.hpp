// Looks at a run: fills a sample from a state and the ledger, and changes neither.
#pragma once

#include <polhode/simulate/ledger.hpp>
#include <polhode/simulate/reactions.hpp>
#include <polhode/simulate/sample.hpp>

namespace polhode {

class Sampler {
 public:
  /// `start`: a consistent state. `redundant`: some equations of the joints follow from others.
  Sampler(const CompiledModel& model, const State& start, bool redundant, ThreadPool* pool = nullptr)
      : model_(model), reactions_(model, start, redundant), pool_(pool) {}

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
  mutable Buffers buffers_;  ///< of sample(); nothing in them outlives a call
};

}  // namespace polhode
