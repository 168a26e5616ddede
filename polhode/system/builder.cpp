// Names become nodes, anchors become markers, and rows find their places in the blocks of constraints.
#include <polhode/system/builder.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <polhode/model/error.hpp>
#include <polhode/system/builder_arrays.hpp>

namespace polhode {
namespace {

/// A right-handed triad with the given third axis, and the first as near to `hint` as can be.
Mat3 triad(const Vec3& axis, const Vec3& hint) {
  const Vec3 e3 = axis.normalized();
  Vec3 e1 = hint - hint.dot(e3) * e3;
  if (e1.norm() < 1e-6 * hint.norm()) e1 = e3.unitOrthogonal();
  e1.normalize();
  Mat3 E;
  E << e1, e3.cross(e1), e3;
  return E;
}

/// The position of a node in a block's list, entered if it is new; -1 for the ground.
int enter(ConstraintBlock& block, int i, int ground_node) {
  if (i == ground_node) {
    block.to_ground = true;
    return -1;
  }
  const auto found = std::find(block.nodes.begin(), block.nodes.end(), i);
  if (found != block.nodes.end()) return static_cast<int>(found - block.nodes.begin());
  block.nodes.push_back(i);
  return static_cast<int>(block.nodes.size()) - 1;
}

}  // namespace

Builder::Builder(const Model& model, CompiledModel& out) : model_(model), out_(out) {
  for (std::size_t k = 0; k < model.bodies.size(); ++k) nodes_.emplace(model.bodies[k].name, static_cast<int>(k));
  joint_pairs_.reserve(model.joints.size());
}

// ---- where things are ----

int Builder::node(const std::string& name) const {
  if (name == "ground") return static_cast<int>(model_.bodies.size());
  const auto found = nodes_.find(name);
  if (found == nodes_.end()) throw ModelError(fmt::format("there is no body \"{}\"", name));
  return found->second;
}

Quaternion Builder::orientation(int i) const {
  return i < out_.system.node_count() ? out_.start.nodes[i].q : Quaternion::Identity();
}
Vec3 Builder::place_of(int i) const { return i < out_.system.node_count() ? out_.start.nodes[i].x : Vec3::Zero(); }
Vec3 Builder::origin(int i) const { return i < out_.system.node_count() ? out_.bodies[i].origin : Vec3::Zero(); }

/// A marker on node i at a point of the user's body frame, or at a point in space at the model pose.
Marker Builder::marker(int i, const std::optional<Vec3>& in_space, const std::optional<Vec3>& in_body,
                       const Mat3& E_space) const {
  const Quaternion R_inverse = orientation(i).conjugate();
  Marker m;
  m.node = i;
  m.X = in_space ? Vec3(R_inverse * (*in_space - place_of(i))) : Vec3(origin(i) + in_body.value_or(Vec3::Zero()));
  m.E = R_inverse.toRotationMatrix() * E_space;
  return m;
}

Pair Builder::markers(const Anchors& e, bool crossed) const {
  const int a = node(e.between[0]), b = node(e.between[1]);
  const auto axis_of = [&](int i, const std::optional<Vec3>& own) -> std::optional<Vec3> {
    return own ? std::optional<Vec3>(orientation(i) * *own) : e.axis;
  };
  std::optional<Vec3> axis_a = axis_of(a, e.axis_a), axis_b = axis_of(b, e.axis_b);
  if (!axis_a && !axis_b) {  // no axis: the axes of body a
    const Mat3 E = orientation(a).toRotationMatrix();
    return {marker(a, e.at, e.at_a, E), marker(b, e.at, e.at_b, E)};
  }
  if (!axis_a) axis_a = axis_b;
  if (!axis_b) axis_b = axis_a;
  const Mat3 E_a = triad(*axis_a, crossed ? *axis_b : axis_a->unitOrthogonal());
  return {marker(a, e.at, e.at_a, E_a), marker(b, e.at, e.at_b, triad(*axis_b, E_a.col(0)))};
}

Pair Builder::markers(const Anchors& e, const Quaternion& frame) const {
  const Mat3 E = frame.normalized().toRotationMatrix();
  return {marker(node(e.between[0]), e.at, e.at_a, E), marker(node(e.between[1]), e.at, e.at_b, E)};
}

int Builder::joint_index(const std::string& name) const {
  const auto found = joint_index_.find(name);
  if (found == joint_index_.end()) throw ModelError(fmt::format("there is no joint \"{}\"", name));
  return found->second;
}

const Pair& Builder::markers_of(const std::string& joint) const { return joint_pairs_[joint_index(joint)]; }

PairAt Builder::pair_at_pose(const Pair& p) const {
  const auto frame_of = [&](int i) { return Frame{place_of(i), orientation(i).toRotationMatrix()}; };
  return PairAt(p, frame_of(p.a.node), frame_of(p.b.node));
}

double Builder::at_pose(Coordinate coordinate, const Pair& pair) const {
  switch (coordinate) {
    case Coordinate::angle: return 0;  // it is counted from there
    case Coordinate::travel: return TravelCoordinate::Z::z(pair_at_pose(pair))[0];
    case Coordinate::length: return pair_at_pose(pair).r.norm();
  }
  return 0;
}

// ---- equations ----

void Builder::begin_block(const std::string& name, const std::string& path, std::string_view word, const Pair& p) {
  pair_ = p;
  block_ = static_cast<int>(out_.system.blocks.size());
  out_.system.blocks.emplace_back();
  out_.connections.push_back({name, path, word, Look::none, block_, p, false});
  labels_.emplace_back();
}

RowPlace Builder::add_rows(const Pair& p, std::size_t count, const char* const* labels) {
  ConstraintBlock& block = out_.system.blocks[block_];
  RowPlace place{block_, block.rows, 0, 0};
  place.node_a = enter(block, p.a.node, out_.system.ground());
  place.node_b = enter(block, p.b.node, out_.system.ground());
  block.rows += static_cast<int>(count);
  labels_[block_].insert(labels_[block_].end(), labels, labels + count);
  return place;
}

Builder::Row Builder::row(const char* label) { return Row(*this, add_rows(pair_, 1, &label).row); }

template <class C>
void Builder::add_term(const Pair& p, int row, double factor, int order) {
  ConstraintBlock& block = out_.system.blocks[block_];
  CoordinateRow<C> e;
  e.pair = p;
  e.index = out_.system.element_count++;
  e.factor = factor;
  const int a = enter(block, p.a.node, out_.system.ground()), b = enter(block, p.b.node, out_.system.ground());
  e.place = {block_, row, a, b, 0};
  if (C::counted) e.angle = out_.system.angle_count++;
  constexpr int after_joints = 1 << 20;  // forces of joints come first
  array_of<CoordinateArray<C>>(out_.system.elements.rows, after_joints + order).elements.push_back(e);
}

Builder::Row& Builder::Row::add(const Pair& p, Coordinate coordinate, double factor) {
  switch (coordinate) {
    case Coordinate::angle: build_.add_term<AngleCoordinate>(p, row_, factor, 0); break;
    case Coordinate::travel: build_.add_term<TravelCoordinate>(p, row_, factor, 1); break;
    case Coordinate::length: build_.add_term<LengthCoordinate>(p, row_, factor, 2); break;
  }
  at_pose_ += factor * build_.at_pose(coordinate, p);
  return *this;
}

void Builder::Row::zero_at_pose() {
  if (at_pose_ != 0) given(Function::constant(at_pose_), -1);
}

void Builder::Row::given(const Function& motion, int drive) {
  build_.given_.push_back({build_.block_, row_, build_.add_function(motion), drive});
}

int Builder::add_function(Function f) {
  f.prepare();
  out_.system.functions.push_back(std::move(f));
  return static_cast<int>(out_.system.functions.size()) - 1;
}

// ---- forces ----

void Builder::law(Coordinate coordinate, const Pair& pair, const ElasticLaw& one) {
  switch (coordinate) {
    case Coordinate::angle: return law<ScalarMeasure<AngleCoordinate>>(pair, one);
    case Coordinate::travel: return law<ScalarMeasure<TravelCoordinate>>(pair, one);
    case Coordinate::length: return law<ScalarMeasure<LengthCoordinate>>(pair, one);
  }
}

void Builder::load(const std::string& body, const BodyLoad& from) {
  Load out;
  const std::size_t count = from.functions ? from.functions->size() : 0;
  out.node = node(body);
  out.torque = from.torque;
  out.follower = from.follower;
  out.X = origin(out.node) + from.at;
  out.vector = count == 3 ? Vec3::Ones() : from.vector;
  if (count == 1) out.functions.fill(add_function((*from.functions)[0]));
  for (std::size_t k = 0; count == 3 && k < 3; ++k) out.functions[k] = add_function((*from.functions)[k]);
  out.force = force_;
  out_.system.loads.push_back(out);
}

void Builder::load(const std::string& body, const Vec3& at, std::shared_ptr<const ComputedLoad> wrench) {
  const int i = node(body);
  out_.system.wrenches.push_back({i, origin(i) + at, std::move(wrench), force_});
}

void Builder::refuse(const std::string& why) const {
  throw ModelError(std::vector<Finding>{{Finding::Severity::error, at_hand_, "", why}});
}

// ---- one element after another ----

void Builder::add(const Joint& joint, std::size_t index) {
  const JointKind& kind = joint.kind();
  at_hand_ = {"joints", index, joint.name()};
  begin_block(joint.name(), fmt::format("joints[{}]", index), kind.word, markers(joint.anchors(), kind.crossed));
  joint_index_[joint.name()] = static_cast<int>(joint_pairs_.size());
  joint_pairs_.push_back(pair_);
  joint_blocks_.push_back(block_);
  order_ = kind.order;
  out_.connections.back().oriented = kind.oriented;
  out_.connections.back().look = kind.look;
  kind.compile(joint.data(), *this);
}

void Builder::add(const Coupling& coupling) {
  at_hand_ = {"joints", {}, coupling.name()};
  begin_block(coupling.name(), "joints", coupling.kind().word, markers_of(coupling.joints()[0]));
  coupling.kind().compile(coupling.data(), *this);
}

void Builder::add(const Drive& drive, std::size_t index) {
  at_hand_ = {"drives", index, drive.name};
  out_.drive_names.push_back(drive.name);
  if (drive.joint.empty()) {
    begin_block(drive.name, fmt::format("drives[{}]", index), name_of(drive.type), markers(anchors_of(drive)));
    out_.connections.back().look = drive.type == Coordinate::length ? Look::rod : Look::dot;
  } else {
    pair_ = markers_of(drive.joint);
    block_ = joint_blocks_[joint_index(drive.joint)];
  }
  row("drive").add(drive.type, 1).given(drive.motion, static_cast<int>(index));
}

void Builder::add(const Force& force, std::size_t index) {
  const ForceKind& kind = force.kind();
  at_hand_ = {"forces", index, force.name()};
  force_ = static_cast<int>(index);
  out_.force_names.push_back(force.name());
  if (kind.look != Look::none) out_.springs.push_back({force.name(), kind.word, markers(force.anchors())});
  kind.compile(force.data(), *this);
}

void Builder::finish() {
  System& system = out_.system;
  for (std::size_t b = 0; b < system.blocks.size(); ++b) {
    ConstraintBlock& block = system.blocks[b];
    block.first_row = system.row_count;
    system.row_count += block.rows;
    block.first_block = system.jacobian_blocks;
    for (std::size_t k = 0; k < block.nodes.size(); ++k, ++system.jacobian_blocks) {
      system.block_of_jacobian.push_back(system.jacobian_size);
      system.jacobian_size += 6 * block.rows;
    }
    for (const auto& label : labels_[b]) out_.row_labels.push_back(out_.connections[b].name + ": " + label);
  }
  for (const Given& given : given_)
    system.given_rows.push_back({system.blocks[given.block].first_row + given.row, given.function, given.drive});
  std::sort(system.given_rows.begin(), system.given_rows.end(),
            [](const GivenRow& a, const GivenRow& b) { return a.row < b.row; });
  for (const auto& rows : system.elements.rows)
    for (int k = 0; k < rows->size(); ++k)
      rows->place(k).first = system.blocks[rows->place(k).block].first_row + rows->place(k).row;
}

}  // namespace polhode
