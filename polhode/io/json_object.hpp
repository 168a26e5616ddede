// JSON values read into C++ ones: what does not fit is noted with its place, what was expected and what was found.
#pragma once

#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <polhode/model/names.hpp>

namespace polhode {

/// Which types of an element use a key; none listed: all of them.
struct KeyUse {
  std::string_view key;
  std::vector<std::string_view> types = {};
};

/// The errors found while reading, and the elements that they are about.
struct ReadLog {
  std::vector<std::string> errors;
  std::set<std::string> places;
  void add(const std::string& place, const std::string& message) {
    errors.push_back(place + ": " + message);
    places.insert(place);
  }
};

/// One value and the way to it: the element `drives[0] "motor"` and in it `motion.functions[1]`.
struct JsonValue {
  const nlohmann::json& value;
  std::string place, key;
  ReadLog& log;

  /// Notes that the value is not what was expected.
  bool expected(std::string_view what) const;
  void error(const std::string& message) const { log.add(place, key + " " + message); }
  JsonValue entry(std::size_t k) const { return {value[k], place, fmt::format("{}[{}]", key, k), log}; }
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
bool read(const JsonValue& in, std::array<std::string, 2>& out);

template <class T>
bool read(const JsonValue& in, std::optional<T>& out) {
  T value{};
  if (!read(in, value)) return false;
  out = value;
  return true;
}

template <class Enum>
  requires std::is_enum_v<Enum>
bool read(const JsonValue& in, Enum& out) {
  std::string word;
  if (!read(in, word)) return false;
  if (const auto value = from_name<Enum>(word)) {
    out = *value;
    return true;
  }
  const auto guess = nearest(word, all_names<Enum>());
  in.error(fmt::format("is {}; {}", describe(in.value),
                       guess ? fmt::format("did you mean \"{}\"?", *guess)
                             : fmt::format("there are: {}", fmt::join(all_names<Enum>(), ", "))));
  return false;
}

/// An object whose keys are read by name. `prefix` is the way to it within its element, "" or "newton.".
class JsonObject {
 public:
  JsonObject(const nlohmann::json& object, std::string place, std::string prefix, ReadLog& log)
      : object_(object), place_(std::move(place)), prefix_(std::move(prefix)), log_(log) {}

  bool has(const std::string& key) const { return object_.contains(key); }
  JsonValue at(const std::string& key) const { return {object_.at(key), place_, prefix_ + key, log_}; }
  const nlohmann::json& json() const { return object_; }
  const std::string& place() const { return place_; }
  void error(const std::string& message) const { log_.add(place_, message); }

  /// Reads a key that may be left out; true if it was there and fits.
  template <class T>
  bool may(const std::string& key, T& out) const {
    return has(key) && read(at(key), out);
  }
  /// Reads a key that is required.
  template <class T>
  bool must(const std::string& key, T& out, const char* such_as = "") const {
    if (!has(key)) error(fmt::format("{}{} is missing{}", prefix_, key, such_as));
    return may(key, out);
  }
  /// Refuses keys that are not in the table, or that this type does not use.
  void only(const std::vector<KeyUse>& table, std::string_view type = "") const;

 private:
  const nlohmann::json& object_;
  std::string place_, prefix_;
  ReadLog& log_;
};

}  // namespace polhode
