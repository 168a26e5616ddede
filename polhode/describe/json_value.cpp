// The conversions of JSON values.
#include <polhode/describe/json_value.hpp>

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
  if (!(std::abs(norm - 1) <= rotation_tolerance))
    return in.error(
        fmt::format("is {} with norm {}; a rotation is a quaternion [w, x, y, z] of norm 1", describe(in.value), norm));
  out = std::abs(given.squaredNorm() - 1) <= few_roundings ? given : given.normalized();
  return true;
}

bool read_rotation_matrix(const JsonValue& in, Quaternion& out) {
  Mat3 R;
  if (!read(in, R)) return false;
  const double error = (R.transpose() * R - Mat3::Identity()).cwiseAbs().maxCoeff();
  if (!(error <= rotation_tolerance))
    return in.error(fmt::format("is a matrix that misses orthonormality by {:.3g}", error));
  if (R.determinant() < 0) return in.error("is a reflection: its determinant is -1");
  out = Quaternion(R).normalized();
  return true;
}

// {"axis": [..], "angle": a} or {"rotation_vector": [..]}, and nothing else.
bool read_axis_and_angle(const JsonValue& in, Quaternion& out) {
  const bool by_vector = in.value.contains("rotation_vector");
  const std::vector<std::string> known =
      by_vector ? std::vector<std::string>{"rotation_vector"} : std::vector<std::string>{"axis", "angle"};
  for (const auto& [key, value] : in.value.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      return in.error(fmt::format("has the key \"{}\"; known are {}", key, fmt::join(known, ", ")));
  for (const std::string& key : known)
    if (!in.value.contains(key))
      return in.error(fmt::format("lacks {}; a rotation about an axis has axis and angle", key));
  Vec3 axis = Vec3::Zero();
  if (!read(in.at(known[0]), axis)) return false;
  double angle = axis.stableNorm();
  if (!by_vector && !read(in.at("angle"), angle)) return false;
  if (!by_vector && axis.isZero(0)) return in.error("has axis [0, 0, 0]; give a direction such as [0, 0, 1]");
  out =
      angle == 0 ? Quaternion::Identity() : Quaternion(Eigen::AngleAxisd(angle, axis.stableNormalized())).normalized();
  return true;
}

}  // namespace

std::string describe(const json& value) {
  constexpr std::size_t longest = 60;
  if (value.is_object()) return "an object";
  if (value.is_array() &&
      (value.size() > 6 || std::any_of(value.begin(), value.end(), [](const json& x) { return x.is_structured(); })))
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

bool JsonValue::error(const std::string& message) const {
  report.error(key, key.empty() ? message : key + " " + message);
  return false;
}

bool JsonValue::expected(std::string_view what) const {
  return error(fmt::format("is {}; expected {}", describe(value), what));
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
  return in.expected(
      "a rotation: [w, x, y, z], {\"axis\": [..], \"angle\": a}, {\"rotation_vector\": [..]} or a matrix");
}

bool read(const JsonValue& in, std::vector<double>& out) {
  if (!in.value.is_array()) return in.expected("a list of numbers");
  std::vector<double> numbers(in.value.size());
  for (std::size_t k = 0; k < numbers.size(); ++k)
    if (!read(in.entry(k), numbers[k])) return false;
  out = std::move(numbers);
  return true;
}

bool read(const JsonValue& in, Names& out) {
  if (!in.value.is_array() || in.value.size() != 2 || !in.value[0].is_string() || !in.value[1].is_string())
    return in.expected("two names such as [\"ground\", \"arm\"]");
  out = {in.value[0].get<std::string>(), in.value[1].get<std::string>()};
  return true;
}

}  // namespace polhode
