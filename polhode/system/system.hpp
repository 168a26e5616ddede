// A model compiled to flat arrays: nodes, constraint blocks, elements; and what integrators ask of them.
#pragma once

#include <functional>
#include <span>
#include <string>

#include <polhode/model/function.hpp>
#include <polhode/solve/block_matrix.hpp>
#include <polhode/solve/thread_pool.hpp>
#include <polhode/system/element_arrays.hpp>
#include <polhode/system/inertia.hpp>
#include <polhode/system/loads.hpp>

namespace polhode {

/// The equations of a joint (with its drive), or of a coupling: `rows` of them, on up to four nodes.
struct ConstraintBlock {
  int first_row = 0, rows = 0;
  std::vector<int> nodes;
  bool to_ground = false;
  int first_block = 0;  ///< of its m x 6 Jacobian blocks, one per node, in a ConstraintJacobian
};

/// A row whose coordinate is given as a function of time: Phi = ... - f(t).
struct GivenRow {
  int row = 0, function = 0;
  int drive = -1;  ///< index of the model's drive, or -1: the function is a constant of a coupling
};

class System;

/// Rows of joints that close nearly redundant loops, left out of the equations: they get no multiplier.
struct LeftOut {
  std::vector<char> rows;  ///< 1: left out; empty if none is
  VecX gap;                ///< what is left open of the other rows: where one took the place of another, its value then
  double rank_tolerance = BlockPattern::usual_rank_tolerance;  ///< of the loops that are left

  bool any() const { return !rows.empty(); }
  /// What the equations see of Phi.
  void apply(std::span<double> phi) const;
};

/// B at a configuration, in m x 6 blocks, one for each node of each constraint block, column by column; and as an
/// operator between the nodes' unknowns, 6 numbers a node, and rows.
struct ConstraintJacobian {
  const System* system = nullptr;  ///< whose it is
  std::vector<double> values;

  void add_times(double factor, const Eigen::Ref<const VecX>& u, Eigen::Ref<VecX> rows) const;  ///< rows += factor B u
  void add_transposed_times(double factor, const Eigen::Ref<const VecX>& mu,
                            Eigen::Ref<VecX> u) const;  ///< u += factor B^T mu
  /// The same as wrenches in space: to(i) is where that of node i is added up.
  template <class To>
  void add_wrenches(double factor, const VecX& mu, To&& to) const;
  /// f(block, node, B): every block of B with the constraint and the node that it belongs to.
  template <class F>
  void for_each_block(F&& f) const;
};
/// Sets the rows of constraint groups to B, and their columns to F^T, by which multipliers act; usually F is B. The
/// groups of nodes and of constraint blocks begin as given.
void set_constraints(const ConstraintJacobian& B, const ConstraintJacobian& F, int first_node, int first_block,
                     BlockMatrix& A);

/// The strain y of an elastic element between two configurations, its rows in the nodes' unknowns: y1 - y0 = mean u
/// exactly, and dy1 = end du. Elements with one strain use the first row.
struct Strain {
  Rows<6> mean{Mat6::Zero(), Mat6::Zero()}, end{Mat6::Zero(), Mat6::Zero()};
  Vec6 change = Vec6::Zero();
};

/// How a method departs from the system: passed along with a stage. Nobody edits a system, or a copy of one.
struct Variant {
  bool dampers = true;           ///< false: those of elastic elements do nothing
  bool gravity = true;           ///< false: it is left to the caller
  double lead = 0;               ///< elastic stress belongs to y0 + (1/2 + lead)(y1 - y0)
  std::span<const Frame> arm{};  ///< where moments take their arms, if not in the middle; the tangents overlook it
  std::span<const Vec6>
      added_stress{};  ///< to that of each elastic element, not scaled, in the order of the laws, then of `extra`
  std::span<Strain> strain{};  ///< if given: filled, in the same order
  /// laws that the method adds for purposes of its own, or none; evaluated after all others
  const ElementSet* extra = nullptr;
};
inline constexpr Variant as_compiled{};  ///< the system as it is

/// Where forces are evaluated: between two configurations (the discrete gradient), or at one (the ordinary one). Arrays
/// have an entry for each node and a last one for the ground. Forces are multiplied by `scale`, `lambda` comes scaled.
struct Stage {
  std::span<const Frame> start{}, end{};
  double t0 = 0, t1 = 0;
  double scale = 1;
  std::span<const double> lambda{};
  const State* given = nullptr;  ///< what does not change in a step: counted angles, applied wrenches
  bool pointwise = false;        ///< start and end are the same, rates of change come from V
  std::span<const Vec6> V{};
  std::span<const Mat6> dV{};  ///< how V varies with (delta x, theta) of its node, where both are unknown
  const Variant* variant = &as_compiled;

  /// The middle of a node's motion.
  Frame mid(int node) const { return mean(start[node], end[node]); }
  double c() const { return pointwise ? 1.0 : 0.5; }
};

/// Slots of an element's blocks in a BlockMatrix; -1 where there is none (the ground).
struct ElementSlots {
  Slot aa = -1, ab = -1, ba = -1, bb = -1;      ///< node with node
  Slot F_a = -1, F_b = -1, B_a = -1, B_b = -1;  ///< force columns and constraint rows of its own rows
  int stride = 0;                               ///< rows of the constraint's group
};

/// Slots of everything, for one layout of the unknowns: 6 per node, then each block's multipliers.
struct AssemblyPlan {
  BlockPattern pattern;
  std::vector<ElementSlots> elements;
  std::vector<Slot> node_diagonal;
  int levels = 1;  ///< 1: one multiplier per row; 2: a second one for the velocity level
};

class System {
 public:
  std::vector<Node> nodes;
  Inertia inertia;
  std::vector<ConstraintBlock> blocks;
  ElementSet elements;
  std::vector<Load> loads;
  std::vector<ComputedWrench> wrenches;
  std::vector<Function> functions;
  std::vector<GivenRow> given_rows;
  Vec3 gravity = Vec3::Zero();
  int row_count = 0, element_count = 0, angle_count = 0, jacobian_blocks = 0;
  std::vector<int> block_of_jacobian;  ///< offset of each Jacobian block in ConstraintJacobian::values
  int jacobian_size = 0;
  double length = 1;  ///< a length typical of the model [m], for tolerances
  LeftOut left_out;   ///< decided at the start: see simulate/loops.hpp
  int parts = 1;      ///< into which work on the nodes is divided; by the size of the system alone

  int node_count() const { return static_cast<int>(nodes.size()); }
  int ground() const { return node_count(); }
  int unknowns() const { return 6 * node_count() + row_count; }
  int freedoms() const;  ///< of the nodes, before constraints

  /// Work on the nodes in parts, done by a pool or, if there is none, one after another.
  Division division(ThreadPool* pool = nullptr) const { return {parts, pool}; }
  /// Divides the work into parts: how many is Division::parts_for(the number of nodes), or 1. Elements must not change
  /// afterwards.
  void divide(int number_of_parts);
  /// f(task) for all tasks, in their phases: f may write to the nodes and rows of the task's elements, but not to the
  /// ground's.
  template <class F>
  void in_tasks(ThreadPool* pool, F&& f) const {
    const ElementTasks& tasks = elements.tasks;
    if (tasks.empty()) return f(ElementTasks::all);
    for (std::size_t k = 0; k + 1 < tasks.phases.size(); ++k)
      division(pool).run(tasks.phases[k + 1] - tasks.phases[k], [&](int own) {
        const int line = tasks.phases[k] + own;
        for (int task = tasks.lines[line]; task < tasks.lines[line + 1]; ++task) f(task);
      });
  }

  /// V = P u and u := P^T f: between a node's own unknowns and spatial vectors.
  Vec6 spread(int node, const Vec6& u) const {
    return nodes[node].kind == Node::Kind::rigid ? u : spread_to_part(nodes[node], u);
  }
  Vec6 gather(int node, const Vec6& f) const {
    return nodes[node].kind == Node::Kind::rigid ? f : gather_from_part(nodes[node], f);
  }

  /// The layout of the unknowns, with slots made in `matrix` by the function that prepares it.
  AssemblyPlan plan(int levels, const ElementSet* extra = nullptr) const;
  void find_slots(AssemblyPlan& plan, const BlockMatrix& matrix, const ElementSet* extra = nullptr) const;

  /// Adds scale * forces (of springs, loads, gravity, and of the multipliers) to `force`, one per node and, if asked
  /// for, the ground, and sets the constraint residuals at the end of the stage. If a matrix is given, adds the
  /// tangents to it; rows of joints are set.
  void evaluate(const Stage& stage, std::span<Vec6> force, std::span<double> phi, const AssemblyPlan* plan = nullptr,
                BlockMatrix* matrix = nullptr, ThreadPool* pool = nullptr) const {
    evaluate_after({}, stage, force, phi, plan, matrix, pool);
  }
  /// The same, after f(i) for each node i, which sets its forces: for some nodes, then for the elements on them, and so
  /// on.
  template <class F>
  void evaluate_after_nodes(F&& f, const Stage& stage, std::span<Vec6> force, std::span<double> phi,
                            const AssemblyPlan* plan, BlockMatrix* matrix, ThreadPool* pool) const {
    if (elements.tasks.empty()) {
      for (int i = 0; i < node_count(); ++i) f(i);
      return evaluate_after({}, stage, force, phi, plan, matrix, pool);
    }
    const auto for_each = [&f](std::span<const int> some) {
      for (int i : some) f(i);
    };
    evaluate_after(std::ref(for_each), stage, force, phi, plan, matrix, pool);
  }

  /// The vector of a load, its mean over [t0, t1].
  Vec3 load_value(const Load& load, double t0, double t1) const;

  /// Adds a node's own 6 x 6 block (spatial: inertia) to the matrix, and 1 for the unknowns that it does not have.
  void add_node_block(int node, const Mat6& block, const AssemblyPlan& plan, BlockMatrix& matrix) const;
  /// Adds a block of two nodes (spatial), which must be in the pattern.
  void add_block(int row_node, int column_node, Mat6 block, BlockMatrix& matrix) const;
  /// Sets it to diag(mass 1, turn), the shape of inertia.
  void set_node_block(int node, double mass, const Mat3& turn, const AssemblyPlan& plan, BlockMatrix& matrix) const {
    if (nodes[node].kind != Node::Kind::rigid) return set_part_block(node, mass, turn, plan, matrix);
    double* const to = matrix.values().data() + plan.node_diagonal[node];
    for (int j = 0; j < 3; ++j)  // each number once: a processor is slow to read what two writes made
      for (int k = 0; k < 3; ++k) {
        to[k + 6 * j] = k == j ? mass : 0;
        to[k + 3 + 6 * j] = to[k + 18 + 6 * j] = 0;
        to[k + 21 + 6 * j] = turn(k, j);
      }
  }
  /// Makes the matrix ready for set_node_block() on all nodes and evaluate(): what these set need not be zero.
  void clear(BlockMatrix& matrix, ThreadPool* pool = nullptr) const;

  /// B at a configuration, in the nodes' unknowns.
  void jacobian(std::span<const Frame> frames, std::span<const double> angles, ConstraintJacobian& B,
                ThreadPool* pool = nullptr) const;
  /// The derivative of B V by the configuration at constant V, in the same layout; D V is then the rest of d(B V)/dt.
  void jacobian_rate(std::span<const Frame> frames, std::span<const double> angles, std::span<const Vec6> V,
                     ConstraintJacobian& D, ThreadPool* pool = nullptr) const;
  Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, 6>> block(const ConstraintJacobian& B, int block,
                                                                   int k) const {
    return {B.values.data() + block_of_jacobian[blocks[block].first_block + k], blocks[block].rows, 6};
  }
  /// The rates of the strains at a configuration, dy/dt = Y V, in the nodes' unknowns: of the system's laws, then of
  /// those that a method adds.
  void strain_rows(std::span<const Frame> frames, std::span<Rows<6>> Y, const ElementSet* extra = nullptr) const;
  int law_count() const { return elements.law_count(); }
  /// How joints, ties and strains change with a rigid motion (t, w) of the ground, a node at the origin of space: a row
  /// for each that is on the ground. Strains that nothing depends on are left out.
  std::vector<GroundRow> ground_rows(std::span<const Frame> frames) const;
  /// The part of Phi that depends on time alone: -f(t) in the rows with given coordinates, else 0.
  void start_residual(double t, std::span<double> phi) const;
  /// Phi at a configuration and time.
  void residual(std::span<const Frame> frames, std::span<const double> angles, double t, std::span<double> phi,
                ThreadPool* pool = nullptr) const;
  /// B V - df/dt for the given velocities of the nodes.
  void velocity_residual(const ConstraintJacobian& B, std::span<const Vec6> V, double t, std::span<double> rate,
                         ThreadPool* pool = nullptr) const;
  /// The same without the Jacobian.
  void velocity_residual(std::span<const Frame> frames, std::span<const Vec6> V, double t, std::span<double> rate,
                         ThreadPool* pool = nullptr) const;

  /// Frames of all nodes and, last, of the ground.
  void frames(const State& state, std::vector<Frame>& out, ThreadPool* pool = nullptr) const;
  /// Counts the angles on to a new configuration.
  void update_angles(std::span<const Frame> frames, std::vector<double>& angles) const;

 private:
  using NodeWork = std::function<void(std::span<const int> nodes)>;
  void evaluate_after(const NodeWork& work, const Stage& stage, std::span<Vec6> force, std::span<double> phi,
                      const AssemblyPlan* plan, BlockMatrix* matrix, ThreadPool* pool) const;
  void start_rates(double t, std::span<double> rate) const;  ///< -df/dt in the rows with given coordinates, else 0
  /// For nodes that do not have all six unknowns.
  static Vec6 spread_to_part(const Node& node, const Vec6& u);
  static Vec6 gather_from_part(const Node& node, const Vec6& f);
  void set_part_block(int node, double mass, const Mat3& turn, const AssemblyPlan& plan, BlockMatrix& matrix) const;
};

template <class F>
void ConstraintJacobian::for_each_block(F&& f) const {
  for (int b = 0; b < static_cast<int>(system->blocks.size()); ++b) {
    const ConstraintBlock& block = system->blocks[b];
    for (std::size_t k = 0; k < block.nodes.size(); ++k)
      f(block, block.nodes[k], system->block(*this, b, static_cast<int>(k)));
  }
}

template <class To>
void ConstraintJacobian::add_wrenches(double factor, const VecX& mu, To&& to) const {
  for_each_block([&](const ConstraintBlock& block, int i, const auto& B) {
    to(i) += factor * system->spread(i, B.transpose() * mu.segment(block.first_row, block.rows));
  });
}

/// f(array, k) for every law of a system, then for those that a method adds.
template <class F>
void for_each_law(const System& system, const ElementSet* extra, F&& f) {
  system.elements.for_each_law(f);
  if (extra) extra->for_each_law(f);
}

}  // namespace polhode
