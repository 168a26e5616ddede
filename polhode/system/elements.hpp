// The elements of a system as plain data: joints, rows that tie coordinates, elastic elements, loads.
#pragma once

#include <memory>
#include <tuple>
#include <vector>

#include <polhode/model/computed_force.hpp>
#include <polhode/model/function.hpp>
#include <polhode/system/measure.hpp>

namespace polhode {

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

/// Joint equations Phi = weight (z - z_ref) = 0, one per invariant.
template <InvariantChoice choice>
struct JointRows : Element {
  using Z = Invariants<choice>;
  RowPlace place;
  double weight = 1;
  typename Z::Z reference = Z::Z::Zero();
};

// The rows of the joint table in docs/joints.md. The third axis of a marker is the joint's axis.
constexpr InvariantChoice spherical_rows{.point = true};
constexpr InvariantChoice revolute_rows{.point = true, .cosine = bit(2, 0) | bit(2, 1)};
constexpr InvariantChoice universal_rows{.point = true, .cosine = bit(2, 2)};
constexpr InvariantChoice cylindrical_rows{.along_b = bit(0) | bit(1), .cosine = bit(2, 0) | bit(2, 1)};
constexpr InvariantChoice prismatic_rows{.along_b = bit(0) | bit(1), .cosine = bit(2, 0) | bit(2, 1) | bit(0, 1)};
constexpr InvariantChoice planar_rows{.along_a = bit(2), .cosine = bit(2, 0) | bit(2, 1)};
constexpr InvariantChoice weld_rows{.point = true, .cosine = bit(0, 1) | bit(1, 2) | bit(2, 0)};
constexpr InvariantChoice line_rows{.along_a = bit(0) | bit(1)};
constexpr InvariantChoice plane_rows{.along_a = bit(2)};
constexpr InvariantChoice rod_rows{.square = true};

/// A term of the row Phi = sum factor y - f(t): drives, gears, racks, screws.
template <class C>
struct CoordinateRow : Element {
  using Coordinate = C;
  RowPlace place;
  double factor = 1;
  int angle = -1;  ///< index of the counter, for coordinates that are counted
};

/// An elastic element with damping, an energy W and a given force: stress = k (y - reference) + W'(y) + c dy/dt - Q.
template <class M>
struct Elastic : Element {
  using Measure = M;
  using Y = Eigen::Matrix<double, M::size, 1>;
  Y stiffness = Y::Zero(), damping = Y::Zero(), reference = Y::Zero();
  int function = -1;  ///< Q(t), index of a function; -1 if none
  std::shared_ptr<const ComputedPotential> potential;  ///< W, or none
  std::shared_ptr<const ComputedLoad> load;            ///< Q(t, y, dy/dt), or none
  int angle = -1;
  int force = -1;     ///< index of the model's force, for the balance of work
};

/// A force at a point X of a node, or a torque; its vector in space, or in the node's axes if it follows.
struct Load {
  int node = 0;
  bool torque = false, follower = false;
  Vec3 X = Vec3::Zero(), vector = Vec3::Zero();
  std::array<int, 3> functions{-1, -1, -1};  ///< of the components; -1: the constant 1, all equal if one function scales
  int force = -1;
};

/// A wrench at a point X of a node that a program computes.
struct ComputedWrench {
  int node = 0;
  Vec3 X = Vec3::Zero();
  std::shared_ptr<const ComputedLoad> load;
  int force = -1;
};

using JointTuple =
    std::tuple<std::vector<JointRows<spherical_rows>>, std::vector<JointRows<revolute_rows>>,
               std::vector<JointRows<universal_rows>>, std::vector<JointRows<cylindrical_rows>>,
               std::vector<JointRows<prismatic_rows>>, std::vector<JointRows<planar_rows>>,
               std::vector<JointRows<weld_rows>>, std::vector<JointRows<line_rows>>,
               std::vector<JointRows<plane_rows>>, std::vector<JointRows<rod_rows>>>;
using CoordinateTuple = std::tuple<std::vector<CoordinateRow<AngleCoordinate>>, std::vector<CoordinateRow<TravelCoordinate>>,
                                   std::vector<CoordinateRow<LengthCoordinate>>>;
using ElasticTuple =
    std::tuple<std::vector<Elastic<ScalarMeasure<AngleCoordinate>>>, std::vector<Elastic<ScalarMeasure<TravelCoordinate>>>,
               std::vector<Elastic<ScalarMeasure<LengthCoordinate>>>, std::vector<Elastic<PointMeasure>>,
               std::vector<Elastic<BushingMeasure>>>;

/// Calls f with every element of a tuple of arrays.
template <class Tuple, class F>
void for_each_element(Tuple& arrays, F&& f) {
  std::apply([&](auto&... array) { ((std::for_each(array.begin(), array.end(), f)), ...); }, arrays);
}

}  // namespace polhode
