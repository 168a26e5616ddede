// Drives: coordinates whose value is a function of time.
#pragma once

#include <polhode/model/anchors.hpp>
#include <polhode/model/coordinate.hpp>
#include <polhode/model/function.hpp>

namespace polhode {

/// Prescribes a coordinate: of a joint, or of a pair of bodies that no joint of that kind connects.
struct Drive {
  std::string name{};
  Coordinate type = Coordinate::angle;
  std::string joint{};  ///< whose coordinate; empty: the pair below
  Names between{};
  std::optional<Vec3> at{}, at_a{}, at_b{}, axis{}, axis_a{}, axis_b{};
  Function motion{};  ///< value of the coordinate [rad or m]
  bool operator==(const Drive&) const = default;
};

template <>
inline constexpr auto fields_of<Drive> = fields(
    field<&Drive::name>("", "unique within drives",
                        {.need = Need::shown, .otherwise = "its place, such as drives[0]", .definition = "name"}),
    field<&Drive::type>("", "the coordinate; required with between",
                        {.need = Need::shown, .otherwise = "what the joint leaves free"}),
    field<&Drive::joint>("", "whose coordinate"),
    field<&Drive::between>("", "names of the bodies a and b, in place of a joint", {.definition = "between"}),
    anchor_fields<Drive>, axis_fields<Drive>,
    field<&Drive::motion>("rad or m", "value of the coordinate, a function of time", {.need = Need::required}));
template <>
inline constexpr auto rules_of<Drive> = std::to_array<std::string_view>(
    {anchor_rule, R"({"not": {"anyOf": [{"required": ["axis", "axis_a"]}, {"required": ["axis", "axis_b"]}]}})",
     R"({"oneOf": [
        {"required": ["joint"], "not": {"anyOf": [{"required": ["between"]}, {"required": ["at"]}, {"required": ["at_a"]}, {"required": ["at_b"]},
          {"required": ["axis"]}, {"required": ["axis_a"]}, {"required": ["axis_b"]}]}},
        {"required": ["between", "type"], "not": {"required": ["joint"]}, "if": {"properties": {"type": {"const": "length"}}},
          "then": {"not": {"anyOf": [{"required": ["axis"]}, {"required": ["axis_a"]}, {"required": ["axis_b"]}]}},
          "else": {"anyOf": [{"required": ["axis"]}, {"required": ["axis_a"]}, {"required": ["axis_b"]}]}}]})"});
template <>
inline constexpr Description kind<Drive> =
    describe<Drive>("drive", "prescribes a coordinate of a joint, or of a pair of bodies");

}  // namespace polhode
