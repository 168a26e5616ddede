// What the checks of an element may ask: the model, its names, the geometry of the model pose; findings go to the
// element's place.
#pragma once

#include <unordered_map>

#include <polhode/describe/finding.hpp>
#include <polhode/model/model.hpp>

namespace polhode {

/// The elements of one list by name, for references and duplicates. Of equal names the first counts.
class NameIndex {
 public:
  /// Checks the name and enters it; returns false for one that cannot stand.
  bool add(const std::string& name, std::size_t index, Reporter& report);
  std::optional<std::size_t> find(const std::string& name) const;
  std::vector<std::string> all() const;

 private:
  struct Entry {
    std::size_t index;
    std::string where;
  };
  std::unordered_map<std::string, Entry> entries_;
};

/// The two bodies of a connection; `known` unless a name is wrong. Null is the ground.
struct BodyPair {
  const Body *a = nullptr, *b = nullptr;
  bool known = false;
};

bool has_orientation(const Body* body);  ///< the ground (null) has one
Quaternion orientation(const Body* body);
/// Where the origin of a body is at the model pose; for a scalar, its mass.
Vec3 origin(const Body* body);

/// The check of one element.
class Check : public Reporter {
 public:
  struct Names {
    NameIndex bodies, joints;
  };
  Check(const Model& model, const Names& names, Findings& findings, ElementPlace place)
      : Reporter(findings, std::move(place)), model_(model), names_(names) {}

  const Model& model() const { return model_; }

  /// The body of that name: null for the ground, and for a name that is not there, which is an error.
  const Body* body(const std::string& field, const std::string& name);
  const Joint* joint(const std::string& field, const std::string& name);

  /// Bodies and anchors of the element: never both ways, and at the place of a particle. Sets `bodies`.
  void anchors(const Anchors& anchors);
  /// The bodies of the element, as `anchors` found them.
  const BodyPair& bodies() const { return bodies_; }
  /// An axis in space for both, or one in each body; one alone serves both.
  void axis(const Anchors& anchors);
  /// Are the anchors one point at the model pose?
  bool anchors_coincide(const Anchors& anchors) const;
  /// Two axes, each in its body, with a cosine of at most `most` at the model pose.
  void perpendicular(const Vec3& axis_a, const Vec3& axis_b, double most, std::string_view what);

  void needs_orientation(const Body* body, std::string_view what);
  /// The joint of that name, if it leaves the coordinate free for `what`; `instead` says what to use where it is kept.
  const Joint* free_coordinate(const std::string& field, const std::string& joint, Coordinate wanted,
                               std::string_view what, std::string_view instead = {});
  /// A coordinate of a joint, or the distance of two points if `joint` is empty.
  void coordinate(const std::string& joint, const Anchors& anchors, Coordinate wanted, std::string_view what);

  /// The body that a load acts on, and whether it has a vector or three functions; null if it cannot stand.
  const Body* load(const std::string& body, std::string_view what, bool has_vector, std::size_t functions);
  /// A body without extent has no other point than its place.
  void no_extent(const std::string& field, const std::optional<Vec3>& point, const Body* body);

 private:
  const Model& model_;
  const Names& names_;
  BodyPair bodies_;
};

}  // namespace polhode
