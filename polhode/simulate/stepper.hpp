// Takes the steps of a run: a compiled model, its state, a method, and a plan of how long steps are.
#pragma once

#include <memory>
#include <string>

#include <polhode/integrate/methods.hpp>
#include <polhode/simulate/drive_kinks.hpp>
#include <polhode/simulate/loops.hpp>
#include <polhode/simulate/step_plan.hpp>

namespace polhode {

/// What a step of the plan took.
struct StepOutcome {
  bool accepted = false, is_output = false;
  double h = 0;  ///< its length [s]
  long iterations = 0, fallbacks = 0;
  int refused = 0;      ///< by the plan: the step was repeated, shorter
  bool halved = false;  ///< it did not converge at once
  std::string failure;  ///< if it was not accepted: when, where, by how much, what to try
};

/// The plan of a model's options: fixed steps, samples every output_step. ModelError if that is no multiple of the
/// step.
StepPlan plan_of(const SimulationOptions& options);

class Stepper {
 public:
  /// Compiles the model, makes its start consistent, and makes the method. ModelError, also if the method cannot serve
  /// the model.
  Stepper(const Model& model, const StepPlan& plan);
  Stepper(const Stepper&) = delete;  // its integrator refers to its system
  Stepper& operator=(const Stepper&) = delete;

  /// The method makes its memory; velocities may then change by what its order allows. The first step does it if nobody
  /// has.
  void start();

  /// One accepted step. If it fails, the state and the plan are as before.
  StepOutcome advance();

  /// Changes the state between steps; the method starts anew. ModelError if it cannot serve the new state; the state is
  /// then as before, as it is if f throws.
  template <class F>
  void edit(F&& f) {
    State edited = state_;
    f(edited);
    refuse_unserved(edited);
    state_ = std::move(edited);
    start();
  }
  /// A wrench on its node from now on, in place of what was applied there; none if force and torque are zero. False if
  /// that changes nothing.
  bool apply(const Applied& wrench);
  /// Work that a program did between steps [J].
  void book_applied(double work) { state_.work.applied() += work; }

  /// All that the following steps depend on. Saving changes nothing; after restoring, steps are the same bit by bit.
  struct Saved {
    State state;
    std::vector<double> warm_start;  ///< what the method remembers to save work
    StepPlan plan;
    bool started = false;  ///< whether the method has made its memory
    LeftOut left_out;
  };
  Saved save() const;
  void restore(const Saved& saved);

  const State& state() const { return state_; }
  const StepPlan& plan() const { return plan_; }
  const CompiledModel& compiled() const { return compiled_; }
  const StartReport& start_report() const { return start_; }
  const Resources& resources() const { return resources_; }
  const IntegratorChoice& choice() const { return choice_; }  ///< the method with all its options, none left open
  const std::string& method() const { return method_; }       ///< the same in words, with reasons
  bool multipliers_at_end() const { return integrator_->multipliers_at_end(); }

 private:
  /// ModelError if the method cannot go on from a state with the steps of the plan.
  void refuse_unserved(const State& state) const;
  /// The next step of the plan; it ends at a kink of a drive that is nearly at its end, and, if its length is chosen by
  /// a controller, at one inside it.
  StepPlan::Next next_step() const;
  /// At a kink of a drive, its impulses, and a new start of the method.
  void pass_kink(double h);
  bool take_pieces(double h, StepOutcome& outcome);
  /// A step of the method, unless an angle that is counted turns too far for it.
  StepReport attempt(double h);
  double fastest_angle();
  bool take(double h, StepOutcome& outcome);
  bool halve(double h, int depth, StepOutcome& outcome);
  bool take_twice(double h, StepOutcome& outcome, double& error);
  std::string explain(double h) const;
  void keep();
  void put_back();

  CompiledModel compiled_;
  State state_;
  StartReport start_;
  std::optional<LoopWatch> watch_;  ///< if rows of a nearly redundant loop are left out
  Resources resources_;
  std::unique_ptr<Integrator> integrator_;
  StepPlan plan_;
  std::optional<DriveKinks> kinks_;  ///< none if the drives of the model are smooth
  IntegratorChoice choice_;
  std::string method_;
  bool started_ = false;
  StepReport report_;    ///< of the last attempt
  State before_, once_;  ///< a step that is refused or fails goes back to the first; the second: after one whole step
  std::vector<double> warm_before_;
  std::vector<Frame> frames_;   ///< after a short time with the velocities of the state
  std::vector<double> angles_;  ///< counted there
};

}  // namespace polhode
