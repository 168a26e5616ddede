// Spring and damper about the axis of a joint: the energy k (angle - angle_0)^2/2 and the dissipation c angle'^2.
#pragma once

#include <polhode/elements/force.hpp>

namespace polhode {

struct TorsionalSpringDamper {
  std::string name{};
  std::string joint{};
  double stiffness = 0, damping = 0;
  double angle = 0;
  bool operator==(const TorsionalSpringDamper&) const = default;
};

inline void compile(const TorsionalSpringDamper& force, Builder& build) {
  build.law(Coordinate::angle, build.markers_of(force.joint),
            ElasticLaw::spring(force.stiffness, force.damping, force.angle));
}

inline void check(const TorsionalSpringDamper& force, Check& check) {
  check.free_coordinate("joint", force.joint, Coordinate::angle, "torsional-spring-damper");
}

template <>
inline constexpr auto fields_of<TorsionalSpringDamper> =
    fields(force_name_field<TorsionalSpringDamper>, joint_name_field<TorsionalSpringDamper>,
           field<&TorsionalSpringDamper::stiffness>("N m/rad", "", {.need = Need::shown, .allowed = not_negative}),
           field<&TorsionalSpringDamper::damping>("N m s/rad", "", {.need = Need::shown, .allowed = not_negative}),
           field<&TorsionalSpringDamper::angle>("rad", "of rest"));
/// What it shows of itself in results.
struct TorsionalSpringDamperOutput {
  double angle = 0, rate = 0, torque = 0;
  static TorsionalSpringDamperOutput of(const LawOutput& law) { return {law.y[0], law.rate[0], law.stress[0]}; }
  bool operator==(const TorsionalSpringDamperOutput&) const = default;
};
template <>
inline constexpr auto fields_of<TorsionalSpringDamperOutput> = fields(
    field<&TorsionalSpringDamperOutput::angle>("rad", "of the joint"),
    field<&TorsionalSpringDamperOutput::rate>("rad/s", "of the angle"),
    field<&TorsionalSpringDamperOutput::torque>("N m", "of spring and damper together; positive: it turns b back"));
template <>
inline constexpr OutputKind output_of<TorsionalSpringDamper> = output_kind<TorsionalSpringDamperOutput>();

template <>
inline constexpr ForceKind kind<TorsionalSpringDamper> = force_kind<TorsionalSpringDamper>(
    {.word = "torsional-spring-damper",
     .summary = "a spring and a damper about the axis of a joint that leaves its angle free",
     .order = 2});

}  // namespace polhode
