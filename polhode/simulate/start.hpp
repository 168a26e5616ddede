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

/// A loop with an equation that follows from the others but for a small part, as in rounded data.
struct NearLoop {
  Redundancy equation;              ///< in the joint that closes the loop
  std::vector<std::string> joints;  ///< around the loop, that one first
  double part = 0;               ///< smallest singular value of the loop's equations, of a unit row: see loop_tolerance
  double tolerance = 0;          ///< loop_tolerance, by which was decided
  int left_out = 0;              ///< rows of the joint that are left out of the equations; 0: all count
  double length = 0, angle = 0;  ///< by which these open when the mechanism moves by a few tenths of a radian [m, rad]

  std::string path() const;  ///< "A", "B", "C"
  std::string text() const;
};

/// What multipliers of a connection's rows transmit: on b at its anchor.
Vec6 wrench_on_b(const CompiledModel& model, std::span<const Frame> q, const ConstraintJacobian& B, int connection,
                 const Eigen::Ref<const VecX>& multipliers);

struct StartReport {
  double moved = 0;            ///< farthest that a body's centre was moved to close the joints [m]
  double turned = 0;           ///< largest turn of a body for the same [rad]
  double velocity_change = 0;  ///< largest change of a given velocity [m/s, or rad/s times the size of the model]
  double position_residual = 0, velocity_residual = 0;  ///< largest residuals as given
  std::vector<Redundancy> redundancies;
  std::vector<NearLoop> near_loops;
  int equations = 0, rank = 0, freedoms = 0;  ///< freedoms: of the mechanism, after its constraints
};

/// Makes the state consistent. Positions or velocities that contradict the joints are a ModelError that says which
/// joint and by how much, unless the model asks to project; velocities that were not given are free to be chosen and
/// are taken as small as the joints allow. The multipliers become those of the start.
StartReport consistent_start(const CompiledModel& model, SimulationOptions::Assembly assembly, State& state);

/// Moves the bodies onto the joints, by Newton's method with corrections that are smallest in the metric of the masses.
/// ModelError if they cannot be assembled.
void project_positions(const CompiledModel& model, State& state);

enum class Drives { held, free };
/// The same as far as it goes, without an error. Drives that are free stay where they are.
void close_joints(const System& system, State& state, Drives drives = Drives::held);
/// Phi without rows that are left out, and without those of drives that are free.
VecX imposed_residual(const System& system, std::span<const Frame> q, const State& state, Drives drives = Drives::held);
/// Moves the nodes by `factor` times small displacements, as their unknowns.
void displace(const System& system, const VecX& u, double factor, State& state);

/// V := V + the smallest change that meets B V = df/dt, in the metric of the masses. A large weight keeps a velocity.
void project_velocities(const System& system, ConstrainedMass& mass, std::span<const ConstrainedMass::Weight> weights,
                        State& state);

/// The equations that follow from the others, by rank, at a configuration.
std::vector<Redundancy> find_redundancies(const CompiledModel& model, const State& state);

}  // namespace polhode
