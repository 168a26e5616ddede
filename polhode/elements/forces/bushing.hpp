// Bushing: linear stiffness K and damping C in six numbers y, the point of b in a frame of a and the rotation vector
// from one to the other: the energy y . K y/2 and the dissipation y' . C y'. It is relaxed at the model pose if the
// anchors coincide there.
#pragma once

#include <polhode/describe/six_by_six.hpp>
#include <polhode/elements/force.hpp>

namespace polhode {

struct Bushing {
  std::string name{};
  Names between{};
  std::optional<Vec3> at{}, at_a{}, at_b{};
  Quaternion frame = Quaternion::Identity();
  SixBySix stiffness{}, damping{};
  bool operator==(const Bushing&) const = default;
};

inline void compile(const Bushing& force, Builder& build) {
  ElasticLaw law;
  law.stiffness = force.stiffness.matrix;
  law.damping = force.damping.matrix;
  build.law<BushingMeasure>(build.markers(anchors_of(force), force.frame), law);
}

inline void check(const Bushing&, Check& check) {
  check.needs_orientation(check.bodies().a, "a bushing");
  check.needs_orientation(check.bodies().b, "a bushing");
}

template <>
inline constexpr auto fields_of<Bushing> = fields(
    force_name_field<Bushing>, between_field<Bushing>, anchor_fields<Bushing>,
    field<&Bushing::frame>("", "rotation from its axes to space at the model pose", {.otherwise = "identity"}),
    field<&Bushing::stiffness>("N/m, N m/rad",
                               "six numbers, three along and three about the axes, or a symmetric matrix of six rows",
                               {.need = Need::shown, .otherwise = "0", .allowed = not_negative}),
    field<&Bushing::damping>("N s/m, N m s/rad", "six numbers, or a symmetric matrix",
                             {.need = Need::shown, .otherwise = "0", .allowed = not_negative}));
template <>
inline constexpr auto rules_of<Bushing> = std::to_array<std::string_view>({anchor_rule});
/// What it shows of itself in results.
struct BushingOutput {
  Vec3 displacement = Vec3::Zero(), rotation = Vec3::Zero(), force = Vec3::Zero(), torque = Vec3::Zero();
  static BushingOutput of(const LawOutput& law) {
    return {law.y.head<3>(), law.y.tail<3>(), law.stress.head<3>(), law.stress.tail<3>()};
  }
  bool operator==(const BushingOutput&) const = default;
};
template <>
inline constexpr auto fields_of<BushingOutput> =
    fields(field<&BushingOutput::displacement>("m", "of b, in the axes fixed to a"),
           field<&BushingOutput::rotation>("rad", "rotation vector of b, in the axes fixed to a"),
           field<&BushingOutput::force>("N", "conjugate to the displacement; positive: it pulls b back"),
           field<&BushingOutput::torque>("N m", "conjugate to the rotation; positive: it turns b back"));
template <>
inline constexpr OutputKind output_of<Bushing> = output_kind<BushingOutput>();

template <>
inline constexpr ForceKind kind<Bushing> = force_kind<Bushing>(
    {.word = "bushing",
     .summary =
         "six stiffnesses and dampings between two bodies: three along, three about the axes of a frame fixed to a",
     .look = Look::spring,
     .order = 3});

}  // namespace polhode
