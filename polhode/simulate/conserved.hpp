// Which momenta a model conserves: the rigid motions of space that leave everything given from outside as it is.
#pragma once

#include <polhode/simulate/start.hpp>

namespace polhode {

/// An infinitesimal rigid motion of space: every point x moves with t + w x x. If it is a symmetry, the momentum
/// P . t + L . w is conserved (P linear, L angular momentum about the origin).
struct Generator {
  Vec3 t = Vec3::Zero(), w = Vec3::Zero();
};

struct ConservedMomenta {
  std::vector<Generator> linear;   ///< pure translations, of unit length
  std::vector<Generator> angular;  ///< rotations of unit size, about axes that need not pass through the origin
  /// false: unknown, because too few configurations of the mechanism were found that meet its joints; both lists are
  /// then empty
  bool known = true;
};

/// Found by rank at several configurations of the mechanism: the motions that change no equation and no force that
/// holds on to the ground, nor the potential of gravity, nor the work of a load. Configurations are added until two at
/// random in turn bring no new condition: then no other does, but for those of measure zero.
ConservedMomenta conserved_momenta(const CompiledModel& model, const State& state);

}  // namespace polhode
