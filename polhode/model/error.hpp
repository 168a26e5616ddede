// What is wrong with a model: every finding with its place in the document.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace polhode {

/// Thrown for a model that makes no sense. Each line says where, what, by how much and what to try:
///     joints[2] "elbow": axis_a is [0, 0, 0]; give a direction such as [0, 0, 1]
class ModelError : public std::runtime_error {
 public:
  explicit ModelError(std::vector<std::string> findings);
  explicit ModelError(const std::string& finding) : ModelError(std::vector<std::string>{finding}) {}
  const std::vector<std::string>& findings() const { return findings_; }

 private:
  std::vector<std::string> findings_;
};

}  // namespace polhode
