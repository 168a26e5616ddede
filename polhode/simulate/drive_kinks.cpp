#include <polhode/simulate/drive_kinks.hpp>

#include <algorithm>
#include <cmath>

#include <polhode/model/kinks.hpp>

namespace polhode {

DriveKinks::DriveKinks(const System& system, ThreadPool* pool) : system_(system), pool_(pool) {
  for (const GivenRow& given : system.given_rows)
    for (const double t : kinks(system.functions[given.function])) times_.push_back(t);
  std::sort(times_.begin(), times_.end());
}

bool DriveKinks::at(double t) const {
  return std::any_of(times_.begin(), times_.end(), [&](double kink) { return same_time(kink, t); });
}

std::optional<double> DriveKinks::between(double t0, double t1) const {
  for (const double kink : times_)
    if (kink > t0 && kink < t1 && !same_time(kink, t0) && !same_time(kink, t1)) return kink;
  return {};
}

double DriveKinks::nearest(double t, double apart) const {
  for (const double kink : times_)
    if (std::abs(kink - t) <= apart) return kink;
  return t;
}

void DriveKinks::pass(State& state) {
  if (!mass_) mass_.emplace(system_, pool_);
  std::vector<Frame> q;
  std::vector<Vec6> V;
  ConstraintJacobian B;
  system_.frames(state, q);
  spatial_velocities(system_, state, V);
  system_.jacobian(q, state.angles, B);
  if (!mass_->factor(q, B)) return;

  VecX u(6 * system_.node_count());
  for (int i = 0; i < system_.node_count(); ++i) u.segment<6>(6 * i) = system_.gather(i, V[i]);
  VecX wanted = VecX::Zero(system_.row_count), rate_before = wanted, impulse = wanted;
  for (const GivenRow& given : system_.given_rows)
    wanted[given.row] = rate(system_.functions[given.function], state.t, Limit::right);
  B.add_times(1, u, rate_before);
  for (int round = 0; round < 2; ++round) {  // the second brings the residual of the first down to rounding
    VecX change = VecX::Zero(u.size()), mu = wanted;
    B.add_times(-1, u, mu);
    mass_->solve(change, mu);
    u += change;
    impulse += mu;
    for (int i = 0; i < system_.node_count(); ++i) {
      const Vec6 d = system_.spread(i, change.segment<6>(6 * i));
      state.nodes[i].v += d.head<3>();
      state.nodes[i].Omega += q[i].d.transpose() * d.tail<3>();
    }
  }
  book(state, rate_before, impulse, state.work);
  state.lambda = accelerations(system_, state, *mass_).lambda;
}

/// T+ - T- = -Lambda . (B v- + B v+)/2. Rows that no drive moves have B v+ = 0, and B v- = 0 but for what a method lets
/// velocities miss the joints by: their part, too, is work of the drives that jump.
void DriveKinks::book(const State& state, const VecX& rate_before, const VecX& impulse, Work& work) const {
  double of_joints = -0.5 * impulse.dot(rate_before), all_jumps = 0;
  const auto each = [&](const auto& f) {
    for (const GivenRow& given : system_.given_rows) {
      if (given.drive < 0) continue;
      const Function& motion = system_.functions[given.function];
      const double before = rate(motion, state.t, Limit::left), after = rate(motion, state.t, Limit::right);
      f(given, after, std::abs(impulse[given.row] * (after - before)));
    }
  };
  each([&](const GivenRow& given, double after, double jump) {
    of_joints += 0.5 * impulse[given.row] * rate_before[given.row];
    all_jumps += jump;
    work.drives[given.drive] -= 0.5 * impulse[given.row] * (rate_before[given.row] + after);
  });
  if (!(all_jumps > 0)) return;
  each([&](const GivenRow& given, double, double jump) { work.drives[given.drive] += of_joints * jump / all_jumps; });
}

}  // namespace polhode
