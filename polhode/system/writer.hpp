// Where the elements of a system put their forces and tangents.
#pragma once

#include <polhode/system/own_rows.hpp>

namespace polhode {

/// Puts an element's contributions where they belong.
struct Writer {
  const System& system;
  Vec6* force;
  const AssemblyPlan* plan;
  double* values;   ///< of the matrix, null if only forces are wanted
  Vec6& on_ground;  ///< its force: many tasks add to it
  int ground = system.ground();

  bool tangents() const { return values != nullptr; }

  void add_block(Slot slot, int row_node, int column_node, Mat6& K) const {
    if (slot < 0) return;
    reduce_rows(system.nodes[row_node], K);
    reduce_columns(system.nodes[column_node], K);
    Eigen::Map<Mat6>(values + slot) += K;
  }
  /// The same for a block of rotations alone.
  void add_block(Slot slot, int row_node, int column_node, const Mat3& K) const {
    if (slot < 0 || !system.nodes[row_node].rotates() || !system.nodes[column_node].rotates()) return;
    double* const to = values + slot + 21;
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) to[i + 6 * j] += K(i, j);
  }

  template <bool couples = true, class Blocks>
  void add_pair(const Element& e, Blocks& K) const {
    const auto& slots = plan->elements[e.index];
    const int a = e.pair.a.node, b = e.pair.b.node;
    add_block(slots.aa, a, a, K.aa);
    add_block(slots.bb, b, b, K.bb);
    if constexpr (couples) {
      add_block(slots.ab, a, b, K.ab);
      add_block(slots.ba, b, a, K.ba);
    }
  }

  /// Force columns F and constraint rows B of one node. Rows of a joint are its own and are `set`; others may be sums
  /// of several terms.
  template <bool set, int m>
  void put_rows(Slot column, Slot row, int stride, int node, const Eigen::Matrix<double, m, 6>& F,
                const Eigen::Matrix<double, m, 6>& B) const {
    const auto put = [&](const Eigen::Matrix<double, m, 6>& own_F, const Eigen::Matrix<double, m, 6>& own_B) {
      double* const to = values + column;
      for (int k = 0; k < m; ++k)
        for (int i = 0; i < 6; ++i) to[i + 6 * k] = set ? own_F(k, i) : to[i + 6 * k] + own_F(k, i);
      put_strided<set>(own_B, values + row, stride);
    };
    if (system.nodes[node].kind == Node::Kind::rigid) return put(F, B);
    Eigen::Matrix<double, m, 6> own_F = F, own_B = B;
    reduce_columns(system.nodes[node], own_F);
    reduce_columns(system.nodes[node], own_B);
    put(own_F, own_B);
  }

  template <int m>
  void add_rows(const Element& e, const Rows<m>& F, const Rows<m>& B) const {
    const auto& slots = plan->elements[e.index];
    if (slots.F_a >= 0) put_rows<false>(slots.F_a, slots.B_a, slots.stride, e.pair.a.node, F.a, B.a);
    if (slots.F_b >= 0) put_rows<false>(slots.F_b, slots.B_b, slots.stride, e.pair.b.node, F.b, B.b);
  }

  Vec6& force_on(int node) const { return node < ground ? force[node] : on_ground; }

  void add_force(const Element& e, const Wrenches& on) const {
    force_on(e.pair.a.node) += on.a;
    force_on(e.pair.b.node) += on.b;
  }
};

}  // namespace polhode
