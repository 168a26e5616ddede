#include <polhode/integrate/end_velocity.hpp>

namespace polhode {

EndVelocity::EndVelocity(const System& system, ThreadPool* pool)
    : system_(system),
      mass_(system, pool),
      rate_(VecX::Zero(system.row_count)),
      delta_(VecX::Zero(6 * system.node_count())),
      mu_(rate_) {}

bool EndVelocity::at(std::span<const Frame> q, std::span<const double> angles, double t, Limit limit) {
  q_ = q;
  if (system_.row_count == 0) return true;
  system_.jacobian(q, angles, B_);
  for (const GivenRow& given : system_.given_rows) rate_[given.row] = rate(system_.functions[given.function], t, limit);
  return mass_.factor(q, B_);
}

void EndVelocity::missing(const VecX& u, VecX& mu) const {
  mu = rate_;
  if (system_.row_count > 0) B_.add_times(-1, u, mu);
}

/// v^ = v + d with M d + B^T mu = 0, B d = f' - B v. Then T(v^) - T(v) = v^ . M d - T(d) = -mu . f' - T(d).
double EndVelocity::project(VecX& u, Work& work, VecX& impulse) {
  if (system_.row_count == 0) return 0;
  double taken = 0;
  for (int round = 0; round < 2; ++round) {  // the second brings the residual of the first down to rounding
    delta_.setZero();
    missing(u, mu_);
    mass_.solve(delta_, mu_);
    u += delta_;
    impulse += mu_;
    taken += 0.5 * inertial_square(system_, q_, delta_);
    add_drive_work(1, mu_, work);
  }
  return taken;
}

void EndVelocity::add_drive_work(double factor, const VecX& mu, Work& work) const {
  for (const GivenRow& given : system_.given_rows)
    if (given.drive >= 0) work.drives[given.drive] -= factor * mu[given.row] * rate_[given.row];
}

}  // namespace polhode
