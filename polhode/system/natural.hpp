// Forces, residuals and tangents of all elements in the 12 natural coordinates q = (x, d1, d2, d3) of each node,
// without the map to six unknowns: for methods that take positions and directors themselves as unknowns. It shares with
// evaluate() the laws of the elements, not their geometry: gradients and Hessians are derived here once more, by other
// means, and check those there.
//
// Stack the eight vectors of an element's two nodes as the columns of U = (x_a, d_a1, d_a2, d_a3, x_b, d_b1, d_b2,
// d_b3), 3 x 8.
// Points and axes are U w with constant weights w. An invariant that is not linear is a scalar product of two of them,
//   z = (U u) . (U w),   dz/dU = (U w) u^T + (U u) w^T,   and its Hessian is (u w^T + w u^T) (x) 1_3, constant.
#pragma once

#include <polhode/system/system.hpp>

namespace polhode {

using Vec12 = Eigen::Matrix<double, 12, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12>;

inline Vec12 natural(const Frame& frame) {
  Vec12 q;
  q << frame.x, frame.d.reshaped();
  return q;
}
inline Frame frame(const Vec12& q) { return {q.head<3>(), q.tail<9>().reshaped(3, 3)}; }

/// The matrix A (x) 1_3: A acting on columns that are vectors of space.
template <int n>
Eigen::Matrix<double, 3 * n, 3 * n> on_vectors(const Eigen::Matrix<double, n, n>& A) {
  Eigen::Matrix<double, 3 * n, 3 * n> out = Eigen::Matrix<double, 3 * n, 3 * n>::Zero();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) out.template block<3, 3>(3 * i, 3 * j).diagonal().setConstant(A(i, j));
  return out;
}

/// Where tangents go: a matrix whose groups are the nodes, then the constraint blocks. In a node's group the equations
/// that hold g begin at `row`, the unknowns q of the end at `column`.
struct NaturalTangents {
  BlockMatrix* matrix = nullptr;
  int row = 0, column = 0;
};

/// Between two configurations (not pointwise): adds scale * g to each node's 12 numbers, g = dz(qm)^T sigma* the
/// discrete gradient of energies and of lambda . Phi less the loads and what is applied, and sets the constraint
/// residuals at the end. The ends need not be orthonormal: they are iterates. Variants of the system are not for it. If
/// a matrix is given, adds dg/dq1, dg/dlambda and dPhi/dq1 to it.
void evaluate_natural(const System& system, const Stage& stage, std::span<Vec12> g, std::span<double> phi,
                      const NaturalTangents& tangents = {});

}  // namespace polhode
