// Elements in natural coordinates: their invariants as functions of the eight vectors of two nodes, see natural.hpp.
#pragma once

#include <polhode/lie/products.hpp>
#include <polhode/system/natural.hpp>

namespace polhode {

using Vec24 = Eigen::Matrix<double, 24, 1>;
using Mat24 = Eigen::Matrix<double, 24, 24>;

/// The invariants of an element as functions of U. Which ones they are is known when it runs, not when it is compiled:
/// their gradients are columns of 24 numbers, as many as there are.
class NaturalInvariants {
 public:
  static constexpr int most = 19;  ///< all invariants that there are: point, along_a, along_b, cosine, square
  using Z = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most, 1>;
  using Gradients = Eigen::Matrix<double, 24, Eigen::Dynamic, 0, 24, most>;
  using Vec8 = Eigen::Matrix<double, 8, 1>;
  using Mat8 = Eigen::Matrix<double, 8, 8>;
  using U = Eigen::Matrix<double, 3, 8>;

  NaturalInvariants(const InvariantChoice& choice, const Pair& pair) : choice_(choice), size_(choice.size()) {
    r_ << -1, -pair.a.X, 1, pair.b.X;
    a_.setZero(), b_.setZero();
    a_.middleRows<3>(1) = pair.a.E;
    b_.middleRows<3>(5) = pair.b.E;
  }

  static U stack(const Frame& a, const Frame& b) { return (U() << a.x, a.d, b.x, b.d).finished(); }

  Z z(const U& q) const {
    Z out(size_);
    if (choice_.point) out.head<3>() = times(q, r_);
    for_each_product([&](int k, const Vec8& u, const Vec8& w) { out[k] = times(q, u).dot(times(q, w)); });
    return out;
  }

  Gradients gradients(const U& q) const {
    Gradients out(24, size_);
    if (choice_.point)
      for (int i = 0; i < 8; ++i) out.block<3, 3>(3 * i, 0) = r_[i] * Mat3::Identity();
    for_each_product([&](int k, const Vec8& u, const Vec8& w) {
      const Vec3 Uu = times(q, u), Uw = times(q, w);
      for (int i = 0; i < 8; ++i) out.col(k).segment<3>(3 * i) = u[i] * Uw + w[i] * Uu;
    });
    return out;
  }

  /// S with sum sigma_k d2 z_k = S (x) 1_3.
  Mat8 hessian(const Z& sigma) const {
    Mat8 S = Mat8::Zero();
    for_each_product([&](int k, const Vec8& u, const Vec8& w) {
      for (int j = 0; j < 8; ++j)
        for (int i = 0; i < 8; ++i) S(i, j) += sigma[k] * (u[i] * w[j] + w[i] * u[j]);
    });
    return S;
  }

 private:
  /// f(k, u, w) for each invariant z_k = (U u) . (U w), in the order of InvariantChoice.
  template <class F>
  void for_each_product(F&& f) const {
    int k = choice_.point ? 3 : 0;
    for (int i = 0; i < 3; ++i)
      if (choice_.along_a & bit(i)) f(k++, r_, a_.col(i));
    for (int i = 0; i < 3; ++i)
      if (choice_.along_b & bit(i)) f(k++, r_, b_.col(i));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (choice_.cosine & bit(i, j)) f(k++, a_.col(i), b_.col(j));
    if (choice_.square) f(k, r_, r_);
  }

  InvariantChoice choice_;
  int size_;
  Vec8 r_;                             ///< r = U r_
  Eigen::Matrix<double, 8, 3> a_, b_;  ///< a_i = U a_.col(i), b_j likewise
};

struct NaturalWriter {
  const System& system;
  std::span<Vec12> g;
  const NaturalTangents& to;

  bool tangents() const { return to.matrix != nullptr; }

  /// Adds to a block of the matrix, at a place in it.
  template <class Part>
  void add(int i, int j, int row, int column, const Part& part) const {
    BlockMatrix& A = *to.matrix;
    double* const first = A.values().data() + A.find(i, j) + row + column * A.size(i);
    Eigen::Map<MatX, 0, Eigen::OuterStride<>>(first, part.rows(), part.cols(), Eigen::OuterStride<>(A.size(i))) += part;
  }

  void add_force(const Pair& pair, const Vec24& both) const {
    g[pair.a.node] += both.head<12>();
    g[pair.b.node] += both.tail<12>();
  }

  void add_stiffness(const Pair& pair, const Mat24& K) const {
    const int nodes[2] = {pair.a.node, pair.b.node};
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        if (nodes[i] != system.ground() && nodes[j] != system.ground() && !K.block<12, 12>(12 * i, 12 * j).isZero(0))
          add(nodes[i], nodes[j], to.row, to.column, K.block<12, 12>(12 * i, 12 * j));
  }

  /// Force columns F and, by their columns, the rows B of an element's part of a constraint block.
  void add_rows(const Pair& pair, const RowPlace& place, const NaturalInvariants::Gradients& F,
                const NaturalInvariants::Gradients& B) const {
    const int group = system.node_count() + place.block;
    const int nodes[2] = {pair.a.node, pair.b.node};
    for (int i = 0; i < 2; ++i) {
      if (nodes[i] == system.ground()) continue;
      add(nodes[i], group, to.row, place.row, F.middleRows<12>(12 * i));
      add(group, nodes[i], place.row, to.column, B.middleRows<12>(12 * i).transpose());
    }
  }
};

/// An element's invariants at both ends, and their gradients in the middle and at the end.
struct NaturalStage {
  using N = NaturalInvariants;
  N invariants;
  N::Z z0, z1;
  N::Gradients mid, end;

  NaturalStage(const InvariantChoice& choice, const Pair& pair, const Stage& s) : invariants(choice, pair) {
    const int a = pair.a.node, b = pair.b.node;
    const N::U end_at = N::stack(s.end[a], s.end[b]);
    z0 = invariants.z(N::stack(s.start[a], s.start[b]));
    z1 = invariants.z(end_at);
    mid = invariants.gradients(N::stack(s.mid(a), s.mid(b)));
    end = invariants.gradients(end_at);
  }

  static Vec24 sum(const N::Gradients& gradients, const N::Z& sigma) {
    Vec24 out = Vec24::Zero();
    for (int k = 0; k < sigma.size(); ++k) out += sigma[k] * gradients.col(k);
    return out;
  }
  /// The derivative of mid^T sigma by q1 at constant sigma: qm moves by half of q1.
  Mat24 tangent(const N::Z& sigma) const { return 0.5 * on_vectors<8>(invariants.hessian(sigma)); }
  /// And where sigma changes by `middle` dz1.
  template <int m>
  Mat24 tangent(const N::Z& sigma, const Eigen::Matrix<double, m, m>& middle) const {
    Mat24 K = tangent(sigma);
    for (int k = 0; k < m; ++k) {
      const Vec24 to_end = sum(end, middle.row(k).transpose());
      for (int j = 0; j < 24; ++j) K.col(j) += to_end[j] * mid.col(k);
    }
    return K;
  }
};

/// The equations of a joint. `reference`: one number for each invariant.
void add_joint_in_natural(const InvariantChoice& choice, const Element& e, const RowPlace& place, double weight,
                          const double* reference, const Stage& s, std::span<double> phi, const NaturalWriter& out);

}  // namespace polhode
