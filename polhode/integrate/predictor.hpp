// Foretells the increments of a step from those of the steps before it: a good guess saves iterations of Newton's method.
#pragma once

#include <array>
#include <vector>

#include <polhode/lie/algebra.hpp>
#include <polhode/solve/crew.hpp>

namespace polhode {

/// Guesses are the increments of constant velocity, which are given, or sums of the last increments: exact for polynomials in time, and
/// some of them also for what changes its sign from step to step, as velocities across joints do in a conserving rule. Guesses are compared
/// with the step as it was, and the nearest is used from then on: smooth motion is foretold to high order, a jump or fast oscillations fall
/// back to constant velocity. Where steps do not resolve the motion, only cubic and lower polynomials are tried: the equations may have
/// several solutions there, and a wild guess leads to a wrong one.
class Predictor {
 public:
  /// Improves the guess for a step of size h. A size that differs from those before makes it start anew. Multipliers follow the rule that
  /// is best for the increments: the corrections of both must be small, because Newton's method leaves their product.
  void predict(double h, std::vector<Vec3>& dx, std::vector<Vec3>& theta, VecX& lambda, const Division& division = {});
  /// Takes note of the step as it was. If it took more iterations than the one before, guesses are compared at once, not only now and then.
  void record(const std::vector<Vec3>& dx, const std::vector<Vec3>& theta, const VecX& lambda, const Division& division = {}, int iterations = 1);
  /// Whether its guess is more than constant velocity.
  bool foretells() const { return rule_ != 0; }
  void forget() { newest_ = known_ = rule_ = since_choice_ = steps_between_choices_ = iterations_ = 0, resolved_ = false; }

  static constexpr int many_nodes = 20000;  ///< from here on it remembers six increments, not twelve: a tenth less memory

 private:
  const double* weights(int rule) const;  ///< of the places in the rings

  int depth_ = 0;
  std::vector<Vec6> plain_;       ///< of each node: the guess of constant velocity
  std::vector<double> nodes_;     ///< of each node: its last increments, `depth_` columns of six numbers that are used as a ring
  std::vector<double> lambda_;    ///< of each multiplier: its last values, in the same places
  int newest_ = 0, known_ = 0;    ///< place of the last increment, and how many are known
  int rule_ = 0, since_choice_ = 0, steps_between_choices_ = 0, iterations_ = 0;
  bool resolved_ = false;         ///< the step is small enough for rules of many terms and for multipliers
  double h_ = 0;
};

}  // namespace polhode
