// Revolute joint: the anchors coincide, and the axis is the same in both bodies.
// 5 equations, 0 = ( r,  a_3.b_1,  a_3.b_2 ).
#pragma once

#include <polhode/elements/joint.hpp>

namespace polhode {

struct Revolute {
  std::string name{};
  Names between{};
  std::optional<Vec3> at{}, at_a{}, at_b{};
  std::optional<Vec3> axis{}, axis_a{}, axis_b{};
  bool operator==(const Revolute&) const = default;
};

inline void compile(const Revolute&, Builder& build) {
  build.rows<{.point = true, .cosine = bit(2, 0) | bit(2, 1)}>(
      {"force x", "force y", "force z", "moment 2", "moment 1"});
}

template <>
inline constexpr auto fields_of<Revolute> = fields(joint_fields<Revolute>, anchor_fields<Revolute>,
                                                   axis_fields<Revolute>);
template <>
inline constexpr auto rules_of<Revolute> = std::to_array<std::string_view>({anchor_rule, axis_rule});
template <>
inline constexpr JointKind kind<Revolute> = joint_kind<Revolute>({.word = "revolute",
                                                                  .summary = "rotation about the axis is free",
                                                                  .equations = 5,
                                                                  .free = {Coordinate::angle},
                                                                  .oriented = true,
                                                                  .look = Look::pin,
                                                                  .order = 2});

}  // namespace polhode
