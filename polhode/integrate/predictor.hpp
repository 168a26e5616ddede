// Foretells the increments of a step from those of the steps before it: a good guess saves iterations of Newton's method.
#pragma once

#include <array>
#include <vector>

#include <polhode/lie/algebra.hpp>
#include <polhode/solve/crew.hpp>

namespace polhode {

/// Guesses are the increments of constant velocity, which are given, or polynomials in time through the last increments, at most
/// four. The one that would have been nearest to the last step is taken: smooth motion is foretold to high order, a jump or fast
/// oscillations fall back to constant velocity.
class Predictor {
 public:
  /// Improves the guess for a step of size h. A size that differs from those before makes it start anew.
  void predict(double h, std::vector<Vec3>& dx, std::vector<Vec3>& theta, const Division& division = {});
  /// Takes note of the step as it was.
  void record(const std::vector<Vec3>& dx, const std::vector<Vec3>& theta, const Division& division = {});
  void forget() { known_ = points_ = 0; }

 private:
  static constexpr int depth = 4;
  /// Of a node: the guess of constant velocity, then the last increment and its backward differences. The polynomial through the
  /// last p increments, one step further, is the sum of the first p of them.
  struct History {
    Vec6 plain;
    std::array<Vec6, depth> difference;
  };
  std::vector<History> nodes_;
  int known_ = 0, points_ = 0;  ///< increments that are known, and that the next guess goes through; 0: constant velocity
  double h_ = 0;
};

}  // namespace polhode
