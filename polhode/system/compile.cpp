#include <polhode/system/compile.hpp>

#include <algorithm>
#include <map>
#include <type_traits>

#include <fmt/format.h>

#include <polhode/model/error.hpp>
#include <polhode/model/inertia.hpp>
#include <polhode/solve/huge_pages.hpp>
#include <polhode/system/elements.hpp>

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

/// The anchors and axes of a joint, a drive or a force: all have the same fields.
struct Hold {
  std::array<std::string, 2> between;
  std::optional<Vec3> at, at_a, at_b, axis, axis_a, axis_b;
};

constexpr int after_joints = 1 << 20;  ///< order of the arrays of coordinates: forces of joints come first

/// The order of laws: angle, travel, length, point, pose.
template <class M>
constexpr int order_of() {
  if (std::is_same_v<M, ScalarMeasure<AngleCoordinate>>) return 0;
  if (std::is_same_v<M, ScalarMeasure<TravelCoordinate>>) return 1;
  if (std::is_same_v<M, ScalarMeasure<LengthCoordinate>>) return 2;
  return std::is_same_v<M, PointMeasure> ? 3 : 4;
}

class Compiler {
 public:
  explicit Compiler(const Model& model) : model_(model) {}

  CompiledModel run() {
    reserve();
    for (const Body& body : model_.bodies) add_body(body);
    out_.system.gravity = model_.gravity;
    for (std::size_t k = 0; k < model_.joints.size(); ++k) add_joint(model_.joints[k], fmt::format("joints[{}]", k));
    for (std::size_t k = 0; k < model_.couplings.size(); ++k) add_coupling(model_.couplings[k]);
    for (std::size_t k = 0; k < model_.drives.size(); ++k) add_drive(model_.drives[k], static_cast<int>(k));
    for (std::size_t k = 0; k < model_.forces.size(); ++k) add_force(model_.forces[k], static_cast<int>(k));
    finish();
    return std::move(out_);
  }

 private:
  // ---------------------------------------------------------------------------------------------------- bodies
  void add_body(const Body& body) {
    auto& system = out_.system;
    const int i = system.node_count();
    nodes_[body.name] = i;
    Node node;
    NodeState state;
    BodyPlace place{body.name, i, Vec3::Zero(), body.velocity.has_value(), body.angular_velocity.has_value()};
    const Quaternion R = body.orientation.normalized();
    const Vec3 Omega = body.angular_velocity.value_or(Vec3::Zero());
    node.mass = body.mass;
    state.q = R;
    switch (body.type) {
      case Body::Type::rigid:
        node.kind = Node::Kind::rigid;
        node.J = inertia_at_centre_of_mass(body);
        place.origin = -body.centre_of_mass;
        state.x = body.position + R * body.centre_of_mass;
        state.Omega = Omega;
        state.v = body.velocity.value_or(Vec3::Zero()) + R * Omega.cross(body.centre_of_mass);
        break;
      case Body::Type::fixed_point:
        node.kind = Node::Kind::turning;
        node.J = inertia_at_pivot(body);
        place.origin = R.conjugate() * (body.position - body.pivot);
        place.velocity_given = false;
        node.X = place.origin + body.centre_of_mass;
        state.x = body.pivot;
        state.Omega = Omega;
        break;
      case Body::Type::particle:
        node.kind = Node::Kind::particle;
        state.x = body.position;
        state.q = Quaternion::Identity();
        state.v = body.velocity.value_or(Vec3::Zero());
        break;
      case Body::Type::scalar:
        node.kind = Node::Kind::sliding;
        node.axis = body.axis.normalized();
        place.velocity_given = body.rate.has_value();
        state.x = body.position + body.coordinate * node.axis;
        state.q = Quaternion::Identity();
        state.v = body.rate.value_or(0.0) * node.axis;
        break;
    }
    system.nodes.push_back(node);
    out_.start.nodes.push_back(state);
    out_.bodies.push_back(place);
  }

  int node(const std::string& name) const {
    if (name == "ground") return static_cast<int>(model_.bodies.size());
    const auto found = nodes_.find(name);
    if (found == nodes_.end()) throw ModelError(fmt::format("there is no body \"{}\"", name));
    return found->second;
  }
  Quaternion orientation(int i) const {
    return i < out_.system.node_count() ? out_.start.nodes[i].q : Quaternion::Identity();
  }
  Vec3 place_of(int i) const { return i < out_.system.node_count() ? out_.start.nodes[i].x : Vec3::Zero(); }
  Vec3 origin(int i) const { return i < out_.system.node_count() ? out_.bodies[i].origin : Vec3::Zero(); }

  // --------------------------------------------------------------------------------------------------- markers
  /// A marker on node i at a point of the user's body frame, or at a point in space at the model pose.
  Marker marker(int i, const std::optional<Vec3>& in_space, const std::optional<Vec3>& in_body, const Mat3& E_space) const {
    const Quaternion R_inverse = orientation(i).conjugate();
    Marker m;
    m.node = i;
    m.X = in_space ? Vec3(R_inverse * (*in_space - place_of(i))) : Vec3(origin(i) + in_body.value_or(Vec3::Zero()));
    m.E = R_inverse.toRotationMatrix() * E_space;
    return m;
  }

  /// Both markers, their third axes along the axes given (in space at the model pose), their first axes as parallel as can be;
  /// without an axis, both along the axes of body a.
  Pair pair(const Hold& hold, bool own_axes = false) const {
    const int a = node(hold.between[0]), b = node(hold.between[1]);
    const auto axis_of = [&](int i, const std::optional<Vec3>& own) -> std::optional<Vec3> {
      return own ? std::optional<Vec3>(orientation(i) * *own) : hold.axis;
    };
    std::optional<Vec3> axis_a = axis_of(a, hold.axis_a), axis_b = axis_of(b, hold.axis_b);
    if (!axis_a && !axis_b) {  // no axis: the axes of body a
      const Mat3 E = orientation(a).toRotationMatrix();
      return {marker(a, hold.at, hold.at_a, E), marker(b, hold.at, hold.at_b, E)};
    }
    if (!axis_a) axis_a = axis_b;
    if (!axis_b) axis_b = axis_a;
    const Vec3 hint = axis_a->unitOrthogonal();
    const Mat3 E_a = triad(*axis_a, own_axes ? *axis_b : hint);
    return {marker(a, hold.at, hold.at_a, E_a), marker(b, hold.at, hold.at_b, triad(*axis_b, E_a.col(0)))};
  }

  PairAt at_pose(const Pair& p) const {
    const auto frame_of = [&](int i) { return Frame{place_of(i), orientation(i).toRotationMatrix()}; };
    return PairAt(p, frame_of(p.a.node), frame_of(p.b.node));
  }

  // -------------------------------------------------------------------------------------------------- equations
  int add_block(const std::string& name, const std::string& path, const Pair& p) {
    out_.system.blocks.emplace_back();
    out_.connections.push_back({name, path, static_cast<int>(out_.system.blocks.size()) - 1, p, false});
    labels_.emplace_back();
    return out_.connections.back().block;
  }

  /// The position of a node in a block's list, entered if it is new; -1 for the ground.
  int enter(ConstraintBlock& block, int i) const {
    if (i == out_.system.ground()) {
      block.to_ground = true;
      return -1;
    }
    const auto found = std::find(block.nodes.begin(), block.nodes.end(), i);
    if (found != block.nodes.end()) return static_cast<int>(found - block.nodes.begin());
    block.nodes.push_back(i);
    return static_cast<int>(block.nodes.size()) - 1;
  }

  RowPlace add_rows(int b, const Pair& p, const std::vector<std::string>& labels) {
    ConstraintBlock& block = out_.system.blocks[b];
    RowPlace place{b, block.rows, 0, 0};
    place.node_a = enter(block, p.a.node);
    place.node_b = enter(block, p.b.node);
    block.rows += static_cast<int>(labels.size());
    labels_[b].insert(labels_[b].end(), labels.begin(), labels.end());
    return place;
  }

  /// `order`: of their array among all rows.
  template <InvariantChoice choice>
  JointRows<choice>& add_joint_rows(int b, const Pair& p, int order, const std::vector<std::string>& labels) {
    JointRows<choice> e;
    e.pair = p;
    e.index = out_.system.element_count++;
    e.place = add_rows(b, p, labels);
    auto& elements = array_of<JointArray<choice>>(out_.system.elements.rows, order).elements;
    elements.push_back(e);
    return elements.back();
  }

  void add_joint(const Joint& joint, const std::string& path) {
    const bool universal = joint.type == Joint::Type::universal;
    const Pair p = pair({joint.between, joint.at, joint.at_a, joint.at_b, joint.axis, joint.axis_a, joint.axis_b}, universal);
    const int b = add_block(joint.name, path, p);
    joint_index_[joint.name] = static_cast<int>(joint_pairs_.size());
    joint_pairs_.push_back(p);
    joint_blocks_.push_back(b);
    auto& connection = out_.connections.back();
    const std::vector<std::string> force{"force x", "force y", "force z"};
    const auto with = [](std::vector<std::string> list, std::initializer_list<const char*> more) {
      list.insert(list.end(), more.begin(), more.end());
      return list;
    };
    switch (joint.type) {
      case Joint::Type::spherical: add_joint_rows<spherical_rows>(b, p, 0, force); break;
      case Joint::Type::revolute:
        connection.oriented = true;
        add_joint_rows<revolute_rows>(b, p, 1, with(force, {"moment 2", "moment 1"}));
        break;
      case Joint::Type::universal: add_joint_rows<universal_rows>(b, p, 2, with(force, {"moment"})); break;
      case Joint::Type::cylindrical:
      case Joint::Type::screw:
        connection.oriented = true;
        add_joint_rows<cylindrical_rows>(b, p, 3, {"force 1", "force 2", "moment 2", "moment 1"});
        if (joint.type == Joint::Type::screw) {
          const int row = add_row(b, p, "screw");
          add_term(b, row, p, Coordinate::travel, 1);
          add_term(b, row, p, Coordinate::angle, -joint.pitch);
          offset_row(b, row, TravelCoordinate::Z::z(at_pose(p))[0]);
        }
        break;
      case Joint::Type::prismatic:
        connection.oriented = true;
        add_joint_rows<prismatic_rows>(b, p, 4, {"force 1", "force 2", "moment 3", "moment 2", "moment 1"});
        break;
      case Joint::Type::planar:
        connection.oriented = true;
        add_joint_rows<planar_rows>(b, p, 5, {"force 3", "moment 2", "moment 1"});
        break;
      case Joint::Type::weld: add_joint_rows<weld_rows>(b, p, 6, with(force, {"moment 3", "moment 1", "moment 2"})); break;
      case Joint::Type::point_on_line: add_joint_rows<line_rows>(b, p, 7, {"force 1", "force 2"}); break;
      case Joint::Type::point_on_plane: add_joint_rows<plane_rows>(b, p, 8, {"force 3"}); break;
      case Joint::Type::rod: {
        auto& rod = add_joint_rows<rod_rows>(b, p, 9, {"force"});
        const double L = joint.length.value_or(at_pose(p).r.norm());
        if (!(L > 0)) throw ModelError(fmt::format("{} \"{}\": the rod has no length; use a spherical joint", path, joint.name));
        rod.weight = 1 / (2 * L);  // Phi = (r.r - L^2)/(2 L) is about |r| - L
        rod.reference[0] = L * L;
        break;
      }
    }
  }

  /// A new row of a block, to which terms are added: Phi = sum factor y - f(t).
  int add_row(int b, const Pair& p, const std::string& label) { return add_rows(b, p, {label}).row; }

  template <class C>
  void add_term_of(int b, int row, const Pair& p, int order, double factor) {
    ConstraintBlock& block = out_.system.blocks[b];
    CoordinateRow<C> e;
    e.pair = p;
    e.index = out_.system.element_count++;
    e.factor = factor;
    e.place = {b, row, enter(block, p.a.node), enter(block, p.b.node), 0};
    if (C::counted) e.angle = out_.system.angle_count++;
    array_of<CoordinateArray<C>>(out_.system.elements.rows, after_joints + order).elements.push_back(e);
  }
  void add_term(int b, int row, const Pair& p, Coordinate coordinate, double factor) {
    switch (coordinate) {
      case Coordinate::angle: return add_term_of<AngleCoordinate>(b, row, p, 0, factor);
      case Coordinate::travel: return add_term_of<TravelCoordinate>(b, row, p, 1, factor);
      case Coordinate::length: return add_term_of<LengthCoordinate>(b, row, p, 2, factor);
    }
  }
  void offset_row(int b, int row, double value) {
    if (value != 0) given_.push_back({b, row, add_function(Function::constant(value)), -1});
  }
  int add_function(Function f) {
    f.prepare();
    out_.system.functions.push_back(std::move(f));
    return static_cast<int>(out_.system.functions.size()) - 1;
  }
  int joint(const std::string& name) const {
    const auto found = joint_index_.find(name);
    if (found == joint_index_.end()) throw ModelError(fmt::format("there is no joint \"{}\"", name));
    return found->second;
  }

  void add_coupling(const Coupling& coupling) {
    const Pair &first = joint_pairs_[joint(coupling.joints[0])], &second = joint_pairs_[joint(coupling.joints[1])];
    const int b = add_block(coupling.name, "joints", first);
    const bool gear = coupling.type == Coupling::Type::gear;
    const int row = add_row(b, first, gear ? "gear" : "rack");
    add_term(b, row, first, gear ? Coordinate::angle : Coordinate::travel, 1);
    add_term(b, row, second, Coordinate::angle, gear ? coupling.ratio : -coupling.radius);
    if (!gear) offset_row(b, row, TravelCoordinate::Z::z(at_pose(first))[0]);
  }

  void add_drive(const Drive& drive, int index) {
    out_.drive_names.push_back(drive.name);
    int b = 0;
    Pair p;
    if (drive.joint.empty()) {
      p = pair({drive.between, drive.at, drive.at_a, drive.at_b, drive.axis, drive.axis_a, drive.axis_b});
      b = add_block(drive.name, fmt::format("drives[{}]", index), p);
    } else {
      p = joint_pairs_[joint(drive.joint)];
      b = joint_blocks_[joint(drive.joint)];
    }
    const int row = add_row(b, p, "drive");
    add_term(b, row, p, drive.type, 1);
    given_.push_back({b, row, add_function(drive.motion), index});
  }

  // ----------------------------------------------------------------------------------------------------- forces
  template <class M>
  Elastic<M>& add_elastic(const Pair& p, int force) {
    auto& list = array_of<ElasticArray<M>>(out_.system.elements.laws, order_of<M>()).elements;
    Elastic<M> e;
    e.pair = p;
    e.index = out_.system.element_count++;
    e.force = force;
    if (M::counted) e.angle = out_.system.angle_count++;
    list.push_back(e);
    return list.back();
  }

  void add_force(const Force& force, int index) {
    out_.force_names.push_back(force.name);
    switch (force.type) {
      case Force::Type::spring_damper: {
        const Pair p = pair({force.between, force.at, force.at_a, force.at_b, {}, {}, {}});
        auto& e = add_elastic<ScalarMeasure<LengthCoordinate>>(p, index);
        e.stiffness(0, 0) = force.stiffness;
        e.damping(0, 0) = force.damping;
        e.reference[0] = force.length.value_or(at_pose(p).r.norm());
        break;
      }
      case Force::Type::torsional_spring_damper: {
        auto& e = add_elastic<ScalarMeasure<AngleCoordinate>>(joint_pairs_[joint(force.joint)], index);
        e.stiffness(0, 0) = force.stiffness;
        e.damping(0, 0) = force.damping;
        e.reference[0] = force.angle;
        break;
      }
      case Force::Type::bushing: {
        const int a = node(force.between[0]), b = node(force.between[1]);
        const Mat3 E = force.frame.normalized().toRotationMatrix();
        auto& e = add_elastic<BushingMeasure>({marker(a, force.at, force.at_a, E), marker(b, force.at, force.at_b, E)}, index);
        e.stiffness = force.stiffnesses.asDiagonal();
        e.damping = force.dampings.asDiagonal();
        break;
      }
      case Force::Type::joint_force: {
        const int f = add_function(force.functions.at(0));
        on_coordinate(force, [&]<class M>(std::type_identity<M>, const Pair& p) { add_elastic<M>(p, index).function = f; });
        break;
      }
      case Force::Type::computed_potential: add_potential(force, index); break;
      case Force::Type::computed_load: add_computed_load(force, index); break;
      case Force::Type::force:
      case Force::Type::torque: {
        Load load;
        load.node = node(force.body);
        load.torque = force.type == Force::Type::torque;
        load.follower = force.follower;
        load.X = origin(load.node) + force.at_a.value_or(Vec3::Zero());
        load.vector = force.functions.size() == 3 ? Vec3::Ones() : force.vector;
        if (force.functions.size() == 1) load.functions.fill(add_function(force.functions[0]));
        if (force.functions.size() == 3)
          for (int k = 0; k < 3; ++k) load.functions[k] = add_function(force.functions[k]);
        load.force = index;
        out_.system.loads.push_back(load);
        break;
      }
    }
  }

  void add_potential(const Force& force, int index) {
    using Of = ComputedPotential::Of;
    const auto add = [&]<class M>(std::type_identity<M>, const Pair& p) { add_elastic<M>(p, index).potential = force.potential; };
    if (force.potential->of == Of::coordinate) return on_coordinate(force, add);
    const Mat3 E = force.frame.normalized().toRotationMatrix();
    const Pair p{marker(node(force.between[0]), force.at, force.at_a, E), marker(node(force.between[1]), force.at, force.at_b, E)};
    if (force.potential->of == Of::point) add(std::type_identity<PointMeasure>{}, p);
    if (force.potential->of == Of::pose) add(std::type_identity<BushingMeasure>{}, p);
  }

  void add_computed_load(const Force& force, int index) {
    if (force.load->wrench) {
      const int i = node(force.body);
      out_.system.wrenches.push_back({i, origin(i) + force.at_a.value_or(Vec3::Zero()), force.load, index});
    } else {
      on_coordinate(force, [&]<class M>(std::type_identity<M>, const Pair& p) { add_elastic<M>(p, index).load = force.load; });
    }
  }

  /// Calls add with the measure of a force's coordinate: of its joint, or the distance of its two points.
  template <class Add>
  void on_coordinate(const Force& force, Add&& add) {
    const Pair p = force.joint.empty() ? pair({force.between, force.at, force.at_a, force.at_b, {}, {}, {}}) : joint_pairs_[joint(force.joint)];
    switch (force.coordinate) {
      case Coordinate::angle: return add(std::type_identity<ScalarMeasure<AngleCoordinate>>{}, p);
      case Coordinate::travel: return add(std::type_identity<ScalarMeasure<TravelCoordinate>>{}, p);
      case Coordinate::length: return add(std::type_identity<ScalarMeasure<LengthCoordinate>>{}, p);
    }
  }

  // ----------------------------------------------------------------------------------------------------- layout
  /// Large models: no array is made larger than it will be.
  void reserve() {
    const std::size_t bodies = model_.bodies.size(), blocks = model_.joints.size() + model_.couplings.size() + model_.drives.size();
    reserve_huge(out_.system.nodes, bodies);
    out_.start.nodes.reserve(bodies);
    out_.bodies.reserve(bodies);
    out_.system.blocks.reserve(blocks);
    out_.connections.reserve(blocks);
    joint_pairs_.reserve(model_.joints.size());
  }

  void finish() {
    auto& system = out_.system;
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
    std::sort(system.given_rows.begin(), system.given_rows.end(), [](const GivenRow& a, const GivenRow& b) { return a.row < b.row; });
    for (const auto& rows : system.elements.rows)
      for (int k = 0; k < rows->size(); ++k) rows->place(k).first = system.blocks[rows->place(k).block].first_row + rows->place(k).row;
    // a length typical of the model: how far its points are from each other
    double extent = 0;
    const auto reach = [&](const Marker& m) {
      if (m.node < system.ground()) extent = std::max(extent, (m.X - origin(m.node)).norm());
    };
    for (const auto& connection : out_.connections) reach(connection.pair.a), reach(connection.pair.b);
    for (const auto& state : out_.start.nodes) extent = std::max(extent, (state.x - out_.start.nodes[0].x).norm());
    if (!out_.start.nodes.empty()) extent = std::max(extent, out_.start.nodes[0].x.norm());
    system.length = extent > 0 ? extent : 1.0;
    out_.start.angles.assign(system.angle_count, 0.0);
    out_.start.lambda = VecX::Zero(system.row_count);
    out_.start.work = Work(out_.drive_names.size(), out_.force_names.size());
    system.elements.settle();
    settle_huge(system.block_of_jacobian);
    settle_huge(out_.row_labels);
    system.divide(Division::parts_for(system.node_count()));
  }

  const Model& model_;
  CompiledModel out_;
  std::map<std::string, int> nodes_, joint_index_;
  std::vector<Pair> joint_pairs_;
  std::vector<int> joint_blocks_;
  std::vector<std::vector<std::string>> labels_;
  struct Given {
    int block, row, function, drive;
  };
  std::vector<Given> given_;  ///< rows of blocks whose coordinates are functions of time
};

}  // namespace

CompiledModel compile(const Model& model) { return Compiler(model).run(); }

}  // namespace polhode
