#include <polhode/model/kinks.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace polhode {
namespace {

constexpr double rounding_of_times = 1e-12;  // of k h, and of data with 12 digits
constexpr double shortest_time = 1e-3;       // [s]: below it, rounding is absolute
constexpr double smallest_jump = 1e-9;       // relative to the rates of the function

/// Whether f or one of its terms has a break at t.
bool breaks_at(const Function& f, double t) {
  if (f.type == Function::Type::ramp) return same_time(f.start, t) || same_time(f.end, t);
  const auto next = std::lower_bound(f.times.begin(), f.times.end(), t);
  if (next != f.times.end() && same_time(*next, t)) return true;
  if (next != f.times.begin() && same_time(*std::prev(next), t)) return true;
  return std::any_of(f.terms.begin(), f.terms.end(), [&](const Function& term) { return breaks_at(term, t); });
}

/// A time inside the piece on that side, next to t; t itself if it is no break.
double in_piece(const Function& f, double t, Limit limit) {
  if (!breaks_at(f, t)) return t;
  const double d = 3 * rounding_of_times * std::max(std::abs(t), shortest_time);
  return limit == Limit::left ? t - d : t + d;
}

}  // namespace

bool same_time(double a, double b) {
  return std::abs(a - b) <= rounding_of_times * std::max({std::abs(a), std::abs(b), shortest_time});
}

/// From a time inside the piece: extrapolated to the break, with an error of its distance squared.
double rate(const Function& f, double t, Limit limit) {
  const double inside = in_piece(f, t, limit);
  return inside == t ? f.derivative(t) : f.derivative(inside) + f.second_derivative(inside) * (t - inside);
}

double second_rate(const Function& f, double t, Limit limit) { return f.second_derivative(in_piece(f, t, limit)); }

std::vector<double> kinks(const Function& f) {
  std::vector<double> breaks = f.breaks(), out;
  std::sort(breaks.begin(), breaks.end());
  breaks.erase(std::unique(breaks.begin(), breaks.end(), same_time), breaks.end());
  double fastest = 0;
  for (std::size_t k = 0; k < breaks.size(); ++k) {
    for (const Limit limit : {Limit::left, Limit::right})
      fastest = std::max(fastest, std::abs(rate(f, breaks[k], limit)));
    if (k > 0) fastest = std::max(fastest, std::abs(f(breaks[k]) - f(breaks[k - 1])) / (breaks[k] - breaks[k - 1]));
  }
  for (const double b : breaks)
    if (b > 0 && std::abs(rate(f, b, Limit::right) - rate(f, b, Limit::left)) > smallest_jump * fastest)
      out.push_back(b);
  return out;
}

}  // namespace polhode
