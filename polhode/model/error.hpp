// What is wrong with a model: every finding with its place in the document.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include <polhode/describe/finding.hpp>

namespace polhode {

/// Thrown for a model that makes no sense. Each line says where, what, by how much and what to try:
///     joints[2] "elbow": axis_a is [0, 0, 0]; give a direction such as [0, 0, 1]
class ModelError : public std::runtime_error {
 public:
  explicit ModelError(std::vector<Finding> findings, const std::string& where = "");
  explicit ModelError(const std::vector<std::string>& findings);
  explicit ModelError(const std::string& finding) : ModelError(std::vector<std::string>{finding}) {}

  const std::vector<Finding>& findings() const { return findings_; }
  const std::string& where() const { return where_; }  ///< the file or text that the findings are about; may be empty
  /// A finding as it stands in the text: `models/arm.json: joints[2] "elbow": ...`.
  std::string line(const Finding& finding) const;

 private:
  std::vector<Finding> findings_;
  std::string where_;
};

}  // namespace polhode
