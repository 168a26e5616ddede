// What mechanics keeps account of: energy, momentum, and the work that changes them.
#pragma once

#include <polhode/system/system.hpp>

namespace polhode {

struct Energy {
  double kinetic = 0, gravitational = 0, strain = 0;  ///< [J]
  double total() const { return kinetic + gravitational + strain; }
};

struct Momentum {
  Vec3 linear = Vec3::Zero();   ///< [kg m/s]
  Vec3 angular = Vec3::Zero();  ///< about the origin of space [kg m^2/s]
  double linear_size = 0, angular_size = 0;  ///< sums of the sizes of all parts, to measure errors against
};

/// Work in a step or a run [J]: done by each drive and each load, taken out by each damper (positive), and taken out by the
/// integrator itself, as far as its own identity of energy says so (positive).
struct Work {
  VecX drives, forces, dampers;
  double algorithmic = 0;
  Work() = default;
  Work(std::size_t drive_count, std::size_t force_count)
      : drives(VecX::Zero(drive_count)), forces(VecX::Zero(force_count)), dampers(VecX::Zero(force_count)) {}
  double done() const { return drives.sum() + forces.sum(); }
  double dissipated() const { return dampers.sum(); }
};

Energy energy(const System& system, const State& state, std::span<const Frame> frames);
Momentum momentum(const System& system, const State& state, std::span<const Frame> frames);

/// Whether there is anything that does work beside the energies: drives, elastic elements (dampers, given forces), loads.
bool may_work(const System& system);

/// Adds the work between two configurations, with the multipliers that acted in between. For the discrete gradient the
/// sum closes the balance of energy exactly; for other methods it is a rule of second order.
void add_work(const System& system, std::span<const Frame> start, std::span<const Frame> end, double t0, double t1,
              std::span<const double> angles, std::span<const double> lambda, Work& work);

}  // namespace polhode
