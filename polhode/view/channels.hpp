// The curves of a result: of the run as a whole, and of its bodies and joints where its poses do not hold every sample.
#pragma once

#include <polhode/io/result.hpp>
#include <polhode/view/package_writer.hpp>

namespace polhode::view {

/// Energy and its error, momentum, residuals, Newton iterations.
nlohmann::ordered_json run_groups(const ResultReader& reader, PackageWriter& out);

/// Position, velocity, orientation, angular velocity of every body, reaction of every joint, with their extremes.
nlohmann::ordered_json item_groups(const ResultReader& reader, PackageWriter& out);

}  // namespace polhode::view
