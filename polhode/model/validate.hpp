// Does a model make sense? Every finding says where, what, by how much and what to try.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <polhode/model/model.hpp>

namespace polhode {

struct Findings {
  std::vector<std::string> errors;    ///< `joints[2] "elbow": axis_a is [0, 0, 0]; give a direction such as [0, 0, 1]`
  std::vector<std::string> warnings;  ///< `bodies[0] "top": warning: ...`: the model runs, but may not be what was meant
};

/// Where each joint and each coupling stands in the document, whose list `joints` holds both. Empty: joints first.
struct JointPlaces {
  std::vector<std::size_t> joints, couplings;
};

/// Checks everything that can be said without compiling the model: numbers, names, what each kind needs and allows.
/// Whether positions and velocities satisfy the joints is for the assembly to say.
Findings validate(const Model& model, const JointPlaces& places = {});

}  // namespace polhode
