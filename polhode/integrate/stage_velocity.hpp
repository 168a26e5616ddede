// The velocities at the two states of Lens and Cardona's step, in closed form of its displacements.
#pragma once

#include <Eigen/LU>

#include <polhode/integrate/force_map.hpp>

namespace polhode {

/// The kinematic rows (c) and (d), for the displacements u to the end and to the jump and the wrenches Q of the
/// velocity level,
///   u_1/h = kappa/2 [w_1 + w_j + M^-1 (Q_1 + Q_j)] + gamma (w_1 - w_n)
///   u_j/h = -kappa/6 [w_1 - alpha w_j - (1 - alpha) w_n + M^-1 (Q_1 - Q_j)] + gamma/3 (w_j - w_n)
/// solved for h w_k = sum_l by_u(k, l) u_l + by_Q(k, l) M^-1 h Q_l + by_start(k) h w_n.
struct StageVelocity {
  Eigen::Matrix2d by_u, by_Q;
  Eigen::Vector2d by_start;
  double alpha;

  StageVelocity(double alpha_, double kappa, double gamma) : alpha(alpha_) {
    Eigen::Matrix2d N, Q;
    N << kappa / 2 + gamma, kappa / 2, -kappa / 6, kappa * alpha / 6 + gamma / 3;
    Q << -kappa / 2, -kappa / 2, kappa / 6, -kappa / 6;
    by_u = N.inverse();
    by_Q = by_u * Q;
    by_start = by_u * Eigen::Vector2d(gamma, gamma / 3 - kappa * (1 - alpha) / 6);
  }

  using Pair = std::array<Vec6, 2>;
  /// Derivatives of h w_k by kappa and by gamma, of h w, M^-1 h Q and h w_n.
  Pair by_kappa(const Pair& w, const Pair& MQ, const Vec6& wn) const {
    return solve(-0.5 * (w[at_end] + w[at_jump] + MQ[at_end] + MQ[at_jump]),
                 (w[at_end] - alpha * w[at_jump] - (1 - alpha) * wn + MQ[at_end] - MQ[at_jump]) / 6);
  }
  Pair by_gamma(const Pair& w, const Vec6& wn) const { return solve(wn - w[at_end], (wn - w[at_jump]) / 3); }

 private:
  Pair solve(const Vec6& c, const Vec6& d) const {
    return {Vec6(by_u(0, 0) * c + by_u(0, 1) * d), Vec6(by_u(1, 0) * c + by_u(1, 1) * d)};
  }
};

}  // namespace polhode
