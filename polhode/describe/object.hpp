// What is derived from a description: reading, writing and checking an object, setting one field by its path, and what
// is told of it to editors, to Python and to people.
#pragma once

#include <functional>

#include <polhode/describe/value_type.hpp>

namespace polhode {

/// Kinds of one list, such as all joints: a key that this kind does not use may belong to another one.
using Kinds = std::vector<const Description*>;

/// Reads every field that the object has. Unknown keys and missing fields are errors; true if there was none. `type` is
/// a key of kinds that have others beside them, and `also` are keys that somebody else reads.
bool read_object(const JsonValue& in, const Description& description, void* to, const Kinds& others = {},
                 const std::vector<std::string>& also = {});

/// Only what differs from the defaults, what is required, and what is always shown.
Json write_object(const Description& description, const void* from);

/// Checks every field by itself: numbers finite and allowed, directions, rotations.
void check_object(const Description& description, const void* from, Reporter& report, const std::string& key = "");

/// The kind of that word; null if there is none.
template <class Kind>
const Kind* find_kind(const std::vector<const Kind*>& kinds, std::string_view word) {
  for (const Kind* one : kinds)
    if (one->word == word) return one;
  return nullptr;
}

/// A field that can be set by its path from the object: `newton.tolerance`.
struct FieldPath {
  std::string path;
  const Description* owner = nullptr;
  const FieldInfo* field = nullptr;
};
std::vector<FieldPath> paths(const Description& description);

/// Sets the field at a path from text, such as one of the command line. What does not fit goes to the reporter.
bool set_field(const Description& description, void* object, const std::string& path, const std::string& text,
               Reporter& report);

/// `travel per angle [m/rad]; default 0`: what a field means, for help and documentation.
std::string meaning_of(const Description& description, const FieldInfo& field);
/// The same without the default: `travel per angle [m/rad]`, with its words and what they stand for.
std::string meaning_of(const FieldInfo& field);
/// What a field can be, `midpoint | trapezoidal`, `2 | 4`, `0 to 1`; empty if that is not known to be so little.
std::string range_of(const FieldInfo& field);
/// What holds if a field is left out, as text; empty if it is required, or there is nothing to say.
std::string default_of(const Description& description, const FieldInfo& field);

/// JSON schema of an object; with `typed`, its word is the constant `type`. `type_required`: it may not be left out.
Json object_schema(const Description& description, bool typed = false, bool type_required = true);

/// All that is known of it, as data: word, summary, fields with unit, meaning, type, default.
Json description_json(const Description& description);

}  // namespace polhode
