// An energy that a program computes: of a joint's coordinate, of the distance of two points, or of how two bodies stand
// to each other. In memory only.
#pragma once

#include <polhode/elements/force.hpp>

namespace polhode {

struct Potential {
  std::string name{};
  std::string joint{};  ///< of its coordinate; empty: of the pair below
  Coordinate coordinate = Coordinate::length;
  Names between{};
  std::optional<Vec3> at{}, at_a{}, at_b{};
  Quaternion frame = Quaternion::Identity();  ///< takes the axes of the numbers to space at the model pose
  std::shared_ptr<const ComputedPotential> potential{};
  bool operator==(const Potential&) const = default;
};

inline void compile(const Potential& force, Builder& build) {
  using Of = ComputedPotential::Of;
  ElasticLaw law;
  law.potential = force.potential;
  switch (force.potential->of) {
    case Of::coordinate:
      return build.law(force.coordinate,
                       force.joint.empty() ? build.markers(anchors_of(force)) : build.markers_of(force.joint), law);
    case Of::point: return build.law<PointMeasure>(build.markers(anchors_of(force), force.frame), law);
    case Of::pose: return build.law<BushingMeasure>(build.markers(anchors_of(force), force.frame), law);
  }
}

inline void check(const Potential& force, Check& check) {
  if (!force.potential || !force.potential->energy)
    return check.error("energy", "energy is missing; give a function of the coordinate");
  if (!force.potential->gradient)
    return check.error("gradient", "gradient is missing; give the derivative of the energy");
  if (force.potential->of == ComputedPotential::Of::coordinate)
    return check.coordinate(force.joint, anchors_of(force), force.coordinate, "potential");
  check.anchors(anchors_of(force));
  check.needs_orientation(check.bodies().a, "a potential of point or pose");
  if (force.potential->of == ComputedPotential::Of::pose)
    check.needs_orientation(check.bodies().b, "a potential of pose");
}

template <>
inline constexpr auto fields_of<Potential> =
    fields(force_name_field<Potential>, computed_fields<Potential>,
           field<&Potential::frame>("", "rotation from the axes of the numbers to space at the model pose",
                                    {.otherwise = "identity"}));
template <>
inline constexpr ForceKind kind<Potential> = force_kind<Potential>(
    {.word = "computed-potential", .summary = "an energy that a program computes", .in_memory = true, .order = 7});

}  // namespace polhode
