// Names, anchors and coordinates: what the checks of all connections share.
#include <polhode/model/check.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace polhode {
namespace {

constexpr double coincident = 1e-12;  // anchors nearer than this are one point [m]

}  // namespace

bool NameIndex::add(const std::string& name, std::size_t index, Reporter& report) {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (name.empty()) {
    report.error("name", "name is empty");
  } else if (name == "ground") {
    report.error("name", "name is \"ground\", which means what does not move; choose another");
  } else if (name == "." || name.find('/') != std::string::npos || std::any_of(name.begin(), name.end(), control)) {
    report.error("name", "name holds a slash or a control character, or is a dot; names are paths in result files");
  } else if (const auto [entry, added] = entries_.try_emplace(name, Entry{index, to_text(report.place())}); !added) {
    report.error("name", fmt::format("name is taken by {}; names are unique within a list", entry->second.where));
  } else {
    return true;
  }
  return false;
}

std::optional<std::size_t> NameIndex::find(const std::string& name) const {
  const auto entry = entries_.find(name);
  return entry == entries_.end() ? std::nullopt : std::optional(entry->second.index);
}

std::vector<std::string> NameIndex::all() const {
  std::vector<std::string> all;
  for (const auto& [name, entry] : entries_) all.push_back(name);
  std::sort(all.begin(), all.end());  // of equally near names the same one is suggested every time
  return all;
}

bool has_orientation(const Body* body) {
  return !body || body->type == Body::Type::rigid || body->type == Body::Type::fixed_point;
}

Quaternion orientation(const Body* body) {
  return body && has_orientation(body) ? body->orientation : Quaternion::Identity();
}

Vec3 origin(const Body* body) {
  if (!body) return Vec3::Zero();
  if (body->type != Body::Type::scalar) return body->position;
  return body->position + body->coordinate * body->axis.normalized();
}

const Body* Check::body(const std::string& field, const std::string& name) {
  if (name == "ground") return nullptr;
  if (const auto index = names_.bodies.find(name)) return &model_.bodies[*index];
  std::vector<std::string> candidates;
  if (may_suggest()) candidates = names_.bodies.all(), candidates.push_back("ground");
  error(field, fmt::format("{}: there is no body \"{}\"{}", field, name, did_you_mean(name, candidates)));
  return nullptr;
}

const Joint* Check::joint(const std::string& field, const std::string& name) {
  const auto index = names_.joints.find(name);
  if (index && *index < model_.joints.size()) return &model_.joints[*index];
  if (index)
    error(field, fmt::format("{}: \"{}\" is a coupling of joints; name one of its joints", field, name));
  else
    error(field, fmt::format("{}: there is no joint \"{}\"{}", field, name,
                             may_suggest() ? did_you_mean(name, names_.joints.all()) : std::string()));
  return nullptr;
}

void Check::anchors(const Anchors& e) {
  bodies_ = {};
  const polhode::Names& between = e.between;
  if (between[0] == between[1]) {
    error("between", fmt::format("between is [\"{0}\", \"{0}\"]; name two different bodies{1}", between[0],
                                 between[0] == "ground" ? ", one of which moves" : ""));
  } else {
    bodies_.a = body("between[0]", between[0]);
    bodies_.b = body("between[1]", between[1]);
    bodies_.known = (bodies_.a || between[0] == "ground") && (bodies_.b || between[1] == "ground");
  }
  if (e.at && (e.at_a || e.at_b))
    error("at",
          fmt::format("both at and {} are given; at is one point in space for both bodies, at_a and at_b one in each",
                      e.at_a ? "at_a" : "at_b"));
  if (!bodies_.known) return;
  const auto check = [&](const Body* body, const std::optional<Vec3>& own, const char* field) {
    no_extent(field, own, body);
    if (!has_orientation(body) && e.at && (*e.at - origin(body)).norm() > 1e-9 * (1 + origin(body).norm()))
      error("at", fmt::format("at is {}, but \"{}\" is a {} at {}; use at_a and at_b", to_text(*e.at), body->name,
                              name_of(body->type), to_text(origin(body))));
  };
  check(bodies_.a, e.at_a, "at_a");
  check(bodies_.b, e.at_b, "at_b");
}

void Check::no_extent(const std::string& field, const std::optional<Vec3>& point, const Body* body) {
  if (!has_orientation(body) && point && !point->isZero(0))
    error(field, fmt::format("{} is {}, but \"{}\" is a {}, which has no extent; leave {} out", field, to_text(*point),
                             body->name, name_of(body->type), field));
}

void Check::axis(const Anchors& e) {
  const bool own = e.axis_a || e.axis_b;
  if (e.axis && own)
    error("axis",
          fmt::format(
              "both axis and {} are given; axis is a direction in space for both bodies, axis_a and axis_b one in each",
              e.axis_a ? "axis_a" : "axis_b"));
  if (!e.axis && !own) error("axis", "axis is missing; give a direction in space such as [0, 0, 1]");
}

bool Check::anchors_coincide(const Anchors& e) const {
  if (!bodies_.known) return false;
  if (e.at) return true;
  const Vec3 zero = Vec3::Zero();
  const Vec3 a = origin(bodies_.a) + orientation(bodies_.a) * e.at_a.value_or(zero),
             b = origin(bodies_.b) + orientation(bodies_.b) * e.at_b.value_or(zero);
  return (b - a).norm() < coincident;
}

void Check::perpendicular(const Vec3& axis_a, const Vec3& axis_b, double most, std::string_view what) {
  if (!bodies_.known) return;
  const Vec3 u = orientation(bodies_.a) * axis_a.normalized(), v = orientation(bodies_.b) * axis_b.normalized();
  const double cosine = u.dot(v);
  if (!(std::abs(cosine) <= most))
    error("axis_a", fmt::format("axis_a and axis_b stand at {:.4f} degrees at the model pose; {}'s are perpendicular",
                                std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / std::numbers::pi, what));
}

void Check::needs_orientation(const Body* body, std::string_view what) {
  if (!has_orientation(body))
    error(fmt::format("\"{}\" is a {}, which has no orientation for {}", body->name, name_of(body->type), what));
}

const Joint* Check::free_coordinate(const std::string& field, const std::string& name, Coordinate wanted,
                                    std::string_view what, std::string_view instead) {
  const Joint* const found = joint(field, name);
  if (!found || found->kind().free.has(wanted)) return found;
  const JointKind& kind = found->kind();
  std::vector<std::string_view> free;
  for (const Coordinate one : kind.free) free.push_back(name_of(one));
  if (kind.keeps && !instead.empty())
    error(field, fmt::format("joint \"{}\" is a {}, whose {} is fixed; leave the {} out and use {}", name, kind.word,
                             name_of(*kind.keeps), kind.word, instead));
  else
    error(field, fmt::format("joint \"{}\" is a {} joint, which has no {} for a {}{}{}", name, kind.word,
                             name_of(wanted), what, free.empty() ? "" : "; it has: ", fmt::join(free, ", ")));
  return nullptr;
}

void Check::coordinate(const std::string& joint, const Anchors& e, Coordinate wanted, std::string_view what) {
  if (!joint.empty()) {
    if (!e.between[0].empty())
      error("between", fmt::format("both joint and between are given; a {} needs one of them", what));
    free_coordinate("joint", joint, wanted, what, "a spring-damper or a force");
    return;
  }
  if (e.between[0].empty() && e.between[1].empty())
    return error("joint", "joint is missing; name a joint, or two bodies by between");
  if (wanted != Coordinate::length)
    error("coordinate",
          fmt::format("coordinate is {}, which needs a joint; between two bodies it can be length", name_of(wanted)));
  anchors(e);
}

const Body* Check::load(const std::string& name, std::string_view what, bool has_vector, std::size_t functions) {
  if (functions == 3 && has_vector)
    error("vector", fmt::format("vector and a list of three functions are given; a {} needs one of them", what));
  if (functions != 3 && !has_vector) error("vector", "vector is missing; give it, or function as a list of three");
  if (name != "ground") return body("body", name);
  error("body", fmt::format("body is \"ground\", which no {} moves", what));
  return nullptr;
}

}  // namespace polhode
