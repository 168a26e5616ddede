// Block elimination: LU of a block matrix in the order of plan_elimination, linear in the number of bodies for trees.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include <polhode/solve/block_matrix.hpp>
#include <polhode/solve/elimination.hpp>

namespace polhode {

/// What the elimination of a loop-closing group found: `rank` of its `size` rows are independent of the others.
struct ClosingRank {
  int group = 0, size = 0, rank = 0;
  MatX null_space;  ///< columns: combinations of its multipliers that no motion feels, given those eliminated before
  /// The singular values of its block in the scaling that the rank is decided in: squares of how far a unit combination
  /// of its rows is from following from the others. Their right singular vectors, in the same scaling.
  VecX singular_values;
  MatX vectors;
  VecX scale;  ///< of each row: that scaling
};

/// Factors a BlockMatrix in place. Well-conditioned blocks are inverted; inside the others, partial pivoting; a
/// loop-closing block is factored with complete pivoting, and what is smaller than `rank_tolerance` times the size of
/// its terms before cancellation is dropped: redundant rows then get no multiplier and do not spoil the motion.
/// Rows that the pattern leaves out are dropped in any case.
/// If the work is divided, subtrees of the elimination are done side by side, then their effect on each row of the
/// trunk, then the trunk.
class BlockLU {
 public:
  static constexpr double rank_tolerance = BlockPattern::usual_rank_tolerance;
  static constexpr double least_size = 1e-24;  ///< rows whose entries are below 1e-12 are rounding, not equations

  BlockLU() = default;
  explicit BlockLU(const BlockPattern& pattern, const Division& division = {});

  /// For equations whose solution is corrected again: blocks are inverted also where that loses six digits, not only
  /// two.
  void prefer_speed() { least_left_ = 1e-6; }

  /// At distance r from the solution, rows that are redundant at the solution are no longer exactly so: they leave
  /// meaningless pivots of r^2, which would give their multipliers any size. The next factor() drops such pivots.
  void expect_error(double r) { rank_tolerance_ = std::max(least_tolerance_, std::min(r * r, 1e-4)); }

  /// From now on rank is decided by this tolerance, also that of rows that the pattern leaves out.
  void reveal_rank(double tolerance) {
    rank_tolerance_ = tolerance;
    left_out_.assign(left_out_.size(), {});
  }

  BlockMatrix& matrix() { return matrix_; }  ///< fill this (after set_zero), then factor()
  const BlockMatrix& matrix() const { return matrix_; }

  /// False if a pivot block of a tree is singular. Afterwards the matrix holds the factors.
  bool factor();
  void solve(Eigen::Ref<VecX> b) const;  ///< b becomes the solution
  /// Both in one pass over the matrix. If it fails, b is lost.
  bool factor_and_solve(Eigen::Ref<VecX> b);

  /// The loop-closing groups, as of the last factor(). Not for the inner loop: it allocates.
  std::vector<ClosingRank> closings() const;
  std::vector<ClosingRank> deficient() const;  ///< those that are not of full rank
  bool closes() const { return closes_; }      ///< are there loops?
  bool is_closing(int group) const { return closing_[group]; }

 private:
  struct Step {
    int group, size, offset;
    Slot pivot;
    int first_later, later;     ///< range in later_
    int inner;                  ///< how many of them, the first, are not of the trunk if this step is not
    std::int64_t first_update;  ///< in updates_: later x later slots, of many loops more than the matrix has numbers
    int closure;                ///< in closures_: where a closing block is kept; -1: it closes no loop

    bool closing() const { return closure >= 0; }
  };
  struct Later {
    int group, size, offset;
    Slot upper, lower;  ///< slots of A(group, later) and A(later, group)
  };

  /// What a pivot block holds after its elimination.
  enum class Pivot : char {
    factors,  ///< its LU
    inverse,
    inverse_of_inertia  ///< the same, of a body at the end of a branch: see small::is_inertia()
  };

  /// Where a step reaches into a row of the trunk.
  struct Reach {
    int step, later;  ///< later: which of the step's own
  };
  /// A range of steps_, of rows_, or of reaches_.
  struct Range {
    int begin = 0, end = 0;
  };

  struct Eliminate;
  struct UpdateRow;
  struct Forward;
  struct ForwardRow;
  struct Backward;

  void add_step(const Elimination& elimination, std::vector<int> later, int inner);
  void divide(const std::vector<Elimination>& plan, const std::vector<int>& part);
  void divide_rows();
  /// `x`: a right-hand side that is eliminated along with the matrix, or null.
  bool factor(double* x);
  bool eliminate(Range steps, double& mobility, double* x);
  template <int n>
  bool eliminate(const Step& step, double& mobility, double* x);
  template <int n>
  void solve_pivot(const Step& step, Pivot kind, int columns, double* B) const;
  template <int n>
  void update(const Step& step);
  void close_loop(const Step& step, double mobility);
  void update_row(Range reaches);
  void forward(Range steps, double* x) const;
  void forward_row(Range reaches, double* x) const;
  void backward(Range steps, double* x) const;
  void backward(double* x) const;  ///< all steps

  BlockMatrix matrix_;
  std::vector<Step> steps_;
  std::vector<Later> later_;
  std::vector<Pivot> kinds_;  ///< of the pivot of each step
  std::vector<Slot> updates_;
  std::vector<int> pivots_;       ///< row exchanges of each pivot block, at the group's offset
  std::vector<double> sizes_;     ///< of a closing group's rows: the terms of its diagonal block before they cancel
  std::vector<double> closures_;  ///< closing blocks before their inversion
  std::vector<char> closing_, bound_;
  std::vector<std::span<const char>> left_out_;  ///< of each group: see BlockPattern
  bool closes_ = false;                          ///< whether there are loops
  double least_left_ = 1e-2;                     ///< see small_inverse.hpp
  double rank_tolerance_ = rank_tolerance, least_tolerance_ = rank_tolerance;
  double mobility_ = 0;  ///< the largest reciprocal of a pivot of the free groups
  std::vector<int> ranks_;

  Division division_;
  std::vector<Range> parts_;  ///< steps that need nothing of other parts
  Range trunk_;               ///< the steps after them, all if the work is not divided
  std::vector<Range> rows_;  ///< of the trunk that parts reach into, each with its reaches, in the order of elimination
  std::vector<Range> row_parts_;  ///< rows, divided
  std::vector<Reach> reaches_;
};

}  // namespace polhode
