// What an element of a law shows of itself at an instant.
#pragma once

#include <polhode/lie/algebra.hpp>

namespace polhode {

/// Strains y, their rates, and stresses; `size` of each.
struct LawOutput {
  int size = 0;
  Vec6 y = Vec6::Zero(), rate = Vec6::Zero(), stress = Vec6::Zero();
};

}  // namespace polhode
