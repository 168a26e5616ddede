// The motion of a Cayley midpoint step, R1 = cay(theta) R0 and x1 = x0 + dx, with its inertia forces: what the
// energy-momentum rule and its decaying relatives share.
#pragma once

#include <polhode/integrate/newton.hpp>
#include <polhode/lie/so3.hpp>

namespace polhode {

/// dx and theta of all nodes, both in space. Balances are multiplied by h/2, so that they are of order 1 in h. What a
/// step does to node i depends on that node alone: the functions of i can be called one after another, while its
/// numbers are at hand.
struct CayleyMotion {
  std::vector<Vec3> dx, theta;

  explicit CayleyMotion(const System& system);

  /// Begins a step: sets the frame of its start.
  void begin(int i, const State& state, Workspace& w) const;
  /// Guesses that it goes on with the velocities of its start.
  void go_on(int i, const State& state, double h, const Workspace& w);
  /// Takes away what the node cannot do: no correction would.
  void restrict(int i, const System& system);
  /// q1 of the present dx and theta: to the last bit what the next step starts from, because otherwise rounding has a
  /// sign.
  void move(int i, const State& state, Workspace& w) const;
  /// The same for all nodes.
  void begin_and_go_on(const State& state, double h, Workspace& w);
  void move(const State& state, Workspace& w) const;
  /// Sets the forces to (h/2)(p1 - p0) and the nodes' blocks of the matrix to their derivatives; ties of inertia add
  /// theirs.
  void set_inertia_and_tangent(const State& state, double h, Workspace& w) const;
  /// Applies spatial variations at the end, 6 numbers for each node; returns the largest: lengths relative to the
  /// model, angles. `sign`: 1, or -1 if their opposites are given.
  template <int sign = 1>
  double correct(const Workspace& w, const VecX& delta);
  /// The velocity at the end, (2/h)(dx, theta) less that at the start turned along, in space: cay(theta) theta = theta.
  Vec6 velocity(int i, const State& state, double h, const Workspace& w) const;
  /// Puts the end of the step into the state: configurations, and velocities given in the nodes' unknowns.
  void finish(const VecX& u, const Workspace& w, State& state) const;
};

inline void CayleyMotion::begin(int i, const State& state, Workspace& w) const {
  w.start[i] = frame(state.nodes[i]);
  if (w.system.nodes[i].kind != Node::Kind::rigid) w.end[i] = w.start[i];  // what does not move stays there
}

inline void CayleyMotion::go_on(int i, const State& state, double h, const Workspace& w) {
  dx[i] = h * state.nodes[i].v;
  theta[i] = w.start[i].d * (h * state.nodes[i].Omega);
}

inline void CayleyMotion::restrict(int i, const System& system) {
  if (system.nodes[i].kind == Node::Kind::rigid) return;
  Vec6 d;
  d << dx[i], theta[i];
  d = system.spread(i, system.gather(i, d));
  dx[i] = d.head<3>();
  theta[i] = d.tail<3>();
}

inline void CayleyMotion::move(int i, const State& state, Workspace& w) const {
  const Node& node = w.system.nodes[i];
  if (node.translates()) w.end[i].x = state.nodes[i].x + dx[i];
  if (node.rotates()) w.end[i].d = so3::cay_times(theta[i], state.nodes[i].q).toRotationMatrix();
}

}  // namespace polhode
