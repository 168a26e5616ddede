// Where an element takes hold of two bodies, and the fields that say so: described once for all joints, drives and
// forces.
//
// "At the model pose" means: with every body where `position` and `orientation` put it. `at` and `axis` are given in
// space at that pose; `at_a`, `axis_b` and the like in the frame of that body (for "ground": in space).
#pragma once

#include <optional>

#include <polhode/describe/field.hpp>
#include <polhode/lie/algebra.hpp>

namespace polhode {

/// The anchors and axes of any element; what its struct has no member for stays empty.
struct Anchors {
  Names between{};
  std::optional<Vec3> at{}, at_a{}, at_b{}, axis{}, axis_a{}, axis_b{};
};

template <class S>
Anchors anchors_of(const S& element) {
  Anchors out;
  if constexpr (requires { element.between; }) out.between = element.between;
  if constexpr (requires { element.at_b; }) out.at = element.at, out.at_a = element.at_a, out.at_b = element.at_b;
  if constexpr (requires { element.axis; }) out.axis = element.axis;
  if constexpr (requires { element.axis_a; }) out.axis_a = element.axis_a;
  if constexpr (requires { element.axis_b; }) out.axis_b = element.axis_b;
  return out;
}

template <class S>
inline constexpr FieldInfo between_field = field<&S::between>(
    "", "names of the bodies a and b; \"ground\" is what does not move",
    {.need = Need::required, .missing = "; name two bodies such as [\"ground\", \"arm\"]", .definition = "between"});

template <class S>
inline constexpr auto anchor_fields =
    fields(field<&S::at>("m", "anchor of both bodies, in space at the model pose"),
           field<&S::at_a>("m", "anchor in the frame of a", {.otherwise = "its origin"}),
           field<&S::at_b>("m", "anchor in the frame of b", {.otherwise = "its origin"}));

template <class S>
inline constexpr FieldInfo axis_field = field<&S::axis>("", "direction for both bodies, in space at the model pose",
                                                        {.allowed = has_direction});
template <class S>
inline constexpr FieldInfo axis_a_field = field<&S::axis_a>("", "direction in the frame of a",
                                                            {.allowed = has_direction});
template <class S>
inline constexpr auto axis_fields = fields(axis_field<S>, axis_a_field<S>,
                                           field<&S::axis_b>("", "direction in the frame of b",
                                                             {.allowed = has_direction}));

// For schemas: one point or direction in space, or one in each body; an axis is needed.
inline constexpr std::string_view anchor_rule =
    R"({"not": {"anyOf": [{"required": ["at", "at_a"]}, {"required": ["at", "at_b"]}]}})";
inline constexpr std::string_view axis_rule =
    R"({"not": {"anyOf": [{"required": ["axis", "axis_a"]}, {"required": ["axis", "axis_b"]}]},
        "anyOf": [{"required": ["axis"]}, {"required": ["axis_a"]}, {"required": ["axis_b"]}]})";
inline constexpr std::string_view axis_of_a_rule = R"({"oneOf": [{"required": ["axis"]}, {"required": ["axis_a"]}]})";

}  // namespace polhode
