// The certificate of a run: what it kept, and what it lost.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <polhode/simulate/body_state.hpp>

namespace polhode {

/// The figures of a run. Energies are compared with `energy.scale`, the largest amount that was exchanged between its
/// forms; momenta with the largest sum of the sizes of their parts.
struct Certificate {
  enum class Status { running, complete, complete_with_warnings, interrupted, failed };
  std::string model, integrator;
  Status status = Status::running;
  std::string reason;                 ///< why a run ended early, or failed
  std::vector<std::string> warnings;  ///< figures beyond their bounds: a sentence each, with what to try
  double step = 0, end_time = 0, time = 0, seconds = 0;
  long steps = 0;
  int threads = 1;  ///< that shared the work

  struct Newton {
    long iterations = 0, halved_steps = 0, fallbacks = 0;
  } newton;

  struct Energy {
    double initial = 0, final = 0, scale = 0;
    double max_error = 0;                ///< largest |E(t) - E(0)| [J]
    double max_imbalance = 0;            ///< largest |E(t) - E(0) - work| [J]
    double max_relative_error = 0;       ///< of E(t) - E(0)
    double balance_error = 0;            ///< of E(t) - E(0) - work, relative
    double algorithmic_dissipation = 0;  ///< -(E - E(0) - work) at the end [J]
    double identity_error = 0;           ///< of E(t) - E(0) - work + the dissipation that the method predicts, relative
    double largest_gain = 0;             ///< of a step: by how much E - work rose, relative
    long gaining_steps = 0;              ///< in which E - work rose by more than rounding, 1e-12
    double work = 0;                     ///< of drives and loads, less what dampers took [J]
  } energy;
  std::map<std::string, double> drive_work, load_work, dissipated;  ///< of each [J]

  struct Momentum {
    double linear_error = 0, angular_error = 0;    ///< relative, of the components that the model conserves
    double linear_change = 0, angular_change = 0;  ///< the same [kg m/s, kg m^2/s]
    int linear_components = 0, angular_components = 0;
    bool known = true;  ///< false: what the model conserves was not found; errors are then NaN
  } momentum;

  struct Constraints {
    double position = 0, velocity = 0;  ///< largest residuals of all steps, SI
    int equations = 0, redundant = 0, freedoms = 0;
    std::vector<std::string> redundancies;
  } constraints;

  /// How finely the steps resolve the motion, over the whole run.
  struct Resolution {
    double turn = 0, turn_time = 0;  ///< largest of a body in one step [rad]; at its end [s]
    std::string turn_body;
    double steps_per_period = std::numeric_limits<double>::infinity();  ///< of the stiffest oscillation
    std::string stiffest;                                               ///< the force that it belongs to
    double across_joints = 0, across_joints_time = 0;  ///< share of the kinetic energy in velocities across the joints
    double halved = 0;                                 ///< share of the steps
  } resolution;

  struct Reaction {
    double force = 0, moment = 0;  ///< largest of all samples [N, N m]; NaN if there was none
    bool unique = true;  ///< false: the joint is in a redundant loop; the smallest possible reactions are given
  };
  std::map<std::string, Reaction> reactions;
  long reaction_samples = 0;  ///< at which reactions were evaluated

  struct Trajectory {
    double position = 0, angle = 0;  ///< estimated error of the bodies at the end [m, rad], over many turns
    std::optional<double> lost;      ///< when the two runs were too far apart for an estimate [s]
  };
  std::optional<Trajectory> trajectory;  ///< if it was asked for

  using BodyState = polhode::BodyState;
  std::vector<std::pair<std::string, BodyState>> bodies;  ///< at the end

  /// Came to its end, with warnings or without.
  bool complete() const { return status == Status::complete || status == Status::complete_with_warnings; }
  /// Came to its end time, whatever its figures say of it.
  bool reached_end() const { return complete() || (status == Status::failed && time >= end_time); }
  std::string status_text() const;  ///< the word of the status: "complete with warnings"
};

/// One JSON object; its names are a promise to scripts.
std::string to_json(const Certificate& certificate);

/// For people: what was kept and what was lost, with units.
std::string to_text(const Certificate& certificate);

/// Compares the figures with their bounds: sets the warnings, and the status of a run that came to its end.
void judge(Certificate& certificate);

/// Figures that a script may demand, by name. Returns what is not met, one line each.
std::vector<std::string> unmet(const Certificate& certificate, const std::map<std::string, double>& required);
std::vector<std::string> requirable();

}  // namespace polhode
