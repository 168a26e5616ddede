// A run of a model, made of its parts: a stepper, a ledger, a sampler.
#pragma once

#include <functional>
#include <optional>

#include <polhode/simulate/certify.hpp>
#include <polhode/simulate/recorder.hpp>

namespace polhode {

/// Steps one by one, or to the end with run().
class Simulation {
 public:
  /// Compiles the model, makes its start consistent, and prepares the integrator. Throws ModelError.
  explicit Simulation(const Model& model) : Simulation(model, plan_of(model.simulation)) {}
  /// With another plan than that of the model's options.
  Simulation(const Model& model, const StepPlan& plan);
  Simulation(const Simulation&) = delete;  // its parts refer to each other
  Simulation& operator=(const Simulation&) = delete;

  /// At the end, or after a failure. Steps may go on beyond the end.
  bool done() const { return stepper_.plan().finished(time()) || !failure_.empty(); }
  /// One step of the plan (halved if Newton does not converge). False if it failed; failure() then says how. The state
  /// is as before, but where the step itself was taken: to a figure that is not finite, or to the end of a run whose
  /// energy has blown up.
  bool step();
  const std::string& failure() const { return failure_; }

  /// A force [N] at a point of a body's frame and a torque [N m], both in space, in all steps from now on, in place of
  /// what was applied to that body before. Its work goes by the name of `applied`; momentum then counts as not
  /// conserved.
  void apply(std::size_t body, const Vec3& force, const Vec3& torque, const Vec3& at = Vec3::Zero());
  static constexpr const char* applied = applied_work;

  /// New velocities for a body: of its frame's origin, in space, and angular, in the body; where absent, as they are.
  /// Those of all bodies are then moved by the least that the joints ask for. The energy that this brings goes by the
  /// name of `applied` too.
  struct Velocity {
    std::size_t body = 0;
    std::optional<Vec3> velocity, angular_velocity;
  };
  void set_velocities(const std::vector<Velocity>& velocities);

  /// All that the motion and the certificate depend on. Saving it changes nothing; after restore() the run goes on as
  /// it did before, bit by bit, with the same figures.
  struct Checkpoint {
    Stepper::Saved stepper;
    Ledger ledger;
  };
  Checkpoint checkpoint() const { return {stepper_.save(), ledger_}; }
  void restore(const Checkpoint& checkpoint);

  /// Runs on to the end, also after an interruption. Samples are recorded at the start, when the plan says so, and at
  /// the end; `progress` is called after every step, and if it returns false, the run is interrupted. Returns the
  /// certificate; finishing the recorder with it is left to the caller, who may have more to add.
  using Progress = std::function<bool()>;
  Certificate run(Recorder& recorder, const Progress& progress = {});
  Certificate run(const std::function<void(const Sample&)>& sample = {}, const Progress& progress = {});

  double time() const { return stepper_.state().t; }  ///< [s]
  const State& state() const { return stepper_.state(); }
  const Model& model() const { return model_; }
  const CompiledModel& compiled() const { return stepper_.compiled(); }
  const StepPlan& plan() const { return stepper_.plan(); }
  const StartReport& start_report() const { return stepper_.start_report(); }
  const IntegratorChoice& integrator() const { return stepper_.choice(); }  ///< with all its options, none left open
  long steps() const { return steps_; }  ///< of the whole run; 0 if a controller chooses them
  long steps_done() const { return stepper_.plan().steps; }
  double fraction() const;  ///< of the run that is done, by time
  /// Samples that run() will take from here to the end.
  std::size_t sample_count() const { return static_cast<std::size_t>(plan().sample_count()); }
  /// Of the result of what is to come, without the texts of model and options.
  ResultLayout layout(const std::string& version) const;

  Certificate certificate() const;
  const Ledger& ledger() const { return ledger_; }
  Sample sample() const;  ///< the motion now; looking changes nothing
  bool multipliers_at_end() const {
    return stepper_.multipliers_at_end();
  }  ///< or those of the middle of the last step

 private:
  void record(Recorder& recorder);
  std::string verdict() const;  ///< why the figures until now fail the run, if they do

  Model model_;
  Stepper stepper_;
  Accountant accountant_;
  Ledger ledger_;
  Sampler sampler_;
  long steps_ = 0;
  double seconds_ = 0;  ///< of stepping and sampling in run()
  std::string failure_, interruption_;
  bool at_output_ = false;  ///< a sample is due after the last step
  Sample sample_;           ///< the last one recorded
};

}  // namespace polhode
