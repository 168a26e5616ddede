// Whether a repeated run has the bits of its result.
#pragma once

#include <optional>
#include <string>

#include <polhode/io/result.hpp>
#include <polhode/simulate/recorder.hpp>

namespace polhode {

/// Compares the samples that a result has with those of a run. Nothing if every number has the same bits; else the first
/// sample where one has not, which, and both values.
std::optional<std::string> first_difference(const ResultReader& before, const MemoryRecorder& now);

}  // namespace polhode
