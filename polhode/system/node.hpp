// What moves, and where it is: the nodes of a system, their natural coordinates and their motion.
#pragma once

#include <vector>

#include <polhode/lie/algebra.hpp>

namespace polhode {

/// The 12 natural coordinates q = (x, d1, d2, d3) of a node: a point and three directors, the columns of d. At a
/// configuration the directors are orthonormal, d = R; the mean of two configurations is a Frame as well, and need not
/// be.
struct Frame {
  Vec3 x = Vec3::Zero();
  Mat3 d = Mat3::Identity();
};

inline Frame mean(const Frame& a, const Frame& b) { return {0.5 * (a.x + b.x), 0.5 * (a.d + b.d)}; }

/// A node of the system. Its origin is the centre of mass, or the fixed point for a body that turns about one. Every
/// node has six unknowns (translation, rotation, both in space); those that its kind does not have are kept at zero.
struct Node {
  enum class Kind {
    rigid,     ///< x and R
    turning,   ///< R only, x is the fixed point
    particle,  ///< x only
    sliding    ///< x = origin + s axis only; s is the first unknown
  };
  Kind kind = Kind::rigid;
  Vec3 axis = Vec3::Zero();  ///< sliding: unit vector in space

  bool translates() const { return kind != Kind::turning; }
  bool rotates() const { return kind == Kind::rigid || kind == Kind::turning; }
  int freedoms() const { return kind == Kind::rigid ? 6 : kind == Kind::sliding ? 1 : 3; }
};

/// Motion of one node. Velocities are those of its origin in space and the angular velocity in its own axes.
struct NodeState {
  Vec3 x = Vec3::Zero();
  Quaternion q = Quaternion::Identity();
  Vec3 v = Vec3::Zero();
  Vec3 Omega = Vec3::Zero();
};

/// A force at a point of a node and a torque, both in space, that a program applies from one step on.
struct Applied {
  int node = 0;
  Vec3 X = Vec3::Zero();                             ///< the point, in the node's axes [m]
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();  ///< [N], [N m]
  bool operator==(const Applied&) const = default;
};

/// Work booked so far [J]: done by each drive and each force of the model, taken out by each damper (positive), and
/// taken out by the integrator itself, as far as its own identity of energy says so (positive).
struct Work {
  VecX drives, forces, dampers;  ///< the last of `forces`: what is applied
  double algorithmic = 0;
  Work() = default;
  Work(std::size_t drive_count, std::size_t force_count)
      : drives(VecX::Zero(drive_count)), forces(VecX::Zero(force_count + 1)), dampers(VecX::Zero(force_count + 1)) {}
  double& applied() { return forces[forces.size() - 1]; }
  double applied() const { return forces[forces.size() - 1]; }
  double done() const { return drives.sum() + forces.sum(); }
  double dissipated() const { return dampers.sum(); }
};

/// All that a motion depends on and carries from step to step: all that a checkpoint needs, and all that changes in a
/// run.
struct State {
  double t = 0;
  std::vector<NodeState> nodes;
  std::vector<double> angles;    ///< of every angle coordinate, counted over many turns [rad]
  std::vector<Applied> applied;  ///< sorted by node
  VecX lambda;                   ///< multipliers of the last step [N or N m per unit of the row]
  VecX memory;                   ///< what the integrator keeps between steps, in its own layout
  Work work;
};

inline Frame frame(const NodeState& s) { return {s.x, s.q.toRotationMatrix()}; }

/// Velocities of a node as a spatial vector: (dx/dt, angular velocity in space).
inline Vec6 spatial_velocity(const NodeState& s) {
  Vec6 V;
  V << s.v, s.q * s.Omega;
  return V;
}

}  // namespace polhode
