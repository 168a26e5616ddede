#include <polhode/solve/block_lu.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/SVD>

#include <polhode/solve/small_inverse.hpp>
#include <polhode/solve/small_lu.hpp>

namespace polhode {

BlockLU::BlockLU(const BlockPattern& pattern) : matrix_(pattern) {
  const int n = matrix_.groups();
  sizes_.assign(matrix_.rows(), 0.0);
  closing_.assign(n, 0);
  bound_.resize(n);
  for (int i = 0; i < n; ++i) bound_[i] = pattern.groups[i].bound;
  ranks_.assign(n, 0);
  inverted_.assign(n, 0);
  pivots_.assign(matrix_.rows(), 0);
  for (const auto& elimination : plan_elimination(pattern)) {
    const int v = elimination.group;
    closing_[v] = elimination.closing;
    closes_ = closes_ || elimination.closing;
    Step step{v, matrix_.size(v), matrix_.offset(v), elimination.closing, matrix_.slot(v, v), static_cast<int>(later_.size()),
              static_cast<int>(elimination.later.size()), static_cast<std::int64_t>(updates_.size()), closures_.size()};
    if (step.closing) closures_.resize(closures_.size() + step.size * step.size);
    for (int i : elimination.later)
      later_.push_back({i, matrix_.size(i), matrix_.offset(i), matrix_.slot(v, i), matrix_.slot(i, v)});
    for (int i : elimination.later)
      for (int j : elimination.later) updates_.push_back(matrix_.slot(i, j));
    if (step.size > 0) steps_.push_back(step);
    ranks_[v] = step.size;
  }
  matrix_.allocate();
}

bool BlockLU::factor() {
  std::fill(sizes_.begin(), sizes_.end(), 0.0);
  mobility_ = 0;
  for (const Step& step : steps_) {
    const bool regular = step.closing ? (close_loop(step), true)
                                      : small::with_size(step.size, [&](auto n) { return eliminate<decltype(n)::value>(step); });
    if (!regular) return false;
  }
  return true;
}

/// A(v, v) := A(v, v)^-1, or its LU if it is large (n = 0) or not well conditioned;  A(v, w) := A(v, v)^-1 A(v, w);
/// A(u, w) -= A(u, v) A(v, w).
template <int n>
bool BlockLU::eliminate(const Step& step) {
  double* const A = matrix_.values().data();
  double* const pivot = A + step.pivot;
  int* const exchanges = &pivots_[step.offset];
  char& inverted = inverted_[step.group] = false;
  if constexpr (n > 0 && n <= small::largest_inverted) inverted = small::invert<n>(pivot, least_left_);
  if (!inverted && !small::factor(step.size, pivot, exchanges)) return false;
  if (!bound_[step.group])  // factor() leaves the reciprocals of the pivots on the diagonal
    for (int k = 0; k < step.size; ++k) mobility_ = std::max(mobility_, std::abs(pivot[k * (step.size + 1)]));
  for (const Later& later : std::span(later_).subspan(step.first_later, step.later)) {
    if constexpr (n > 0)
      if (inverted) {
        small::multiply<n>(later.size, pivot, A + later.upper);
        continue;
      }
    small::solve(step.size, later.size, pivot, exchanges, A + later.upper);
  }
  update<n>(step);
  return true;
}

void BlockLU::close_loop(const Step& step) {
  double* const A = matrix_.values().data();
  const int n = step.size;
  std::copy(A + step.pivot, A + step.pivot + n * n, &closures_[step.closure]);
  ranks_[step.group] = small::generalised_inverse(n, &sizes_[matrix_.offset(step.group)], rank_tolerance_, A + step.pivot,
                                                  least_size * mobility_);
  for (const Later& later : std::span(later_).subspan(step.first_later, step.later))
    small::multiply(n, later.size, A + step.pivot, A + later.upper);
  update<0>(step);
}

template <int n>
void BlockLU::update(const Step& step) {
  double* const A = matrix_.values().data();
  const std::span<const Later> later = std::span(later_).subspan(step.first_later, step.later);
  const std::int64_t* target = updates_.data() + step.first_update;
  for (const Later& i : later)
    for (const Later& j : later) small::subtract_product<n>(i.size, step.size, j.size, A + i.lower, A + j.upper, A + *target++);
  if (closes_)
    for (const Later& i : later)
      if (closing_[i.group]) small::add_product_sizes(i.size, step.size, A + i.lower, A + i.upper, &sizes_[i.offset]);
}

void BlockLU::solve(Eigen::Ref<VecX> b) const {
  const double* const A = matrix_.values().data();
  double* const x = b.data();
  for (const Step& step : steps_) {
    double* const y = x + step.offset;
    small::with_size(step.size, [&](auto size) {
      constexpr int n = decltype(size)::value;
      if (step.closing)
        small::multiply(step.size, 1, A + step.pivot, y);
      else if (!inverted_[step.group])
        small::solve(step.size, 1, A + step.pivot, &pivots_[step.offset], y);
      else if constexpr (n > 0)
        small::multiply<n>(1, A + step.pivot, y);
      for (int i = 0; i < step.later; ++i) {
        const Later& later = later_[step.first_later + i];
        small::subtract_product<n>(later.size, step.size, 1, A + later.lower, y, x + later.offset);
      }
    });
  }
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    double* const y = x + step->offset;
    for (int i = 0; i < step->later; ++i) {
      const Later& later = later_[step->first_later + i];
      small::with_size(later.size, [&](auto n) {
        small::subtract_product<decltype(n)::value>(step->size, later.size, 1, A + later.upper, x + later.offset, y);
      });
    }
  }
}

std::vector<ClosingRank> BlockLU::deficient() const {
  std::vector<ClosingRank> found;
  for (const Step& step : steps_) {
    const int n = step.size, rank = ranks_[step.group];
    if (!step.closing || rank == n) continue;
    // the right null vectors of S, in the scaling that the rank was decided in
    const Eigen::Map<const VecX> sizes(&sizes_[matrix_.offset(step.group)], n);
    const double least = least_size * mobility_;
    const VecX scale = sizes.unaryExpr([least](double s) { return 1 / std::sqrt(std::max(s, least)); });
    const MatX S = scale.asDiagonal() * Eigen::Map<const MatX>(&closures_[step.closure], n, n) * scale.asDiagonal();
    const Eigen::JacobiSVD<MatX> svd(S, Eigen::ComputeFullV);
    found.push_back({step.group, n, rank, scale.asDiagonal() * svd.matrixV().rightCols(n - rank)});
  }
  return found;
}

}  // namespace polhode
