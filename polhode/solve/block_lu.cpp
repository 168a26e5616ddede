#include <polhode/solve/block_lu.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <polhode/solve/huge_pages.hpp>
#include <polhode/solve/small_inverse.hpp>
#include <polhode/solve/small_lu.hpp>
#include <polhode/solve/subtrees.hpp>
#include <polhode/solve/svd.hpp>

namespace polhode {

BlockLU::BlockLU(const BlockPattern& pattern, const Division& division) : matrix_(pattern), division_(division) {
  const int n = matrix_.groups();
  closing_.assign(n, 0);
  bound_.resize(n);
  left_out_.resize(n);
  for (int i = 0; i < n; ++i) {
    bound_[i] = pattern.groups[i].bound;
    left_out_[i] = pattern.groups[i].left_out;
  }
  rank_tolerance_ = least_tolerance_ = pattern.rank_tolerance;
  ranks_.assign(n, 0);
  pivots_.assign(matrix_.rows(), 0);
  {
    const std::vector<Elimination> plan = plan_elimination(pattern);
    std::size_t later = 0, updates = 0;
    for (const Elimination& elimination : plan) {
      closing_[elimination.group] = elimination.closing;
      closes_ = closes_ || elimination.closing;
      ranks_[elimination.group] = matrix_.size(elimination.group);
      later += elimination.later.size();
      updates += elimination.later.size() * elimination.later.size();
    }
    reserve_huge(steps_, plan.size());
    reserve_huge(later_, later);
    reserve_huge(updates_, updates);
    if (const std::vector<int> part = divide_elimination(pattern, plan, division.parts); !part.empty()) {
      divide(plan, part);
    } else {
      for (const Elimination& elimination : plan)
        add_step(elimination, elimination.later, static_cast<int>(elimination.later.size()));
      trunk_.end = static_cast<int>(steps_.size());
    }
  }  // the plan is gone before the numbers come: both are large
  kinds_.assign(steps_.size(), Pivot::factors);
  if (closes_) sizes_.assign(matrix_.rows(), 0.0);
  matrix_.allocate();
}

void BlockLU::add_step(const Elimination& elimination, std::vector<int> later, int inner) {
  const int v = elimination.group;
  if (matrix_.size(v) == 0) return;
  const Step step{v,
                  matrix_.size(v),
                  matrix_.offset(v),
                  matrix_.slot(v, v),
                  static_cast<int>(later_.size()),
                  static_cast<int>(later.size()),
                  inner,
                  static_cast<std::int64_t>(updates_.size()),
                  elimination.closing ? static_cast<int>(closures_.size()) : -1};
  if (step.closing()) closures_.resize(closures_.size() + step.size * step.size);
  for (int i : later) later_.push_back({i, matrix_.size(i), matrix_.offset(i), matrix_.slot(v, i), matrix_.slot(i, v)});
  for (int i : later)
    for (int j : later) updates_.push_back(matrix_.slot(i, j));
  steps_.push_back(step);
}

/// Steps in the order of their parts, then those of the trunk; and, for each row of the trunk, where parts reach into
/// it.
void BlockLU::divide(const std::vector<Elimination>& plan, const std::vector<int>& part) {
  const int parts = *std::max_element(part.begin(), part.end()) + 1;
  std::vector<char> in_trunk(matrix_.groups(), 0);
  for (std::size_t k = 0; k < plan.size(); ++k) in_trunk[plan[k].group] = part[k] == trunk;
  std::vector<std::vector<int>> steps_of(parts + 1);  // the last: of the trunk
  for (std::size_t k = 0; k < plan.size(); ++k)
    steps_of[part[k] == trunk ? parts : part[k]].push_back(static_cast<int>(k));
  std::vector<int> place(plan.size(), -1);
  for (int p = 0; p <= parts; ++p) {
    const int first = static_cast<int>(steps_.size());
    for (int k : steps_of[p]) {
      std::vector<int> later = plan[k].later;
      const auto inner = p == parts
                             ? later.end()
                             : std::stable_partition(later.begin(), later.end(), [&](int i) { return !in_trunk[i]; });
      place[k] = static_cast<int>(steps_.size());
      const auto count = static_cast<int>(inner - later.begin());
      add_step(plan[k], std::move(later), count);
    }
    const Range range{first, static_cast<int>(steps_.size())};
    if (p == parts)
      trunk_ = range;
    else if (range.begin < range.end)
      parts_.push_back(range);
  }
  std::vector<std::vector<Reach>> reaches_of(matrix_.groups());
  for (std::size_t k = 0; k < plan.size(); ++k) {
    if (part[k] == trunk || matrix_.size(plan[k].group) == 0) continue;
    const Step& step = steps_[place[k]];
    for (int i = step.inner; i < step.later; ++i)
      reaches_of[later_[step.first_later + i].group].push_back({place[k], i});
  }
  for (const auto& list : reaches_of) {
    if (list.empty()) continue;
    rows_.push_back({static_cast<int>(reaches_.size()), static_cast<int>(reaches_.size() + list.size())});
    reaches_.insert(reaches_.end(), list.begin(), list.end());
  }
  divide_rows();
}

/// Rows of the trunk in ranges of about the same work; in one if that is little.
void BlockLU::divide_rows() {
  std::vector<double> sums{0};
  for (const Range& row : rows_) {
    double work = 0;
    for (int k = row.begin; k < row.end; ++k) work += steps_[reaches_[k].step].later - steps_[reaches_[k].step].inner;
    sums.push_back(sums.back() + work);
  }
  const int parts = sums.back() < 2000 ? 1 : division_.parts;  // products of blocks: some 50 ns each
  for (int p = 0, begin = 0; p < parts; ++p) {
    int end = begin;
    while (end < static_cast<int>(rows_.size()) && sums[end] < sums.back() * (p + 1) / parts) ++end;
    if (begin < end) row_parts_.push_back({begin, end});
    begin = end;
  }
}

bool BlockLU::factor() { return factor(nullptr); }

bool BlockLU::factor_and_solve(Eigen::Ref<VecX> b) {
  if (!factor(b.data())) return false;
  backward(b.data());
  return true;
}

bool BlockLU::factor(double* x) {
  if (closes_) std::fill(sizes_.begin(), sizes_.end(), 0.0);
  mobility_ = 0;
  if (!parts_.empty()) {
    struct Found {
      double mobility;
      bool regular;
    };
    std::array<Found, Division::most> found;
    const int parts = static_cast<int>(parts_.size());
    division_.run(parts, [&](int p) {
      double mobility = 0;
      const bool regular = eliminate(parts_[p], mobility, x);
      found[p] = {mobility, regular};
    });
    for (int p = 0; p < parts; ++p) {
      if (!found[p].regular) return false;
      mobility_ = std::max(mobility_, found[p].mobility);
    }
    division_.run(static_cast<int>(row_parts_.size()), [&](int p) {
      for (int row = row_parts_[p].begin; row < row_parts_[p].end; ++row) {
        update_row(rows_[row]);
        if (x) forward_row(rows_[row], x);
      }
    });
  }
  return eliminate(trunk_, mobility_, x);
}

/// What is done for a step, with its size known to the compiler.
struct BlockLU::Eliminate {
  template <int n>
  static bool of(BlockLU* lu, const Step* step, double* mobility, double* x) {
    return lu->eliminate<n>(*step, *mobility, x);
  }
};
struct BlockLU::UpdateRow {
  template <int n>
  static void of(BlockLU* lu, const Step* step, const Later* row, const Slot* targets) {
    double* const A = lu->matrix_.values().data();
    for (int j = step->inner; j < step->later; ++j) {
      const Later& column = lu->later_[step->first_later + j];
      small::subtract_product<n>(row->size, step->size, column.size, A + row->lower, A + column.upper, A + targets[j]);
    }
  }
};
struct BlockLU::Forward {
  template <int n>
  static void of(const BlockLU* lu, const Step* step, double* x) {
    const double* const A = lu->matrix_.values().data();
    double* const y = x + step->offset;
    if (step->closing())
      small::multiply(step->size, 1, A + step->pivot, y);
    else
      lu->solve_pivot<n>(*step, lu->kinds_[step - lu->steps_.data()], 1, y);
    const Later* later = lu->later_.data() + step->first_later;
    for (int i = 0; i < step->inner; ++i, ++later)
      small::subtract_product<n>(later->size, step->size, 1, A + later->lower, y, x + later->offset);
  }
};
struct BlockLU::ForwardRow {
  template <int n>
  static void of(const double* A, const Step* step, const Later* row, double* x) {
    small::subtract_product<n>(row->size, step->size, 1, A + row->lower, x + step->offset, x + row->offset);
  }
};
struct BlockLU::Backward {
  template <int n>
  static void of(const BlockLU* lu, const Step* step, double* x) {
    const double* const A = lu->matrix_.values().data();
    double* const y = x + step->offset;
    const Later* later = lu->later_.data() + step->first_later;
    if constexpr (n > 0) {
      double sum[n];
      std::copy(y, y + n, sum);
      for (int i = 0; i < step->later; ++i, ++later) {
        const double *const U = A + later->upper, *const z = x + later->offset;
        for (int k = 0; k < later->size; ++k)
          for (int j = 0; j < n; ++j) sum[j] -= U[j + k * n] * z[k];
      }
      std::copy(sum, sum + n, y);
    } else {
      for (int i = 0; i < step->later; ++i, ++later)
        small::subtract_product<0>(step->size, later->size, 1, A + later->upper, x + later->offset, y);
    }
  }
};

bool BlockLU::eliminate(Range steps, double& mobility, double* x) {
  for (int k = steps.begin; k < steps.end; ++k) {
    const Step& step = steps_[k];
    if (step.closing()) {
      close_loop(step, mobility);
      if (x) small::with_size<Forward>(step.size, this, &step, x);
    } else if (!small::with_size<Eliminate>(step.size, this, &step, &mobility, x)) {
      return false;
    }
  }
  return true;
}

/// B := A(v, v)^-1 B for `columns` of them.
template <int n>
void BlockLU::solve_pivot(const Step& step, Pivot kind, int columns, double* B) const {
  const double* const pivot = matrix_.values().data() + step.pivot;
  if constexpr (n == 6)
    if (kind == Pivot::inverse_of_inertia) return small::multiply_inertia(columns, pivot, B);
  if constexpr (n > 0)
    if (kind == Pivot::inverse) return small::multiply<n>(columns, pivot, B);
  small::solve(step.size, columns, pivot, &pivots_[step.offset], B);
}

/// A(v, v) := A(v, v)^-1, or its LU if it is large (n = 0) or not well conditioned;  A(v, w) := A(v, v)^-1 A(v, w);
/// A(u, w) -= A(u, v) A(v, w).
template <int n>
bool BlockLU::eliminate(const Step& step, double& mobility, double* x) {
  double* const A = matrix_.values().data();
  double* const pivot = A + step.pivot;
  Pivot kind = Pivot::factors;
  if constexpr (n == 6)
    if (small::is_inertia(pivot) && small::invert_inertia(pivot, least_left_)) kind = Pivot::inverse_of_inertia;
  if constexpr (n > 0 && n <= small::largest_inverted)
    if (kind == Pivot::factors && small::invert<n>(pivot, least_left_)) kind = Pivot::inverse;
  kinds_[&step - steps_.data()] = kind;
  if (kind == Pivot::factors && !small::factor(step.size, pivot, &pivots_[step.offset])) return false;
  if (!bound_[step.group])  // factor() leaves the reciprocals of the pivots on the diagonal
    for (int k = 0; k < step.size; ++k) mobility = std::max(mobility, std::abs(pivot[k * (step.size + 1)]));
  for (const Later& later : std::span(later_).subspan(step.first_later, step.later))
    solve_pivot<n>(step, kind, later.size, A + later.upper);
  update<n>(step);
  if (x) Forward::of<n>(this, &step, x);
  return true;
}

void BlockLU::close_loop(const Step& step, double mobility) {
  double* const A = matrix_.values().data();
  const int n = step.size;
  std::copy(A + step.pivot, A + step.pivot + n * n, &closures_[step.closure]);
  const std::span<const char> out = left_out_[step.group];
  ranks_[step.group] =
      small::generalised_inverse(n, &sizes_[matrix_.offset(step.group)], rank_tolerance_, A + step.pivot,
                                 least_size * mobility, out.data(), static_cast<int>(out.size()));
  for (const Later& later : std::span(later_).subspan(step.first_later, step.later))
    small::multiply(n, later.size, A + step.pivot, A + later.upper);
  update<0>(step);
}

/// Where both the row and the column are of the trunk and the step is not, update_row() does it.
template <int n>
void BlockLU::update(const Step& step) {
  double* const A = matrix_.values().data();
  const Later* const later = later_.data() + step.first_later;
  const Slot* target = updates_.data() + step.first_update;
  for (int i = 0; i < step.later; ++i, target += step.later) {
    const int columns = i < step.inner ? step.later : step.inner;
    for (int j = 0; j < columns; ++j)
      small::subtract_product<n>(later[i].size, step.size, later[j].size, A + later[i].lower, A + later[j].upper,
                                 A + target[j]);
  }
  if (closes_)
    for (const Later& i : std::span(later, step.inner))
      if (closing_[i.group]) small::add_product_sizes(i.size, step.size, A + i.lower, A + i.upper, &sizes_[i.offset]);
}

void BlockLU::update_row(Range reaches) {
  double* const A = matrix_.values().data();
  for (int k = reaches.begin; k < reaches.end; ++k) {
    const Step& step = steps_[reaches_[k].step];
    const Later& i = later_[step.first_later + reaches_[k].later];
    const Slot* const targets = updates_.data() + step.first_update + reaches_[k].later * step.later;
    small::with_size<UpdateRow>(step.size, this, &step, &i, targets);
    if (closing_[i.group]) small::add_product_sizes(i.size, step.size, A + i.lower, A + i.upper, &sizes_[i.offset]);
  }
}

void BlockLU::solve(Eigen::Ref<VecX> b) const {
  double* const x = b.data();
  if (const int parts = static_cast<int>(parts_.size()); parts > 0) {
    division_.run(parts, [&](int p) { forward(parts_[p], x); });
    division_.run(static_cast<int>(row_parts_.size()), [&](int p) {
      for (int row = row_parts_[p].begin; row < row_parts_[p].end; ++row) forward_row(rows_[row], x);
    });
  }
  forward(trunk_, x);
  backward(x);
}

void BlockLU::forward(Range steps, double* x) const {
  for (int k = steps.begin; k < steps.end; ++k) small::with_size<Forward>(steps_[k].size, this, &steps_[k], x);
}

/// What parts do to the right-hand side of a row of the trunk.
void BlockLU::forward_row(Range reaches, double* x) const {
  for (int k = reaches.begin; k < reaches.end; ++k) {
    const Step& step = steps_[reaches_[k].step];
    small::with_size<ForwardRow>(step.size, matrix_.values().data(), &step,
                                 &later_[step.first_later + reaches_[k].later], x);
  }
}

void BlockLU::backward(Range steps, double* x) const {
  for (int k = steps.end - 1; k >= steps.begin; --k) small::with_size<Backward>(steps_[k].size, this, &steps_[k], x);
}

void BlockLU::backward(double* x) const {
  backward(trunk_, x);
  if (const int parts = static_cast<int>(parts_.size()); parts > 0)
    division_.run(parts, [&](int p) { backward(parts_[p], x); });
}

std::vector<ClosingRank> BlockLU::closings() const {
  std::vector<ClosingRank> found;
  for (const Step& step : steps_) {
    if (!step.closing()) continue;
    const int n = step.size, rank = ranks_[step.group];
    const Eigen::Map<const VecX> sizes(&sizes_[matrix_.offset(step.group)], n);
    const double least = least_size * mobility_;
    const VecX scale = sizes.unaryExpr([least](double s) { return 1 / std::sqrt(std::max(s, least)); });
    const MatX S = scale.asDiagonal() * Eigen::Map<const MatX>(&closures_[step.closure], n, n) * scale.asDiagonal();
    if (!S.allFinite()) continue;  // there is no rank to speak of
    const Eigen::JacobiSVD<MatX> svd(S, Eigen::ComputeFullV);
    const MatX& V = svd.matrixV();
    found.push_back({step.group, n, rank, scale.asDiagonal() * V.rightCols(n - rank), svd.singularValues(), V, scale});
  }
  return found;
}

std::vector<ClosingRank> BlockLU::deficient() const {
  std::vector<ClosingRank> found = closings();
  std::erase_if(found, [](const ClosingRank& one) { return one.rank == one.size; });
  return found;
}

}  // namespace polhode
