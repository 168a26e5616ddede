// Rows of elements in the unknowns that a node has of its own: all six, or fewer.
#pragma once

#include <polhode/lie/products.hpp>
#include <polhode/system/system.hpp>

namespace polhode {

/// Columns of m x 6 numbers, column by column, become those of the node's own unknowns: K P with V = P u.
void reduce_columns_of_part(const Node& node, int m, double* K);
/// And rows: P^T K.
void reduce_rows_of_part(const Node& node, Mat6& K);

template <int m>
void reduce_columns(const Node& node, Eigen::Matrix<double, m, 6>& K) {
  if (node.kind != Node::Kind::rigid) reduce_columns_of_part(node, m, K.data());
}
inline void reduce_rows(const Node& node, Mat6& K) {
  if (node.kind != Node::Kind::rigid) reduce_rows_of_part(node, K);
}

/// Adds m x 6 numbers to some rows of a block that is stored column by column, or sets them.
template <bool set, int m>
void put_strided(const Eigen::Matrix<double, m, 6>& part, double* to, int stride) {
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i < m; ++i)
      if constexpr (set)
        to[i + j * stride] = part(i, j);
      else
        to[i + j * stride] += part(i, j);
}

/// The rows g z' of an element's strains, in the nodes' unknowns.
template <int m, int n>
void set_strain_rows(const System& system, const Element& e, const Eigen::Matrix<double, m, n>& g, const Rows<n>& z,
                     Rows<6>& Y) {
  Y.a.template topRows<m>() = times(g, z.a);
  Y.b.template topRows<m>() = times(g, z.b);
  if (e.pair.a.node < system.ground()) reduce_columns(system.nodes[e.pair.a.node], Y.a);
  if (e.pair.b.node < system.ground()) reduce_columns(system.nodes[e.pair.b.node], Y.b);
}

/// Adds the rows of an element to the m x 6 blocks of its constraint block.
template <int m>
void add_to_jacobian(const System& system, const Element& e, const RowPlace& place, Rows<m> rows,
                     ConstraintJacobian& B) {
  const ConstraintBlock& block = system.blocks[place.block];
  const auto add = [&](int k, int node, Eigen::Matrix<double, m, 6>& part) {
    if (k < 0) return;
    reduce_columns(system.nodes[node], part);
    double* const to = B.values.data() + system.block_of_jacobian[block.first_block + k] + place.row;
    put_strided<false>(part, to, block.rows);
  };
  add(place.node_a, e.pair.a.node, rows.a);
  add(place.node_b, e.pair.b.node, rows.b);
}

}  // namespace polhode
