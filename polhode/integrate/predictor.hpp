// Predicts the increments of a step from those of the steps before it: a good guess saves iterations of Newton's
// method.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <polhode/lie/algebra.hpp>
#include <polhode/solve/thread_pool.hpp>

namespace polhode {

/// Guesses are the increments of constant velocity, which are given, or sums of the last increments: exact for
/// polynomials in time, and some of them also for what changes its sign from step to step, as velocities across joints
/// do in a conserving rule. Guesses are compared with the step as it was, and the nearest is used from then on: smooth
/// motion is predicted to high order, a jump or fast oscillations fall back to constant velocity. Where steps do not
/// resolve the motion, only cubic and lower polynomials are tried: the equations may have several solutions there, and
/// a wild guess leads to a wrong one.
class Predictor {
 public:
  /// Begins a step of size h. A size that differs from those before makes it start anew. True if it asks for the
  /// increments of constant velocity, to use them or to compare its own with them.
  bool begin(double h, int nodes, int multipliers);
  /// Sets the increments of a node to its guess; they come with those of constant velocity, if it asked for them.
  void predict(int node, Vec3& dx, Vec3& theta);
  /// Multipliers follow the rule that is best for the increments, if it predicts them: the corrections of both must be
  /// small, because
  /// Newton's method leaves their product.
  void predict(VecX& lambda, const Division& division = {});
  /// Takes note of the step as it was. If it took more iterations than the one before, guesses are compared in the next
  /// step, not only now and then.
  void record(const std::vector<Vec3>& dx, const std::vector<Vec3>& theta, const VecX& lambda,
              const Division& division = {}, int iterations = 1) {
    begin_record(dx, theta, lambda, division, iterations);
    division.for_each(nodes_, [&](int i) { record(i, dx[i], theta[i]); });
  }
  /// The same, but for record(i, ...), which is then to follow for each node.
  void begin_record(const std::vector<Vec3>& dx, const std::vector<Vec3>& theta, const VecX& lambda,
                    const Division& division, int iterations);
  void record(int i, const Vec3& dx, const Vec3& theta) {
    double* const to = place(newest_, i);
    for (int k = 0; k < 3; ++k) to[k] = dx[k], to[3 + k] = theta[k];
  }
  /// Whether its guess is more than constant velocity.
  bool predicts() const { return rule_ != 0; }
  bool predicts_multipliers() const { return resolved_ && predicts() && multipliers_ > 0; }
  /// All that it knows, added to `numbers`; and back, from the first of `numbers`, which are then those after it.
  void save(std::vector<double>& numbers) const;
  void restore(std::span<const double>& numbers);
  void forget() {
    newest_ = known_ = rule_ = until_choice_ = steps_between_choices_ = iterations_ = 0, resolved_ = false;
  }

  /// from here on it remembers six increments, not twelve: these are out of the cache, and a step waits for them
  static constexpr int many_nodes = 4000;

 private:
  void resize(int nodes, int multipliers);
  /// Rings of `depth_` places. In each place the increments of one step: six numbers for each node, then the
  /// multipliers, by sixes.
  /// The places of a node are side by side, or, with many nodes, the nodes in a place: of all that is far away, only
  /// that place is written.
  double* place(int k, int six) { return &rings_[k * stride_ + static_cast<std::size_t>(six) * six_stride_]; }
  const double* weights(int rule) const;  ///< of the places in the rings
  Vec6 sum(int six, const double* weights) { return sum_(place(0, six), stride_, weights); }
  using SumOfSix = Vec6 (*)(const double* rings, std::size_t stride, const double* weights);
  void choose(const std::vector<Vec3>& dx, const std::vector<Vec3>& theta, const Division& division, bool hard);

  int nodes_ = -1, multipliers_ = -1, depth_ = 0;
  std::size_t stride_ = 0, six_stride_ = 0;  ///< from place to place, and from six numbers to the next
  SumOfSix sum_ = nullptr;                   ///< over all places
  const double* weights_ = nullptr;          ///< of this step
  std::vector<Vec6> plain_;  ///< of each node: the guess of constant velocity, where guesses are compared
  std::vector<double> rings_;
  int newest_ = 0, known_ = 0;  ///< place of the last increment, and how many are known
  int rule_ = 0;
  int until_choice_ = 0, steps_between_choices_ = 0,
      iterations_ = 0;     ///< 0 steps until the next choice: guesses are compared in this step
  bool resolved_ = false;  ///< the step is small enough for rules of many terms and for multipliers
  double h_ = 0;
};

}  // namespace polhode
