// The numbers of a described struct, one by one: those of a vector by its components.
#pragma once

#include <polhode/describe/field.hpp>

namespace polhode {

struct NumberInfo {
  std::string word;  ///< `force`, `displacement.x`
  std::string unit, meaning;
};
std::vector<NumberInfo> numbers_of(const Description& description);

/// The numbers of an object, in that order.
void append_numbers(const Description& description, const void* object, std::vector<double>& out);

}  // namespace polhode
