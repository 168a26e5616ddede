// The motion of a Cayley midpoint step, R1 = cay(theta) R0 and x1 = x0 + dx, with its inertia forces: what the energy-momentum
// rule and its decaying relatives share.
#pragma once

#include <polhode/integrate/workspace.hpp>

namespace polhode {

/// dx and theta of all nodes, both in space. Balances are multiplied by h/2, so that they are of order 1 in h.
struct CayleyMotion {
  std::vector<Vec3> dx, theta;

  /// Begins a step: sets the frames of its start.
  void begin(const State& state, double h, Workspace& w);
  /// Guesses that it goes on with the velocities of its start.
  void go_on(const State& state, double h, const Workspace& w);
  /// Takes away what nodes cannot do: no correction would.
  void restrict(const System& system);
  /// q1, and the mean of the 12 natural coordinates, of the present dx and theta.
  void move(const State& state, Workspace& w) const;
  /// Sets the forces to m (v1 - v0) and R1 J Omega1 - R0 J Omega0, times h/2.
  void set_inertia(const State& state, double h, Workspace& w) const;
  /// The same, and sets the nodes' blocks of the matrix to their tangents.
  void set_inertia_and_tangent(const State& state, double h, Workspace& w) const;
  /// Applies spatial variations at the end, 6 numbers for each node; returns the largest: lengths relative to the model, angles.
  double correct(const System& system, const VecX& delta);
  /// The velocity at the end, (2/h)(dx, theta) less that at the start turned along, in space: cay(theta) theta = theta.
  Vec6 velocity(int i, const State& state, double h, const Workspace& w) const;
  /// Puts the end of the step into the state: configurations, and velocities given in the nodes' unknowns.
  void finish(const VecX& u, const Workspace& w, State& state) const;

 private:
  /// Of a step's start: the angular momentum times h/2 in the body and in space.
  struct Start {
    Vec3 body, spatial;
  };
  void set_inertia_and_tangent(int i, const State& state, double h, Workspace& w) const;
  Vec6 inertia_force(int i, const State& state, double h, const Workspace& w) const;
  /// (h/2) R1 J Omega1 with (h/2) Omega1 = R0^T theta - (h/2) Omega0
  Vec3 momentum(int i, const Workspace& w) const {
    return w.end[i].d * (w.system.nodes[i].J * (w.start[i].d.transpose() * theta[i]) - start_[i].body);
  }

  std::vector<Start> start_;
};

}  // namespace polhode
