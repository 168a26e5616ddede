// What integrators write again and again: vectors as spans, products with the constraint Jacobian, the size of a Newton correction.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <polhode/system/system.hpp>

namespace polhode {

inline std::span<double> span(VecX& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }
inline std::span<const double> span(const VecX& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

}  // namespace polhode
