// The error of files.
#pragma once

#include <stdexcept>

namespace polhode {

/// A result, or another output, that cannot be written or read; the text says which file, why, and what to try.
class ResultError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace polhode
