#include <polhode/integrate/predictor.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace polhode {
namespace {

constexpr int most_terms = 12, few_terms = 6;
constexpr int steps_between_choices = 8, most_steps_between_choices = 64;
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

/// The weights of the places of a ring, for each rule: those of a ring with its newest number in place n begin at depth - 1 - n.
template <int depth>
constexpr auto around() {
  std::array<std::array<double, 2 * depth>, rules.size()> table{};
  for (std::size_t r = 0; r < rules.size(); ++r)
    for (int k = 0; k < 2 * depth; ++k) table[r][k] = rules[r].weights[(2 * depth - 1 - k) % depth];
  return table;
}
constexpr auto around_many = around<most_terms>();
constexpr auto around_few = around<few_terms>();

template <int depth>
Vec6 sum_of_six(const double* rings, const double* weights) {
  Vec6 sum;
  sum.noalias() = Eigen::Map<const Eigen::Matrix<double, 6, depth>>(rings) * Eigen::Map<const Eigen::Matrix<double, depth, 1>>(weights);
  return sum;
}
template <int depth>
double sum_of_one(const double* ring, const double* weights) {
  using Column = Eigen::Matrix<double, depth, 1>;
  return Eigen::Map<const Column>(ring).dot(Eigen::Map<const Column>(weights));
}
constexpr std::array sums_of_six{sum_of_six<few_terms>, sum_of_six<most_terms>};
constexpr std::array sums_of_one{sum_of_one<few_terms>, sum_of_one<most_terms>};

}  // namespace

const double* Predictor::weights(int r) const {
  return (depth_ == most_terms ? around_many[r].data() : around_few[r].data()) + depth_ - 1 - newest_;
}

void Predictor::predict(double h, std::vector<Vec3>& dx, std::vector<Vec3>& theta, VecX& lambda, const Division& division) {
  // sizes that differ by the rounding of the time count as equal
  if (std::abs(h - h_) > 1e-9 * std::abs(h) || plain_.size() != dx.size()) forget();
  h_ = h;
  if (plain_.size() != dx.size()) {
    depth_ = static_cast<int>(dx.size()) < many_nodes ? most_terms : few_terms;
    plain_.resize(dx.size());
    nodes_.assign(6 * depth_ * dx.size(), 0.0);
    lambda_.assign(depth_ * static_cast<std::size_t>(lambda.size()), 0.0);
  }
  const double* const w = weights(rule_);
  const auto six = sums_of_six[depth_ == most_terms];
  const auto one = sums_of_one[depth_ == most_terms];
  division.for_each(static_cast<int>(dx.size()), [&](int i) {
    plain_[i] << dx[i], theta[i];
    if (rule_ == 0) return;
    const Vec6 guess = six(&nodes_[6 * depth_ * static_cast<std::size_t>(i)], w);
    dx[i] = guess.head<3>();
    theta[i] = guess.tail<3>();
  });
  if (!resolved_ || rule_ == 0) return;
  division.for_each(static_cast<int>(lambda.size()), [&](int k) { lambda[k] = one(&lambda_[static_cast<std::size_t>(depth_) * k], w); });
}

void Predictor::record(const std::vector<Vec3>& dx, const std::vector<Vec3>& theta, const VecX& lambda, const Division& division,
                       int iterations) {
  const bool hard = iterations > std::exchange(iterations_, iterations);
  int usable = 1;  // rules whose increments are all known
  while (usable < static_cast<int>(rules.size()) && rules[usable].terms <= known_) ++usable;
  const bool choose = !resolved_ || known_ < depth_ || hard || ++since_choice_ >= steps_between_choices_;
  using Errors = std::array<double, rules.size()>;  // of each guess, squared and the largest of all nodes
  Errors error{};
  if (choose) {
    std::array<const double*, rules.size()> w;
    for (int r = 0; r < usable; ++r) w[r] = weights(r);
    const auto six = sums_of_six[depth_ == most_terms];
    const auto note = [&](Errors& own, int i) {
      Vec6 now;
      now << dx[i], theta[i];
      own[0] = std::max(own[0], (plain_[i] - now).squaredNorm());
      for (int r = 1; r < usable; ++r)
        own[r] = std::max(own[r], (six(&nodes_[6 * depth_ * static_cast<std::size_t>(i)], w[r]) - now).squaredNorm());
    };
    error = division.reduce(static_cast<int>(dx.size()), Errors{}, note, [](Errors& all, const Errors& part) {
      for (std::size_t k = 0; k < all.size(); ++k) all[k] = std::max(all[k], part[k]);
    });
  }
  newest_ = newest_ + 1 < depth_ ? newest_ + 1 : 0;
  known_ = std::min(known_ + 1, depth_);
  division.for_each(static_cast<int>(dx.size()), [&](int i) {
    Eigen::Map<Vec6>(&nodes_[6 * (depth_ * static_cast<std::size_t>(i) + newest_)]) << dx[i], theta[i];
  });
  division.for_each(static_cast<int>(lambda.size()), [&](int k) { lambda_[static_cast<std::size_t>(depth_) * k + newest_] = lambda[k]; });
  if (!choose) return;
  const auto best = [&](int count) { return static_cast<int>(std::min_element(error.begin(), error.begin() + count) - error.begin()); };
  const int before = rule_;
  rule_ = best(std::min(usable, careful));
  const int bold = best(usable);
  resolved_ = error[bold] < resolved_error * resolved_error;
  if (resolved_ && error[bold] < 0.01 * error[rule_]) rule_ = bold;
  since_choice_ = 0;
  // what was the best again is asked less often
  steps_between_choices_ = rule_ == before && !hard ? std::clamp(2 * steps_between_choices_, steps_between_choices, most_steps_between_choices)
                                                    : steps_between_choices;
}

}  // namespace polhode
