// Velocities at the end of a decaying step: onto the constraints, and with the work that drives do there.
#pragma once

#include <polhode/integrate/strain_metric.hpp>
#include <polhode/model/kinks.hpp>
#include <polhode/system/constrained_mass.hpp>
#include <polhode/system/quantities.hpp>

namespace polhode {

class EndVelocity {
 public:
  explicit EndVelocity(const System& system, ThreadPool* pool = nullptr);

  /// Sets the constraints B v = f'(t) at a configuration; `limit`: at a kink.
  bool at(std::span<const Frame> q, std::span<const double> angles, double t, Limit limit = Limit::left);
  const ConstraintJacobian& B() const { return B_; }

  /// mu := f'(t) - B u, what u lacks.
  void missing(const VecX& u, VecX& mu) const;
  /// u := the nearest velocity that satisfies the constraints, in the metric M. Returns the kinetic energy of the
  /// difference, which is what the projection takes, and books the work of the drives. Must follow at(). Adds the
  /// multipliers of the impulse, -M du = B^T mu, to `impulse`.
  double project(VecX& u, Work& work, VecX& impulse);
  /// Books what drives do by impulses -factor mu of their rows.
  void add_drive_work(double factor, const VecX& mu, Work& work) const;

 private:
  const System& system_;
  ConstrainedMass mass_;
  std::span<const Frame> q_;
  ConstraintJacobian B_;
  VecX rate_, delta_, mu_;
};

}  // namespace polhode
