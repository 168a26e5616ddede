// Whether joints and couplings close loops.
#pragma once

#include <polhode/system/system.hpp>

namespace polhode {

/// True unless every constraint block joins parts of the model that no other block joins: bodies and the ground then
/// form an open tree.
bool has_loops(const System& system);

}  // namespace polhode
