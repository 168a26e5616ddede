// Says that a result was computed by another version of the program.
#pragma once

#include <fmt/format.h>

#include <polhode/io/result.hpp>
#include <polhode/version.hpp>

#include "say.hpp"

namespace polhode {

inline void note_other_version(const ResultReader& result) {
  if (const std::string& wrote = result.head().layout.version; wrote != version)
    complain("{}: computed by polhode {}; this is polhode {}\n", result.path(),
             wrote.empty() ? "of an unknown version" : wrote, version);
}

}  // namespace polhode
