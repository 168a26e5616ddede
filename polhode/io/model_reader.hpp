// Model files: JSON with comments, every word checked. docs/model-format.md describes them, schema/ lets editors check.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <polhode/describe/finding.hpp>
#include <polhode/model/model.hpp>

namespace polhode {

/// Reads and validates a model. Throws ModelError with all that is wrong (the first 20 findings), each line opening
/// with the file: `models/arm.json: joints[2] "elbow": axis_a is [0, 0, 0]; give a direction such as [0, 0, 1]`.
/// What is odd but can run goes to `warnings`.
Model read_model(const std::filesystem::path& file, std::vector<Finding>* warnings = nullptr);

/// The same from text; `where` names it in messages.
Model parse_model(std::string_view text, const std::string& where, std::vector<Finding>* warnings = nullptr);

}  // namespace polhode
