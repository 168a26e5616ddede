// What the checks of a model share: a reporter that knows the place in the document, and the geometry of the model pose.
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include <polhode/model/names.hpp>
#include <polhode/model/validate.hpp>

namespace polhode::checks {

/// The most errors for which a nearest name is looked up: a file of a hundred thousand wrong names is told so quickly.
constexpr std::size_t most_suggestions = 20;

inline std::string text(const Vec3& v) { return fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z()); }

/// Findings about one element; `place` is `joints[2] "elbow"`.
class Reporter {
 public:
  Reporter(Findings& findings, std::string place) : findings_(findings), place_(std::move(place)) {}

  template <class... Args>
  void error(fmt::format_string<Args...> format, Args&&... args) {
    findings_.errors.push_back(place_ + ": " + fmt::format(format, std::forward<Args>(args)...));
  }
  template <class... Args>
  void warning(fmt::format_string<Args...> format, Args&&... args) {
    findings_.warnings.push_back(place_ + ": warning: " + fmt::format(format, std::forward<Args>(args)...));
  }
  bool may_suggest() const { return findings_.errors.size() < most_suggestions; }

  /// True if the number is finite; otherwise an error.
  bool finite(std::string_view key, double value) {
    if (std::isfinite(value)) return true;
    error("{} is {}; it must be a finite number", key, value);
    return false;
  }
  bool finite(std::string_view key, const Vec3& value) {
    if (value.allFinite()) return true;
    error("{} is {}; its numbers must be finite", key, text(value));
    return false;
  }
  template <class T>
  bool finite(std::string_view key, const std::optional<T>& value) {
    return !value || finite(key, *value);
  }
  /// A vector that has a direction.
  bool direction(std::string_view key, const Vec3& value) {
    if (!finite(key, value)) return false;
    if (!value.isZero(0)) return true;
    error("{} is [0, 0, 0]; give a direction such as [0, 0, 1]", key);
    return false;
  }
  bool rotation(std::string_view key, const Quaternion& q) {
    if (std::abs(q.norm() - 1) <= 1e-6) return true;  // NaN does not pass
    error("{} is [{}, {}, {}, {}] with norm {}; a rotation has norm 1", key, q.w(), q.x(), q.y(), q.z(), q.norm());
    return false;
  }

 private:
  Findings& findings_;
  std::string place_;
};

/// `bodies[0] "top"`: where an element stands. An element that was given no name goes by its place.
inline std::string place(std::string_view list, std::size_t index, const std::string& name) {
  const std::string path = fmt::format("{}[{}]", list, index);
  return name.empty() || name == path ? path : fmt::format("{} \"{}\"", path, name);
}

/// The elements of one list by name, for references and duplicates. Of equal names the first counts.
class NameIndex {
 public:
  /// Checks the name and enters it; returns false for one that cannot stand.
  bool add(const std::string& name, std::size_t index, const std::string& where, Reporter& report);
  std::optional<std::size_t> find(const std::string& name) const;
  std::vector<std::string> all() const;

 private:
  struct Entry {
    std::size_t index;
    std::string where;
  };
  std::unordered_map<std::string, Entry> entries_;
};

/// Everything the checks look things up in.
struct Context {
  const Model& model;
  Findings& findings;
  NameIndex bodies, joints;

  /// The body of that name: null for the ground, and for a name that is not there, which is an error.
  const Body* body(std::string_view key, const std::string& name, Reporter& report) const;
  const Joint* joint(std::string_view key, const std::string& name, Reporter& report) const;
  /// As `body`, with nothing reported.
  const Body* find_body(const std::string& name) const;
};

bool has_orientation(const Body* body);  ///< the ground (null) has one
Quaternion orientation(const Body* body);

/// Where the origin of a body is at the model pose; for a scalar, its mass.
Vec3 origin(const Body* body);

/// The two bodies of a connection, or neither if their names do not say which.
struct Pair {
  const Body *a = nullptr, *b = nullptr;
  bool known = false;
};
Pair pair(const Context& context, const std::array<std::string, 2>& between, Reporter& report);

/// Both anchors of anything with `at`, `at_a`, `at_b`: never both ways, finite, and at the place of a particle.
template <class Element>
void anchors(const Element& element, const Pair& pair, Reporter& report);

/// The distance of the anchors at the model pose.
template <class Element>
double anchor_distance(const Element& element, const Pair& pair) {
  if (element.at) return 0;
  const Vec3 zero = Vec3::Zero();
  const Vec3 a = origin(pair.a) + orientation(pair.a) * element.at_a.value_or(zero);
  const Vec3 b = origin(pair.b) + orientation(pair.b) * element.at_b.value_or(zero);
  return (b - a).norm();
}

void function(const Function& f, const std::string& key, Reporter& report);

void bodies(Context& context);
void joints(Context& context, const JointPlaces& places);
void drives(Context& context);
void forces(Context& context);
void simulation(const SimulationOptions& options, Reporter& report);

template <class Element>
void anchors(const Element& element, const Pair& pair, Reporter& report) {
  report.finite("at", element.at);
  report.finite("at_a", element.at_a);
  report.finite("at_b", element.at_b);
  if (element.at && (element.at_a || element.at_b))
    report.error("both at and {} are given; at is one point in space for both bodies, at_a and at_b one in each",
                 element.at_a ? "at_a" : "at_b");
  if (!pair.known) return;
  const auto check = [&](const Body* body, const std::optional<Vec3>& own, const char* key) {
    if (has_orientation(body)) return;
    if (own && !own->isZero(0))
      report.error("{} is {}, but \"{}\" is a {}, which has no extent; leave {} out", key, text(*own), body->name,
                   name_of(body->type), key);
    else if (element.at && (*element.at - origin(body)).norm() > 1e-9 * (1 + origin(body).norm()))
      report.error("at is {}, but \"{}\" is a {} at {}; use at_a and at_b", text(*element.at), body->name,
                   name_of(body->type), text(origin(body)));
  };
  check(pair.a, element.at_a, "at_a");
  check(pair.b, element.at_b, "at_b");
}

}  // namespace polhode::checks
