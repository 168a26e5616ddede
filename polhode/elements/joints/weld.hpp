// Weld: nothing moves. 6 equations, 0 = ( r,  a_1.b_2,  a_2.b_3,  a_3.b_1 ).
#pragma once

#include <polhode/elements/joint.hpp>

namespace polhode {

struct Weld {
  std::string name{};
  Names between{};
  std::optional<Vec3> at{}, at_a{}, at_b{};
  bool operator==(const Weld&) const = default;
};

inline void compile(const Weld&, Builder& build) {
  build.rows<{.point = true, .cosine = bit(0, 1) | bit(1, 2) | bit(2, 0)}>(
      {"force x", "force y", "force z", "moment 3", "moment 1", "moment 2"});
}

template <>
inline constexpr auto fields_of<Weld> = fields(joint_fields<Weld>, anchor_fields<Weld>);
template <>
inline constexpr auto rules_of<Weld> = std::to_array<std::string_view>({anchor_rule});
template <>
inline constexpr JointKind kind<Weld> =
    joint_kind<Weld>({.word = "weld",
                      .summary = "nothing is free: the relative pose of the model pose is kept",
                      .equations = 6,
                      .look = Look::block,
                      .order = 7});

}  // namespace polhode
