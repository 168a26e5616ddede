// What mechanics keeps account of: energy, momentum, and the work that changes them.
#pragma once

#include <polhode/system/system.hpp>

namespace polhode {

struct Energy {
  double kinetic = 0, gravitational = 0, strain = 0;  ///< [J]
  double total() const { return kinetic + gravitational + strain; }
};

struct Momentum {
  Vec3 linear = Vec3::Zero();                ///< [kg m/s]
  Vec3 angular = Vec3::Zero();               ///< about the origin of space [kg m^2/s]
  double linear_size = 0, angular_size = 0;  ///< sums of the sizes of all parts, to measure errors against
};

Energy energy(const System& system, const State& state, std::span<const Frame> frames, ThreadPool* pool = nullptr);
Momentum momentum(const System& system, const State& state, std::span<const Frame> frames, ThreadPool* pool = nullptr);

/// Whether there is anything that does work beside the energies: drives, elastic elements (dampers, given forces),
/// loads, what is applied.
bool may_work(const System& system, const State& state);

/// The part of a step whose work is booked: two configurations, and the multipliers that acted in between. `given`: as
/// in a Stage.
struct WorkInterval {
  std::span<const Frame> start, end;
  double t0 = 0, t1 = 0;
  std::span<const double> lambda{};
  const State* given = nullptr;
  bool dampers = true;  ///< false: theirs is left out
};
/// Adds the work in an interval. For the discrete gradient the sum closes the balance of energy exactly; for other
/// methods it is a rule of second order.
void add_work(const System& system, const WorkInterval& interval, Work& work);

}  // namespace polhode
