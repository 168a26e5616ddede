#include <polhode/integrate/velocity_level_rule.hpp>

#include <cmath>
#include <limits>
#include <utility>

#include <polhode/model/kinks.hpp>
#include <polhode/system/quantities.hpp>

namespace polhode {
namespace {

/// When rounds end and when they change their ways. A correction e is the larger displacement of the two of a round,
/// relative to the model; measured on the shipped models at 1 to 20 times their steps.
struct Constants {
  static constexpr double least_tolerance = 1e-16;  ///< of e times the ratio by which corrections shrink
  static constexpr double least_ratio = 1e-3;       ///< a single fast round does not prove the next one
  static constexpr double rounding = 1e-10;         ///< below it, twice without getting smaller is rounding
  static constexpr double by_rounding = 100;        ///< the same far from the origin, in parts of rounding_of_places
  static constexpr double stalls = 0.9;             ///< "without getting smaller": above this part of the best
  static constexpr double mixes = 0.05;             ///< slower than this: Anderson mixing from then on
  static constexpr double own_factors = 0.1;        ///< slower: gamma by the factors of inertia alone from then on
  static constexpr double refactors = 0.3;          ///< slower: new factors
  static constexpr double small = 0.1;              ///< below this part of `rounding` none of these is worth its work
  static constexpr double diverged = 1e6;
  static constexpr double phi_by_correction = 1e3, phi_left = 1e-9;  ///< Phi that a correction may leave
  static constexpr double ratio_fades = 0.95;
  static constexpr int more_rounds = 5;  ///< beside Newton's iterations
};

}  // namespace

VelocityLevelRule::VelocityLevelRule(const System& system, const NewtonOptions& newton, int substeps,
                                     const Resources& resources)
    : system_(system),
      newton_(newton),
      predictors_(substeps),
      w_(system, 1, resources),
      own_(system, 1, resources),
      motion_(system) {
  w_.lu.prefer_speed();
  own_.lu.prefer_speed();
  const int n = system.node_count(), m = system.row_count;
  for (const Node& node : system.nodes) {
    all_fall_ = all_fall_ && node.translates();
    all_rigid_ = all_rigid_ && node.kind == Node::Kind::rigid;
  }
  variant_.gravity = !all_fall_;
  const Frame still{Vec3::Zero(), Mat3::Zero()};
  start_rates_.assign(n + 1, still);
  end_rates_.assign(n + 1, still);
  W_.assign(n + 1, Vec6::Zero());
  V_.assign(n + 1, Vec6::Zero());
  turn_.assign(n, Vec3::Zero());
  half_Omega_.assign(n, Vec3::Zero());
  J_inverse_.assign(n, Mat3::Zero());
  for (int i = 0; i < n; ++i)
    if (system.nodes[i].rotates()) J_inverse_[i] = system.inertia[i].J.inverse();
  both_.setZero(2 * m);
  lambda_.setZero(m);
  gamma_.setZero(m);
  velocity_rows_.setZero(m);
  second_.setZero(w_.rhs.size());
  for (VecX* buffer : {&F_kappa_, &F_gamma_}) buffer->setZero(6 * n);
  for (VecX* buffer : {&x_, &y_}) buffer->setZero(6 * n + 2 * m);
  measure_.setZero(12 * n);
  mixing_.resize(x_.size(), measure_.size());
  rate1_.assign(system.given_rows.size(), 0.0);
  stage_ = {.start = w_.start, .end = w_.end, .lambda = span(lambda_), .variant = &variant_};
  m_ = {.start = w_.start, .end = w_.end, .dx = motion_.dx, .theta = motion_.theta};
}

void VelocityLevelRule::start(State& state) const {
  state.memory.resize(static_cast<Eigen::Index>(system_.given_rows.size()));
  for (std::size_t k = 0; k < system_.given_rows.size(); ++k)
    state.memory[static_cast<Eigen::Index>(k)] =
        rate(system_.functions[system_.given_rows[k].function], state.t, Limit::right);
}

void VelocityLevelRule::save(std::vector<double>& numbers) const {
  numbers.insert(numbers.end(), {inertia_alone_ ? 1.0 : 0.0, ratio_, gamma_h_});
  numbers.insert(numbers.end(), gamma_.begin(), gamma_.end());
  for (const Predictor& predictor : predictors_) predictor.save(numbers);
}

void VelocityLevelRule::restore(std::span<const double> numbers) {
  if (numbers.empty()) {
    for (Predictor& predictor : predictors_) predictor.forget();
    inertia_alone_ = false, ratio_ = 1, gamma_h_ = 0;
    gamma_.setZero();
    return;
  }
  inertia_alone_ = numbers[0] != 0, ratio_ = numbers[1], gamma_h_ = numbers[2];
  std::copy_n(numbers.begin() + 3, gamma_.size(), gamma_.begin());
  numbers = numbers.subspan(3 + static_cast<std::size_t>(gamma_.size()));
  for (Predictor& predictor : predictors_) predictor.restore(numbers);
}

StepReport VelocityLevelRule::step(State& state, double h, int substep) {
  if (state.memory.size() != static_cast<Eigen::Index>(system_.given_rows.size()))
    start(state);  // a state of elsewhere
  predictor_ = &predictors_[substep];
  StepReport report = solve(state, h);
  if (!report.converged && (predictor_->predicts() || !gamma_.isZero(0))) {  // not smooth here
    const int in_vain = report.iterations;
    predictor_->forget();
    gamma_.setZero();
    ratio_ = 1;
    report = solve(state, h);
    report.iterations += in_vain;
  }
  if (report.converged)
    finish(state, report.iterations);
  else
    predictor_->forget();
  return report;
}

/// Guesses of all unknowns; the configuration is not moved.
void VelocityLevelRule::begin(const State& state, double h) {
  const int n = system_.node_count(), m = system_.row_count;
  h_ = h;
  stage_.t0 = state.t;
  stage_.t1 = state.t + h;
  stage_.scale = 0.5 * h * h;
  stage_.given = &state;
  m_.state = &state;
  m_.h = h;
  m_.fall = all_fall_ ? Vec3(stage_.scale * system_.gravity) : Vec3::Zero();
  const bool asks = predictor_->begin(h, n, 2 * m);
  w_.division.for_each(n, [&](int i) {
    motion_.begin(i, state, w_);
    if (asks) motion_.go_on(i, state, h, w_);
    predictor_->predict(i, motion_.dx[i], motion_.theta[i]);
    motion_.restrict(i, system_);
    const NodeState& s = state.nodes[i];
    const Mat3& d = w_.start[i].d;
    start_rates_[i] = rates(0.5 * h * s.v, d * (0.5 * h * s.Omega), d);
  });
  if (predictor_->predicts_multipliers()) {
    predictor_->predict(both_, w_.division);
  } else {
    const double by = gamma_h_ != 0 ? h / gamma_h_ : 0;
    gamma() = h * by * by * gamma_;
    kappa() = stage_.scale * state.lambda - gamma();
  }
  for (std::size_t k = 0; k < rate1_.size(); ++k)
    rate1_[k] = rate(system_.functions[system_.given_rows[k].function], stage_.t1, h > 0 ? Limit::left : Limit::right);
}

StepReport VelocityLevelRule::solve(const State& state, double h) {
  begin(state, h);
  StepReport report = iterate(state);
  if (!report.converged) name_the_worst(system_, w_.phi, report);
  return report;
}

StepReport VelocityLevelRule::iterate(const State& state) {
  using C = Constants;
  const double tolerance = std::max(newton_.tolerance, C::least_tolerance);
  const bool loops = w_.lu.closes();
  const int most = newton_.max_iterations + C::more_rounds;
  // asked for where corrections shrink slowly: it looks at all nodes
  const auto rounding = [&] { return std::max(C::rounding, C::by_rounding * rounding_of_places(system_, state)); };
  double before = -1, last_ratio = 0, best = std::numeric_limits<double>::infinity();
  int stalls = 0;
  bool slow = false, factored = false;
  StepReport report;
  mixing_.restart();
  move(state);
  while (!report.converged && report.iterations < most) {
    ++report.iterations;
    set_wrenches();
    set_velocities(state);
    const bool unique = loops && report.iterations == 1;
    const bool mixes = slow;
    if (mixes) pack(x_);
    evaluate(!factored);
    if (!first_correction(!factored, unique, report)) break;
    factored = true;
    const double phi = w_.residual();
    double e = motion_.correct<-1>(w_, w_.rhs);
    if (!(e < C::diverged) || !w_.rhs.allFinite()) break;
    move(state);
    if (system_.row_count > 0) e = std::max(e, second_correction(state, unique));
    report.error = e;
    if (!(e < C::diverged)) break;
    if (mixes && mix(e > C::mixes * before && e > 1e-13 && e < 0.1)) move(state);

    const double ratio = before > 0 ? e / before : ratio_;
    if (before > 0 && e > C::mixes * before && e > C::small * rounding()) slow = true;
    if (before > 0 && e > 1e-13) ratio_ = std::max(C::ratio_fades * ratio_, std::min(1.0, ratio));
    if (phi <= C::phi_by_correction * e + C::phi_left) {
      report.converged = e * std::max({ratio, last_ratio, C::least_ratio}) <= tolerance;
      last_ratio = before > 0 ? ratio : 0;
      if (e > C::stalls * best && e < rounding() && ++stalls == 2) report.converged = true;
      best = std::min(best, e);
      if (before > 0 && e > C::refactors * before && e > C::small * rounding()) factored = false;
      if (before > 0 && e > C::own_factors * before && !inertia_alone_ && e > C::small * rounding())
        inertia_alone_ = true, factored = false;
    }
    before = e;
  }
  if (report.converged) set_wrenches(), set_velocities(state);
  return report;
}

/// Corrects kappa, and leaves the correction of u in w_.rhs. `unique`: solves for the multipliers themselves, not for
/// their change, so that those of redundant equations, which the elimination drops, are zero.
bool VelocityLevelRule::first_correction(bool tangent, bool unique, StepReport& report) {
  const int n = system_.node_count(), m = system_.row_count;
  if (unique) {
    w_.rhs.head(6 * n) -= columns_times(w_.lu.matrix(), kappa(), F_kappa_);
    if (!inertia_alone_) columns_times(w_.lu.matrix(), gamma(), F_gamma_);
  }
  if (tangent && inertia_alone_) {
    set_inertia_matrix();
    if (unique) columns_times(own_.lu.matrix(), gamma(), F_gamma_);
    if (!own_.lu.factor()) return false;
  }
  if (tangent) {
    if (!factor_and_solve(unique, report)) return false;
  } else if (sparse_is_used_) {
    sparse_.solve(w_.rhs);
  } else {
    w_.lu.solve(w_.rhs);
  }
  if (unique)
    kappa() = -w_.rhs.tail(m);
  else
    kappa() -= w_.rhs.tail(m);
  return true;
}

/// If the block elimination meets a singular pivot, the general sparse LU takes over.
bool VelocityLevelRule::factor_and_solve(bool unique, StepReport& report) {
  sparse_is_used_ = !w_.lu.factor_and_solve(w_.rhs);
  if (!sparse_is_used_) return true;
  evaluate(true);
  if (unique) w_.rhs.head(6 * system_.node_count()) -= F_kappa_;
  std::vector<int> closing;
  for (int g = system_.node_count(); g < w_.lu.matrix().groups(); ++g)
    if (w_.lu.is_closing(g)) closing.push_back(g);
  if (!sparse_.factor(w_.lu.matrix(), closing)) return false;
  sparse_.solve(w_.rhs);
  ++report.fallbacks;
  return true;
}

/// Corrects gamma^ by the velocity rows at the new u; returns the displacement that this makes. W is that of the u
/// before: it varies by the product of two small numbers, and the next round has it.
double VelocityLevelRule::second_correction(const State& state, bool unique) {
  const int n = system_.node_count(), m = system_.row_count;
  set_velocities(state);
  set_velocity_rows();
  second_.setZero();
  second_.tail(m) = velocity_rows_;
  if (unique) second_.head(6 * n) = F_gamma_, second_.tail(m) *= -1;
  if (inertia_alone_)
    own_.lu.solve(second_);
  else if (sparse_is_used_)
    sparse_.solve(second_);
  else
    w_.lu.solve(second_);
  if (unique)
    gamma() = second_.tail(m);
  else
    gamma() -= second_.tail(m);
  if (!second_.allFinite()) return std::numeric_limits<double>::infinity();
  Correction size;
  for (int i = 0; i < n; ++i) size.add(second_.segment<6>(6 * i));
  return size.size(system_.length);
}

void VelocityLevelRule::pack(VecX& x) const {
  const int n = system_.node_count();
  for (int i = 0; i < n; ++i) x.segment<6>(6 * i) << motion_.dx[i], motion_.theta[i];
  x.tail(both_.size()) = both_;
}

void VelocityLevelRule::unpack(const VecX& x) {
  for (int i = 0; i < system_.node_count(); ++i)
    motion_.dx[i] = x.segment<3>(6 * i), motion_.theta[i] = x.segment<3>(6 * i + 3);
  both_ = x.tail(both_.size());
}

/// Anderson mixing of all unknowns, measured by the displacements of both corrections. True if they changed.
bool VelocityLevelRule::mix(bool apply) {
  const int n6 = 6 * system_.node_count();
  measure_ << w_.rhs.head(n6), second_.head(n6);
  for (int i = 0; i < n6 / 3; ++i) measure_.segment<3>(6 * i) /= system_.length;
  pack(y_);
  if (!mixing_.mix(x_, y_, measure_, apply)) return false;
  unpack(y_);
  return true;
}

/// Takes the step that was found. Drives work against lambda along their paths, and against gamma along their rates.
void VelocityLevelRule::finish(State& state, int iterations) {
  const double h = h_;
  predictor_->begin_record(motion_.dx, motion_.theta, both_, w_.division, iterations);
  state.lambda = (kappa() + gamma()) / stage_.scale;
  gamma_ = gamma() / h;
  gamma_h_ = h;
  add_work(system_,
           {.start = w_.start,
            .end = w_.end,
            .t0 = stage_.t0,
            .t1 = stage_.t1,
            .lambda = span(state.lambda),
            .given = &state},
           state.work);
  for (std::size_t k = 0; k < rate1_.size(); ++k) {
    const GivenRow& given = system_.given_rows[k];
    double& rate0 = state.memory[static_cast<Eigen::Index>(k)];
    if (given.drive >= 0) state.work.drives[given.drive] -= gamma_[given.row] * (rate1_[k] - rate0);
    rate0 = rate1_[k];
  }
  w_.division.for_each(system_.node_count(), [&](int i) {
    NodeState& s = state.nodes[i];
    if (system_.nodes[i].rotates()) {
      s.Omega += (2 / h) * (half_Omega_[i] - 0.5 * h * s.Omega);  // not (2/h)(h/2) Omega1: that is not Omega1
      s.q = so3::cay_times(motion_.theta[i], s.q);
    }
    if (system_.nodes[i].translates()) {
      s.v += (2 / h) * (V_[i].head<3>() - 0.5 * h * s.v);
      s.x += motion_.dx[i];
    }
    predictor_->record(i, motion_.dx[i], motion_.theta[i]);
  });
  state.t = stage_.t1;
  if (system_.angle_count > 0) system_.update_angles(w_.end, state.angles);
}

}  // namespace polhode
