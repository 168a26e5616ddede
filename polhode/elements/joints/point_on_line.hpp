// Point on a line: the anchor of b stays on the line of a through its anchor along the axis.
// 2 equations, 0 = ( r.a_1,  r.a_2 ).
#pragma once

#include <polhode/elements/joint.hpp>

namespace polhode {

struct PointOnLine {
  std::string name{};
  Names between{};
  std::optional<Vec3> at{}, at_a{}, at_b{};
  std::optional<Vec3> axis{}, axis_a{};
  bool operator==(const PointOnLine&) const = default;
};

inline void compile(const PointOnLine&, Builder& build) {
  build.rows<{.along_a = bit(0) | bit(1)}>({"force 1", "force 2"});
}

template <>
inline constexpr auto fields_of<PointOnLine> = fields(joint_fields<PointOnLine>, anchor_fields<PointOnLine>,
                                                      axis_field<PointOnLine>, axis_a_field<PointOnLine>);
template <>
inline constexpr auto rules_of<PointOnLine> = std::to_array<std::string_view>({anchor_rule, axis_of_a_rule});
template <>
inline constexpr JointKind kind<PointOnLine> =
    joint_kind<PointOnLine>({.word = "point-on-line",
                             .summary = "the anchor of b stays on the line of a through its anchor along the axis",
                             .equations = 2,
                             .free = {Coordinate::travel},
                             .turning = Turning::a,
                             .look = Look::line_point,
                             .order = 8});

}  // namespace polhode
