// What a user describes: bodies, joints, drives, forces, and how to simulate them. Plain data, one field per word of
// the
// JSON format (docs/model-format.md), resolved to arrays only by system/compile. SI units, angles in radians.
#pragma once

#include <polhode/model/body.hpp>
#include <polhode/model/drive.hpp>
#include <polhode/model/force.hpp>
#include <polhode/model/joint.hpp>
#include <polhode/model/options.hpp>

namespace polhode {

struct Model {
  std::string name{}, description{}, source{}, reference{};
  Vec3 gravity = Vec3::Zero();
  std::vector<Body> bodies{};
  std::vector<Joint> joints{};
  std::vector<Coupling> couplings{};
  std::vector<Drive> drives{};
  std::vector<Force> forces{};
  SimulationOptions simulation{};
  bool operator==(const Model&) const = default;
};

/// What is no list.
template <>
inline constexpr auto fields_of<Model> = fields(
    field<&Model::name>("", ""), field<&Model::description>("", ""),
    field<&Model::source>("", "where the numbers come from"),
    field<&Model::reference>("",
                             "file of the exact motion, relative to this file; `polhode compare` measures against it"),
    field<&Model::gravity>("m/s^2", "acceleration of free fall"));
template <>
inline constexpr Description kind<Model> = describe<Model>("model", "a multibody system and how to simulate it");

}  // namespace polhode
