#include <polhode/solve/block_lu.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/SVD>

#include <polhode/solve/small_lu.hpp>

namespace polhode {

BlockLU::BlockLU(const BlockPattern& pattern) : matrix_(pattern) {
  const int n = matrix_.groups();
  sizes_.assign(matrix_.rows(), 0.0);
  closing_.assign(n, 0);
  bound_.resize(n);
  for (int i = 0; i < n; ++i) bound_[i] = pattern.groups[i].bound;
  ranks_.assign(n, 0);
  pivots_.assign(matrix_.rows(), 0);
  for (const auto& elimination : plan_elimination(pattern)) {
    const int v = elimination.group;
    closing_[v] = elimination.closing;
    Step step{v, matrix_.size(v), elimination.closing, matrix_.slot(v, v), static_cast<int>(later_.size()),
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
  double* const A = matrix_.values().data();
  std::fill(sizes_.begin(), sizes_.end(), 0.0);
  mobility_ = 0;
  for (const Step& step : steps_) {
    const int n = step.size;
    const Later* const later = later_.data() + step.first_later;
    int* const pivots = &pivots_[matrix_.offset(step.group)];
    if (step.closing) {
      std::copy(A + step.pivot, A + step.pivot + n * n, &closures_[step.closure]);
      ranks_[step.group] = small::generalised_inverse(n, &sizes_[matrix_.offset(step.group)], rank_tolerance, A + step.pivot,
                                                      least_size * mobility_);
    } else if (!small::factor(n, A + step.pivot, pivots)) {
      return false;
    }
    if (!step.closing)  // factor() leaves the reciprocals of the pivots on the diagonal
      for (int k = 0; k < n; ++k) mobility_ = std::max(mobility_, bound_[step.group] ? 0.0 : std::abs(A[step.pivot + k * (n + 1)]));
    // A(v, w) := A(v, v)^-1 A(v, w);  A(u, w) -= A(u, v) A(v, w)
    for (int j = 0; j < step.later; ++j) {
      if (step.closing)
        small::multiply(n, later[j].size, A + step.pivot, A + later[j].upper);
      else
        small::solve(n, later[j].size, A + step.pivot, pivots, A + later[j].upper);
    }
    const std::int64_t* target = updates_.data() + step.first_update;
    for (int i = 0; i < step.later; ++i)
      for (int j = 0; j < step.later; ++j)
        small::subtract_product(later[i].size, n, later[j].size, A + later[i].lower, A + later[j].upper, A + *target++);
    for (int i = 0; i < step.later; ++i)
      if (closing_[later[i].group])
        small::add_product_sizes(later[i].size, n, A + later[i].lower, A + later[i].upper, &sizes_[later[i].offset]);
  }
  return true;
}

void BlockLU::solve(Eigen::Ref<VecX> b) const {
  const double* const A = matrix_.values().data();
  double* const x = b.data();
  for (const Step& step : steps_) {
    double* const y = x + matrix_.offset(step.group);
    if (step.closing)
      small::multiply(step.size, 1, A + step.pivot, y);
    else
      small::solve(step.size, 1, A + step.pivot, &pivots_[matrix_.offset(step.group)], y);
    for (int i = 0; i < step.later; ++i) {
      const Later& later = later_[step.first_later + i];
      small::subtract_product(later.size, step.size, 1, A + later.lower, y, x + later.offset);
    }
  }
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    double* const y = x + matrix_.offset(step->group);
    for (int i = 0; i < step->later; ++i) {
      const Later& later = later_[step->first_later + i];
      small::subtract_product(step->size, later.size, 1, A + later.upper, x + later.offset, y);
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
