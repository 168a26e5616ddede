#include "random_models.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include <polhode/describe/object.hpp>
#include <polhode/elements/couplings.hpp>
#include <polhode/elements/forces.hpp>
#include <polhode/elements/joints.hpp>
#include <polhode/model/validate.hpp>
#include <polhode/solve/svd.hpp>

namespace polhode {

MatX dense_jacobian(const System& system, const ConstraintJacobian& B) {
  MatX dense = MatX::Zero(system.row_count, 6 * system.node_count());
  for (int b = 0; b < static_cast<int>(system.blocks.size()); ++b)
    for (std::size_t k = 0; k < system.blocks[b].nodes.size(); ++k)
      dense.block(system.blocks[b].first_row, 6 * system.blocks[b].nodes[k], system.blocks[b].rows, 6) +=
          system.block(B, b, static_cast<int>(k));
  return dense;
}

MatX dense_jacobian(const System& system, const State& state) {
  std::vector<Frame> q;
  ConstraintJacobian B;
  system.frames(state, q);
  system.jacobian(q, state.angles, B);
  return dense_jacobian(system, B);
}

namespace {

/// Builds a model step by step; what would make the equations dependent, or nearly so, is taken back.
class RandomModelBuilder {
 public:
  RandomModelBuilder(unsigned seed, const RandomModelOptions& options) : random_(seed), options_(options) {
    model_.name = fmt::format("random {}", seed);
  }

  Model run() {
    for (int k = 0; k < options_.bodies; ++k) add_body(k);
    for (int k = 0, tries = 0; k < options_.loops && tries < 20 && options_.bodies > 1; ++tries) k += add_loop();
    if (options_.drives) add_drives();
    if (options_.springs || options_.dampers) add_springs();
    if (options_.loads) add_loads();
    if (options_.gravity && !options_.free_floating) model_.gravity = 9.81 * random_.direction();
    if (options_.moving) set_velocities();
    model_.simulation.step = 0.005;
    model_.simulation.end_time = 0.5;
    if (const Findings findings = validate(model_); findings.has_errors())
      throw std::logic_error(to_text(findings.errors()[0]));
    return model_;
  }

 private:
  // ---- bodies, each with the joint to an earlier one
  static constexpr int ground = -1;
  const std::string& name(int i) const {
    static const std::string ground_name = "ground";
    return i == ground ? ground_name : model_.bodies[static_cast<std::size_t>(i)].name;
  }
  bool turns(int i) const {
    return i == ground || model_.bodies[i].type == Body::Type::rigid ||
           model_.bodies[i].type == Body::Type::fixed_point;
  }
  Vec3 place(int i) const {
    if (i == ground) return Vec3::Zero();
    const Body& body = model_.bodies[i];
    return body.type == Body::Type::scalar ? Vec3(body.position + body.coordinate * body.axis.normalized())
                                           : body.position;
  }
  /// A point of body i, in its frame.
  Vec3 point(int i) { return turns(i) ? random_.vector(0.4) : Vec3(Vec3::Zero()); }

  void add_body(int k) {
    Body body;
    body.name = fmt::format("body {}", k);
    const int parent = k == 0 || (!options_.free_floating && random_.chance(0.25)) ? ground : random_.below(k);
    body.mass = random_.number(0.5, 3);
    body.position = place(parent) + 0.8 * random_.direction() + random_.vector(0.2);
    const double kind = options_.lesser_nodes ? random_.number(0, 1) : 1;
    if (kind < 0.12)
      body.type = Body::Type::particle;
    else if (kind < 0.24 && !options_.free_floating)
      body.type = Body::Type::fixed_point;
    else if (kind < 0.32 && !options_.free_floating)
      body.type = Body::Type::scalar;
    if (body.type == Body::Type::rigid || body.type == Body::Type::fixed_point) {
      body.orientation = random_.rotation();
      body.inertia = random_.inertia(body.mass);
      body.inertia_frame = random_.rotation();
      body.centre_of_mass = random_.vector(0.3);
    }
    if (body.type == Body::Type::fixed_point) body.pivot = body.position + random_.vector(0.4);
    if (body.type == Body::Type::scalar) {
      body.axis = random_.direction();
      body.coordinate = random_.number(-0.3, 0.3);
    }
    model_.bodies.push_back(body);
    const bool anchored = body.type == Body::Type::fixed_point || body.type == Body::Type::scalar;
    if (anchored || (parent == ground && options_.free_floating)) return;
    while (!try_joint(parent, k, true)) {
    }
  }

  /// A joint of a random kind between two bodies, closed at the model pose. False if it was taken back.
  bool try_joint(int a, int b, bool of_tree) {
    using Words = std::vector<std::string>;
    static const Words all{"spherical", "revolute",      "universal",      "cylindrical", "prismatic", "planar",
                           "weld",      "point-on-line", "point-on-plane", "rod",         "screw"};
    static const Words points{"spherical", "rod", "point-on-line", "point-on-plane"};
    static const Words loose{"rod", "point-on-plane", "point-on-line", "spherical", "planar"};
    if (!turns(a)) std::swap(a, b);
    const bool oriented = turns(a) && turns(b);
    if (oriented && random_.chance(0.5)) std::swap(a, b);
    std::string word = !oriented ? points[random_.below(turns(a) ? 4 : 2)]
                       : of_tree ? all[random_.below(static_cast<int>(all.size()))]
                                 : loose[random_.below(static_cast<int>(loose.size()))];
    if (!oriented && !turns(a) && word == "spherical") word = "rod";
    Joint joint(*find_kind(joint_kinds(), word));
    joint.rename(fmt::format("joint {}", model_.joints.size()));
    *joint.field<Names>("between") = {name(a), name(b)};
    const auto point_at = [&](const char* field) -> std::optional<Vec3>& {
      return *joint.field<std::optional<Vec3>>(field);
    };
    if (joint.get<Rod>()) {
      point_at("at_a") = point(a);
      point_at("at_b") = point(b);
    } else {
      point_at("at") = oriented   ? Vec3(0.5 * (place(a) + place(b)) + random_.vector(0.3))
                       : turns(b) ? place(a)
                                  : place(b);
    }
    if (auto* universal = joint.edit<Universal>()) {
      const Vec3 u = random_.direction(), w = u.cross(random_.direction()).normalized();
      const auto own = [&](int i, const Vec3& axis) {
        return i == ground ? axis : Vec3(model_.bodies[i].orientation.conjugate() * axis);
      };
      universal->axis_a = own(a, u);
      universal->axis_b = own(b, w);
    } else if (auto* axis = joint.field<std::optional<Vec3>>("axis")) {
      *axis = random_.direction();
    }
    if (auto* screw = joint.edit<Screw>()) screw->pitch = random_.number(0.05, 0.3);
    model_.joints.push_back(joint);
    if (independent(of_tree ? 0 : 1)) return true;
    model_.joints.pop_back();
    return false;
  }

  bool add_loop() {
    const int lowest = options_.free_floating ? 0 : ground;
    const int a = random_.below(options_.bodies), b = lowest + random_.below(options_.bodies - lowest);
    return a != b && try_joint(a, b, false);
  }

  /// Are the rows independent at the model pose by a fair margin, and as many freedoms left?
  bool independent(int freedoms_left) const {
    const CompiledModel compiled = compile(model_);
    if (compiled.system.row_count == 0) return true;
    if (compiled.system.freedoms() - compiled.system.row_count < freedoms_left) return false;
    const Eigen::JacobiSVD<MatX> svd(dense_jacobian(compiled.system, compiled.start));
    return svd.singularValues().size() == compiled.system.row_count && svd.singularValues().minCoeff() > 0.05;
  }

  // ---- motions that are tied or prescribed
  std::vector<std::string> joints_of(std::initializer_list<const char*> kinds) const {
    std::vector<std::string> found;
    for (const Joint& joint : model_.joints)
      if (std::find(kinds.begin(), kinds.end(), joint.kind().word) != kinds.end()) found.push_back(joint.name());
    return found;
  }
  Function harmonic(double offset, double amplitude) {
    Function f;
    f.type = Function::Type::harmonic;
    f.amplitude = amplitude;
    f.angular_frequency = random_.number(1, 4);
    f.phase = random_.number(0, 6);
    f.offset = offset - f.amplitude * std::sin(f.phase);  // `offset` at t = 0
    return f;
  }

  void add_drives() {
    const auto angles = joints_of({"revolute", "cylindrical"}), travels = joints_of({"prismatic", "cylindrical"});
    const auto keep = [&](auto& list, auto element) {
      list.push_back(element);
      if (!independent(1)) list.pop_back();
    };
    const auto drive_joint = [&](Coordinate type, const std::string& joint) {
      Drive drive;
      drive.name = fmt::format("drive {}", model_.drives.size());
      drive.type = type;
      drive.joint = joint;
      drive.motion = harmonic(0, random_.number(0.1, 0.4));
      keep(model_.drives, drive);
    };
    if (!angles.empty()) drive_joint(Coordinate::angle, angles[0]);
    if (!travels.empty()) drive_joint(Coordinate::travel, travels.back());
    if (angles.size() > 1) {
      keep(model_.couplings,
           Coupling(Gear{.name = "gear", .joints = {angles[0], angles.back()}, .ratio = random_.number(0.5, 2)}));
    }
    if (!travels.empty() && !angles.empty() && travels[0] != angles.back()) {
      keep(model_.couplings,
           Coupling(Rack{.name = "rack", .joints = {travels[0], angles.back()}, .radius = random_.number(0.1, 0.5)}));
    }
    if (options_.bodies < 2) return;
    Drive length;
    length.name = "length";
    length.type = Coordinate::length;
    const int a = random_.below(options_.bodies), b = (a + 1) % options_.bodies;
    length.between = {name(a), name(b)};
    length.at_a = point(a);
    length.at_b = point(b);
    length.motion = harmonic(distance(a, *length.at_a, b, *length.at_b), 0.05);
    keep(model_.drives, length);
  }

  double distance(int a, const Vec3& X_a, int b, const Vec3& X_b) const {
    const auto in_space = [&](int i, const Vec3& X) {
      return Vec3(place(i) + (i == ground ? X : Vec3(model_.bodies[i].orientation * X)));
    };
    return (in_space(a, X_a) - in_space(b, X_b)).norm();
  }

  // ---- forces
  std::string force_name() const { return fmt::format("force {}", model_.forces.size()); }
  double stiffness() { return options_.springs ? random_.number(20, 100) : 0; }
  double damping() { return options_.dampers ? random_.number(0.5, 3) : 0; }

  void add_springs() {
    for (int k = 0; k < std::max(1, options_.bodies / 2); ++k) {
      const int a = random_.below(options_.bodies);
      const int b = options_.free_floating || random_.chance(0.5) ? random_.below(options_.bodies) : ground;
      if (a == b) continue;
      SpringDamper spring{.name = force_name()};
      spring.between = {name(a), name(b)};
      spring.at_a = point(a);
      spring.at_b = b == ground ? random_.vector() : point(b);
      const double L = distance(a, *spring.at_a, b, *spring.at_b);
      if (L < 0.2) continue;
      spring.length = random_.number(0.7, 1.2) * L;
      spring.stiffness = stiffness();
      spring.damping = damping();
      model_.forces.push_back(spring);
    }
    for (const std::string& joint : joints_of({"revolute", "cylindrical", "screw"})) {
      TorsionalSpringDamper spring{.name = force_name()};
      spring.joint = joint;
      spring.angle = random_.number(-0.5, 0.5);
      spring.stiffness = 0.2 * stiffness();
      spring.damping = 0.1 * damping();
      model_.forces.push_back(spring);
    }
    std::vector<int> turning;
    for (int i = 0; i < options_.bodies; ++i)
      if (turns(i)) turning.push_back(i);
    if (!options_.free_floating) turning.push_back(ground);
    if (turning.size() < 2) return;
    Bushing bushing{.name = force_name()};
    bushing.between = {name(turning[0]), name(turning.back())};
    bushing.at = 0.5 * (place(turning[0]) + place(turning.back()));
    bushing.frame = random_.rotation();
    for (int i = 0; i < 6; ++i) {
      bushing.stiffness.matrix(i, i) = (i < 3 ? 1 : 0.2) * stiffness();
      bushing.damping.matrix(i, i) = (i < 3 ? 1 : 0.1) * damping();
    }
    model_.forces.push_back(bushing);
  }

  void add_loads() {
    if (!options_.free_floating)
      for (int i = 0; i < options_.bodies; ++i) {
        const bool torque = turns(i) && random_.chance(0.5);
        PointForce load{.name = force_name(), .body = name(i)};
        load.follower = turns(i) && random_.chance(0.5);
        if (!torque && turns(i)) load.at = point(i);
        const int functions = random_.below(3);
        if (functions < 2) load.vector = random_.vector(3);
        for (int k = 0; k < (functions == 2 ? 3 : functions); ++k)
          load.function.push_back(harmonic(random_.number(), 1));
        if (torque)
          model_.forces.push_back(BodyTorque{.name = load.name,
                                             .body = load.body,
                                             .vector = load.vector,
                                             .function = load.function,
                                             .follower = load.follower});
        else
          model_.forces.push_back(load);
      }
    const auto push = [&](const std::string& joint, Coordinate coordinate) {
      const double offset = random_.number();
      model_.forces.push_back(
          JointForce{.name = force_name(), .joint = joint, .coordinate = coordinate, .function = harmonic(offset, 1)});
    };
    for (const std::string& joint : joints_of({"revolute", "cylindrical", "planar", "screw"}))
      push(joint, Coordinate::angle);
    for (const std::string& joint : joints_of({"cylindrical", "prismatic", "screw", "point-on-line"}))
      push(joint, Coordinate::travel);
  }

  // ---- velocities: random ones, less what the joints do not allow
  void set_velocities() {
    const CompiledModel compiled = compile(model_);
    const System& system = compiled.system;
    VecX u(6 * system.node_count());
    for (int i = 0; i < system.node_count(); ++i) u.segment<6>(6 * i) = system.gather(i, random_.vector6());
    if (system.row_count > 0) {
      const MatX B = dense_jacobian(system, compiled.start);
      VecX rate = VecX::Zero(system.row_count);
      for (const GivenRow& given : system.given_rows) rate[given.row] = system.functions[given.function].derivative(0);
      const Eigen::JacobiSVD<MatX> svd(B, Eigen::ComputeThinU | Eigen::ComputeThinV);
      for (int k = 0; k < 2; ++k) u += svd.solve(rate - B * u);
    }
    for (int i = 0; i < system.node_count(); ++i) {
      Body& body = model_.bodies[i];
      const Vec6 V = system.spread(i, u.segment<6>(6 * i));
      const Vec3 v = V.head<3>(), Omega = body.orientation.conjugate() * Vec3(V.tail<3>());
      switch (body.type) {
        case Body::Type::rigid:
          body.angular_velocity = Omega;
          body.velocity = v - body.orientation * Omega.cross(body.centre_of_mass);
          break;
        case Body::Type::fixed_point: body.angular_velocity = Omega; break;
        case Body::Type::particle: body.velocity = v; break;
        case Body::Type::scalar: body.rate = u[6 * i]; break;
      }
    }
  }

  Random random_;
  RandomModelOptions options_;
  Model model_;
};

}  // namespace

Model random_model(unsigned seed, const RandomModelOptions& options) { return RandomModelBuilder(seed, options).run(); }

}  // namespace polhode
