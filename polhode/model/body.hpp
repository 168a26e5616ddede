// Bodies: what moves. One struct serves all types; which fields count for which type is in body.cpp.
#pragma once

#include <optional>
#include <vector>

#include <polhode/describe/field.hpp>
#include <polhode/model/shape.hpp>

namespace polhode {

/// The body frame is the user's: `position` is where its origin is, in space.
struct Body {
  enum class Type {
    rigid,        ///< position and orientation, 6 degrees of freedom
    fixed_point,  ///< turns about `pivot`, 3 degrees of freedom
    particle,     ///< position only, 3 degrees of freedom
    scalar        ///< a mass that slides: its place is position + coordinate * axis, 1 degree of freedom
  };

  std::string name;
  Type type = Type::rigid;
  double mass = 0;                    ///< [kg]
  Mat3 inertia = Mat3::Zero();        ///< in `inertia_frame`, about `inertia_about` [kg m^2]
  std::optional<Vec3> inertia_about;  ///< a point of the body frame; if absent, the centre of mass
  /// takes components in which `inertia` is given to the body frame
  Quaternion inertia_frame = Quaternion::Identity();
  Vec3 centre_of_mass = Vec3::Zero();               ///< in the body frame [m]
  Vec3 position = Vec3::Zero();                     ///< of the body frame's origin, in space [m]
  Quaternion orientation = Quaternion::Identity();  ///< takes body components to space components
  std::optional<Vec3> velocity;          ///< of the body frame's origin, in space [m/s]; absent: made consistent
  std::optional<Vec3> angular_velocity;  ///< body components [rad/s]; absent: made consistent
  Vec3 pivot = Vec3::Zero();             ///< fixed_point: the point that stays, in space [m]
  Vec3 axis = Vec3::UnitX();             ///< scalar: direction of travel, in space
  double coordinate = 0;                 ///< scalar: initial travel [m]
  std::optional<double> rate;            ///< scalar: initial rate of travel [m/s]
  std::vector<Shape> shapes;             ///< what it looks like; none: viewers draw its inertia and its joints
  bool operator==(const Body&) const = default;
};

template <>
inline constexpr auto words<Body::Type> = std::to_array<Word>({{"rigid"}, {"fixed-point"}, {"particle"}, {"scalar"}});

/// The description of each type, in the order of Body::Type.
std::vector<const Description*> body_types();

}  // namespace polhode
