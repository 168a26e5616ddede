// JSON values read into C++ ones: what does not fit is noted with its place, what was expected and what was found.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <polhode/describe/field.hpp>
#include <polhode/describe/finding.hpp>

namespace polhode {

/// One value and the way to it: of the element that the reporter knows, in it `motion.functions[1]`.
struct JsonValue {
  const nlohmann::json& value;
  std::string key;
  Reporter& report;

  /// Notes that the value is not what was expected.
  bool expected(std::string_view what) const;
  bool error(const std::string& message) const;
  JsonValue entry(std::size_t k) const { return {value[k], fmt::format("{}[{}]", key, k), report}; }
  JsonValue at(const std::string& word) const {
    return {value.at(word), key.empty() ? word : key + "." + word, report};
  }
};

/// A value in a message: short ones as they stand.
std::string describe(const nlohmann::json& value);

// Each returns whether the value fits; if not, it was noted and the target is left alone.
bool read(const JsonValue& in, double& out);
bool read(const JsonValue& in, int& out);
bool read(const JsonValue& in, bool& out);
bool read(const JsonValue& in, std::string& out);
bool read(const JsonValue& in, Vec3& out);
bool read(const JsonValue& in, Vec6& out);
bool read(const JsonValue& in, Mat3& out);        ///< three rows
bool read(const JsonValue& in, Quaternion& out);  ///< a rotation in any of its forms
bool read(const JsonValue& in, std::vector<double>& out);
bool read(const JsonValue& in, Names& out);

}  // namespace polhode
