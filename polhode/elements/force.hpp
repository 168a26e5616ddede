// What the header of a force includes: fields that forces share, the traits of a kind, and what it compiles to.
#pragma once

#include <polhode/model/check.hpp>
#include <polhode/model/force.hpp>
#include <polhode/system/builder.hpp>
#include <polhode/system/law_output.hpp>

namespace polhode {

/// For schemas: a vector, or three functions in its place.
inline constexpr std::string_view load_rule =
    R"({"if": {"properties": {"function": {"type": "array"}}, "required": ["function"]}, "then": {"not": {"required": ["vector"]}}, "else": {"required": ["vector"]}})";

/// Of forces that a program computes: of a joint's coordinate, or between two bodies.
template <class S>
inline constexpr auto computed_fields =
    fields(field<&S::joint>("", "name of the joint"),
           field<&S::coordinate>("", "of the joint", {.otherwise = "what the joint leaves free"}),
           field<&S::between>("", "names of the bodies a and b, in place of a joint"), anchor_fields<S>);

}  // namespace polhode
