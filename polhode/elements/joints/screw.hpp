// Screw joint: rotation about and travel along one axis, tied by the pitch p. 5 equations,
//   0 = ( r.b_1,  r.b_2,  a_3.b_1,  a_3.b_2 ),      0 = r.a_3 - p angle - (r.a_3 at the model pose).
#pragma once

#include <polhode/elements/joint.hpp>

namespace polhode {

struct Screw {
  std::string name{};
  Names between{};
  std::optional<Vec3> at{}, at_a{}, at_b{};
  std::optional<Vec3> axis{}, axis_a{}, axis_b{};
  double pitch = 0;
  bool operator==(const Screw&) const = default;
};

inline void compile(const Screw& screw, Builder& build) {
  build.rows<{.along_b = bit(0) | bit(1), .cosine = bit(2, 0) | bit(2, 1)}>(
      {"force 1", "force 2", "moment 2", "moment 1"});
  build.row("screw").add(Coordinate::travel, 1).add(Coordinate::angle, -screw.pitch).zero_at_pose();
}

template <>
inline constexpr auto fields_of<Screw> = fields(joint_fields<Screw>, anchor_fields<Screw>, axis_fields<Screw>,
                                                field<&Screw::pitch>("m/rad", "travel per angle",
                                                                     {.need = Need::required}));
template <>
inline constexpr auto rules_of<Screw> = std::to_array<std::string_view>({anchor_rule, axis_rule});
template <>
inline constexpr JointKind kind<Screw> =
    joint_kind<Screw>({.word = "screw",
                       .summary = "rotation about and travel along the axis, with travel = pitch * angle",
                       .equations = 5,
                       .free = {Coordinate::angle, Coordinate::travel},
                       .tied = true,
                       .oriented = true,
                       .look = Look::thread,
                       .order = 4});

}  // namespace polhode
