#include <polhode/integrate/predictor.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include <polhode/solve/huge_pages.hpp>

namespace polhode {
namespace {

constexpr int most_terms = 12, few_terms = 6;
constexpr int steps_between_choices = 8, most_steps_between_choices = 64;
constexpr double resolved_error = 1e-5;  // of lengths and angles

/// y = sum of weights[k] y_k, y_k the increment k + 1 steps before: (1 - B)^p (1 + B)^q y = 0 with the shift B back by
/// a step.
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

/// The weights of the places of a ring, for each rule: those of a ring with its newest number in place n begin at depth
/// - 1 - n.
template <int depth>
constexpr auto around() {
  std::array<std::array<double, 2 * depth>, rules.size()> table{};
  for (std::size_t r = 0; r < rules.size(); ++r)
    for (int k = 0; k < 2 * depth; ++k) table[r][k] = rules[r].weights[(2 * depth - 1 - k) % depth];
  return table;
}
constexpr auto around_many = around<most_terms>();
constexpr auto around_few = around<few_terms>();

/// Two numbers that the processor takes at once. Left to itself, the compiler spends half of sum_of_six() on moving
/// weights about.
using Two [[gnu::vector_size(16)]] = double;
Two two(const double* numbers) {
  Two both;
  std::memcpy(&both, numbers, sizeof both);
  return both;
}

/// `side_by_side`: places are six numbers apart.
template <int depth, bool side_by_side>
Vec6 sum_of_six(const double* rings, std::size_t given_stride, const double* weights) {
  const std::size_t stride = side_by_side ? 6 : given_stride;
  Two even[3] = {}, odd[3] = {};  // two sums: the second does not wait for the first
  for (int k = 0; k < depth; k += 2, rings += 2 * stride)
    for (int i = 0; i < 3; ++i) {
      even[i] += weights[k] * two(rings + 2 * i);
      odd[i] += weights[k + 1] * two(rings + stride + 2 * i);
    }
  Vec6 sum;
  for (int i = 0; i < 3; ++i) {
    const Two both = even[i] + odd[i];
    sum[2 * i] = both[0], sum[2 * i + 1] = both[1];
  }
  return sum;
}

}  // namespace

const double* Predictor::weights(int r) const {
  return (depth_ == most_terms ? around_many[r].data() : around_few[r].data()) + depth_ - 1 - newest_;
}

bool Predictor::begin(double h, int nodes, int multipliers) {
  const bool resized = nodes != nodes_ || multipliers != multipliers_;
  // sizes that differ by the rounding of the time count as equal
  if (resized || std::abs(h - h_) > 1e-9 * std::abs(h)) forget();
  h_ = h;
  if (resized) resize(nodes, multipliers);
  weights_ = weights(rule_);
  return rule_ == 0 || until_choice_ == 0;
}

void Predictor::resize(int nodes, int multipliers) {
  nodes_ = nodes;
  multipliers_ = multipliers;
  const bool many = nodes >= many_nodes;
  depth_ = many ? few_terms : most_terms;
  sum_ = many ? sum_of_six<few_terms, false> : sum_of_six<most_terms, true>;
  plain_.resize(nodes);
  const std::size_t sixes = static_cast<std::size_t>(nodes) + (multipliers + 5) / 6;
  stride_ = many ? 6 * sixes + 8 : 6;
  six_stride_ = many ? 6 : 6 * depth_;
  reserve_huge(rings_, depth_ * (6 * sixes + 8));
  rings_.assign(depth_ * (6 * sixes + 8), 0.0);
}

void Predictor::save(std::vector<double>& numbers) const {
  for (const int k : {nodes_, multipliers_, newest_, known_, rule_, until_choice_, steps_between_choices_, iterations_,
                      int{resolved_}})
    numbers.push_back(k);
  numbers.push_back(h_);
  numbers.insert(numbers.end(), rings_.begin(), rings_.end());
}

void Predictor::restore(std::span<const double>& numbers) {
  const auto next = [&] {
    const double first = numbers.front();
    numbers = numbers.subspan(1);
    return first;
  };
  const auto next_int = [&] { return static_cast<int>(next()); };
  const int nodes = next_int(), multipliers = next_int();
  if (nodes < 0)
    *this = {};
  else if (nodes != nodes_ || multipliers != multipliers_)
    resize(nodes, multipliers);
  for (int* k : {&newest_, &known_, &rule_, &until_choice_, &steps_between_choices_, &iterations_}) *k = next_int();
  resolved_ = next() != 0;
  h_ = next();
  std::copy_n(numbers.begin(), rings_.size(), rings_.begin());
  numbers = numbers.subspan(rings_.size());
}

void Predictor::predict(int i, Vec3& dx, Vec3& theta) {
  if (until_choice_ == 0) plain_[i] << dx, theta;
  if (rule_ == 0) return;
  const Vec6 guess = sum(i, weights_);
  dx = guess.head<3>();
  theta = guess.tail<3>();
}

void Predictor::predict(VecX& lambda, const Division& division) {
  division.for_each(multipliers_ / 6, [&](int k) { lambda.segment<6>(6 * k) = sum(nodes_ + k, weights_); });
  if (const int rest = multipliers_ % 6; rest > 0)
    lambda.tail(rest) = sum(nodes_ + multipliers_ / 6, weights_).head(rest);
}

void Predictor::begin_record(const std::vector<Vec3>& dx, const std::vector<Vec3>& theta, const VecX& lambda,
                             const Division& division, int iterations) {
  const bool hard = iterations > std::exchange(iterations_, iterations);
  const bool compares = until_choice_ == 0;
  if (compares) choose(dx, theta, division, hard);
  newest_ = newest_ + 1 < depth_ ? newest_ + 1 : 0;
  known_ = std::min(known_ + 1, depth_);
  division.for_each(multipliers_ / 6,
                    [&](int k) { Eigen::Map<Vec6>(place(newest_, nodes_ + k)) = lambda.segment<6>(6 * k); });
  if (const int rest = multipliers_ % 6; rest > 0)
    std::copy(lambda.data() + multipliers_ - rest, lambda.data() + multipliers_,
              place(newest_, nodes_ + multipliers_ / 6));
  if (!resolved_ || known_ < depth_ || hard)
    until_choice_ = 0;
  else
    until_choice_ = compares ? steps_between_choices_ - 1 : until_choice_ - 1;
}

/// Compares the guesses for a step with the step as it was.
void Predictor::choose(const std::vector<Vec3>& dx, const std::vector<Vec3>& theta, const Division& division,
                       bool hard) {
  int usable = 1;  // rules whose increments are all known
  while (usable < static_cast<int>(rules.size()) && rules[usable].terms <= known_) ++usable;
  std::array<const double*, rules.size()> w;
  for (int r = 0; r < usable; ++r) w[r] = weights(r);
  using Errors = std::array<double, rules.size()>;  // of each guess, squared and the largest of all nodes
  const auto note = [&](Errors& own, int i) {
    Vec6 now;
    now << dx[i], theta[i];
    own[0] = std::max(own[0], (plain_[i] - now).squaredNorm());
    for (int r = 1; r < usable; ++r) own[r] = std::max(own[r], (sum(i, w[r]) - now).squaredNorm());
  };
  const Errors error = division.reduce(nodes_, Errors{}, note, [](Errors& all, const Errors& part) {
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = std::max(all[k], part[k]);
  });
  const auto best = [&](int count) {
    return static_cast<int>(std::min_element(error.begin(), error.begin() + count) - error.begin());
  };
  const int before = rule_;
  rule_ = best(std::min(usable, careful));
  const int bold = best(usable);
  resolved_ = error[bold] < resolved_error * resolved_error;
  if (resolved_ && error[bold] < 0.01 * error[rule_]) rule_ = bold;
  // what was the best again is asked less often
  steps_between_choices_ = rule_ == before && !hard ? std::clamp(2 * steps_between_choices_, steps_between_choices,
                                                                 most_steps_between_choices)
                                                    : steps_between_choices;
}

}  // namespace polhode
