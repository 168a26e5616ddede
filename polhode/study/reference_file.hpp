// The exact motion of a model, read from a file: a table of what is known, with its source.
#pragma once

#include <filesystem>
#include <optional>

#include <polhode/study/reference.hpp>

namespace polhode {

/// Reads {"source": TEXT, "motion": [{"time", "body", "point", "position", "velocity", "quaternion",
/// "angular_velocity", "height",
/// "accuracy"}, ...]}; a row tells what it knows. Throws ModelError.
Reference read_reference(const std::filesystem::path& file);

/// What a study of the model is measured against: the file `asked`; nothing, so that it is computed, for the word
/// "computed"; and if nothing is asked for, the file that the model names, in the folder of the model, if it knows a
/// time of the run. A model that has no folder has no file.
std::optional<Reference> known_reference(const Model& model, const std::string& asked,
                                         const std::optional<std::filesystem::path>& folder);

}  // namespace polhode
