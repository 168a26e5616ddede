// Spring and damper between two points: the energy k (l - l_0)^2/2 and the dissipation c l'^2, with the distance l of
// the points.
#pragma once

#include <polhode/elements/force.hpp>

namespace polhode {

struct SpringDamper {
  std::string name{};
  Names between{};
  std::optional<Vec3> at{}, at_a{}, at_b{};
  double stiffness = 0, damping = 0;
  std::optional<double> length{};
  bool operator==(const SpringDamper&) const = default;
};

inline void compile(const SpringDamper& force, Builder& build) {
  const Pair pair = build.markers(anchors_of(force));
  const double rest = force.length.value_or(build.at_pose(Coordinate::length, pair));
  build.law(Coordinate::length, pair, ElasticLaw::spring(force.stiffness, force.damping, rest));
}

inline void check(const SpringDamper& force, Check& check) {
  if (force.length && *force.length > 0 && check.anchors_coincide(anchors_of(force)))
    check.warning("length", "the anchors coincide at the model pose, where a spring of length " +
                                to_text(*force.length) + " has no direction");
}

template <>
inline constexpr auto fields_of<SpringDamper> =
    fields(force_name_field<SpringDamper>, between_field<SpringDamper>, anchor_fields<SpringDamper>,
           field<&SpringDamper::stiffness>("N/m", "", {.need = Need::shown, .allowed = not_negative}),
           field<&SpringDamper::damping>("N s/m", "", {.need = Need::shown, .allowed = not_negative}),
           field<&SpringDamper::length>("m", "natural length",
                                        {.otherwise = "the distance at the model pose",
                                         .allowed = {.least = 0, .remark = "; give a natural length >= 0 m"}}));
template <>
inline constexpr auto rules_of<SpringDamper> = std::to_array<std::string_view>({anchor_rule});
/// What it shows of itself in results.
struct SpringDamperOutput {
  double length = 0, rate = 0, force = 0;
  static SpringDamperOutput of(const LawOutput& law) { return {law.y[0], law.rate[0], law.stress[0]}; }
  bool operator==(const SpringDamperOutput&) const = default;
};
template <>
inline constexpr auto fields_of<SpringDamperOutput> = fields(
    field<&SpringDamperOutput::length>("m", "distance of the points"),
    field<&SpringDamperOutput::rate>("m/s", "of the length"),
    field<&SpringDamperOutput::force>("N", "of spring and damper together; positive: it draws the points together"));
template <>
inline constexpr OutputKind output_of<SpringDamper> = output_kind<SpringDamperOutput>();

template <>
inline constexpr ForceKind kind<SpringDamper> = force_kind<SpringDamper>(
    {.word = "spring-damper", .summary = "a spring and a damper between two points", .look = Look::spring, .order = 1});

}  // namespace polhode
