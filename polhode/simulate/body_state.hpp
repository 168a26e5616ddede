// The motion of a body as users see it, from that of its node.
#pragma once

#include <polhode/lie/algebra.hpp>

namespace polhode {

struct BodyPlace;
struct State;

struct BodyState {
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();  ///< of the origin of the body frame, in space [m, m/s]
  Vec3 angular_velocity = Vec3::Zero();                   ///< in the body [rad/s]
  Quaternion orientation = Quaternion::Identity();        ///< takes body to space components
};

BodyState body_state(const BodyPlace& body, const State& state);

}  // namespace polhode
