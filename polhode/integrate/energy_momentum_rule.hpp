// The energy-momentum rule: its equations, over a solver that holds everything else. FastCayley is the library's; a
// plain one that does what a textbook does checks it in tests.
#pragma once

#include <polhode/integrate/integrator.hpp>
#include <polhode/system/midpoint.hpp>

namespace polhode {

/// One step h (docs/methods/energy-momentum.md, equations 1 to 5):
///   x1 = x0 + dx,           R1 = cay(theta) R0                                  (1)
///   v1 = 2 dx/h - v0,       Omega1 = (2/h) R0^T theta - Omega0                  (2)
///   m (v1 - v0)                 + h [P(qm)^T g]_x     = 0                       (3)
///   R1 J Omega1 - R0 J Omega0   + h [P(qm)^T g]_theta = 0                       (4)
///   Phi(q1, t1) = 0                                                             (5)
/// for dx, theta and lambda; g is the discrete gradient of energies and of lambda . Phi, qm the mean of the 12 natural
/// coordinates.
/// Balances are multiplied by h/2 and lambda by h^2/2: all blocks are then of order 1 in h.
template <class Solver>
class EnergyMomentumRule {
 public:
  EnergyMomentumRule(const System& system, const NewtonOptions& newton, int substeps = 1,
                     const Resources& resources = {})
      : solver(system, newton, substeps, resources), system_(system) {}

  /// `substep`: which one of a composition; each is predicted from those in its place.
  StepReport step(State& state, double h, int substep = 0) {
    const StepReport report =
        solver.solve(state, h, substep, [&](int i, const MidpointMotion& motion, const NodeOut& out) {  // (1), (5), h g
          set_midpoint(system_, i, motion, out);  // (2) in (3), (4): (h/2)(p1 - p0), and its tangent
        });
    if (!report.converged) return report;
    solver.finish(state, [&](int i, const MidpointMotion& motion, NodeState& s) {  // lambda, work, angles, t
      const Vec3 &dx = motion.dx[i], &theta = motion.theta[i];
      // (2) as changes: (2/h) theta - Omega0 errs by (2/h)(h/2) - 1 of Omega, with the same sign in all steps
      s.Omega += (2 / h) * (motion.start[i].d.transpose() * theta - h * s.Omega);
      s.v += (2 / h) * (dx - h * s.v);
      s.x += dx;  // (1)
      s.q = so3::cay_times(theta, s.q);
    });
    return report;
  }

  Solver solver;

 private:
  const System& system_;
};

}  // namespace polhode
