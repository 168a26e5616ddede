// The figures of a run, brought up to date after every step: all that its certificate says, as plain data.
#pragma once

#include <algorithm>
#include <optional>

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
  double rest_scale = 0;       ///< the least scale of energy: what a model that stands still is measured against [J]

  // the largest of all steps
  double energy_error = 0, balance_error = 0, identity_error = 0, largest_gain = 0;  ///< [J]
  double largest_kinetic = 0, largest_swing = 0, largest_strain = 0;  ///< [J]; swing: of gravity's potential
  double gained = 0;     ///< made by the integrator: the largest E - E(0) - work [J]
  double exchanged = 0;  ///< between the forms of energy, less what the integrator had made by then [J]
  double worked = 0;     ///< by drives and loads, or taken by dampers, less the same [J]
  double linear_error = 0, angular_error = 0, largest_linear = 0, largest_angular = 0;  ///< of momenta; their sizes
  double largest_position_residual = 0, largest_velocity_residual = 0;

  // how finely the steps resolve the motion
  struct Turn {
    double angle = 0, time = 0;  ///< [rad], at the end of the step [s]
    int node = -1;
  } turn;  ///< the largest of a body in one step
  struct Across {
    double energy = 0, time = 0;  ///< the largest measured [J]; when [s]
    double energy_by_square = 0;  ///< the energy by the square of the residuals: a guess, then the largest measured
    bool is_measured = false;     ///< that number
    long measurements = 0;
  } across;  ///< kinetic energy of velocities across the joints
  struct Stiffest {
    double frequency = 0;  ///< [rad/s]
    std::string name;      ///< of the force
  } stiffest;
  double largest_step = 0;  ///< [s]
  long steps = 0;           ///< accepted

  // the largest of all samples
  struct Reaction {
    double force = 0, moment = 0;  ///< [N, N m]
  };
  std::vector<Reaction> reactions;  ///< of each connection
  long samples = 0;

  // counted
  long gaining_steps = 0;  ///< in which E - work rose by more than rounding
  long iterations = 0, halved_steps = 0, fallbacks = 0, refused_steps = 0;

  /// The first figure that was not a number, or infinite; an empty name if all are finite.
  struct NotFinite {
    const char* figure = "";
    double value = 0, time = 0;
  } not_finite;

  /// What errors of energy are measured against: the largest amount exchanged between its forms [J]. It depends neither
  /// on the origin nor on energy that the integrator made.
  double energy_scale() const { return std::max(exchanged, rest_scale); }
  /// The largest number that energies are summed from, which rounding is relative to. It depends on the origin [J].
  double energy_numbers() const;
  /// Whether the integrator made so much energy that nothing of the motion is left in the numbers.
  bool blown_up() const;
};

/// Keeps the ledger of a run. Owns buffers: after the first step it allocates nothing.
class Accountant {
 public:
  explicit Accountant(const CompiledModel& model, ThreadPool* pool = nullptr) : model_(model), pool_(pool) {}

  /// The ledger of a run that begins at a consistent state. A method may change velocities when it starts, by what its
  /// order allows (generalized-alpha); so open first, then start, then account.
  Ledger open(const State& state);
  /// The next step begins here: after every change that was no step.
  void restart(const State& state);
  /// Takes the present state in: after every step, and after every change that a program makes.
  void account(const State& state, Ledger& ledger);
  /// The same after a step, with what it took.
  void account(const State& state, const StepOutcome& step, Ledger& ledger);

 private:
  void account_energy(const State& state, Ledger& ledger);
  void account_momentum(const State& state, Ledger& ledger);
  void account_joints(const State& state, Ledger& ledger);
  void account_turns(const State& state, double h, Ledger& ledger);
  void account_across(const State& state, Ledger& ledger);
  double energy_across(const State& state);

  const CompiledModel& model_;
  ThreadPool* pool_;
  std::vector<Frame> frames_;
  std::vector<Vec6> V_;
  VecX residual_;
  std::vector<Quaternion> before_;  // orientation of every node where the step began
  double lifting_ = 0,
         creeping_ = 0;  // least scales of energy: of weight [J], of slow motion, times the step squared [J s^2]
  std::optional<ConstrainedMass> mass_;  // of the last measurement across the joints, for models that are not large
  ConstraintJacobian B_;
  VecX u_, mu_;
};

/// Takes a sample in that a recorder has taken: its reactions, and that iterations count from here.
void account(const Sample& sample, Ledger& ledger);

}  // namespace polhode
