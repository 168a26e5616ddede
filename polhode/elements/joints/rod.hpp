// Rod: keeps the distance L of the anchors. 1 equation, 0 = (r.r - L^2)/(2 L), which is about |r| - L.
#pragma once

#include <polhode/elements/joint.hpp>

namespace polhode {

struct Rod {
  std::string name{};
  Names between{};
  std::optional<Vec3> at{}, at_a{}, at_b{};
  std::optional<double> length{};
  bool operator==(const Rod&) const = default;
};

inline void compile(const Rod& rod, Builder& build) {
  const double L = rod.length.value_or(build.at_pose(Coordinate::length, build.markers()));
  if (!(L > 0)) build.refuse("the rod has no length; use a spherical joint");
  build.rows<{.square = true}>({"force"}, 1 / (2 * L), {L * L});
}

inline void check(const Rod& rod, Check& check) {
  if (!rod.length && check.anchors_coincide(anchors_of(rod)))
    check.error(
        "the anchors coincide at the model pose, so the rod has length 0; use a spherical joint, or give at_a and at_b "
        "apart");
}

inline constexpr Allowed rod_length{
    .least = 0, .open = true, .remark = "; give a length > 0 m, or use a spherical joint for coincident points"};
template <>
inline constexpr auto fields_of<Rod> = fields(
    joint_fields<Rod>, anchor_fields<Rod>,
    field<&Rod::length>("m", "distance of the anchors", {.otherwise = "as at the model pose", .allowed = rod_length}));
template <>
inline constexpr auto rules_of<Rod> = std::to_array<std::string_view>({anchor_rule});
template <>
inline constexpr JointKind kind<Rod> = joint_kind<Rod>({.word = "rod",
                                                        .summary = "keeps the distance of the anchors",
                                                        .equations = 1,
                                                        .keeps = Coordinate::length,
                                                        .turning = Turning::neither,
                                                        .look = Look::rod,
                                                        .order = 10});

}  // namespace polhode
