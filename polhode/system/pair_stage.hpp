// An element in a stage: its markers at both ends and in the middle, and products of its rows.
#pragma once

#include <polhode/lie/products.hpp>
#include <polhode/system/system.hpp>

namespace polhode {

/// K += left^T M right, for each of the four blocks.
template <int m>
void add_product(const Rows<m>& left, const Eigen::Matrix<double, m, m>& middle, const Rows<m>& right, PairBlocks& K) {
  const Eigen::Matrix<double, m, 6> to_a = times(middle, right.a), to_b = times(middle, right.b);
  add_transposed_times(left.a, to_a, K.aa);
  add_transposed_times(left.a, to_b, K.ab);
  add_transposed_times(left.b, to_a, K.ba);
  add_transposed_times(left.b, to_b, K.bb);
}

/// f times the row (by_a, by_b): how a wrench that follows a rate changes with it.
inline void add_rate(const Vec6& f_a, const Vec6& f_b, const Rows<1>& rate, PairBlocks& K) {
  add_transposed_times<6, 1, 6>(f_a.transpose(), rate.a, K.aa);
  add_transposed_times<6, 1, 6>(f_a.transpose(), rate.b, K.ab);
  add_transposed_times<6, 1, 6>(f_b.transpose(), rate.a, K.ba);
  add_transposed_times<6, 1, 6>(f_b.transpose(), rate.b, K.bb);
}

/// The markers of an element at both ends and in the middle of a stage, for invariants Z.
template <class Z>
struct PairStage {
  PairAt start, end, mid;
  PairStage(const Pair& pair, const Stage& s)
      : start(Z::at(pair, s.start[pair.a.node], s.start[pair.b.node])),
        end(Z::at(pair, s.end[pair.a.node], s.end[pair.b.node])),
        mid(Z::at(start, end)) {}

  /// Calls f with the markers that moments take their arms from.
  template <class F>
  auto with_arm(const Pair& pair, const Stage& s, F&& f) const {
    const std::span<const Frame> arm = s.variant->arm;
    return arm.empty() ? f(mid) : f(PairAt(pair, arm[pair.a.node], arm[pair.b.node]));
  }
  /// The gradient in the middle as wrenches.
  auto forces(const Pair& pair, const Stage& s) const {
    return with_arm(pair, s, [&](const PairAt& arm) { return Z::rows(mid, arm); });
  }
  /// And what stresses sigma make of it.
  Wrenches wrenches(const Pair& pair, const Stage& s, const typename Z::Z& sigma) const {
    return with_arm(pair, s, [&](const PairAt& arm) { return Z::wrenches(sigma, mid, arm); });
  }
};

}  // namespace polhode
