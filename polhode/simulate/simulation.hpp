// The driver: a model made consistent, stepped in time, sampled, and certified.
#pragma once

#include <functional>
#include <optional>

#include <polhode/integrate/methods.hpp>
#include <polhode/simulate/sample.hpp>
#include <polhode/simulate/certificate.hpp>
#include <polhode/simulate/conserved.hpp>
#include <polhode/simulate/reactions.hpp>

namespace polhode {

/// A run of a model. Steps one by one, or to the end with run().
class Simulation {
 public:
  /// Compiles the model, makes its start consistent, and prepares the integrator. Throws ModelError.
  explicit Simulation(const Model& model);
  Simulation(const Simulation&) = delete;  // its integrator refers to its system
  Simulation& operator=(const Simulation&) = delete;

  bool done() const { return step_ >= steps_ || !failure_.empty(); }
  /// One step of the plan (halved if Newton does not converge). False if it failed; failure() then says how.
  bool step();
  const std::string& failure() const { return failure_; }

  /// A force [N] at a point of a body's frame and a torque [N m], both in space, in all steps from now on, in place of what was
  /// applied to that body before. Its work goes by the name of `applied`; momentum then counts as not conserved.
  void apply(std::size_t body, const Vec3& force, const Vec3& torque, const Vec3& at = Vec3::Zero());
  static constexpr const char* applied = "(applied)";

  /// New velocities for a body: of its frame's origin, in space, and angular, in the body; where absent, as they are. Those of all
  /// bodies are then moved by the least that the joints ask for. The energy that this brings goes by the name of `applied` too.
  struct Velocity {
    std::size_t body = 0;
    std::optional<Vec3> velocity, angular_velocity;
  };
  void set_velocities(const std::vector<Velocity>& velocities);

  /// All that the motion depends on, to be put back later; figures of the certificate keep on counting.
  struct Checkpoint {
    State state;
    std::vector<double> method;  ///< of Integrator::save()
    long step = 0;
  };
  Checkpoint checkpoint() const;
  void restore(const Checkpoint& checkpoint);

  /// Runs to the end, also after an interruption. `sample` is called at the start and after every output step, `progress` after every step; if it
  /// returns false, the run is interrupted. Returns the certificate.
  Certificate run(const std::function<void(const Sample&)>& sample = {}, const std::function<bool()>& progress = {});

  double time() const { return state_.t; }
  const State& state() const { return state_; }
  const CompiledModel& compiled() const { return compiled_; }
  const StartReport& start_report() const { return start_; }
  long steps() const { return steps_; }        ///< of the whole run
  long steps_done() const { return step_; }
  std::size_t sample_count() const;            ///< of the whole run
  ResultLayout layout(const std::string& version) const;  ///< of its result; the model's text is set

  Certificate certificate() const;
  const Sample& sample();                      ///< the motion now
  bool multipliers_at_end() const { return integrator_->multipliers_at_end(); }  ///< or those of the middle of the last step

 private:
  bool advance(double h, int depth);
  void account();
  double energy_scale() const;

  Model model_;
  CompiledModel compiled_;
  State state_;
  StartReport start_;
  ConservedMomenta conserved_;
  Resources resources_;
  std::unique_ptr<Integrator> integrator_;
  std::string integrator_text_, failure_, status_;
  long step_ = 0, steps_ = 0, stride_ = 1, gaining_steps_ = 0;
  double seconds_ = 0;
  Certificate::Newton newton_;
  int iterations_since_sample_ = 0;

  // running figures
  Energy energy_, energy0_;
  double energy_error_ = 0, balance_error_ = 0, identity_error_ = 0, lost_ = 0, largest_gain_ = 0, kinetic_max_ = 0, potential_swing_ = 0, strain_max_ = 0;
  Momentum momentum_, momentum0_;
  double linear_error_ = 0, angular_error_ = 0, linear_size_ = 0, angular_size_ = 0;
  double position_residual_ = 0, velocity_residual_ = 0;
  std::vector<Certificate::Reaction> largest_reactions_;

  // buffers
  std::vector<Frame> frames_;
  std::vector<Vec6> V_;
  VecX residual_, lambda_;
  ConstraintJacobian B_;
  std::unique_ptr<Reactions> reactions_;
  std::vector<double> positions_, quaternions_, velocities_, angular_velocities_;
  Sample sample_;
};

}  // namespace polhode
