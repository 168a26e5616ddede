// How the forces of Lens and Cardona's two intervals act on a body's displacements: the choice that their schemes leave
// open for rotations. Energy is kept by all of them; see docs/methods/lens-cardona.md.
#pragma once

#include <array>

#include <polhode/describe/words.hpp>
#include <polhode/system/node.hpp>

namespace polhode {

enum class Torque {
  transported,    ///< rotations by the Cayley map, torques carried back from the second interval to the start
  fixed_pole,     ///< rigid motions by the Cayley map about a fixed pole: momentum is exact
  half_rotation,  ///< rotations by e = sin(angle/2) axis, arms at normalised half rotations
};
template <>
inline constexpr auto words<Torque> = std::to_array<Word>({
    {"transported"},
    {"fixed-pole", "momentum exact, not for fast spin"},
    {"half-rotation", "as Geradin's top, at most 2 rad a step"},
});

/// The two states that a step looks for, in this order wherever they are counted: at its end, and just after its start.
enum Where { at_end, at_jump };
inline constexpr std::array<Where, 2> states{at_end, at_jump};

/// How a node gets there from the start of the step: its displacement and the vector of its rotation, both in space.
struct NodeStep {
  std::array<Vec3, 2> dx{Vec3::Zero(), Vec3::Zero()}, r{Vec3::Zero(), Vec3::Zero()};
};

/// The rotation of the vector r. It needs |r| < 2 for half rotations.
Quaternion rotation_of(Torque torque, const Vec3& r);
/// S, in d r = S theta with the spatial variation theta at the end of the rotation.
Mat3 rotation_rate(Torque torque, const Vec3& r);
/// The directors between two rotations r_a and r_b of the same start, from which half rotations take arms; r_a or r_b
/// may be zero.
Quaternion half_way(const Vec3& r_a, const Vec3& r_b);

/// Does the node move by a rigid motion about its own starting point?
inline bool moves_about_pole(Torque torque, const Node& node) {
  return torque == Torque::fixed_pole && node.kind == Node::Kind::rigid;
}

/// The forces of a node in the balances (a) and (b) of a step: F_g = a g_g and F_g' = b g_g of the interval from the
/// jump to the end,
/// F_h = h g_h of the interval from the start to the jump; and their derivatives by the spatial variations of the two
/// states with g_g and g_h held.
struct ForceMap {
  Mat6 a = Mat6::Identity(), b = Mat6::Identity(), h = Mat6::Identity();
  std::array<Mat6, 2> da{Mat6::Zero(), Mat6::Zero()}, db{Mat6::Zero(), Mat6::Zero()};
  Mat6 dh = Mat6::Zero();  ///< by the jump alone

  ForceMap(Torque torque, const Node& node, const NodeStep& step, const Vec6& g_g, const Vec6& g_h);
};

}  // namespace polhode
