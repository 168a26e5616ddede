// A result as an animated glTF 2.0 file, which Blender, browsers and game engines open.
#pragma once

#include <string>

#include <polhode/io/result.hpp>

namespace polhode::view {

/// Writes `path`: a binary glTF (.glb), or, if the name ends with .gltf, JSON with the numbers in it. At most `frames`
/// poses (0: all).
/// A node a body, moved by an animation; joints are small balls and pins that move with body a. The scene is turned so
/// that what is up, against gravity, is y, as glTF has it. Throws ResultError, ModelError.
void write_gltf(const std::string& path, const ResultReader& result, std::size_t frames = 0);

}  // namespace polhode::view
