// Symmetric compositions: steps of weights w_1 h, w_2 h, ... with a symmetric method of second order give one of higher
// order, and keep whatever each of them keeps.
#pragma once

#include <span>

namespace polhode {

/// The weights for order 2, 4, 6 or 8.
///   4: Suzuki, Phys. Lett. A 146 (1990), five steps
///   6, 8: Kahan & Li, Math. Comp. 66 (1997), s9odr6a and s17odr8a, nine and seventeen steps
std::span<const double> composition(int order);

}  // namespace polhode
