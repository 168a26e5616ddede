// The conversions of JSON values, and the check of an object's keys.
#include <polhode/io/json_object.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polhode {
namespace {

using nlohmann::json;

constexpr double rotation_tolerance = 1e-6;  // by how much typed digits may miss a rotation
constexpr double few_roundings = 8 * std::numeric_limits<double>::epsilon();

bool is_list_of_numbers(const json& value, std::size_t size) {
  return value.is_array() && value.size() == size &&
         std::all_of(value.begin(), value.end(), [](const json& x) { return x.is_number(); });
}

template <class Vector>
void copy(const json& list, Vector& out) {
  for (std::size_t k = 0; k < list.size(); ++k) out[k] = list[k].get<double>();
}

bool is_matrix(const json& value) {
  return value.is_array() && value.size() == 3 &&
         std::all_of(value.begin(), value.end(), [](const json& row) { return is_list_of_numbers(row, 3); });
}

// A quaternion that is unit to rounding stays as it is, so that what was written is what is read.
bool read_quaternion(const JsonValue& in, Quaternion& out) {
  std::array<double, 4> q;
  copy(in.value, q);
  const Quaternion given(q[0], q[1], q[2], q[3]);
  const double norm = given.norm();
  if (!(std::abs(norm - 1) <= rotation_tolerance)) {
    in.error(fmt::format("is {} with norm {}; a rotation is a quaternion [w, x, y, z] of norm 1", describe(in.value), norm));
    return false;
  }
  out = std::abs(given.squaredNorm() - 1) <= few_roundings ? given : given.normalized();
  return true;
}

bool read_rotation_matrix(const JsonValue& in, Quaternion& out) {
  Mat3 R;
  if (!read(in, R)) return false;
  const double error = (R.transpose() * R - Mat3::Identity()).cwiseAbs().maxCoeff();
  if (!(error <= rotation_tolerance) || R.determinant() < 0) {
    in.error(error <= rotation_tolerance ? std::string("is a reflection: its determinant is -1")
                                         : fmt::format("is a matrix that misses orthonormality by {:.3g}", error));
    return false;
  }
  out = Quaternion(R).normalized();
  return true;
}

bool read_axis_and_angle(const JsonValue& in, Quaternion& out) {
  static const std::vector<KeyUse> by_axis = {{"axis"}, {"angle"}}, by_vector = {{"rotation_vector"}};
  const JsonObject object(in.value, in.place, in.key + ".", in.log);
  Vec3 axis = Vec3::Zero();
  double angle = 0;
  if (object.has("rotation_vector")) {
    object.only(by_vector);
    if (!object.must("rotation_vector", axis)) return false;
    angle = axis.stableNorm();
  } else {
    object.only(by_axis);
    if (!object.must("axis", axis) | !object.must("angle", angle)) return false;  // both are looked at
    if (axis.isZero(0)) {
      in.error("has axis [0, 0, 0]; give a direction such as [0, 0, 1]");
      return false;
    }
  }
  out = angle == 0 ? Quaternion::Identity() : Quaternion(Eigen::AngleAxisd(angle, axis.stableNormalized())).normalized();
  return true;
}

}  // namespace

std::string describe(const json& value) {
  constexpr std::size_t longest = 60;
  if (value.is_object()) return "an object";
  if (value.is_array() && (value.size() > 6 || std::any_of(value.begin(), value.end(), [](const json& x) {
                             return x.is_structured();
                           })))
    return fmt::format("a list of {} entries", value.size());
  std::string text;
  if (value.is_array()) {
    for (const json& x : value) text += (text.empty() ? "" : ", ") + describe(x);
    text = "[" + text + "]";
  } else if (value.is_number_float()) {
    text = fmt::format("{}", value.get<double>());
  } else if (value.is_string() && value.get_ref<const std::string&>().size() > longest) {
    text = fmt::format("a text of {} bytes", value.get_ref<const std::string&>().size());
  } else {
    text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  }
  return text;
}

bool JsonValue::expected(std::string_view what) const {
  error(fmt::format("is {}; expected {}", describe(value), what));
  return false;
}

bool read(const JsonValue& in, double& out) {
  if (!in.value.is_number()) return in.expected("a number");
  out = in.value.get<double>();
  return true;
}

bool read(const JsonValue& in, int& out) {
  const double number = in.value.is_number() ? in.value.get<double>() : 0.5;
  if (number != std::floor(number) || std::abs(number) > 1e9) return in.expected("a whole number");
  out = int(number);
  return true;
}

bool read(const JsonValue& in, bool& out) {
  if (!in.value.is_boolean()) return in.expected("true or false");
  out = in.value.get<bool>();
  return true;
}

bool read(const JsonValue& in, std::string& out) {
  if (!in.value.is_string()) return in.expected("a text in quotes");
  out = in.value.get<std::string>();
  return true;
}

bool read(const JsonValue& in, Vec3& out) {
  if (!is_list_of_numbers(in.value, 3)) return in.expected("three numbers such as [0, 0, 1]");
  copy(in.value, out);
  return true;
}

bool read(const JsonValue& in, Vec6& out) {
  if (!is_list_of_numbers(in.value, 6)) return in.expected("six numbers: three along and three about the axes");
  copy(in.value, out);
  return true;
}

bool read(const JsonValue& in, Mat3& out) {
  if (!is_matrix(in.value)) return in.expected("three rows of three numbers");
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out(i, j) = in.value[i][j].get<double>();
  return true;
}

bool read(const JsonValue& in, Quaternion& out) {
  if (is_list_of_numbers(in.value, 4)) return read_quaternion(in, out);
  if (is_matrix(in.value)) return read_rotation_matrix(in, out);
  if (in.value.is_object()) return read_axis_and_angle(in, out);
  return in.expected("a rotation: [w, x, y, z], {\"axis\": [..], \"angle\": a}, {\"rotation_vector\": [..]} or a matrix");
}

bool read(const JsonValue& in, std::vector<double>& out) {
  if (!in.value.is_array()) return in.expected("a list of numbers");
  std::vector<double> numbers(in.value.size());
  for (std::size_t k = 0; k < numbers.size(); ++k)
    if (!read(in.entry(k), numbers[k])) return false;
  out = std::move(numbers);
  return true;
}

bool read(const JsonValue& in, std::array<std::string, 2>& out) {
  if (!in.value.is_array() || in.value.size() != 2 || !in.value[0].is_string() || !in.value[1].is_string())
    return in.expected("two names such as [\"ground\", \"arm\"]");
  out = {in.value[0].get<std::string>(), in.value[1].get<std::string>()};
  return true;
}

void JsonObject::only(const std::vector<KeyUse>& table, std::string_view type) const {
  const auto used = [&](const KeyUse& use) {
    return type.empty() || use.types.empty() || std::find(use.types.begin(), use.types.end(), type) != use.types.end();
  };
  for (const auto& [key, value] : object_.items()) {
    const auto entry = std::find_if(table.begin(), table.end(), [&key = key](const KeyUse& use) { return use.key == key; });
    if (entry != table.end() && used(*entry)) continue;
    if (entry != table.end()) {
      error(fmt::format("{}{} is not used by type \"{}\"; it belongs to {}", prefix_, key, type,
                        fmt::join(entry->types, ", ")));
      continue;
    }
    std::vector<std::string> known;
    for (const KeyUse& use : table)
      if (used(use)) known.emplace_back(use.key);
    const std::string hint = did_you_mean(key, known);
    const std::string shown = key.size() > 60 ? key.substr(0, 57) + "..." : key;
    error(fmt::format("unknown key \"{}{}\"{}", prefix_, shown,
                      hint.empty() ? fmt::format("; known are {}", fmt::join(known, ", ")) : hint));
  }
}

}  // namespace polhode
