// Outputs of a verb, looked at before anything is computed.
#pragma once

#include <string>
#include <vector>

namespace polhode {

/// ModelError if an output is one of the inputs or of the other outputs, by whatever name; std::runtime_error if it
/// cannot be written. Empty names are none.
void check_outputs(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);

}  // namespace polhode
