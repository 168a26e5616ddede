// The types of elements, as plain data in their arrays: joints, rows that tie coordinates, elastic elements. What they
// compute stands in row_kernels.hpp and law_kernels.hpp, which only those sources include that make an array of a new
// type.
#pragma once

#include <algorithm>
#include <array>

#include <polhode/model/computed_force.hpp>
#include <polhode/model/function.hpp>
#include <polhode/system/element_arrays.hpp>
#include <polhode/system/measure.hpp>

namespace polhode {

/// Joint equations Phi = weight (z - z_ref) = 0, one per invariant.
template <InvariantChoice choice>
struct JointRows : Element {
  using Z = Invariants<choice>;
  RowPlace place;
  double weight = 1;
  typename Z::Z reference = Z::Z::Zero();
};

template <InvariantChoice choice>
class JointArray final : public RowArray {
 public:
  using Z = Invariants<choice>;
  std::vector<JointRows<choice>> elements;

  int size() const override { return static_cast<int>(elements.size()); }
  const Element& element(int k) const override { return elements[k]; }
  const RowPlace& place(int k) const override { return elements[k].place; }
  RowPlace& place(int k) override { return elements[k].place; }
  bool couples() const override { return Z::couples; }
  bool adds_to_rows() const override { return false; }
  bool holds_point() const override { return choice.point; }
  void settle() override;
  void update_angles(std::span<const Frame>, std::span<double>) const override {}
  void evaluate(int task, const Stage& stage, std::span<double> phi, const Writer& out) const override;
  void evaluate_natural(const Stage& stage, std::span<double> phi, const NaturalWriter& out) const override;
  void residual(int task, std::span<const Frame> frames, std::span<const double> angles,
                std::span<double> phi) const override;
  void jacobian(int task, const System& system, std::span<const Frame> frames, ConstraintJacobian& B) const override;
  void jacobian_rate(int task, const System& system, std::span<const Frame> frames, std::span<const Vec6> V,
                     ConstraintJacobian& D) const override;
  void add_rates(int task, std::span<const Frame> frames, std::span<const Vec6> V,
                 std::span<double> rate) const override;
  void add_mean_wrenches(int task, const VelocityStage& stage, std::span<Vec6> W) const override;
  void add_rate_wrenches(int task, const VelocityStage& stage, std::span<Vec6> force) const override;
  void add_mean_columns(const VelocityStage&, const Writer&) const override {}  // Phi is linear in z: Cm is the secant
  Wrenches wrenches(int k, std::span<const Frame> frames, std::span<const double> lambda) const override;
  void add_ground_rows(std::span<const Frame> frames, int ground, std::vector<GroundRow>& found,
                       std::span<GroundRow> ties) const override;
};

/// A term of the row Phi = sum factor y - f(t): drives, gears, racks, screws.
template <class C>
struct CoordinateRow : Element {
  RowPlace place;
  double factor = 1;
  int angle = -1;  ///< index of the counter, for coordinates that are counted
};

template <class C>
class CoordinateArray final : public RowArray {
 public:
  using Z = typename C::Z;
  std::vector<CoordinateRow<C>> elements;

  int size() const override { return static_cast<int>(elements.size()); }
  const Element& element(int k) const override { return elements[k]; }
  const RowPlace& place(int k) const override { return elements[k].place; }
  RowPlace& place(int k) override { return elements[k].place; }
  bool couples() const override { return true; }
  bool adds_to_rows() const override { return true; }
  bool holds_point() const override { return false; }
  void settle() override;
  void update_angles(std::span<const Frame> frames, std::span<double> angles) const override;
  void evaluate(int task, const Stage& stage, std::span<double> phi, const Writer& out) const override;
  void evaluate_natural(const Stage& stage, std::span<double> phi, const NaturalWriter& out) const override;
  void residual(int task, std::span<const Frame> frames, std::span<const double> angles,
                std::span<double> phi) const override;
  void jacobian(int task, const System& system, std::span<const Frame> frames, ConstraintJacobian& B) const override;
  void jacobian_rate(int task, const System& system, std::span<const Frame> frames, std::span<const Vec6> V,
                     ConstraintJacobian& D) const override;
  void add_rates(int task, std::span<const Frame> frames, std::span<const Vec6> V,
                 std::span<double> rate) const override;
  void add_mean_wrenches(int task, const VelocityStage& stage, std::span<Vec6> W) const override;
  void add_rate_wrenches(int task, const VelocityStage& stage, std::span<Vec6> force) const override;
  void add_mean_columns(const VelocityStage& stage, const Writer& out) const override;
  Wrenches wrenches(int k, std::span<const Frame> frames, std::span<const double> lambda) const override;
  void add_ground_rows(std::span<const Frame> frames, int ground, std::vector<GroundRow>& found,
                       std::span<GroundRow> ties) const override;
};

/// An elastic element with damping, an energy W and a given force: stress = K (y - reference) + W'(y) + C dy/dt - Q.
template <class M>
struct Elastic : Element {
  using Y = Eigen::Matrix<double, M::size, 1>;
  using Square = Eigen::Matrix<double, M::size, M::size>;
  Square stiffness = Square::Zero(), damping = Square::Zero();  ///< K and C, symmetric
  Y reference = Y::Zero();
  int function = -1;                                   ///< Q(t), index of a function; -1 if none
  std::shared_ptr<const ComputedPotential> potential;  ///< W, or none
  std::shared_ptr<const ComputedLoad> load;            ///< Q(t, y, dy/dt), or none
  int angle = -1;
  int force = -1;  ///< index of the model's force, for the balance of work
};

template <class M>
class ElasticArray final : public LawArray {
 public:
  std::vector<Elastic<M>> elements;

  int size() const override { return static_cast<int>(elements.size()); }
  const Element& element(int k) const override { return elements[k]; }
  LawProperties properties(int k) const override;
  void settle() override;
  void update_angles(std::span<const Frame> frames, std::span<double> angles) const override;
  void evaluate(int task, const Stage& stage, const Writer& out) const override;
  void evaluate_natural(const Stage& stage, const NaturalWriter& out) const override;
  void add_energy(std::span<const Frame> frames, std::span<const double> angles, double& sum) const override;
  void add_work(const System& system, const WorkInterval& interval, Work& work) const override;
  void strain_rows(const System& system, std::span<const Frame> frames, std::span<Rows<6>> Y) const override;
  StressDifference difference(int k, const System& system, std::span<const Frame> start, std::span<const Frame> end,
                              std::span<const double> angles) const override;
  LawOutput output(int k, const Stage& point, const System& system) const override;
};

/// An empty array; defined in kernels.hpp.
template <class Array>
std::unique_ptr<Array> make_array();

/// The array of a type in a list, made if it is not there. `order`: see ElementArray; the least of those given counts.
template <class Array, class List>
Array& array_of(List& list, int order) {
  for (const auto& array : list)
    if (auto* found = dynamic_cast<Array*>(array.get())) {
      found->order = std::min(found->order, order);
      return *found;
    }
  auto made = make_array<Array>();
  Array& array = *made;
  array.order = order;
  list.push_back(std::move(made));
  return array;
}

}  // namespace polhode
