// A load that a program computes: a wrench on a body, or a force on a joint's coordinate or along the line between two
// points. In memory only.
#pragma once

#include <polhode/elements/force.hpp>

namespace polhode {

struct ProgrammedLoad {
  std::string name{};
  std::string body{};   ///< of a wrench
  std::string joint{};  ///< of a coordinate; empty: the pair below
  Coordinate coordinate = Coordinate::length;
  Names between{};
  std::optional<Vec3> at{}, at_a{}, at_b{};  ///< of a wrench: `at` is a point of the body frame
  std::shared_ptr<const ComputedLoad> load{};
  bool operator==(const ProgrammedLoad&) const = default;
};

inline void compile(const ProgrammedLoad& force, Builder& build) {
  if (force.load->wrench) return build.load(force.body, force.at.value_or(Vec3::Zero()), force.load);
  ElasticLaw law;
  law.load = force.load;
  build.law(force.coordinate, force.joint.empty() ? build.markers(anchors_of(force)) : build.markers_of(force.joint),
            law);
}

inline void check(const ProgrammedLoad& force, Check& check) {
  if (!force.load || !(force.load->wrench || force.load->on_coordinate))
    return check.error("function", "function is missing");
  if (!force.load->wrench) return check.coordinate(force.joint, anchors_of(force), force.coordinate, "load");
  check.no_extent("at", force.at, check.load(force.body, "force", true, 0));
}

template <>
inline constexpr auto fields_of<ProgrammedLoad> = fields(force_name_field<ProgrammedLoad>,
                                                         field<&ProgrammedLoad::body>("", "name of the body"),
                                                         computed_fields<ProgrammedLoad>);
template <>
inline constexpr ForceKind kind<ProgrammedLoad> =
    force_kind<ProgrammedLoad>({.word = "computed-load",
                                .summary = "a load that a program computes",
                                .load = true,
                                .in_memory = true,
                                .order = 8});

}  // namespace polhode
