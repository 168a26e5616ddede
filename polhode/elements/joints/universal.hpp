// Universal joint: the anchors coincide, and the axis of a stays perpendicular to that of b.
// 4 equations, 0 = ( r,  a_3.b_3 ).
#pragma once

#include <polhode/elements/joint.hpp>

namespace polhode {

struct Universal {
  std::string name{};
  Names between{};
  std::optional<Vec3> at{}, at_a{}, at_b{};
  Vec3 axis_a = Vec3::Zero(), axis_b = Vec3::Zero();
  bool operator==(const Universal&) const = default;
};

inline void compile(const Universal&, Builder& build) {
  build.rows<{.point = true, .cosine = bit(2, 2)}>({"force x", "force y", "force z", "moment"});
}

inline void check(const Universal& joint, Check& check) {
  // a projection turns the axes, unless they are parallel
  const bool exact = check.model().simulation.assembly == SimulationOptions::Assembly::strict;
  check.perpendicular(joint.axis_a, joint.axis_b, exact ? 1e-6 : 0.99, "a universal joint");
}

inline constexpr Details needed_axis{
    .need = Need::required,
    .allowed = has_direction,
    .missing = "; a universal joint needs axis_a and axis_b, perpendicular to each other"};
template <>
inline constexpr auto fields_of<Universal> = fields(
    joint_fields<Universal>, anchor_fields<Universal>,
    field<&Universal::axis_a>("", "axis in the frame of a, perpendicular to that of b at the model pose", needed_axis),
    field<&Universal::axis_b>("", "axis in the frame of b", needed_axis));
template <>
inline constexpr auto rules_of<Universal> = std::to_array<std::string_view>({anchor_rule});
template <>
inline constexpr JointKind kind<Universal> = joint_kind<Universal>(
    {.word = "universal",
     .summary = "2 rotations are free, about axis_a and axis_b, which are perpendicular at the model pose",
     .equations = 4,
     .crossed = true,
     .look = Look::cross,
     .order = 3});

}  // namespace polhode
