// The general sparse LU (SuiteSparse KLU) on the same block matrix: the check on the block elimination, and its
// fallback.
#pragma once

#include <memory>

#include <polhode/solve/block_matrix.hpp>

namespace polhode {

/// LU with partial pivoting of a BlockMatrix that has not been factored. Bound groups listed as `regularised` get a
/// small negative diagonal, so that redundant rows do not make the matrix singular.
class SparseLU {
 public:
  SparseLU();
  ~SparseLU();
  SparseLU(SparseLU&&) noexcept;
  SparseLU& operator=(SparseLU&&) noexcept;

  bool factor(const BlockMatrix& matrix, std::span<const int> regularised = {}, double regularisation = 1e-9);
  void solve(Eigen::Ref<VecX> b) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace polhode
