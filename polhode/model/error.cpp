// The text of a ModelError: its findings, a line each.
#include <polhode/model/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace polhode {
namespace {

std::string line_of(const Finding& finding, const std::string& where) {
  return (where.empty() ? "" : where + ": ") + to_text(finding);
}

std::string all_lines(const std::vector<Finding>& findings, const std::string& where) {
  std::vector<std::string> lines;
  for (const Finding& finding : findings) lines.push_back(line_of(finding, where));
  return fmt::format("{}", fmt::join(lines, "\n"));
}

std::vector<Finding> as_findings(const std::vector<std::string>& texts) {
  std::vector<Finding> out;
  for (const std::string& text : texts) out.push_back({Finding::Severity::error, {}, "", text});
  return out;
}

}  // namespace

ModelError::ModelError(std::vector<Finding> findings, const std::string& where)
    : std::runtime_error(all_lines(findings, where)), findings_(std::move(findings)), where_(where) {}

ModelError::ModelError(const std::vector<std::string>& findings) : ModelError(as_findings(findings)) {}

std::string ModelError::line(const Finding& finding) const { return line_of(finding, where_); }

}  // namespace polhode
