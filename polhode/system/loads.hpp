// Loads on single nodes: given as functions of time, or computed by a program.
#pragma once

#include <array>
#include <memory>

#include <polhode/lie/algebra.hpp>
#include <polhode/model/computed_force.hpp>

namespace polhode {

/// A force at a point X of a node, or a torque; its vector in space, or in the node's axes if it follows.
struct Load {
  int node = 0;
  bool torque = false, follower = false;
  Vec3 X = Vec3::Zero(), vector = Vec3::Zero();
  std::array<int, 3> functions{-1, -1,
                               -1};  ///< of the components; -1: the constant 1, all equal if one function scales
  int force = -1;
};

/// A wrench at a point X of a node that a program computes.
struct ComputedWrench {
  int node = 0;
  Vec3 X = Vec3::Zero();
  std::shared_ptr<const ComputedLoad> load;
  int force = -1;
};

}  // namespace polhode
