// A model back to JSON.
#pragma once

#include <string>

#include <polhode/model/model.hpp>

namespace polhode {

/// The model in canonical form: keys in the order of the documentation, defaults left out, rotations as quaternions,
/// every number with the fewest digits that give it back exactly. parse_model(write_model(m)) equals m for every valid
/// m.
/// Throws ModelError for a number that JSON cannot hold (NaN, infinity).
std::string write_model(const Model& model);

}  // namespace polhode
