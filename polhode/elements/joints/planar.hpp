// Planar joint: the anchor of b stays in the plane of a across the axis, which both bodies share.
// 3 equations, 0 = ( r.a_3,  a_3.b_1,  a_3.b_2 ).
#pragma once

#include <polhode/elements/joint.hpp>

namespace polhode {

struct Planar {
  std::string name{};
  Names between{};
  std::optional<Vec3> at{}, at_a{}, at_b{};
  std::optional<Vec3> axis{}, axis_a{}, axis_b{};
  bool operator==(const Planar&) const = default;
};

inline void compile(const Planar&, Builder& build) {
  build.rows<{.along_a = bit(2), .cosine = bit(2, 0) | bit(2, 1)}>({"force 3", "moment 2", "moment 1"});
}

template <>
inline constexpr auto fields_of<Planar> = fields(joint_fields<Planar>, anchor_fields<Planar>, axis_fields<Planar>);
template <>
inline constexpr auto rules_of<Planar> = std::to_array<std::string_view>({anchor_rule, axis_rule});
template <>
inline constexpr JointKind kind<Planar> =
    joint_kind<Planar>({.word = "planar",
                        .summary = "travel across the axis and rotation about it are free",
                        .equations = 3,
                        .free = {Coordinate::angle},
                        .oriented = true,
                        .look = Look::slab,
                        .order = 6});

}  // namespace polhode
