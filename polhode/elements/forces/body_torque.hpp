// A torque on a body: a vector in space, or in the body if it follows, times a function of time; or three functions,
// its components.
#pragma once

#include <polhode/elements/force.hpp>

namespace polhode {

struct BodyTorque {
  std::string name{};
  std::string body{};
  std::optional<Vec3> vector{};
  LoadFunctions function{};
  bool follower = false;
  bool operator==(const BodyTorque&) const = default;
};

inline void compile(const BodyTorque& force, Builder& build) {
  build.load(force.body, {.vector = force.vector.value_or(Vec3::Zero()),
                          .functions = &force.function,
                          .torque = true,
                          .follower = force.follower});
}

inline void check(const BodyTorque& force, Check& check) {
  const Body* const body = check.load(force.body, "torque", force.vector.has_value(), force.function.size());
  if (force.follower) check.needs_orientation(body, "a follower");
  check.needs_orientation(body, "a torque");
}

template <>
inline constexpr auto fields_of<BodyTorque> =
    fields(force_name_field<BodyTorque>,
           field<&BodyTorque::body>("", "name of the body", {.need = Need::required, .definition = "moving_body"}),
           field<&BodyTorque::vector>("N m", "in space, or in the body if it follows"),
           field<&BodyTorque::function>("", "a factor of vector, or a list of three functions in its place"),
           field<&BodyTorque::follower>("", "true: turns with the body"));
template <>
inline constexpr auto rules_of<BodyTorque> = std::to_array<std::string_view>({load_rule});
template <>
inline constexpr ForceKind kind<BodyTorque> =
    force_kind<BodyTorque>({.word = "torque", .summary = "a torque on a body", .load = true, .order = 5});

}  // namespace polhode
