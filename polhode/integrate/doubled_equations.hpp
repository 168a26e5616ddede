// The linear equations of a step that looks for two states at once, its end and a jump at its start: the blocks of one
// state doubled,
// 12 unknowns a node, two or four for each row of a joint, eliminated leaf to root as those of one state are.
#pragma once

#include <array>
#include <vector>

#include <polhode/integrate/force_map.hpp>
#include <polhode/solve/block_matrix.hpp>
#include <polhode/system/system.hpp>

namespace polhode {

/// A matrix for each pair of states.
using PairOfStates = std::array<std::array<Mat6, 2>, 2>;

/// Balances of a node: rows (a) and (b), its momenta at the end and at the jump with their forces.
struct NodeEquations {
  Mat6 F_a, F_b, F_h;           ///< (a): F_a g_g; (b): F_b g_g + F_h g_h, with the forces g of the two intervals
  PairOfStates own;             ///< [balance][state]: derivatives of all that is the node's own
  PairOfStates by_Q;            ///< [balance][state]: by the wrenches of the velocity-level multipliers
  PairOfStates V_by_q, V_by_Q;  ///< [state of V][state]: velocities in space, by displacements and by those wrenches
};

class DoubledEquations {
 public:
  DoubledEquations(const System& system, bool velocity_level);

  /// Groups: 12 unknowns a node (end, jump); lambda_g, lambda_j of each block and, at velocity level, eta_end,
  /// eta_jump.
  const AssemblyPlan& doubled() const { return doubled_; }
  /// The layout of the matrices of one state, below.
  const AssemblyPlan& single() const { return single_; }
  /// Forces of the second interval by the end and the jump, of the first by both, wrenches of the velocity level by its
  /// own state; with their force columns. To be filled by System::evaluate.
  BlockMatrix g_by_end, g_by_jump, h_by_end, h_by_jump;
  std::array<BlockMatrix, 2> Q_by;
  void set_zero();

  std::vector<NodeEquations> nodes;
  std::array<ConstraintJacobian, 2> B, D;  ///< at the two states; D: derivative of B V by the configuration

  /// Finds where the blocks are in a matrix of the doubled pattern.
  void bind(const BlockMatrix& A);
  void assemble(BlockMatrix& A) const;

  /// How the wrenches B^T eta of a state change with all unknowns, in the nodes' own.
  void wrench_change(const VecX& delta, Where state, const BlockMatrix& A, std::vector<Vec6>& change) const;

 private:
  struct NodePair {
    int i, j;
    Slot from, to;
  };
  struct Tie {  ///< a block and one of its nodes
    int block, k, node;
    Slot from, force, rows;
  };
  struct Through {  ///< a block, one of its nodes, and a neighbour of that node in the geometry of joints
    int block, k, node, other;
    Slot from, to;
  };
  struct Sharing {  ///< two blocks with a node in common
    int block, k, other, other_k, node;
    Slot to;
  };
  void add_node_pair(const NodePair& pair, double* A) const;
  void add_tie(const Tie& tie, double* A) const;
  void add_velocity_level(double* A) const;

  const System& system_;
  bool velocity_level_;
  AssemblyPlan single_, doubled_;
  std::vector<std::vector<int>>
      joined_;  ///< of each node: those that the geometry of a joint couples it with, itself included
  std::vector<NodePair> pairs_;
  std::vector<Tie> ties_;
  std::vector<Through> through_;
  std::vector<Sharing> sharing_;
};

}  // namespace polhode
