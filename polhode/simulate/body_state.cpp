#include <polhode/simulate/body_state.hpp>

#include <polhode/system/compile.hpp>

namespace polhode {

BodyState body_state(const BodyPlace& body, const State& state) {
  const NodeState& s = state.nodes[body.node];
  const Vec3 arm = s.q * body.origin;
  return {s.x + arm, s.v + (s.q * s.Omega).cross(arm), s.Omega, s.q};
}

}  // namespace polhode
