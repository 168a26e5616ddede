// Prismatic joint: travel along an axis, no rotation. 5 equations, 0 = ( r.b_1,  r.b_2,  a_1.b_2,  a_3.b_1,  a_3.b_2 ).
#pragma once

#include <polhode/elements/joint.hpp>

namespace polhode {

struct Prismatic {
  std::string name{};
  Names between{};
  std::optional<Vec3> at{}, at_a{}, at_b{};
  std::optional<Vec3> axis{}, axis_a{}, axis_b{};
  bool operator==(const Prismatic&) const = default;
};

inline void compile(const Prismatic&, Builder& build) {
  build.rows<{.along_b = bit(0) | bit(1), .cosine = bit(2, 0) | bit(2, 1) | bit(0, 1)}>(
      {"force 1", "force 2", "moment 3", "moment 2", "moment 1"});
}

template <>
inline constexpr auto fields_of<Prismatic> = fields(joint_fields<Prismatic>, anchor_fields<Prismatic>,
                                                    axis_fields<Prismatic>);
template <>
inline constexpr auto rules_of<Prismatic> = std::to_array<std::string_view>({anchor_rule, axis_rule});
template <>
inline constexpr JointKind kind<Prismatic> = joint_kind<Prismatic>({.word = "prismatic",
                                                                    .summary = "travel along the axis is free",
                                                                    .equations = 5,
                                                                    .free = {Coordinate::travel},
                                                                    .oriented = true,
                                                                    .look = Look::slider,
                                                                    .order = 5});

}  // namespace polhode
