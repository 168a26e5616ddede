// The constraint Jacobian as an operator between the nodes' unknowns and rows, and in a matrix.
#include <polhode/system/system.hpp>

namespace polhode {

void ConstraintJacobian::add_times(double factor, const Eigen::Ref<const VecX>& u, Eigen::Ref<VecX> rows) const {
  for_each_block([&](const ConstraintBlock& block, int i, const auto& B) {
    rows.segment(block.first_row, block.rows).noalias() += factor * (B * u.segment<6>(6 * i));
  });
}

void ConstraintJacobian::add_transposed_times(double factor, const Eigen::Ref<const VecX>& mu,
                                              Eigen::Ref<VecX> u) const {
  for_each_block([&](const ConstraintBlock& block, int i, const auto& B) {
    u.segment<6>(6 * i).noalias() += factor * (B.transpose() * mu.segment(block.first_row, block.rows));
  });
}

void set_constraints(const ConstraintJacobian& B, const ConstraintJacobian& F, int first_node, int first_block,
                     BlockMatrix& A) {
  if (B.values.empty()) return;  // there are no joints
  const System& system = *B.system;
  double* const values = A.values().data();
  for (int b = 0; b < static_cast<int>(system.blocks.size()); ++b) {
    const ConstraintBlock& block = system.blocks[b];
    for (std::size_t k = 0; k < block.nodes.size(); ++k) {
      const int node = first_node + block.nodes[k], group = first_block + b, place = static_cast<int>(k);
      Eigen::Map<MatX>(values + A.find(group, node), block.rows, 6) = system.block(B, b, place);
      Eigen::Map<MatX>(values + A.find(node, group), 6, block.rows) = system.block(F, b, place).transpose();
    }
  }
}

}  // namespace polhode
