// Findings as text, and the checks of single values that every element shares.
#include <polhode/describe/finding.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode {
namespace {

constexpr std::size_t most_suggestions = 20;  // a file of a hundred thousand wrong names is judged quickly

}  // namespace

std::string to_text(const ElementPlace& place) {
  const std::string path = place.index ? fmt::format("{}[{}]", place.list, *place.index) : place.list;
  return place.name.empty() || place.name == path ? path : fmt::format("{} \"{}\"", path, place.name);
}

std::string to_text(const Finding& finding) {
  if (finding.place.list.empty()) return finding.text;
  const bool warns = finding.severity == Finding::Severity::warning;
  return fmt::format("{}: {}{}", to_text(finding.place), warns ? "warning: " : "", finding.text);
}

std::string to_text(double number) { return fmt::format("{}", number); }
std::string to_text(const Vec3& v) { return fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z()); }

std::vector<Finding> Findings::of(Finding::Severity severity) const {
  std::vector<Finding> some;
  for (const Finding& finding : all)
    if (finding.severity == severity) some.push_back(finding);
  return some;
}

bool Findings::has_errors() const {
  return std::any_of(all.begin(), all.end(), [](const Finding& f) { return f.severity == Finding::Severity::error; });
}

void Reporter::add(Finding::Severity severity, std::string field, std::string text) {
  findings_->all.push_back({severity, place_, std::move(field), std::move(text)});
}

bool Reporter::may_suggest() const { return count() < most_suggestions; }

bool Reporter::finite(std::string_view field, double value) {
  if (std::isfinite(value)) return true;
  error(std::string(field), fmt::format("{} is {}; it must be a finite number", field, value));
  return false;
}

bool Reporter::finite(std::string_view field, const Vec3& value) {
  if (value.allFinite()) return true;
  error(std::string(field), fmt::format("{} is {}; its numbers must be finite", field, to_text(value)));
  return false;
}

bool Reporter::direction(std::string_view field, const Vec3& value) {
  if (!finite(field, value)) return false;
  if (!value.isZero(0)) return true;
  error(std::string(field), fmt::format("{} is [0, 0, 0]; give a direction such as [0, 0, 1]", field));
  return false;
}

bool Reporter::rotation(std::string_view field, const Quaternion& q) {
  if (std::abs(q.norm() - 1) <= 1e-6) return true;  // NaN does not pass
  error(std::string(field), fmt::format("{} is [{}, {}, {}, {}] with norm {}; a rotation has norm 1", field, q.w(),
                                        q.x(), q.y(), q.z(), q.norm()));
  return false;
}

}  // namespace polhode
