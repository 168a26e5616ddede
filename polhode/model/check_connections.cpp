// The checks of what connects bodies: joints, couplings of joints, drives, forces.
#include <algorithm>
#include <map>

#include <polhode/model/checks.hpp>

namespace polhode::checks {
namespace {

constexpr double coincident = 1e-12;  // anchors nearer than this are one point [m]

enum class Axis { none, of_both, of_a, of_each };  // what a connection needs

Axis axis_of(Joint::Type type) {
  using Type = Joint::Type;
  switch (type) {
    case Type::revolute:
    case Type::cylindrical:
    case Type::prismatic:
    case Type::planar:
    case Type::screw: return Axis::of_both;
    case Type::point_on_line:
    case Type::point_on_plane: return Axis::of_a;
    case Type::universal: return Axis::of_each;
    default: return Axis::none;
  }
}

// `axis` in space for both, or `axis_a` and `axis_b` in the bodies (one alone gives the other), as the need is.
template <class Element>
void axes(const Element& e, Axis need, std::string_view what, Reporter& report) {
  bool sound = true;
  if (e.axis) sound &= report.direction("axis", *e.axis);
  if (e.axis_a) sound &= report.direction("axis_a", *e.axis_a);
  if (e.axis_b) sound &= report.direction("axis_b", *e.axis_b);
  if (!sound) return;

  const bool own = e.axis_a || e.axis_b;
  if (e.axis && own && need != Axis::none && need != Axis::of_each)
    return report.error("both axis and {} are given; axis is a direction in space for both bodies, axis_a and axis_b "
                        "one in each", e.axis_a ? "axis_a" : "axis_b");
  switch (need) {
    case Axis::none:
      if (e.axis || own) report.error("an axis is not used by {}", what);
      break;
    case Axis::of_both:
      if (!e.axis && !own) report.error("axis is missing; give a direction in space such as [0, 0, 1]");
      break;
    case Axis::of_a:
      if (e.axis_b) report.error("axis_b is not used by {}; its direction is fixed to the first body", what);
      else if (!e.axis && !e.axis_a) report.error("axis is missing; give a direction in space such as [0, 0, 1]");
      break;
    case Axis::of_each:
      if (e.axis) report.error("axis is not used by {}; give axis_a and axis_b, perpendicular to each other", what);
      else if (!e.axis_a || !e.axis_b)
        report.error("{} is missing; {} needs axis_a and axis_b, perpendicular to each other",
                     e.axis_a ? "axis_b" : "axis_a", what);
      break;
  }
}

void needs_orientation(const Body* body, std::string_view what, Reporter& report) {
  if (!has_orientation(body))
    report.error("\"{}\" is a {}, which has no orientation for {}", body->name, name_of(body->type), what);
}

void universal_axes(const Context& context, const Joint& joint, const Pair& pair, Reporter& report) {
  if (!pair.known || !joint.axis_a || !joint.axis_b || joint.axis_a->isZero(0) || joint.axis_b->isZero(0)) return;
  const bool exact = context.model.simulation.assembly == SimulationOptions::Assembly::strict;
  const Vec3 u = orientation(pair.a) * joint.axis_a->normalized(), v = orientation(pair.b) * joint.axis_b->normalized();
  const double cosine = u.dot(v);
  if (!(std::abs(cosine) <= (exact ? 1e-6 : 0.99)))  // a projection turns them, unless they are parallel
    report.error("axis_a and axis_b stand at {:.4f} degrees at the model pose; a universal joint's are perpendicular",
                 std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / M_PI);
}

void joint(const Context& context, const Joint& joint, Reporter& report) {
  using Type = Joint::Type;
  const Pair bodies = pair(context, joint.between, report);
  const std::string what = fmt::format("a {} joint", name_of(joint.type));
  anchors(joint, bodies, report);
  axes(joint, axis_of(joint.type), what, report);

  const bool points_only = joint.type == Type::spherical || joint.type == Type::rod;
  if (bodies.known && !points_only) {
    needs_orientation(bodies.a, what, report);
    if (axis_of(joint.type) != Axis::of_a) needs_orientation(bodies.b, what, report);
  }
  if (joint.type == Type::universal) universal_axes(context, joint, bodies, report);
  if (joint.type == Type::screw) report.finite("pitch", joint.pitch);
  if (joint.type == Type::rod && report.finite("length", joint.length)) {
    if (joint.length && *joint.length <= 0)
      report.error("length is {}; give a length > 0 m, or use a spherical joint for coincident points", *joint.length);
    else if (!joint.length && bodies.known && anchor_distance(joint, bodies) < coincident)
      report.error("the anchors coincide at the model pose, so the rod has length 0; use a spherical joint, or give "
                   "at_a and at_b apart");
  }
}

void coupling(const Context& context, const Coupling& coupling, Reporter& report) {
  const auto must_be = [&](std::size_t k, std::initializer_list<Joint::Type> types, const char* wanted) {
    const Joint* joint = context.joint(fmt::format("joints[{}]", k), coupling.joints[k], report);
    if (joint && std::find(types.begin(), types.end(), joint->type) == types.end())
      report.error("joints[{}]: \"{}\" is a {} joint; a {} needs a {} one there", k, joint->name, name_of(joint->type),
                   name_of(coupling.type), wanted);
  };
  using Type = Joint::Type;
  if (coupling.joints[0] == coupling.joints[1]) report.error("joints names \"{}\" twice", coupling.joints[0]);
  const bool gear = coupling.type == Coupling::Type::gear;
  if (gear) must_be(0, {Type::revolute, Type::cylindrical}, "revolute or cylindrical");
  else must_be(0, {Type::prismatic, Type::cylindrical}, "prismatic or cylindrical");
  must_be(1, {Type::revolute, Type::cylindrical}, "revolute or cylindrical");
  const double factor = gear ? coupling.ratio : coupling.radius;
  const char* key = gear ? "ratio" : "radius";
  if (report.finite(key, factor) && factor == 0) report.error("{} is 0, which ties nothing together", key);
}

// A coordinate that the joint leaves free.
void check_coordinate(const Joint& joint, Coordinate wanted, std::string_view what, Reporter& report) {
  const auto free = free_coordinates(joint.type);
  if (std::find(free.begin(), free.end(), wanted) != free.end()) return;
  std::vector<std::string_view> words;
  for (Coordinate c : free) words.push_back(name_of(c));
  if (joint.type == Joint::Type::rod)
    report.error("joint \"{}\" is a rod, whose length is fixed; {}", joint.name,
                 what == "drive" ? "leave the rod out and use a drive of type length between its bodies"
                                 : "leave the rod out and use a spring-damper or a force");
  else if (words.empty())
    report.error("joint \"{}\" is a {} joint, which has no {} for a {}", joint.name, name_of(joint.type), name_of(wanted),
                 what);
  else
    report.error("joint \"{}\" is a {} joint, which has no {} for a {}; it has: {}", joint.name, name_of(joint.type),
                 name_of(wanted), what, fmt::join(words, ", "));
}

void drive(const Context& context, const Drive& drive, Reporter& report) {
  function(drive.motion, "motion", report);
  const bool by_pair = !drive.between[0].empty() || !drive.between[1].empty();
  if (!drive.joint.empty()) {
    if (by_pair) report.error("both joint and between are given; a drive needs one of them");
    if (drive.at || drive.at_a || drive.at_b || drive.axis || drive.axis_a || drive.axis_b)
      report.error("anchors and axes are those of joint \"{}\"; leave them out", drive.joint);
    if (const Joint* joint = context.joint("joint", drive.joint, report))
      check_coordinate(*joint, drive.type, "drive", report);
    return;
  }
  if (!by_pair) return report.error("joint is missing; name a joint, or two bodies by between");
  const Pair bodies = pair(context, drive.between, report);
  anchors(drive, bodies, report);
  const std::string what = fmt::format("a drive of type {}", name_of(drive.type));
  axes(drive, drive.type == Coordinate::length ? Axis::none : Axis::of_both, what, report);
  if (!bodies.known || drive.type == Coordinate::length) return;
  needs_orientation(bodies.a, what, report);  // its axis is carried by a
  if (drive.type == Coordinate::angle) needs_orientation(bodies.b, what, report);
}

void load(const Context& context, const Force& force, Reporter& report) {
  const char* kind = force.type == Force::Type::torque ? "torque" : "force";
  if (force.body == "ground") return report.error("body is \"ground\", which no {} moves", kind);
  const Body* body = context.body("body", force.body, report);
  const std::size_t count = force.functions.size();
  if (count != 0 && count != 1 && count != 3) report.error("function has {} entries; give one, or three", count);
  if (count == 3 && !force.vector.isZero(0))
    report.error("vector and a list of three functions are given; a {} needs one of them", kind);
  report.finite("vector", force.vector);
  report.finite("at", force.at_a);
  if (!body || has_orientation(body)) return;
  if (force.type == Force::Type::torque) needs_orientation(body, "a torque", report);
  if (force.follower) needs_orientation(body, "a follower", report);
  if (force.at_a && !force.at_a->isZero(0))
    report.error("at is {}, but \"{}\" is a {}, which has no extent; leave it out", text(*force.at_a), body->name,
                 name_of(body->type));
}

void not_negative(const char* key, double value, Reporter& report) {
  if (report.finite(key, value) && value < 0) report.warning("{} is {}; a negative one feeds energy", key, value);
}

void spring(const Context& context, const Force& force, Reporter& report) {
  const Pair bodies = pair(context, force.between, report);
  anchors(force, bodies, report);
  not_negative("stiffness", force.stiffness, report);
  not_negative("damping", force.damping, report);
  if (!report.finite("length", force.length) || !force.length) return;
  if (*force.length < 0) report.error("length is {}; give a natural length >= 0 m", *force.length);
  else if (*force.length > 0 && bodies.known && anchor_distance(force, bodies) < coincident)
    report.warning("the anchors coincide at the model pose, where a spring of length {} has no direction", *force.length);
}

void bushing(const Context& context, const Force& force, Reporter& report) {
  const Pair bodies = pair(context, force.between, report);
  anchors(force, bodies, report);
  report.rotation("frame", force.frame);
  if (bodies.known) needs_orientation(bodies.a, "a bushing", report);
  if (bodies.known) needs_orientation(bodies.b, "a bushing", report);
  for (int k = 0; k < 6; ++k) {
    not_negative(fmt::format("stiffness[{}]", k).c_str(), force.stiffnesses[k], report);
    not_negative(fmt::format("damping[{}]", k).c_str(), force.dampings[k], report);
  }
}

void torsional_spring(const Context& context, const Force& force, Reporter& report) {
  not_negative("stiffness", force.stiffness, report);
  not_negative("damping", force.damping, report);
  report.finite("angle", force.angle);
  const Joint* joint = context.joint("joint", force.joint, report);
  if (!joint) return;
  using Type = Joint::Type;
  if (joint->type != Type::revolute && joint->type != Type::cylindrical && joint->type != Type::screw)
    report.error("joint \"{}\" is a {} joint; a torsional-spring-damper needs a revolute, cylindrical or screw one",
                 joint->name, name_of(joint->type));
}

void joint_force(const Context& context, const Force& force, Reporter& report) {
  if (force.functions.size() != 1) report.error("function is missing; a joint-force needs exactly one");
  if (const Joint* joint = context.joint("joint", force.joint, report))
    check_coordinate(*joint, force.coordinate, "joint-force", report);
}

/// A coordinate of a joint, or the distance of two points.
void computed_coordinate(const Context& context, const Force& force, const char* what, Reporter& report) {
  if (!force.joint.empty()) {
    if (!force.between[0].empty()) report.error("both joint and between are given; a {} needs one of them", what);
    if (const Joint* joint = context.joint("joint", force.joint, report)) check_coordinate(*joint, force.coordinate, what, report);
    return;
  }
  if (force.between[0].empty() && force.between[1].empty()) return report.error("joint is missing; name a joint, or two bodies by between");
  if (force.coordinate != Coordinate::length)
    report.error("coordinate is {}, which needs a joint; between two bodies it can be length", name_of(force.coordinate));
  anchors(force, pair(context, force.between, report), report);
}

void potential(const Context& context, const Force& force, Reporter& report) {
  if (!force.potential || !force.potential->energy) return report.error("energy is missing; give a function of the coordinate");
  if (!force.potential->gradient) return report.error("gradient is missing; give the derivative of the energy");
  if (force.potential->of == ComputedPotential::Of::coordinate) return computed_coordinate(context, force, "potential", report);
  const Pair bodies = pair(context, force.between, report);
  anchors(force, bodies, report);
  report.rotation("frame", force.frame);
  if (!bodies.known) return;
  needs_orientation(bodies.a, "a potential of point or pose", report);
  if (force.potential->of == ComputedPotential::Of::pose) needs_orientation(bodies.b, "a potential of pose", report);
}

void computed_load(const Context& context, const Force& force, Reporter& report) {
  if (!force.load || !(force.load->wrench || force.load->on_coordinate)) return report.error("function is missing");
  if (force.load->wrench) load(context, force, report);
  else computed_coordinate(context, force, "load", report);
}

}  // namespace

void joints(Context& context, const JointPlaces& places) {
  const auto& [joints, couplings] = std::tie(context.model.joints, context.model.couplings);
  const auto add = [&](const std::string& name, std::size_t index, const std::vector<std::size_t>& in_document,
                       std::size_t k) {
    const std::string where = place("joints", k < in_document.size() ? in_document[k] : index, name);
    Reporter report(context.findings, where);
    context.joints.add(name, index, where, report);
    return report;
  };
  for (std::size_t k = 0; k < joints.size(); ++k) {
    Reporter report = add(joints[k].name, k, places.joints, k);
    joint(context, joints[k], report);
  }
  std::vector<Reporter> reports;
  for (std::size_t k = 0; k < couplings.size(); ++k)
    reports.push_back(add(couplings[k].name, joints.size() + k, places.couplings, k));
  for (std::size_t k = 0; k < couplings.size(); ++k) coupling(context, couplings[k], reports[k]);
}

void drives(Context& context) {
  NameIndex names;
  std::map<std::pair<std::string, Coordinate>, std::string> driven;
  for (std::size_t k = 0; k < context.model.drives.size(); ++k) {
    const Drive& one = context.model.drives[k];
    const std::string where = place("drives", k, one.name);
    Reporter report(context.findings, where);
    names.add(one.name, k, where, report);
    drive(context, one, report);
    if (one.joint.empty()) continue;
    const auto [first, added] = driven.try_emplace({one.joint, one.type}, where);
    if (!added) report.error("the {} of joint \"{}\" is driven by {} already", name_of(one.type), one.joint, first->second);
  }
}

void forces(Context& context) {
  NameIndex names;
  for (std::size_t k = 0; k < context.model.forces.size(); ++k) {
    const Force& force = context.model.forces[k];
    const std::string where = place("forces", k, force.name);
    Reporter report(context.findings, where);
    names.add(force.name, k, where, report);
    for (std::size_t i = 0; i < force.functions.size(); ++i)
      function(force.functions[i], force.functions.size() == 1 ? "function" : fmt::format("function[{}]", i), report);
    switch (force.type) {
      case Force::Type::spring_damper: spring(context, force, report); break;
      case Force::Type::torsional_spring_damper: torsional_spring(context, force, report); break;
      case Force::Type::bushing: bushing(context, force, report); break;
      case Force::Type::force:
      case Force::Type::torque: load(context, force, report); break;
      case Force::Type::joint_force: joint_force(context, force, report); break;
      case Force::Type::computed_potential: potential(context, force, report); break;
      case Force::Type::computed_load: computed_load(context, force, report); break;
    }
  }
}

}  // namespace polhode::checks
