// How values of one C++ type are read, written, checked and described. A new type of field is one of these, and nothing
// else.
#pragma once

#include <optional>

#include <polhode/describe/json_value.hpp>

namespace polhode {

using Json = nlohmann::ordered_json;

struct ValueType {
  bool (*read)(const JsonValue& in, const FieldInfo& field, void* to);
  Json (*write)(const FieldInfo& field, const void* from);  ///< null: it is not given
  Json (*schema)(const FieldInfo& field);
  std::string_view python;  ///< its type in Python
  void (*check)(const FieldInfo& field, const void* from, const std::string& key, Reporter& report) = nullptr;
  /// Options that only the value itself knows, `integrator.rho_inf`: reads the one of that word.
  bool (*read_option)(const JsonValue& in, const std::string& word, void* to) = nullptr;
};

/// A number against what its field allows.
void check_number(const FieldInfo& field, double value, const std::string& key, Reporter& report);

/// A word as it stands in files: as a number if it is a numeral.
Json word_json(const Word& word);

/// Schema of a number, with what its field allows.
Json number_schema(const FieldInfo& field, const char* type = "number");

/// A definition that all schemas share: "#/$defs/vector".
Json reference_to(const char* definition);

}  // namespace polhode
