#include <polhode/view/mesh.hpp>

#include <cmath>
#include <numbers>

namespace polhode::view {
namespace {

constexpr double pi = std::numbers::pi;

/// A point of an outline that turns about z: radius, height, and the normal in that plane.
struct OutlinePoint {
  double r, z, normal_r, normal_z;
};

/// The surface that an outline, from the lowest point up, draws when it turns about z.
void turn(TriangleMesh& mesh, const std::vector<OutlinePoint>& outline, int segments) {
  const auto first = static_cast<std::uint32_t>(mesh.points.size());
  const auto rings = static_cast<std::uint32_t>(outline.size()), around = static_cast<std::uint32_t>(segments) + 1;
  for (const auto& [r, z, nr, nz] : outline)
    for (std::uint32_t k = 0; k < around; ++k) {
      const double a = 2 * pi * k / segments;
      mesh.points.emplace_back(r * std::cos(a), r * std::sin(a), z);
      mesh.normals.push_back(Vec3(nr * std::cos(a), nr * std::sin(a), nz).normalized());
    }
  for (std::uint32_t i = 0; i + 1 < rings; ++i)
    for (std::uint32_t k = 0; k + 1 < around; ++k) {
      const std::uint32_t p = first + i * around + k, q = p + around;
      if (outline[i].r > 0) mesh.triangles.push_back({p, p + 1, q + 1});
      if (outline[i + 1].r > 0) mesh.triangles.push_back({p, q + 1, q});
    }
}

void add_box(TriangleMesh& mesh, const Vec3& size) {
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      const Vec3 n = side * Vec3::Unit(axis), u = Vec3::Unit((axis + 1) % 3), v = n.cross(u);
      const auto first = static_cast<std::uint32_t>(mesh.points.size());
      for (const auto& [a, b] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
        mesh.points.push_back(0.5 * (n + a * u + b * v).cwiseProduct(size));
        mesh.normals.push_back(n);
      }
      mesh.triangles.push_back({first, first + 1, first + 2});
      mesh.triangles.push_back({first, first + 2, first + 3});
    }
}

/// A half circle from the south to the north pole, drawn apart by `length` at the equator.
void add_ball(TriangleMesh& mesh, double radius, double length, int segments) {
  std::vector<OutlinePoint> outline;
  const int half = std::max(4, segments / 4);
  for (const int side : {-1, 1})
    for (int k = 0; k <= half; ++k) {
      const double a = side < 0 ? -pi / 2 + pi / 2 * k / half : pi / 2 * k / half;
      if (side > 0 && k == 0 && length == 0) continue;
      const bool pole = (side < 0 && k == 0) || (side > 0 && k == half);
      outline.push_back({pole ? 0 : radius * std::cos(a), radius * std::sin(a) + side * 0.5 * length,
                         pole ? 0 : std::cos(a), std::sin(a)});
    }
  turn(mesh, outline, segments);
}

/// Flat faces: a vertex of its own for every corner.
void add_mesh(TriangleMesh& mesh, const Shape& shape) {
  for (const auto& face : shape.faces) {
    const Vec3 &a = shape.vertices[face[0]], &b = shape.vertices[face[1]], &c = shape.vertices[face[2]];
    Vec3 n = (b - a).cross(c - a);
    if (!(n.norm() > 0)) continue;  // a triangle without area shows nothing
    n.normalize();
    const auto first = static_cast<std::uint32_t>(mesh.points.size());
    for (const Vec3& p : {a, b, c}) {
      mesh.points.push_back(p);
      mesh.normals.push_back(n);
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
}

}  // namespace

TriangleMesh tessellate(const Shape& shape, int segments) {
  TriangleMesh mesh;
  const double r = shape.radius, l = 0.5 * shape.length;
  switch (shape.type) {
    case Shape::Type::box: add_box(mesh, shape.size); break;
    case Shape::Type::sphere: add_ball(mesh, r, 0, segments); break;
    case Shape::Type::capsule: add_ball(mesh, r, shape.length, segments); break;
    case Shape::Type::cylinder:
      turn(mesh, {{0, -l, 0, -1}, {r, -l, 0, -1}}, segments);
      turn(mesh, {{r, -l, 1, 0}, {r, l, 1, 0}}, segments);
      turn(mesh, {{r, l, 0, 1}, {0, l, 0, 1}}, segments);
      break;
    case Shape::Type::cone:
      turn(mesh, {{0, -l, 0, -1}, {r, -l, 0, -1}}, segments);
      turn(mesh, {{r, -l, 2 * l, r}, {0, l, 2 * l, r}}, segments);
      break;
    case Shape::Type::mesh: add_mesh(mesh, shape); break;
  }
  return mesh;
}

}  // namespace polhode::view
