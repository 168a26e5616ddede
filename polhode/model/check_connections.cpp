// The checks of what connects bodies: joints, couplings of joints, drives, forces. What is particular to a kind, it
// checks itself.
#include <map>

#include <fmt/format.h>

#include <polhode/describe/object.hpp>
#include <polhode/model/checks.hpp>

namespace polhode::checks {
namespace {

void check_joint(const Joint& joint, Check& check) {
  const JointKind& kind = joint.kind();
  const Anchors anchors = joint.anchors();
  const std::size_t before = check.count();
  check_object(kind, joint.data(), check);
  const bool sound = check.count() == before;
  check.anchors(anchors);
  const BodyPair& bodies = check.bodies();
  if (sound && kind.find("axis")) check.axis(anchors);
  const std::string what = fmt::format("a {} joint", kind.word);
  if (bodies.known && kind.turning != Turning::neither) check.needs_orientation(bodies.a, what);
  if (bodies.known && kind.turning == Turning::both) check.needs_orientation(bodies.b, what);
  if (sound && kind.check) kind.check(joint.data(), check);
}

void check_coupling(const Coupling& coupling, Check& check) {
  const CouplingKind& kind = coupling.kind();
  if (coupling.joints()[0] == coupling.joints()[1])
    check.error("joints", fmt::format("joints names \"{}\" twice", coupling.joints()[0]));
  check_object(kind, coupling.data(), check);
  if (kind.check) kind.check(coupling.data(), check);
}

void check_drive(const Drive& drive, Check& check) {
  const std::size_t before = check.count();
  check_object(kind<Drive>, &drive, check);
  const bool sound = check.count() == before, by_pair = !drive.between[0].empty() || !drive.between[1].empty();
  const Anchors anchors = anchors_of(drive);
  if (!drive.joint.empty()) {
    if (by_pair) check.error("between", "both joint and between are given; a drive needs one of them");
    if (anchors.at || anchors.at_a || anchors.at_b || anchors.axis || anchors.axis_a || anchors.axis_b)
      check.error(fmt::format("anchors and axes are those of joint \"{}\"; leave them out", drive.joint));
    check.free_coordinate("joint", drive.joint, drive.type, "drive", "a drive of type length between its bodies");
    return;
  }
  if (!by_pair) return check.error("joint", "joint is missing; name a joint, or two bodies by between");
  check.anchors(anchors);
  const BodyPair& bodies = check.bodies();
  const std::string what = fmt::format("a drive of type {}", name_of(drive.type));
  if (drive.type == Coordinate::length) {
    if (anchors.axis || anchors.axis_a || anchors.axis_b)
      check.error("axis", fmt::format("an axis is not used by {}", what));
    return;
  }
  if (sound) check.axis(anchors);
  if (!bodies.known) return;
  check.needs_orientation(bodies.a, what);  // its axis is carried by a
  if (drive.type == Coordinate::angle) check.needs_orientation(bodies.b, what);
}

void check_force(const Force& force, Check& check) {
  check_object(force.kind(), force.data(), check);
  const FieldInfo* const between = force.kind().find("between");
  if (between && between->details.need == Need::required) check.anchors(force.anchors());
  if (force.kind().check) force.kind().check(force.data(), check);
}

}  // namespace

void joints(Context& context, const JointPlaces& places) {
  const auto& [joints, couplings] = std::tie(context.model.joints, context.model.couplings);
  const auto add = [&](const std::string& name, std::size_t index, const std::vector<std::size_t>& in_document,
                       std::size_t k) {
    Check check = context.check({"joints", k < in_document.size() ? in_document[k] : index, name});
    context.names.joints.add(name, index, check);
    return check;
  };
  for (std::size_t k = 0; k < joints.size(); ++k) {
    Check check = add(joints[k].name(), k, places.joints, k);
    check_joint(joints[k], check);
  }
  std::vector<Check> checks;
  for (std::size_t k = 0; k < couplings.size(); ++k)
    checks.push_back(add(couplings[k].name(), joints.size() + k, places.couplings, k));
  for (std::size_t k = 0; k < couplings.size(); ++k) check_coupling(couplings[k], checks[k]);
}

void drives(Context& context) {
  NameIndex names;
  std::map<std::pair<std::string, Coordinate>, std::string> driven;
  for (std::size_t k = 0; k < context.model.drives.size(); ++k) {
    const Drive& drive = context.model.drives[k];
    Check check = context.check({"drives", k, drive.name});
    names.add(drive.name, k, check);
    check_drive(drive, check);
    if (drive.joint.empty()) continue;
    const auto [first, added] = driven.try_emplace({drive.joint, drive.type}, to_text(check.place()));
    if (!added)
      check.error("joint", fmt::format("the {} of joint \"{}\" is driven by {} already", name_of(drive.type),
                                       drive.joint, first->second));
  }
}

void forces(Context& context) {
  NameIndex names;
  for (std::size_t k = 0; k < context.model.forces.size(); ++k) {
    const Force& force = context.model.forces[k];
    Check check = context.check({"forces", k, force.name()});
    names.add(force.name(), k, check);
    check_force(force, check);
  }
}

}  // namespace polhode::checks
