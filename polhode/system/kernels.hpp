// For sources that make arrays of types of their own: a joint of invariants that the library does not have, a measure,
// a coordinate.
#pragma once

#include <polhode/system/law_kernels.hpp>
#include <polhode/system/row_kernels.hpp>

namespace polhode {

template <class Array>
std::unique_ptr<Array> make_array() {
  return std::make_unique<Array>();
}

}  // namespace polhode
