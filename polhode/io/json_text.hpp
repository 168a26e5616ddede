// JSON values as text for people: what fits on one line stays on one line, numbers have the fewest digits that give
// them back.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace polhode {

struct JsonStyle {
  std::size_t columns = 110;
  bool spaced = true;  ///< { "a": 1 } rather than {"a": 1}
};

/// Throws ModelError for a number that JSON cannot hold (NaN, infinity).
std::string json_text(const nlohmann::ordered_json& value, const JsonStyle& style = {}, std::size_t indent = 0);

}  // namespace polhode
