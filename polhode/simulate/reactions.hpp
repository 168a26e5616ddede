// What the joints transmit: forces and moments from multipliers, also where redundant joints leave them open.
#pragma once

#include <polhode/system/compile.hpp>
#include <polhode/system/constrained_mass.hpp>

namespace polhode {

class Reactions {
 public:
  /// `redundant`: some equations follow from others, so that many multipliers have the same forces. The smallest are
  /// taken.
  Reactions(const CompiledModel& model, const State& state, bool redundant);

  /// Force and moment of every connection on its body b at its anchor, six numbers each, in the axes that the
  /// connection has on body a. `lambda` becomes the smallest multipliers with the same forces.
  void evaluate(std::span<const Frame> frames, const ConstraintJacobian& B, VecX& lambda,
                std::vector<double>& wrenches) const;
  /// The same at a state, with buffers of its own.
  std::vector<double> evaluate(const State& state, VecX lambda) const;

  /// False for a connection whose reaction the motion does not determine.
  bool unique(std::size_t connection) const { return unique_[connection]; }

 private:
  void minimise(const ConstraintJacobian& B, VecX& lambda) const;

  const CompiledModel& model_;
  std::unique_ptr<ConstrainedMass> unit_mass_;  ///< only where reactions are not unique
  std::vector<char> unique_;
};

}  // namespace polhode
