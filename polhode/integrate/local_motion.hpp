// How a one-step method moves a node: the configuration q = q* o map(x) on a Lie group, with velocities, inertia forces
// and all their derivatives in one place.
#pragma once

#include <polhode/system/inertia.hpp>

namespace polhode {

/// The group whose velocities are integrated, and the map from increments to it.
struct LocalMotionChoice {
  enum class Group {
    R3xSO3,  ///< v = (dx/dt in space, Omega in the body)
    SE3      ///< v = (R^T dx/dt, Omega), both in the body
  };
  enum class Map {
    exponential,
    cayley,
    rotation_vector  ///< the increment's own rates are integrated, v = T(x) dx/dt, in a chart about the start of the step
  };
  Group group = Group::R3xSO3;
  Map map = Map::exponential;
};

/// A node at the end of a step: its increment x from q*, and rates w and c of the chart (v and dv/dt, or dx/dt and
/// d2x/dt2 for rotation_vector), which the method ties to x by dw = gamma' dx, dc = b' dx. Variations delta of the
/// configuration are spatial, delta x = A delta. The balance is that of inertia, in space, divided by b'.
struct LocalMotion {
  Frame frame;
  Quaternion q;
  Vec6 v, v_dot;  ///< on the group
  Vec6 V;         ///< in space
  Vec6 balance;
  Mat6 A;
  Mat6 V_by_x;        ///< d V / d x at a configuration held
  Mat6 V_by_delta;    ///< d V / d delta, all of it
  Mat6 balance_by_x;  ///< likewise
  Mat6 balance_by_delta;

  LocalMotion() = default;
  LocalMotion(const Node& node, const BodyInertia& body, const LocalMotionChoice& choice, const Vec3& x_star,
              const Quaternion& q_star, const Vec6& x, const Vec6& w, const Vec6& c, double gamma, double b);
};

/// Moves a configuration by an increment: (x_star, q_star) o map(x).
void move_by(const Node& node, const LocalMotionChoice& choice, const Vec6& x, Vec3& x_star, Quaternion& q_star);

/// Between velocities of a node's state and those of the group. Nodes that are not free in space use R3 x SO(3) always.
Vec6 group_velocity(const Node& node, const LocalMotionChoice& choice, const NodeState& state);
void set_group_velocity(const Node& node, const LocalMotionChoice& choice, const Vec6& v, NodeState& state);
/// dv/dt on the group from accelerations in space.
Vec6 group_acceleration(const Node& node, const LocalMotionChoice& choice, const NodeState& state,
                        const Vec6& in_space);

/// [v, z], the bracket of the group.
Vec6 bracket(const Node& node, const LocalMotionChoice& choice, const Vec6& v, const Vec6& z);
/// Vectors of the group at a configuration R as spatial vectors, and back.
Vec6 to_space(const Node& node, const LocalMotionChoice& choice, const Mat3& R, const Vec6& v);
Vec6 from_space(const Node& node, const LocalMotionChoice& choice, const Mat3& R, const Vec6& V);

}  // namespace polhode
