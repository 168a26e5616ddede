// The motion of all nodes in a step of Lens and Cardona's schemes, to its end and to the jump at its start:
// displacements, velocities in closed form of them, momenta, and what the identity of energy is made of.
#pragma once

#include <vector>

#include <polhode/integrate/doubled_equations.hpp>
#include <polhode/integrate/stage_velocity.hpp>

namespace polhode {

/// A node in a step; velocities and wrenches are multiplied by h.
struct NodeMotion {
  NodeStep step;
  Mat6 frame_start;                 ///< takes w to space: diag(1, R), or diag(R, R) where the node moves about a pole
  std::array<Mat6, 2> frame;        ///< the same at the two states
  std::array<Mat6, 2> u_by_q;       ///< of the displacements u^, by spatial variations
  std::array<Vec6, 2> u, w, MQ, Q;  ///< u^, velocities h w, M^-1 h Q, and h Q, all in the node
  std::array<Vec6, 2> V, wrench;    ///< h w and h Q in space
  Vec6 w_start;
};

/// Terms of the identity of energy, times h^2, or their rates.
struct EnergyTerms {
  double dK = 0, K_nj = 0, W = 0, N = 0;
};

class JumpMotion {
 public:
  JumpMotion(const System& system, Torque torque, double alpha);

  std::vector<NodeMotion> nodes;
  double kappa = 1, gamma = 0;

  /// From constant velocities, without jumps.
  void predict(const State& state, std::span<const Frame> start, double h);
  /// The configuration of a node at one of the states. False if a half rotation goes beyond its limit.
  bool place(int i, Where state, const NodeState& start, Frame& frame) const;
  /// Velocities, of the wrenches at the two states and the configurations there.
  void find_velocities(std::span<const Frame> end, std::span<const Frame> jump);
  /// Adds spatial variations, 12 numbers a node; returns the largest: lengths relative to the model, angles.
  double correct(const VecX& delta);

  /// Momentum times h/2 at a state, about a pole with that of its translation; and that at the start.
  Vec6 momentum(int i, Where state) const { return momentum_of(i, state, nodes[i].w[state]); }
  Vec6 momentum_at_start(int i) const;
  /// How momenta and velocities vary with displacements and with the wrenches of the velocity level.
  void set_inertia(int i, NodeEquations& equations) const;

  EnergyTerms energy_terms() const;
  double kinetic_energy() const;  ///< at the end, times h^2

  /// How momenta (times h/2) and velocities (times h, in space) vary with kappa or with gamma at given displacements.
  void find_scalar_rates(bool of_kappa);
  Vec6 momentum_rate(int i, Where state) const { return momentum_of(i, state, w_by_scalar_[i][state]); }
  Vec6 velocity_rate(int i, Where state) const { return nodes[i].frame[state] * w_by_scalar_[i][state]; }
  /// Rates of the terms of energy along changes of the unknowns, of the wrenches (in space, 6 numbers a node) and of
  /// the scalar.
  EnergyTerms energy_rates(const VecX& delta, const std::array<std::vector<Vec6>, 2>& wrenches, double scalar) const;

 private:
  bool about_pole(int i) const { return moves_about_pole(torque_, system_.nodes[i]); }
  Mat6 frame_of(int i, const Frame& q) const;
  Mat6 turned(int i, const Vec6& f) const;
  void set_displacement(int i, Where state);
  Vec6 momentum_of(int i, Where state, const Vec6& w) const;
  StageVelocity velocity() const { return {alpha_, kappa, gamma}; }

  const System& system_;
  Torque torque_;
  double alpha_;
  std::vector<Mat6> M_, M_inverse_;
  std::vector<std::array<Vec6, 2>> w_by_scalar_;
};

}  // namespace polhode
