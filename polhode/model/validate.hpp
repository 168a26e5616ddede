// Does a model make sense? Every finding says where, what, by how much and what to try.
#pragma once

#include <polhode/describe/finding.hpp>
#include <polhode/model/model.hpp>

namespace polhode {

/// Where each joint and each coupling stands in the document, whose list `joints` holds both. Empty: joints first.
struct JointPlaces {
  std::vector<std::size_t> joints, couplings;
};

/// Checks everything that can be said without compiling the model: numbers, names, what each kind needs and allows.
/// Whether positions and velocities satisfy the joints is for the assembly to say.
Findings validate(const Model& model, const JointPlaces& places = {});

}  // namespace polhode
