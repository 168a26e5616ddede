// A model picked up and put down elsewhere: everything given in space is turned by Q and shifted by t.
#pragma once

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
      if (body.type == Body::Type::rigid || body.type == Body::Type::fixed_point) body.orientation = orientation(body.orientation);
      if (body.velocity) body.velocity = direction(*body.velocity);
    }
    for (Joint& joint : model.joints) move_markers(joint);
    for (Drive& drive : model.drives)
      if (drive.joint.empty()) move_markers(drive);
    for (Force& force : model.forces) move_force(force);
    return model;
  }

 private:
  static void apply(std::optional<Vec3>& v, const auto& f) {
    if (v) v = f(*v);
  }
  void move_points(auto& e) const {
    const auto to_place = [&](const Vec3& x) { return place(x); };
    apply(e.at, to_place);
    if (e.between[0] == "ground") apply(e.at_a, to_place);
    if (e.between[1] == "ground") apply(e.at_b, to_place);
  }
  void move_markers(auto& e) const {
    move_points(e);
    const auto to_direction = [&](const Vec3& v) { return direction(v); };
    apply(e.axis, to_direction);
    if (e.between[0] == "ground") apply(e.axis_a, to_direction);
    if (e.between[1] == "ground") apply(e.axis_b, to_direction);
  }
  void move_force(Force& force) const {
    const bool load = force.type == Force::Type::force || force.type == Force::Type::torque;
    if (force.type == Force::Type::bushing) force.frame = orientation(force.frame);
    if (!load && force.joint.empty()) move_points(force);
    if (!load || force.follower) return;
    force.vector = direction(force.vector);
    if (force.functions.size() == 3) force.functions = turned(force.functions);
  }
  /// Q f(t) of three harmonic functions.
  std::vector<Function> turned(const std::vector<Function>& f) const {
    const Mat3 Q = Q_.toRotationMatrix();
    std::vector<Function> out(3);
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
