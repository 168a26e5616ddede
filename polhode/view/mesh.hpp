// Shapes as triangles, for formats that know nothing else.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <polhode/model/model.hpp>

namespace polhode::view {

/// Triangles with a normal a vertex, counterclockwise from outside.
struct TriangleMesh {
  std::vector<Vec3> points, normals;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// The surface of a shape in its own axes (Shape::at and Shape::frame are not applied). Round shapes have `segments`
/// sides.
TriangleMesh tessellate(const Shape& shape, int segments = 32);

}  // namespace polhode::view
