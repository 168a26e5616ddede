// Spherical joint: the anchors coincide. 3 equations, 0 = r.
#pragma once

#include <polhode/elements/joint.hpp>

namespace polhode {

struct Spherical {
  std::string name{};
  Names between{};
  std::optional<Vec3> at{}, at_a{}, at_b{};
  bool operator==(const Spherical&) const = default;
};

inline void compile(const Spherical&, Builder& build) {
  build.rows<{.point = true}>({"force x", "force y", "force z"});
}

template <>
inline constexpr auto fields_of<Spherical> = fields(joint_fields<Spherical>, anchor_fields<Spherical>);
template <>
inline constexpr auto rules_of<Spherical> = std::to_array<std::string_view>({anchor_rule});
template <>
inline constexpr JointKind kind<Spherical> =
    joint_kind<Spherical>({.word = "spherical",
                           .summary = "the anchors coincide; 3 rotations are free",
                           .equations = 3,
                           .turning = Turning::neither,
                           .look = Look::ball,
                           .order = 1});

}  // namespace polhode
