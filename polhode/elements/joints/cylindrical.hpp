// Cylindrical joint: both anchors are on one axis. 4 equations, 0 = ( r.b_1,  r.b_2,  a_3.b_1,  a_3.b_2 ).
#pragma once

#include <polhode/elements/joint.hpp>

namespace polhode {

struct Cylindrical {
  std::string name{};
  Names between{};
  std::optional<Vec3> at{}, at_a{}, at_b{};
  std::optional<Vec3> axis{}, axis_a{}, axis_b{};
  bool operator==(const Cylindrical&) const = default;
};

inline void compile(const Cylindrical&, Builder& build) {
  build.rows<{.along_b = bit(0) | bit(1), .cosine = bit(2, 0) | bit(2, 1)}>(
      {"force 1", "force 2", "moment 2", "moment 1"});
}

template <>
inline constexpr auto fields_of<Cylindrical> = fields(joint_fields<Cylindrical>, anchor_fields<Cylindrical>,
                                                      axis_fields<Cylindrical>);
template <>
inline constexpr auto rules_of<Cylindrical> = std::to_array<std::string_view>({anchor_rule, axis_rule});
template <>
inline constexpr JointKind kind<Cylindrical> =
    joint_kind<Cylindrical>({.word = "cylindrical",
                             .summary = "rotation about and travel along the axis are free",
                             .equations = 4,
                             .free = {Coordinate::angle, Coordinate::travel},
                             .oriented = true,
                             .look = Look::sleeve,
                             .order = 4});

}  // namespace polhode
