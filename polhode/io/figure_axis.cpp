#include <polhode/io/figure_axis.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

namespace polhode {
namespace {

/// With a minus sign as it is printed, not a hyphen.
std::string printed(const std::string& number) {
  return number.starts_with('-') ? "\u2212" + number.substr(1) : number;
}

/// n 10^power, rounded once.
double decimal(double n, int power) { return power < 0 ? n / std::pow(10.0, -power) : n * std::pow(10.0, power); }

struct Step {
  int digit = 1, power = 0;  ///< digit 10^power, digit 1, 2 or 5
  double value() const { return decimal(digit, power); }
};

/// The least step 1, 2 or 5 times a power of ten that divides the length into at most `most` parts.
Step step_for(double length, int most) {
  Step step{1, static_cast<int>(std::floor(std::log10(length / most)))};
  for (const int digit : {1, 2, 5}) {
    step.digit = digit;
    if (length <= most * step.value() * (1 + 1e-9)) return step;
  }
  return {1, step.power + 1};
}

/// All multiples of the step from low to high.
std::vector<double> multiples(Step step, double low, double high) {
  std::vector<double> out;
  const double slack = 1e-6;  // of a step: an end that rounding moved off its tick keeps it
  for (double k = std::ceil(low / step.value() - slack); k <= high / step.value() + slack; ++k)
    out.push_back(decimal(k * step.digit, step.power) + 0.0);
  return out;
}

Ticks linear_ticks(double low, double high, int most) {
  Ticks out;
  const Step step = step_for(high - low, most);
  out.major = multiples(step, low, high);
  const Step fine = step.digit == 5   ? Step{1, step.power}
                    : step.digit == 2 ? Step{5, step.power - 1}
                                      : Step{2, step.power - 1};
  for (const double value : multiples(fine, low, high)) {
    const double steps = value / step.value();
    if (std::abs(steps - std::round(steps)) > 0.01) out.minor.push_back(value);
  }
  // 0.002 and 20000 are read at a glance; smaller and larger numbers as 2 times a power of ten
  double largest = 0;
  for (const double value : out.major) largest = std::max(largest, std::abs(value));
  const int leading = largest > 0 ? static_cast<int>(std::floor(std::log10(largest) + 1e-9)) : 0;
  if (leading > 4 || leading < -3) out.power = leading;
  const int decimals = std::max(0, out.power - step.power);
  for (const double value : out.major)
    out.labels.push_back({printed(fmt::format("{:.{}f}", decimal(value, -out.power), decimals)), ""});
  return out;
}

TickLabel power_label(double value) {
  const int power = static_cast<int>(std::floor(std::log10(value) + 1e-9));
  const int digit = static_cast<int>(std::lround(value / decimal(1, power)));
  return {digit == 1 ? "10" : fmt::format("{}·10", digit), printed(std::to_string(power))};
}

Ticks logarithmic_ticks(double low, double high, int most) {
  Ticks out;
  const double slack = 1e-9;
  const int first = static_cast<int>(std::ceil(std::log10(low) - slack)),
            last = static_cast<int>(std::floor(std::log10(high) + slack));
  const auto shown = [&](double value) { return value >= low * (1 - slack) && value <= high * (1 + slack); };
  const auto digits_between = [&](auto&& put) {
    for (int power = first - 1; power <= last; ++power)
      for (int digit = 1; digit <= 9; ++digit)
        if (shown(decimal(digit, power))) put(digit, decimal(digit, power));
  };
  if (last > first) {
    const std::array strides{1, 2, 3, 5, 10, 20, 30, 50, 100};
    const int stride =
        *std::find_if(strides.begin(), strides.end() - 1, [&](int s) { return (last - first) / s + 1 <= most; });
    for (int power = first; power <= last; ++power)
      (power % stride == 0 ? out.major : out.minor).push_back(decimal(1, power));
    if (stride == 1)
      digits_between([&](int digit, double value) {
        if (digit != 1) out.minor.push_back(value);
      });
  } else {
    digits_between([&](int digit, double value) {
      (digit == 1 || digit == 2 || digit == 5 ? out.major : out.minor).push_back(value);
    });
    if (out.major.size() < 2) return linear_ticks(low, high, most);  // less than a factor of five: no powers to show
  }
  for (const double value : out.major) out.labels.push_back(power_label(value));
  return out;
}

}  // namespace

double Scale::operator()(double value) const {
  if (!std::isfinite(value) || (logarithmic && !(value > 0))) return std::numeric_limits<double>::quiet_NaN();
  const double part = logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return std::clamp(from + part * (to - from), -1e5, 1e5);
}

std::pair<double, double> range_of(const Axis& axis, const std::vector<const std::vector<double>*>& values,
                                   double margin) {
  if (axis.range) {
    const auto [low, high] = *axis.range;
    if (!(low < high) || !std::isfinite(low) || !std::isfinite(high))
      throw std::invalid_argument(fmt::format("axis \"{}\": the range {:g} to {:g} is empty", axis.label, low, high));
    if (axis.logarithmic && !(low > 0))
      throw std::invalid_argument(
          fmt::format("axis \"{}\" is logarithmic: its range cannot begin at {:g}", axis.label, low));
    return *axis.range;
  }
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const std::vector<double>* list : values)
    for (const double value : *list) {
      if (!std::isfinite(value) || (axis.logarithmic && !(value > 0))) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  if (!(low <= high)) return axis.logarithmic ? std::pair{0.1, 1.0} : std::pair{0.0, 1.0};  // nothing to show
  if (axis.logarithmic) {
    if (high <= low * (1 + 1e-9)) return {low / 3, high * 3};
    const double factor = std::pow(high / low, margin);
    return {low / factor, high * factor};
  }
  if (high - low <= 1e-12 * std::max(std::abs(low), std::abs(high)) || high == low) {  // constant: show that it is
    const double half = low == 0 ? 1 : 0.1 * std::abs(low);
    return {low - half, high + half};
  }
  return {low - margin * (high - low), high + margin * (high - low)};
}

Ticks ticks(bool logarithmic, double low, double high, int most) {
  return logarithmic ? logarithmic_ticks(low, high, std::max(most, 2)) : linear_ticks(low, high, std::max(most, 2));
}

}  // namespace polhode
