// Models for Lens and Cardona's schemes, with the set-ups of the digits that they are tested against.
#pragma once

#include <cmath>

#include <polhode/elements/forces.hpp>
#include <polhode/elements/joints.hpp>

#include "simulate/runs.hpp"

namespace polhode {

inline IntegratorChoice lens(const std::string& scheme, double alpha, const std::string& kappa = "one",
                             const std::string& torque = "transported") {
  return {"lens-cardona", {{"scheme", scheme}, {"alpha", alpha}, {"kappa", kappa}, {"torque", torque}}};
}

inline std::string lens_text(const IntegratorChoice& choice) {
  const auto word = [&](const char* name) { return std::get<std::string>(choice.options.at(name)); };
  return fmt::format("{} alpha {} kappa {} {}", word("scheme"), std::get<double>(choice.options.at("alpha")),
                     word("kappa"), word("torque"));
}

inline Mat3 about(int axis, double angle) { return Eigen::AngleAxisd(angle, Vec3::Unit(axis)).toRotationMatrix(); }

/// A four-bar linkage in a tilted plane, all joints revolute: three equations of its loop are redundant.
inline Model lens_four_bar() {
  const Mat3 Q = about(1, 0.4) * about(0, 0.7);
  const auto in_plane = [&](double x, double y) { return Vec3(Q * Vec3(x, y, 0)); };
  const double x1 = 0.8 * std::cos(1.0), y1 = 0.8 * std::sin(1.0);
  // the apex, 2.2 m from the crank's end and 1.5 m from (2, 0), above the line between them
  const double dx = 2 - x1, dy = -y1, d = std::hypot(dx, dy), along = (d * d + 2.2 * 2.2 - 1.5 * 1.5) / (2 * d),
               up = std::sqrt(2.2 * 2.2 - along * along);
  const std::array<Vec3, 4> p{in_plane(0, 0), in_plane(x1, y1),
                              in_plane(x1 + (along * dx - up * dy) / d, y1 + (along * dy + up * dx) / d),
                              in_plane(2, 0)};
  const std::array<const char*, 5> names{"ground", "crank", "coupler", "rocker", "ground"};
  Model model;
  model.name = "four-bar of the digits";
  model.gravity = Vec3(1, -2, -9);
  for (int k = 0; k < 3; ++k) {
    Body body;
    const double L = (p[k + 1] - p[k]).norm();
    const Vec3 u = (p[k + 1] - p[k]) / L;
    body.name = names[k + 1];
    body.mass = L;
    body.inertia = L * L * L / 12 * (Mat3::Identity() - u * u.transpose()) + 0.01 * Mat3::Identity();
    body.position = 0.5 * (p[k] + p[k + 1]);
    if (k == 0) {
      body.angular_velocity = Vec3(.8935307301, -1.932653061713, 2.113398915827);
      body.velocity = body.angular_velocity->cross(body.position);
    }
    model.bodies.push_back(body);
  }
  for (int k = 0; k < 4; ++k) {
    model.joints.push_back(
        Revolute{.name = fmt::format("joint{}", k), .between = {names[k], names[k + 1]}, .at = p[k], .axis = Q.col(2)});
  }
  return model;
}

/// A body on a spherical joint with another one that slides along it on a spring.
inline Model lens_prismatic() {
  const Mat3 R = about(1, 0.3) * about(0, 0.5);
  const Vec3 Omega(1, -2, 0.7), omega = R * Omega, x_a = R * Vec3(0, 0, -1), x_b = x_a + R * Vec3(0.1, -0.2, 1.3);
  Model model;
  model.name = "prismatic joint with a spring";
  model.gravity = Vec3(0, 0, -9.81);
  Body a, b;
  a.name = 'a';
  a.mass = 2;
  a.inertia = Vec3(0.5, 0.6, 0.2).asDiagonal();
  a.position = x_a;
  a.orientation = b.orientation = Quaternion(R);
  a.angular_velocity = b.angular_velocity = Omega;
  a.velocity = omega.cross(x_a);
  b.name = 'b';
  b.mass = 1;
  b.inertia = Vec3(0.1, 0.2, 0.15).asDiagonal();
  b.position = x_b;
  b.velocity = Vec3(omega.cross(x_a) + omega.cross(x_b - x_a) + R * Vec3(0, 0, 0.8));
  model.bodies = {a, b};
  model.joints = {
      Spherical{.name = "ball", .between = {"ground", "a"}, .at_a = Vec3::Zero(), .at_b = Vec3(0, 0, 1)},
      Prismatic{
          .name = "slide", .between = {"a", "b"}, .at_a = Vec3(0.1, -0.2, 0), .at_b = Vec3::Zero(), .axis = R.col(2)}};
  model.forces = {SpringDamper{.name = "spring",
                               .between = {"a", "b"},
                               .at_a = Vec3(0.3, 0, 0),
                               .at_b = Vec3(0, 0.1, 0),
                               .stiffness = 80,
                               .length = 1}};
  return model;
}

}  // namespace polhode
