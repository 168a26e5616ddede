// A consistent start: positions on the joints, velocities on the velocity constraints, redundancy found and named.
#pragma once

#include <polhode/system/compile.hpp>
#include <polhode/system/constrained_mass.hpp>

namespace polhode {

/// One redundant equation: the joint whose elimination found it, and what it would transmit.
struct Redundancy {
  std::string connection;
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();  ///< of a unit multiplier, on b at its anchor, in space
  std::string direction() const;                     ///< in words: "moment about [0, 1, 0]"
};

struct StartReport {
  double moved = 0;            ///< farthest that a body's centre was moved to close the joints [m]
  double turned = 0;           ///< largest turn of a body for the same [rad]
  double velocity_change = 0;  ///< largest change of a given velocity [m/s, or rad/s times the size of the model]
  double position_residual = 0, velocity_residual = 0;  ///< largest residuals as given
  std::vector<Redundancy> redundancies;
  int equations = 0, rank = 0, freedoms = 0;  ///< freedoms: of the mechanism, after its constraints
};

/// Makes the state consistent. Positions or velocities that contradict the joints are a ModelError that says which
/// joint and by how much, unless the model asks to project; velocities that were not given are free to be chosen and
/// are taken as small as the joints allow. The multipliers become those of the start.
StartReport consistent_start(const CompiledModel& model, SimulationOptions::Assembly assembly, State& state);

/// Moves the bodies onto the joints, by Newton's method with corrections that are smallest in the metric of the masses.
/// ModelError if they cannot be assembled.
void project_positions(const CompiledModel& model, State& state);

/// V := V + the smallest change that meets B V = df/dt, in the metric of the masses. A large weight keeps a velocity.
void project_velocities(const System& system, ConstrainedMass& mass, std::span<const ConstrainedMass::Weight> weights,
                        State& state);

/// The equations that follow from the others, by rank, at a configuration.
std::vector<Redundancy> find_redundancies(const CompiledModel& model, const State& state);

}  // namespace polhode
