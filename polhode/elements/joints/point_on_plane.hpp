// Point on a plane: the anchor of b stays on the plane of a through its anchor across the axis. 1 equation, 0 = r.a_3.
#pragma once

#include <polhode/elements/joint.hpp>

namespace polhode {

struct PointOnPlane {
  std::string name{};
  Names between{};
  std::optional<Vec3> at{}, at_a{}, at_b{};
  std::optional<Vec3> axis{}, axis_a{};
  bool operator==(const PointOnPlane&) const = default;
};

inline void compile(const PointOnPlane&, Builder& build) { build.rows<{.along_a = bit(2)}>({"force 3"}); }

template <>
inline constexpr auto fields_of<PointOnPlane> = fields(joint_fields<PointOnPlane>, anchor_fields<PointOnPlane>,
                                                       axis_field<PointOnPlane>, axis_a_field<PointOnPlane>);
template <>
inline constexpr auto rules_of<PointOnPlane> = std::to_array<std::string_view>({anchor_rule, axis_of_a_rule});
template <>
inline constexpr JointKind kind<PointOnPlane> =
    joint_kind<PointOnPlane>({.word = "point-on-plane",
                              .summary = "the anchor of b stays on the plane of a through its anchor across the axis",
                              .equations = 1,
                              .turning = Turning::a,
                              .look = Look::plane_point,
                              .order = 9});

}  // namespace polhode
