// The words of the model format: one table per kind, used by the reader, the writer and every message.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <polhode/model/model.hpp>

namespace polhode {

template <class Enum>
struct Named {
  Enum value;
  std::string_view name;
};

/// names<Joint::Type> is the table of all joint types, in the order of the documentation.
template <class Enum>
inline constexpr auto names = nullptr;

template <>
inline constexpr auto names<Body::Type> = std::to_array<Named<Body::Type>>({
    {Body::Type::rigid, "rigid"},
    {Body::Type::fixed_point, "fixed-point"},
    {Body::Type::particle, "particle"},
    {Body::Type::scalar, "scalar"},
});

template <>
inline constexpr auto names<Shape::Type> = std::to_array<Named<Shape::Type>>({
    {Shape::Type::box, "box"},
    {Shape::Type::cylinder, "cylinder"},
    {Shape::Type::sphere, "sphere"},
    {Shape::Type::cone, "cone"},
    {Shape::Type::capsule, "capsule"},
    {Shape::Type::mesh, "mesh"},
});

template <>
inline constexpr auto names<Joint::Type> = std::to_array<Named<Joint::Type>>({
    {Joint::Type::spherical, "spherical"},
    {Joint::Type::revolute, "revolute"},
    {Joint::Type::universal, "universal"},
    {Joint::Type::cylindrical, "cylindrical"},
    {Joint::Type::prismatic, "prismatic"},
    {Joint::Type::planar, "planar"},
    {Joint::Type::weld, "weld"},
    {Joint::Type::point_on_line, "point-on-line"},
    {Joint::Type::point_on_plane, "point-on-plane"},
    {Joint::Type::rod, "rod"},
    {Joint::Type::screw, "screw"},
});

template <>
inline constexpr auto names<Coupling::Type> = std::to_array<Named<Coupling::Type>>({
    {Coupling::Type::gear, "gear"},
    {Coupling::Type::rack, "rack"},
});

template <>
inline constexpr auto names<Coordinate> = std::to_array<Named<Coordinate>>({
    {Coordinate::angle, "angle"},
    {Coordinate::travel, "travel"},
    {Coordinate::length, "length"},
});

template <>
inline constexpr auto names<Force::Type> = std::to_array<Named<Force::Type>>({
    {Force::Type::spring_damper, "spring-damper"},
    {Force::Type::torsional_spring_damper, "torsional-spring-damper"},
    {Force::Type::bushing, "bushing"},
    {Force::Type::force, "force"},
    {Force::Type::torque, "torque"},
    {Force::Type::joint_force, "joint-force"},
});

template <>
inline constexpr auto names<Function::Type> = std::to_array<Named<Function::Type>>({
    {Function::Type::constant, "constant"},
    {Function::Type::polynomial, "polynomial"},
    {Function::Type::harmonic, "harmonic"},
    {Function::Type::ramp, "ramp"},
    {Function::Type::table, "table"},
    {Function::Type::piecewise, "piecewise"},
    {Function::Type::sum, "sum"},
});

template <>
inline constexpr auto names<Function::Interpolation> = std::to_array<Named<Function::Interpolation>>({
    {Function::Interpolation::linear, "linear"},
    {Function::Interpolation::cubic, "cubic"},
});

template <>
inline constexpr auto names<SimulationOptions::Assembly> = std::to_array<Named<SimulationOptions::Assembly>>({
    {SimulationOptions::Assembly::strict, "strict"},
    {SimulationOptions::Assembly::project, "project"},
});

/// The word for a value: name_of(Joint::Type::point_on_line) is "point-on-line".
template <class Enum>
constexpr std::string_view name_of(Enum value) {
  for (const auto& entry : names<Enum>)
    if (entry.value == value) return entry.name;
  return "?";
}

/// The value for a word, if there is one.
template <class Enum>
constexpr std::optional<Enum> from_name(std::string_view name) {
  for (const auto& entry : names<Enum>)
    if (entry.name == name) return entry.value;
  return std::nullopt;
}

template <class Enum>
std::vector<std::string> all_names() {
  std::vector<std::string> all;
  for (const auto& entry : names<Enum>) all.emplace_back(entry.name);
  return all;
}

/// The coordinates that a joint leaves free and that a drive or a joint-force may therefore name; the first is the default,
/// except for a cylindrical joint, whose two are independent.
std::vector<Coordinate> free_coordinates(Joint::Type type);

/// The candidate that `name` is most likely a misspelling of, if one is close: about one letter in three may differ (wrong,
/// missing, too many, or swapped with its neighbour). Case does not count, nor does `_` against `-`.
std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates);

/// `; did you mean "revolute"?` or nothing: the end of a message.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace polhode
