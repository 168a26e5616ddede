// A motor's torque or a piston's force on the coordinate of a joint: a function of time, on b, and the opposite on a.
#pragma once

#include <polhode/elements/force.hpp>

namespace polhode {

struct JointForce {
  std::string name{};
  std::string joint{};
  Coordinate coordinate = Coordinate::angle;
  Function function{};
  bool operator==(const JointForce&) const = default;
};

inline void compile(const JointForce& force, Builder& build) {
  build.law(force.coordinate, build.markers_of(force.joint), {.given = &force.function});
}

inline void check(const JointForce& force, Check& check) {
  check.free_coordinate("joint", force.joint, force.coordinate, "joint-force", "a spring-damper or a force");
}

template <>
inline constexpr auto fields_of<JointForce> =
    fields(force_name_field<JointForce>, joint_name_field<JointForce>,
           field<&JointForce::coordinate>("", "of the joint",
                                          {.need = Need::shown, .otherwise = "what the joint leaves free"}),
           field<&JointForce::function>("N m or N", "torque or force on b, the opposite on a; a function of time",
                                        {.need = Need::required}));
/// What it shows of itself in results.
struct JointForceOutput {
  double coordinate = 0, rate = 0, force = 0;
  static JointForceOutput of(const LawOutput& law) { return {law.y[0], law.rate[0], -law.stress[0]}; }
  bool operator==(const JointForceOutput&) const = default;
};
template <>
inline constexpr auto fields_of<JointForceOutput> =
    fields(field<&JointForceOutput::coordinate>("m or rad", "of the joint"),
           field<&JointForceOutput::rate>("m/s or rad/s", "of the coordinate"),
           field<&JointForceOutput::force>("N or N m", "on b along the coordinate"));
template <>
inline constexpr OutputKind output_of<JointForce> = output_kind<JointForceOutput>();

template <>
inline constexpr ForceKind kind<JointForce> =
    force_kind<JointForce>({.word = "joint-force",
                            .summary = "a motor's torque or a piston's force on the coordinate of a joint",
                            .load = true,
                            .order = 6});

}  // namespace polhode
