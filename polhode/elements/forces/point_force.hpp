// A force at a point of a body: a vector in space, or in the body if it follows, times a function of time; or three
// functions, its components.
#pragma once

#include <polhode/elements/force.hpp>

namespace polhode {

struct PointForce {
  std::string name{};
  std::string body{};
  std::optional<Vec3> at{};
  std::optional<Vec3> vector{};
  LoadFunctions function{};
  bool follower = false;
  bool operator==(const PointForce&) const = default;
};

inline void compile(const PointForce& force, Builder& build) {
  build.load(force.body, {.at = force.at.value_or(Vec3::Zero()),
                          .vector = force.vector.value_or(Vec3::Zero()),
                          .functions = &force.function,
                          .follower = force.follower});
}

inline void check(const PointForce& force, Check& check) {
  const Body* const body = check.load(force.body, "force", force.vector.has_value(), force.function.size());
  if (force.follower) check.needs_orientation(body, "a follower");
  check.no_extent("at", force.at, body);
}

template <>
inline constexpr auto fields_of<PointForce> =
    fields(force_name_field<PointForce>,
           field<&PointForce::body>("", "name of the body", {.need = Need::required, .definition = "moving_body"}),
           field<&PointForce::at>("m", "point of the body frame", {.otherwise = "its origin"}),
           field<&PointForce::vector>("N", "in space, or in the body if it follows"),
           field<&PointForce::function>("", "a factor of vector, or a list of three functions in its place"),
           field<&PointForce::follower>("", "true: turns with the body"));
template <>
inline constexpr auto rules_of<PointForce> = std::to_array<std::string_view>({load_rule});
template <>
inline constexpr ForceKind kind<PointForce> =
    force_kind<PointForce>({.word = "force", .summary = "a force at a point of a body", .load = true, .order = 4});

}  // namespace polhode
