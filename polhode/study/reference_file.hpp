// The exact motion of a model, read from a file: a table of what is known, with its source.
#pragma once

#include <filesystem>

#include <polhode/study/reference.hpp>

namespace polhode {

/// Reads {"source": TEXT, "motion": [{"time", "body", "point", "position", "velocity", "quaternion", "angular_velocity", "height",
/// "accuracy"}, ...]}; a row tells what it knows. Throws ModelError.
Reference read_reference(const std::filesystem::path& file);

}  // namespace polhode
