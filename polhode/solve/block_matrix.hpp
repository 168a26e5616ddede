// A sparse matrix of small dense blocks over a structurally symmetric pattern: the shape of a step's linear equations.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <polhode/lie/algebra.hpp>
#include <polhode/solve/thread_pool.hpp>

namespace polhode {

/// Where a block begins among the numbers of a matrix; -1 where there is none. There are 2^31 places: 16 GiB, or ten
/// million bodies of a tree.
using Slot = std::int32_t;

/// The unknowns of the equations, in groups. A *free* group (a body's unknowns) can be eliminated at any time, because
/// its diagonal block holds its inertia. A *bound* group (the multipliers of a joint) has no diagonal block of its own:
/// it can be eliminated only after enough of the groups that it ties together.
struct BlockPattern {
  struct Group {
    int size = 0;
    bool bound = false;
    /// free, but not whole: some of its unknowns are fixed to the ground (see plan_elimination)
    bool anchored = false;
    std::vector<int> tied;   ///< bound: the free groups that it ties; one alone is tied to the ground
    bool to_ground = false;  ///< bound: it also holds on to the ground
    /// bound: 1 for rows that are left out of the equations, again and again if it has more rows than this; may change
    std::span<const char> left_out{};
  };
  static constexpr double usual_rank_tolerance = 1e-10;
  std::vector<Group> groups;
  double rank_tolerance = usual_rank_tolerance;  ///< of bound groups that close loops: see BlockLU
  std::vector<std::pair<int, int>> links;  ///< further pairs of groups with a block of their own (both directions)
};

/// Blocks A(i, j) in one array, column by column, with slots for the fill of an elimination. First come the diagonals
/// of the free groups and the blocks between bound groups and what they tie: an assembly that sets all of these need
/// not set them to zero before.
class BlockMatrix {
 public:
  BlockMatrix() = default;
  explicit BlockMatrix(const BlockPattern& pattern);

  int groups() const { return static_cast<int>(sizes_.size()); }
  int size(int i) const { return sizes_[i]; }
  int offset(int i) const { return offsets_[i]; }  ///< of group i in a vector of unknowns
  int rows() const { return offsets_.back(); }

  /// Where block (i, j) starts in values(), made if it was not there; not after allocate(). Diagonal blocks always
  /// exist.
  Slot slot(int i, int j);
  Slot find(int i, int j) const;  ///< the same, -1 if there is none

  std::span<double> values() { return values_; }
  std::span<const double> values() const { return values_; }
  void allocate();  ///< all blocks are made: room for their numbers
  void set_zero(const Division& division = {}) { set_zero(0, division); }
  void set_rest_to_zero(const Division& division) {
    set_zero(first_of_rest_, division);
  }  ///< all but the blocks that come first

  /// Calls f(i, j, slot) for every block.
  template <class F>
  void for_each_block(F&& f) const {
    for (int i = 0; i < groups(); ++i)
      for (const Block& block : row(i)) f(i, block.column, block.slot);
  }

 private:
  struct Block {
    int column;
    Slot slot;
  };
  std::span<const Block> row(int i) const {
    return first_.empty() ? std::span<const Block>(made_[i])
                          : std::span(blocks_).subspan(first_[i], first_[i + 1] - first_[i]);
  }

  void set_zero(std::int64_t from, const Division& division);

  std::vector<int> sizes_, offsets_;
  std::vector<std::vector<Block>> made_;  ///< of each row, in order of making; until allocate()
  std::vector<Block> blocks_;             ///< the same, row after row, from then on
  std::vector<std::size_t> first_;        ///< of each row, and the end
  std::int64_t used_ = 0, first_of_rest_ = 0;
  std::vector<double> values_;
};

}  // namespace polhode
