// G. M. Hulbert, Explicit momentum conserving algorithms for rigid body dynamics, Computers & Structures 44 (1992)
// 1291-1303: its two problems and what came of its outlook, measured.
#pragma once

#include <algorithm>
#include <cmath>

#include <polhode/papers/report.hpp>
#include <polhode/simulate/simulation.hpp>

namespace polhode::papers::hulbert {

/// An algorithm of the paper: a method of ours and a rule for the impulse of forces that depend on the configuration.
struct Scheme {
  std::string method, impulse, label;  ///< impulse: empty if the method knows one only
  IntegratorChoice choice() const;
};
const std::vector<Scheme>& schemes();  ///< seven: three methods with two rules, and that of Park, Chiou & Downer
const Scheme& scheme(const std::string& method, const std::string& impulse = "midpoint");

/// 5.1, with the paper's t_d = 2 s - push and a push of 0.2 N m s; the same body, thrown and left alone; 5.2.
Model tumbling_body(double push = 1e-3);
Model thrown_body();
Model fast_top();

/// Called at the start and after every step.
using Look = std::function<void(const System& system, const State& state)>;
/// Steps of one size, without a run's accounts: long runs are wanted. False if a step failed.
bool steps(const Model& model, const IntegratorChoice& integrator, double h, double end, const Look& look);

/// The body at the end.
NodeState end_of(const Model& model, const Scheme& scheme, double h, double end);
/// The motion itself, to about 1e-12: of the first body, and of all.
NodeState exact(const Model& model, double t);
std::vector<NodeState> exact_nodes(const Model& model, double t);

/// What a long run does, from a time on. Ranges are over all steps.
struct History {
  double energy = 0;               ///< at that time [J]
  Vec3 momentum = Vec3::Zero();    ///< in space [N m s]
  double lowest = 0, highest = 0;  ///< of E less that [J]
  double final = 0;
  double momentum_error = 0;           ///< of all of it [N m s]
  double vertical_momentum_error = 0;  ///< of its third component
  double chains_apart = 0;  ///< of two chains: pi(t) less the mean of those half a step before and after [N m s]
  double least_nutation = 10, most_nutation = 0;  ///< angle of the body's third axis with the vertical [rad]
  double largest() const { return std::max(std::abs(lowest), std::abs(highest)); }

  /// Ranges in equal parts of the time, for a figure.
  struct Part {
    double time, energy_low, energy_high, nutation_low, nutation_high;
  };
  std::vector<Part> parts;
};
History history(const Model& model, const Scheme& scheme, double h, double end, double from = 0, int parts = 400);

/// Section 6: the chain of four links that this project takes for the paper's outlook on constraints, hung up or flying
/// free.
Model four_links();
Model flying_links();
/// By rattlie: where the centre of the last link is at the end; largest changes of energy and angular momentum on the
/// way.
struct ChainRun {
  Vec3 last = Vec3::Zero();
  double energy = 0, energy_error = 0, momentum_error = 0;  ///< [J, J, N m s]
};
ChainRun chain_run(const Model& model, double h, double end);

Page page(const Progress& progress);

}  // namespace polhode::papers::hulbert
