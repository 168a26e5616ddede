// The elements of a system: all of one type in one array, with one virtual call for an array and none for an element.
// Types are found or made when a model is compiled, so that a program can bring its own (docs/extending.md).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <polhode/system/element_tasks.hpp>
#include <polhode/system/invariants.hpp>
#include <polhode/system/law_output.hpp>

namespace polhode {

class System;
struct ConstraintJacobian;
struct NaturalWriter;
struct Stage;
struct VelocityStage;
struct Work;
struct WorkInterval;
struct Writer;

/// Where an element writes: its markers, and its place in the arrays that an assembly plan keeps for all elements.
struct Element {
  Pair pair;
  int index = 0;
};

/// Rows of a constraint block that an element fills, and which of the block's nodes its two markers are on.
struct RowPlace {
  int block = 0, row = 0;
  int node_a = -1, node_b = -1;  ///< position in the block's list of nodes, -1 for the ground
  int first = 0;                 ///< the first of them among the rows of all blocks
};

using GroundRow = Eigen::Matrix<double, 1, 6>;

/// All elements of one type. `order` is the place of the array in its family: forces of a node are added in that order.
class ElementArray {
 public:
  virtual ~ElementArray() = default;

  virtual int size() const = 0;
  virtual const Element& element(int k) const = 0;
  virtual void settle() = 0;  ///< the array is complete: moves it to huge pages
  /// Counts the angles of its elements on to a configuration.
  virtual void update_angles(std::span<const Frame> frames, std::span<double> angles) const = 0;

  int order = 0;
  ElementTasks::List tasks;  ///< which elements belong to which task

 protected:
  /// f(e, k) for the elements of a task, or for all.
  template <class E, class F>
  void for_each(const std::vector<E>& elements, int task, F&& f) const {
    if (task == ElementTasks::all) {
      for (int k = 0; k < static_cast<int>(elements.size()); ++k) f(elements[k], k);
      return;
    }
    for (int i = tasks.first[task]; i < tasks.first[task + 1]; ++i) f(elements[tasks.order[i]], tasks.order[i]);
  }
};

/// Equations of joints, Phi = 0, or terms of equations that tie coordinates.
class RowArray : public ElementArray {
 public:
  virtual const RowPlace& place(int k) const = 0;
  virtual RowPlace& place(int k) = 0;
  virtual bool couples() const = 0;       ///< their geometric stiffness couples the two nodes
  virtual bool adds_to_rows() const = 0;  ///< several elements may share a row; else a row is one element's own
  virtual bool holds_point() const = 0;   ///< three of the equations hold two points together

  /// Forces, residuals and tangents in a stage: see System::evaluate.
  virtual void evaluate(int task, const Stage& stage, std::span<double> phi, const Writer& out) const = 0;
  virtual void evaluate_natural(const Stage& stage, std::span<double> phi, const NaturalWriter& out) const = 0;
  virtual void residual(int task, std::span<const Frame> frames, std::span<const double> angles,
                        std::span<double> phi) const = 0;
  virtual void jacobian(int task, const System& system, std::span<const Frame> frames, ConstraintJacobian& B) const = 0;
  virtual void jacobian_rate(int task, const System& system, std::span<const Frame> frames, std::span<const Vec6> V,
                             ConstraintJacobian& D) const = 0;
  /// B V of its elements at a configuration, added to `rate`.
  virtual void add_rates(int task, std::span<const Frame> frames, std::span<const Vec6> V,
                         std::span<double> rate) const = 0;
  /// Forces of the multipliers gamma of dPhi/dt in a step (velocity_kernels.hpp): their wrenches at the mean
  /// configuration, and what these gain along the mean rates. The last entry, of the ground, is left alone.
  virtual void add_mean_wrenches(int task, const VelocityStage& stage, std::span<Vec6> W) const = 0;
  virtual void add_rate_wrenches(int task, const VelocityStage& stage, std::span<Vec6> force) const = 0;
  /// Adds to the force columns of a matrix what they have with Cm, along which gamma acts, in the place of the secant.
  virtual void add_mean_columns(const VelocityStage& stage, const Writer& out) const = 0;
  /// B^T lambda of one element at a configuration.
  virtual Wrenches wrenches(int k, std::span<const Frame> frames, std::span<const double> lambda) const = 0;
  /// How its rows change with a rigid motion of the ground: own rows go to `found`, terms are added to `ties`, one for
  /// each row of the system.
  virtual void add_ground_rows(std::span<const Frame> frames, int ground, std::vector<GroundRow>& found,
                               std::span<GroundRow> ties) const = 0;
};

/// Numbers of a law that methods ask for; strains beyond `size` are zero.
struct LawProperties {
  int size = 0;
  Mat6 stiffness = Mat6::Zero(), damping = Mat6::Zero();
  bool computed = false;      ///< a program computes its energy or its force
  bool follows_rate = false;  ///< a damper, or a computed force
  bool loaded = false;        ///< a given or computed force acts on it
  int force = -1;             ///< index of the model's force
};

/// The difference s of the stresses at two configurations, with s . (y1 - y0) = (z1 - z0) . (W'(z1) - W'(z0)), W a
/// function of the invariants z; y1 - y0; and the derivative of s by y1.
struct StressDifference {
  Vec6 s = Vec6::Zero(), change = Vec6::Zero();
  Mat6 by_end = Mat6::Zero();
};

/// Elastic elements: laws of strains y(z).
class LawArray : public ElementArray {
 public:
  virtual LawProperties properties(int k) const = 0;

  virtual void evaluate(int task, const Stage& stage, const Writer& out) const = 0;
  virtual void evaluate_natural(const Stage& stage, const NaturalWriter& out) const = 0;
  /// Adds the energies to `sum`, one by one.
  virtual void add_energy(std::span<const Frame> frames, std::span<const double> angles, double& sum) const = 0;
  /// Adds the work of dampers and of given forces.
  virtual void add_work(const System& system, const WorkInterval& interval, Work& work) const = 0;
  /// dy/dt = Y V at a configuration, in the nodes' unknowns; Y of all laws of the system.
  virtual void strain_rows(const System& system, std::span<const Frame> frames, std::span<Rows<6>> Y) const = 0;
  virtual StressDifference difference(int k, const System& system, std::span<const Frame> start,
                                      std::span<const Frame> end, std::span<const double> angles) const = 0;
  virtual LawOutput output(int k, const Stage& point, const System& system) const = 0;

  int first = 0;  ///< its first element among the laws of the system
};

/// Elements, and the tasks that divide the work on them.
struct ElementSet {
  std::vector<std::unique_ptr<RowArray>> rows;  ///< of joints, then of coordinates
  std::vector<std::unique_ptr<LawArray>> laws;
  ElementTasks tasks;

  int law_count() const;
  /// All elements are there: arrays in their order, in huge pages; laws numbered from `first` on.
  void settle(int first = 0);
  /// Divides the work into as many parts as the system's division has. Elements must not change afterwards.
  void divide(const System& system);

  /// f(array, k) for every element.
  template <class F>
  void for_each_row(F&& f) const {
    for (const auto& array : rows)
      for (int k = 0; k < array->size(); ++k) f(*array, k);
  }
  template <class F>
  void for_each_law(F&& f) const {
    for (const auto& array : laws)
      for (int k = 0; k < array->size(); ++k) f(*array, k);
  }
};

}  // namespace polhode
