// A model picked up and put down elsewhere: everything given in space is turned by Q and shifted by t.
#pragma once

#include <polhode/elements/forces.hpp>
#include <polhode/model/model.hpp>

namespace polhode {

class ModelMover {
 public:
  ModelMover(const Quaternion& Q, const Vec3& t) : Q_(Q), t_(t) {}

  Vec3 place(const Vec3& x) const { return Q_ * x + t_; }
  Vec3 direction(const Vec3& v) const { return Q_ * v; }
  Quaternion orientation(const Quaternion& q) const { return (Q_ * q).normalized(); }

  Model operator()(Model model) const {
    model.gravity = direction(model.gravity);
    for (Body& body : model.bodies) {
      body.position = place(body.position);
      body.pivot = place(body.pivot);
      body.axis = direction(body.axis);
      if (body.type == Body::Type::rigid || body.type == Body::Type::fixed_point)
        body.orientation = orientation(body.orientation);
      if (body.velocity) body.velocity = direction(*body.velocity);
    }
    for (Joint& joint : model.joints) move_markers(joint, joint.between());
    for (Drive& drive : model.drives)
      if (drive.joint.empty()) move_drive(drive);
    for (Force& force : model.forces) move_force(force);
    return model;
  }

 private:
  using Point = std::optional<Vec3>;
  static void apply(Point* v, const auto& f) {
    if (v && *v) *v = f(**v);
  }
  /// Points and directions of a joint or a force, where its kind has them; those of the ground are in space.
  void move_markers(auto& e, const Names& between) const {
    const auto to_place = [&](const Vec3& x) { return place(x); };
    const auto to_direction = [&](const Vec3& v) { return direction(v); };
    apply(e.template field<Point>("at"), to_place);
    apply(e.template field<Point>("axis"), to_direction);
    for (const std::string end : {"a", "b"}) {
      if (between[end == "b"] != "ground") continue;
      apply(e.template field<Point>("at_" + end), to_place);
      apply(e.template field<Point>("axis_" + end), to_direction);
      if (Vec3* axis = e.template field<Vec3>("axis_" + end)) *axis = direction(*axis);
    }
  }
  void move_drive(Drive& e) const {
    const auto to_place = [&](const Vec3& x) { return place(x); };
    const auto to_direction = [&](const Vec3& v) { return direction(v); };
    apply(&e.at, to_place);
    apply(&e.axis, to_direction);
    if (e.between[0] == "ground") apply(&e.at_a, to_place), apply(&e.axis_a, to_direction);
    if (e.between[1] == "ground") apply(&e.at_b, to_place), apply(&e.axis_b, to_direction);
  }
  void move_force(Force& force) const {
    if (auto* bushing = force.edit<Bushing>()) bushing->frame = orientation(bushing->frame);
    if (auto* load = force.edit<PointForce>()) return move_load(*load);
    if (auto* load = force.edit<BodyTorque>()) return move_load(*load);
    if (!force.field<std::string>("joint")) move_markers(force, force.anchors().between);
  }
  void move_load(auto& load) const {
    if (load.follower) return;
    if (load.vector) load.vector = direction(*load.vector);
    if (load.function.size() == 3) load.function = turned(load.function);
  }
  /// Q f(t) of three harmonic functions.
  LoadFunctions turned(const LoadFunctions& f) const {
    const Mat3 Q = Q_.toRotationMatrix();
    LoadFunctions out(3);
    for (int i = 0; i < 3; ++i) {
      out[i].type = Function::Type::sum;
      out[i].terms = f;
      for (int j = 0; j < 3; ++j) {
        out[i].terms[j].amplitude *= Q(i, j);
        out[i].terms[j].offset *= Q(i, j);
      }
    }
    return out;
  }

  Quaternion Q_;
  Vec3 t_;
};

}  // namespace polhode
