// The equations of a step in increments of the nodes and multipliers: guess, configuration, right-hand side and
// correction. With it an implicit method is its inertia and its formulas (examples/own_integrator).
#pragma once

#include <polhode/integrate/newton.hpp>
#include <polhode/lie/so3.hpp>

namespace polhode {

/// How an increment turns a node: R1 = cay(theta) R0, theta in space.
struct CayleyMap {
  static Vec3 guess(const NodeState& s, double h) { return s.q * (h * s.Omega); }
  static Mat3 turned(const Vec3& theta, const NodeState& s) { return so3::cay_matrix(theta, s.q); }
  /// How the increment varies with a spatial rotation d at the end.
  static Vec3 varied(const Vec3& theta, const Mat3& /*R1*/, const Vec3& d) {
    return so3::cay_spatial_tangent_inverse(theta) * d;
  }
};
/// R1 = R0 exp(y), y in the body.
struct ExponentialMap {
  static Vec3 guess(const NodeState& s, double h) { return h * s.Omega; }
  static Mat3 turned(const Vec3& y, const NodeState& s) { return (s.q * so3::exp(y)).toRotationMatrix(); }
  static Vec3 varied(const Vec3& y, const Mat3& R1, const Vec3& d) {
    return so3::tangent_inverse(y) * (R1.transpose() * d);
  }
};

/// Unknowns are x = (dx, rotation increment) of every node, x1 = x0 + dx, and lambda of every row, scaled as the
/// balances are. The linear equations are in spatial variations (delta x, theta) at the end, because that is what
/// elements understand.
template <class Map>
struct StepEquations {
  const System& system;
  Workspace w;
  std::vector<Vec6> x;
  VecX lambda;

  explicit StepEquations(const System& s, const Resources& resources = {})
      : system(s), w(s, 1, resources), x(s.nodes.size()), lambda(VecX::Zero(s.row_count)) {}

  /// Initial guess: constant velocities, and the multipliers of the last step.
  void guess(const State& state, double h, double scale) {
    system.frames(state, w.start, w.pool());
    w.end = w.start;
    for (int i = 0; i < system.node_count(); ++i) x[i] << h * state.nodes[i].v, Map::guess(state.nodes[i], h);
    lambda = scale * state.lambda;
  }

  /// The configuration of the present increments.
  bool move(const State& state) {
    for (int i = 0; i < system.node_count(); ++i) {
      if (system.nodes[i].translates()) w.end[i].x = w.start[i].x + x[i].template head<3>();
      if (system.nodes[i].rotates()) w.end[i].d = Map::turned(x[i].template tail<3>(), state.nodes[i]);
    }
    return true;
  }

  /// Adds all forces of the model, f and B^T lambda, to the inertia that has been set, and makes the right-hand side.
  void add_model(const Stage& stage) {
    w.force[system.ground()].setZero();
    w.evaluate(stage);
    w.set_rhs();
  }

  /// Adds the solution of the linear equations, and measures it.
  double correct() {
    Correction size;
    for (int i = 0; i < system.node_count(); ++i) {
      const Vec6 d = system.spread(i, w.rhs.template segment<6>(6 * i));
      x[i].template head<3>() += d.template head<3>();
      x[i].template tail<3>() += Map::varied(x[i].template tail<3>(), w.end[i].d, d.template tail<3>());
      size.add(d);
    }
    lambda += w.rhs.tail(system.row_count);
    return size.size(system.length);
  }
};

}  // namespace polhode
