// The keys of each object of a model file, and which types use them: the reader's law, and the schema's.
#pragma once

#include <polhode/io/json_object.hpp>

namespace polhode::keys {

const std::vector<KeyUse>& model();
const std::vector<KeyUse>& body();
const std::vector<KeyUse>& shape();
const std::vector<KeyUse>& joint();  ///< joints and couplings
const std::vector<KeyUse>& drive();
const std::vector<KeyUse>& force();
const std::vector<KeyUse>& function();
const std::vector<KeyUse>& simulation();
const std::vector<KeyUse>& newton();

}  // namespace polhode::keys
