#include <polhode/integrate/doubled_equations.hpp>

#include <algorithm>
#include <set>

namespace polhode {
namespace {

constexpr int most_rows = 8;  // of a constraint block
using Rows6 = Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::ColMajor, most_rows, 6>;
using Columns6 = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, most_rows>;

/// Part of a block that is stored column by column with some stride.
template <class Matrix>
auto part(double* values, int stride, int row, int column, int rows, int columns) {
  return Eigen::Map<Matrix, 0, Eigen::OuterStride<>>(values + row + static_cast<std::ptrdiff_t>(stride) * column, rows,
                                                     columns, Eigen::OuterStride<>(stride));
}

/// Nodes that the geometry of joints couples: not those of a joint that only brings points together.
std::vector<std::vector<int>> joined_nodes(const System& system) {
  std::vector<std::set<int>> joined(system.nodes.size());
  const auto join = [&](const Element& e) {
    for (int i : {e.pair.a.node, e.pair.b.node})
      for (int j : {e.pair.a.node, e.pair.b.node})
        if (i < system.ground() && j < system.ground()) joined[i].insert(j);
  };
  for (int i = 0; i < system.node_count(); ++i) joined[i].insert(i);
  system.elements.for_each_row([&](const RowArray& rows, int k) {
    if (rows.couples()) join(rows.element(k));
  });
  std::vector<std::vector<int>> out;
  for (const auto& set : joined) out.emplace_back(set.begin(), set.end());
  return out;
}

/// The unknowns that a node does not have get the equation that they are zero.
void fix_missing(const Node& node, double* block) {
  const auto fix = [&](int k) {
    for (int l = 0; l < 12; ++l) block[k + 12 * l] = block[l + 12 * k] = 0;
    block[13 * k] = 1;
  };
  for (int half : {0, 6})
    for (int k = 0; k < 6; ++k)
      if (node.kind == Node::Kind::turning ? k < 3 : k >= node.freedoms()) fix(half + k);
}

}  // namespace

DoubledEquations::DoubledEquations(const System& system, bool velocity_level)
    : nodes(system.nodes.size()),
      system_(system),
      velocity_level_(velocity_level),
      single_(system.plan(1)),
      doubled_(system.plan(velocity_level ? 2 : 1)),
      joined_(joined_nodes(system)) {
  g_by_end = BlockMatrix(single_.pattern);
  g_by_end.allocate();
  g_by_jump = h_by_end = h_by_jump = Q_by[at_end] = Q_by[at_jump] = g_by_end;
  system.find_slots(single_, g_by_end);

  BlockPattern& pattern = doubled_.pattern;
  for (auto& group : pattern.groups) group.size *= 2;  // plan(2) has doubled the rows for the velocity level already
  if (!velocity_level) return;
  for (int b = 0; b < static_cast<int>(system.blocks.size()); ++b)
    for (int i : system.blocks[b].nodes)
      for (int j : joined_[i]) pattern.links.emplace_back(j, system.node_count() + b);
}

void DoubledEquations::set_zero() {
  for (BlockMatrix* part : {&g_by_end, &g_by_jump, &h_by_end, &h_by_jump, &Q_by[at_end], &Q_by[at_jump]})
    part->set_zero();
}

void DoubledEquations::bind(const BlockMatrix& A) {
  const int n = system_.node_count(), blocks = static_cast<int>(system_.blocks.size());
  g_by_end.for_each_block([&](int i, int j, Slot slot) {
    if (i < n && j < n) pairs_.push_back({i, j, slot, A.find(i, j)});
  });
  std::vector<std::vector<std::pair<int, int>>> blocks_of(n);
  for (int b = 0; b < blocks; ++b)
    for (int k = 0; k < static_cast<int>(system_.blocks[b].nodes.size()); ++k) {
      const int i = system_.blocks[b].nodes[k];
      ties_.push_back({b, k, i, g_by_end.find(i, n + b), A.find(i, n + b), A.find(n + b, i)});
      blocks_of[i].emplace_back(b, k);
      if (velocity_level_)
        for (int j : joined_[i]) through_.push_back({b, k, i, j, g_by_end.find(i, j), A.find(n + b, j)});
    }
  if (velocity_level_)
    for (int i = 0; i < n; ++i)
      for (const auto& [b, k] : blocks_of[i])
        for (const auto& [other, other_k] : blocks_of[i])
          sharing_.push_back({b, k, other, other_k, i, A.find(n + b, n + other)});
}

void DoubledEquations::add_node_pair(const NodePair& pair, double* A) const {
  const auto at = [&](const BlockMatrix& matrix) { return Eigen::Map<const Mat6>(matrix.values().data() + pair.from); };
  const NodeEquations& e = nodes[pair.i];
  Eigen::Map<Eigen::Matrix<double, 12, 12>> to(A + pair.to);
  const Mat6 G1 = at(g_by_end), Gj = at(g_by_jump);
  to.topLeftCorner<6, 6>() += e.F_a * G1;
  to.topRightCorner<6, 6>() += e.F_a * Gj;
  to.bottomLeftCorner<6, 6>() += e.F_b * G1 + e.F_h * at(h_by_end);
  to.bottomRightCorner<6, 6>() += e.F_b * Gj + e.F_h * at(h_by_jump);
  if (velocity_level_)
    for (int row : {at_end, at_jump})
      for (int state : {at_end, at_jump}) to.block<6, 6>(6 * row, 6 * state) += e.by_Q[row][state] * at(Q_by[state]);
  if (pair.i != pair.j) return;
  for (int row : {at_end, at_jump})
    for (int state : {at_end, at_jump}) to.block<6, 6>(6 * row, 6 * state) += e.own[row][state];
  fix_missing(system_.nodes[pair.i], A + pair.to);
}

/// Force columns of lambda_g, lambda_j, eta_end, eta_jump; rows Phi at the end and at the jump.
void DoubledEquations::add_tie(const Tie& tie, double* A) const {
  const int m = system_.blocks[tie.block].rows, stride = (velocity_level_ ? 4 : 2) * m;
  const NodeEquations& e = nodes[tie.node];
  const auto force = [&](const BlockMatrix& matrix) {
    return Columns6(Eigen::Map<const Columns6>(matrix.values().data() + tie.from, 6, m));
  };
  const auto column = [&](int balance, int kind) {
    return part<Columns6>(A + tie.force, 12, 6 * balance, kind * m, 6, m);
  };
  const Columns6 F_g = force(g_by_end), F_h = force(h_by_jump);
  column(at_end, 0) += e.F_a.lazyProduct(F_g);
  column(at_jump, 0) += e.F_b.lazyProduct(F_g);
  column(at_jump, 1) += e.F_h.lazyProduct(F_h);
  for (int state : {at_end, at_jump}) {
    const Rows6 rows = system_.block(B[state], tie.block, tie.k);
    part<Rows6>(A + tie.rows, stride, state * m, 6 * state, m, 6) += rows;
    if (velocity_level_)
      for (int balance : {at_end, at_jump})
        column(balance, 2 + state) += e.by_Q[balance][state].lazyProduct(rows.transpose());
  }
}

/// Rows B V = f' at the two states: V varies with the displacements and with the wrenches Q = B^T eta of both states.
void DoubledEquations::add_velocity_level(double* A) const {
  const auto rows_of = [&](int block, int k, int state) { return Rows6(system_.block(B[state], block, k)); };
  for (const Tie& tie : ties_) {
    const int m = system_.blocks[tie.block].rows;
    for (int row : {at_end, at_jump}) {
      const Rows6 rows = rows_of(tie.block, tie.k, row);
      for (int state : {at_end, at_jump})
        part<Rows6>(A + tie.rows, 4 * m, (2 + row) * m, 6 * state, m, 6) +=
            rows.lazyProduct(nodes[tie.node].V_by_q[row][state]);
      part<Rows6>(A + tie.rows, 4 * m, (2 + row) * m, 6 * row, m, 6) += system_.block(D[row], tie.block, tie.k);
    }
  }
  for (const Through& t : through_) {
    const int m = system_.blocks[t.block].rows;
    for (int state : {at_end, at_jump}) {
      const Eigen::Map<const Mat6> Q(Q_by[state].values().data() + t.from);
      for (int row : {at_end, at_jump}) {
        const Mat6 product = nodes[t.node].V_by_Q[row][state] * Q;
        part<Rows6>(A + t.to, 4 * m, (2 + row) * m, 6 * state, m, 6) += rows_of(t.block, t.k, row).lazyProduct(product);
      }
    }
  }
  for (const Sharing& s : sharing_) {
    const int m = system_.blocks[s.block].rows, other = system_.blocks[s.other].rows;
    for (int row : {at_end, at_jump})
      for (int state : {at_end, at_jump}) {
        const Columns6 V = nodes[s.node].V_by_Q[row][state].lazyProduct(rows_of(s.other, s.other_k, state).transpose());
        part<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, most_rows, most_rows>>(
            A + s.to, 4 * m, (2 + row) * m, (2 + state) * other, m, other) += rows_of(s.block, s.k, row).lazyProduct(V);
      }
  }
}

void DoubledEquations::assemble(BlockMatrix& A) const {
  double* const values = A.values().data();
  for (const NodePair& pair : pairs_) add_node_pair(pair, values);
  for (const Tie& tie : ties_) add_tie(tie, values);
  if (velocity_level_) add_velocity_level(values);
}

void DoubledEquations::wrench_change(const VecX& delta, Where state, const BlockMatrix& A,
                                     std::vector<Vec6>& change) const {
  std::fill(change.begin(), change.end(), Vec6::Zero());
  for (const NodePair& pair : pairs_)
    change[pair.i] +=
        Eigen::Map<const Mat6>(Q_by[state].values().data() + pair.from) * delta.segment<6>(12 * pair.j + 6 * state);
  for (const Tie& tie : ties_) {
    const int m = system_.blocks[tie.block].rows;
    change[tie.node] += system_.block(B[state], tie.block, tie.k).transpose() *
                        delta.segment(A.offset(system_.node_count() + tie.block) + (2 + state) * m, m);
  }
}

}  // namespace polhode
