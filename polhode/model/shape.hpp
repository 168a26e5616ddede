// What a body looks like: solids and meshes fixed to it. SI units.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <polhode/describe/field.hpp>

namespace polhode {

/// For pictures only: the motion does not depend on it. The axis of a cylinder, cone or capsule is z.
struct Shape {
  enum class Type { box, cylinder, sphere, cone, capsule, mesh };

  Type type = Type::box;
  Vec3 at = Vec3::Zero();                     ///< its middle (mesh: the origin of its vertices), in the body frame [m]
  Quaternion frame = Quaternion::Identity();  ///< takes its axes to the body frame
  Vec3 size = Vec3::Zero();                   ///< box: lengths of its edges [m]
  double radius = 0;                          ///< cylinder, sphere, cone (of its base, at -z), capsule [m]
  double length = 0;                          ///< cylinder, cone, capsule (of its straight part) [m]
  std::vector<Vec3> vertices;                 ///< mesh [m]
  std::vector<std::array<int, 3>> faces;      ///< mesh: triangles, counterclockwise from outside
  std::string color;                          ///< #rrggbb; empty: the viewer chooses
  bool operator==(const Shape&) const = default;
};

template <>
inline constexpr auto words<Shape::Type> =
    std::to_array<Word>({{"box"}, {"cylinder"}, {"sphere"}, {"cone"}, {"capsule"}, {"mesh"}});

/// The description of each type, in the order of Shape::Type.
std::vector<const Description*> shape_types();

template <>
const ValueType& value_type_of<std::vector<Shape>>();
template <>
const ValueType& value_type_of<std::vector<Vec3>>();
template <>
const ValueType& value_type_of<std::vector<std::array<int, 3>>>();

}  // namespace polhode
