// A result as files of VTK, which ParaView opens: a list of times (.pvd), and for each the surfaces of the bodies, and
// bodies and joints as points that carry the recorded numbers.
#pragma once

#include <string>

#include <polhode/io/result.hpp>

namespace polhode::view {

/// Writes `path`, which ends with .pvd, and beside it a folder of its name without the ending, with three .vtp files a
/// time: bodies (surfaces; cells know their body, points their velocity), centres (a point a body, with mass, velocity,
/// angular velocity and quaternion) and joints (a point a joint, with reaction force and torque in space). At most
/// `frames` times (0: all). Returns how many. Throws ResultError, ModelError.
std::size_t write_vtk(const std::string& path, const ResultReader& result, std::size_t frames = 0);

}  // namespace polhode::view
