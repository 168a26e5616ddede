// The structure of a result file: groups, datasets, attributes, and where in the file the changing parts lie.
// For the sources of io/ only; it is not installed.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

#include <polhode/simulate/sample.hpp>

namespace polhode {

constexpr int result_format_version = 1;

/// Offsets and sizes, in bytes, of what is written after the structure.
struct ResultPlaces {
  std::vector<off_t> fields;  ///< of each of result_fields(); 0 where there is nothing to write
  off_t progress = 0, complete = 0, status = 0, certificate = 0;
  std::size_t status_room = 0, certificate_room = 0;
};

/// Makes the file, all but the samples, and closes it. Throws ResultError.
ResultPlaces lay_out_result(const std::string& path, const ResultLayout& layout);

}  // namespace polhode
