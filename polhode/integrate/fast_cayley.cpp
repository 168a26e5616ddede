#include <polhode/integrate/fast_cayley.hpp>

#include <cmath>
#include <limits>

#include <polhode/solve/huge_pages.hpp>

namespace polhode {

FastCayley::FastCayley(const System& system, const NewtonOptions& newton, int substeps, const Resources& resources)
    : system_(system),
      newton_(newton),
      tied_(!system.inertia.ties.empty()),
      least_inertia_(system.inertia.least_mass() * system.length),
      predictors_(substeps),
      w_(system, 1, resources),
      motion_(system),
      lambda_(system.row_count) {
  settle_huge(lambda_);
  w_.lu.prefer_speed();
  w_.looks_at_solution = false;
  for (const Node& node : system.nodes) {
    all_fall_ = all_fall_ && node.translates();
    all_rigid_ = all_rigid_ && node.kind == Node::Kind::rigid;
  }
  variant_.gravity = !all_fall_;
  stage_ = {.start = w_.start, .end = w_.end, .lambda = span(lambda_), .variant = &variant_};
  m_ = {.start = w_.start, .end = w_.end, .dx = motion_.dx, .theta = motion_.theta};
}

void FastCayley::settle(State& state) {
  settle_huge(state.nodes);
  settle_huge(state.lambda);
}

void FastCayley::save(std::vector<double>& numbers) const {
  numbers.insert(numbers.end(), {w_.experience.curvature, w_.experience.rounding});
  for (const Predictor& predictor : predictors_) predictor.save(numbers);
}

void FastCayley::restore(std::span<const double> numbers) {
  if (numbers.empty()) {
    for (Predictor& predictor : predictors_) predictor.forget();
    w_.experience = {};
    return;
  }
  w_.experience = {.curvature = numbers[0], .rounding = numbers[1]};
  numbers = numbers.subspan(2);
  for (Predictor& predictor : predictors_) predictor.restore(numbers);
}

/// Sets the stage and the guess of the multipliers. True if the predictor asks for the increments of constant velocity.
bool FastCayley::begin(const State& state, double h) {
  const double scale = 0.5 * h * h;
  stage_.t0 = state.t;
  stage_.t1 = state.t + h;
  stage_.scale = scale;
  stage_.given = &state;
  m_.state = &state;
  m_.h = h;
  m_.fall = all_fall_ ? Vec3(scale * system_.gravity) : Vec3::Zero();
  // redundant multipliers are not determined, and not corrected: predicted from their own past, they would grow
  const bool asks = predictor_->begin(h, system_.node_count(), w_.lu.closes() ? 0 : system_.row_count);
  if (predictor_->predicts_multipliers())
    predictor_->predict(lambda_, w_.division);
  else
    lambda_ = scale * state.lambda;
  return asks;
}

/// Subtracts the solution of the linear equations, and measures it.
double FastCayley::correct() {
  const double* const change = w_.rhs.data() + 6 * system_.node_count();
  double largest = 0, sum = 0;  // a maximum does not show what is not a number
  for (int k = 0; k < system_.row_count; ++k) {
    lambda_[k] -= change[k];
    largest = std::max(largest, std::abs(change[k]));
    sum += change[k];
  }
  w_.multiplier_change = largest / least_inertia_;
  const double size = motion_.correct<-1>(w_, w_.rhs);
  return std::isfinite(sum) ? size : std::numeric_limits<double>::infinity();
}

}  // namespace polhode
