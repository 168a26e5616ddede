#include <polhode/integrate/predictor.hpp>

#include <algorithm>
#include <cmath>

namespace polhode {
namespace {

constexpr int most_terms = 12, steps_between_choices = 8;
constexpr double resolved_error = 1e-5;  // of lengths and angles

/// y = sum of weights[k] y_k, y_k the increment k + 1 steps before: (1 - B)^p (1 + B)^q y = 0 with the shift B back by a step.
struct Rule {
  int terms = 0;
  std::array<double, most_terms> weights{};
};

constexpr Rule rule(int p, int q) {
  std::array<double, most_terms + 1> c{1};
  for (int k = 0; k < p + q; ++k)
    for (int j = k + 1; j > 0; --j) c[j] += (k < p ? -1 : 1) * c[j - 1];
  Rule out{p + q, {}};
  for (int j = 0; j < out.terms; ++j) out.weights[j] = -c[j + 1];
  return out;
}

/// Sorted by their terms; the first stands for constant velocity, the next four are polynomials of degree 0 to 3.
constexpr int careful = 5;
constexpr std::array<Rule, 13> rules{Rule{},     rule(1, 0), rule(2, 0), rule(3, 0), rule(4, 0), rule(5, 0), rule(6, 0),
                                     rule(4, 2), rule(7, 0), rule(8, 0), rule(5, 3), rule(5, 5), rule(6, 6)};

}  // namespace

Predictor::Weights Predictor::weights(int r) const {
  Weights w = Weights::Zero();
  for (int k = 0; k < rules[r].terms; ++k) w[newest_ >= k ? newest_ - k : newest_ - k + depth] = rules[r].weights[k];
  return w;
}

void Predictor::predict(double h, std::vector<Vec3>& dx, std::vector<Vec3>& theta, VecX& lambda, const Division& division) {
  // sizes that differ by the rounding of the time count as equal
  if (std::abs(h - h_) > 1e-9 * std::abs(h) || nodes_.size() != dx.size()) forget();
  h_ = h;
  nodes_.resize(dx.size());
  lambda_.resize(lambda.size(), Weights::Zero());
  const Weights w = weights(rule_);
  division.for_each(static_cast<int>(dx.size()), [&](int i) {
    nodes_[i].plain << dx[i], theta[i];
    if (rule_ == 0) return;
    const Vec6 guess = nodes_[i].increments * w;
    dx[i] = guess.head<3>();
    theta[i] = guess.tail<3>();
  });
  if (!resolved_ || rule_ == 0) return;
  division.for_each(static_cast<int>(lambda_.size()), [&](int k) { lambda[k] = lambda_[k].dot(w); });
}

void Predictor::record(const std::vector<Vec3>& dx, const std::vector<Vec3>& theta, const VecX& lambda, const Division& division) {
  static_assert(most_terms <= depth);
  int usable = 1;  // rules whose increments are all known
  while (usable < static_cast<int>(rules.size()) && rules[usable].terms <= known_) ++usable;
  const bool choose = !resolved_ || known_ < depth || ++since_choice_ >= steps_between_choices;
  const int next = newest_ + 1 < depth ? newest_ + 1 : 0;
  std::array<Weights, rules.size()> w;
  if (choose)
    for (int r = 0; r < usable; ++r) w[r] = weights(r);
  using Errors = std::array<double, rules.size()>;  // of each guess, squared and the largest of all nodes
  const auto note = [&](Errors& error, int i) {
    Vec6 now;
    now << dx[i], theta[i];
    if (choose) {
      error[0] = std::max(error[0], (nodes_[i].plain - now).squaredNorm());
      for (int r = 1; r < usable; ++r) error[r] = std::max(error[r], (nodes_[i].increments * w[r] - now).squaredNorm());
    }
    nodes_[i].increments.col(next) = now;
  };
  const Errors error = division.reduce(static_cast<int>(dx.size()), Errors{}, note, [](Errors& all, const Errors& part) {
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = std::max(all[k], part[k]);
  });
  division.for_each(static_cast<int>(lambda_.size()), [&](int k) { lambda_[k][next] = lambda[k]; });
  newest_ = next;
  known_ = std::min(known_ + 1, depth);
  if (!choose) return;
  const auto best = [&](int count) { return static_cast<int>(std::min_element(error.begin(), error.begin() + count) - error.begin()); };
  rule_ = best(std::min(usable, careful));
  const int bold = best(usable);
  resolved_ = error[bold] < resolved_error * resolved_error;
  if (resolved_ && error[bold] < 0.01 * error[rule_]) rule_ = bold;
  since_choice_ = 0;
}

}  // namespace polhode
