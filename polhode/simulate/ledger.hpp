// The figures of a run, brought up to date after every step: all that its certificate says, as plain data.
#pragma once

#include <polhode/simulate/conserved.hpp>
#include <polhode/simulate/reactions.hpp>
#include <polhode/simulate/sample.hpp>
#include <polhode/simulate/stepper.hpp>
#include <polhode/system/quantities.hpp>

namespace polhode {

struct Ledger {
  // now
  Energy energy;
  Momentum momentum;
  double position_residual = 0, velocity_residual = 0;  ///< the largest of the joints' equations, and of their rates
  double lost = 0;                                      ///< E(0) + work - E: what the integrator took [J]
  long iterations_since_sample = 0;

  // at the start
  Energy initial_energy;
  Momentum initial_momentum;
  ConservedMomenta conserved;  ///< by the model; none any more once a program has acted on it

  // the largest of all steps
  double energy_error = 0, balance_error = 0, identity_error = 0, largest_gain = 0;  ///< [J]
  double largest_kinetic = 0, largest_swing = 0, largest_strain = 0;  ///< [J]; swing: of gravity's potential
  double linear_error = 0, angular_error = 0, largest_linear = 0, largest_angular = 0;  ///< of momenta; their sizes
  double largest_position_residual = 0, largest_velocity_residual = 0;

  // the largest of all samples
  struct Reaction {
    double force = 0, moment = 0;  ///< [N, N m]
  };
  std::vector<Reaction> reactions;  ///< of each connection
  long samples = 0;

  // counted
  long gaining_steps = 0;  ///< in which E - work rose by more than rounding
  long iterations = 0, halved_steps = 0, fallbacks = 0, refused_steps = 0;

  /// What errors of energy are measured against: the largest of |E(0)| and of the amounts exchanged between its forms
  /// [J].
  double energy_scale() const;
};

/// Keeps the ledger of a run. Owns buffers: after the first step it allocates nothing.
class Accountant {
 public:
  explicit Accountant(const CompiledModel& model, ThreadPool* pool = nullptr) : model_(model), pool_(pool) {}

  /// The ledger of a run that begins at a consistent state. A method may change velocities when it starts, by what its
  /// order allows (generalized-alpha); so open first, then start, then account.
  Ledger open(const State& state);
  /// Takes the present state in: after every step, and after every change that a program makes.
  void account(const State& state, Ledger& ledger);
  /// The same after a step, with what it took.
  void account(const State& state, const StepOutcome& step, Ledger& ledger);

 private:
  const CompiledModel& model_;
  ThreadPool* pool_;
  std::vector<Frame> frames_;
  std::vector<Vec6> V_;
  VecX residual_;
};

/// Takes a sample in that a recorder has taken: its reactions, and that iterations count from here.
void account(const Sample& sample, Ledger& ledger);

}  // namespace polhode
