// How fast the parts of a model want to move: for choosing a step.
#pragma once

#include <polhode/system/compile.hpp>

namespace polhode {

struct Frequencies {
  double spring = 0;  ///< of the fastest elastic element on its own two bodies, sqrt(k b M^-1 b^T) [rad/s]
  std::string spring_name;
  double spin = 0;  ///< largest angular velocity [rad/s]
  std::string spin_name;
};

Frequencies estimate_frequencies(const CompiledModel& model, const State& state);

}  // namespace polhode
