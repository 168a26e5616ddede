// Results as comma-separated values.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <polhode/io/result.hpp>

namespace polhode {

/// The names of all columns of a result: `time`, `top.position.x`, `tip.reaction.fx`, `energy.kinetic`,
/// `momentum.linear.z`, `multipliers.LABEL`, ...
std::vector<std::string> csv_columns(const ResultLayout& layout);

/// Writes the chosen channels, after the time, a line a sample. A channel is a column or the beginning of
/// several, up to a dot: `top.position.x`, `top.position`, `top`, `energy`. None chosen: all. Numbers are as
/// short as reading them back exactly allows. Throws ResultError for an unknown channel, with the nearest
/// there is.
void write_csv(std::ostream& out, const Result& result, const std::vector<std::string>& channels = {});
void write_csv(const std::string& path, const Result& result, const std::vector<std::string>& channels = {});

}  // namespace polhode
