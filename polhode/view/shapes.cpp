#include <polhode/view/shapes.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include <polhode/lie/so3.hpp>
#include <polhode/model/inertia.hpp>

namespace polhode::view {
namespace {

constexpr double same = 0.01;  // moments that differ by less, relative, are taken as equal

bool turns(const Body& body) { return body.type == Body::Type::rigid || body.type == Body::Type::fixed_point; }

PrincipalInertia principal(const Mat3& J) {
  const double off_diagonal = std::max({std::abs(J(0, 1)), std::abs(J(0, 2)), std::abs(J(1, 2))});
  if (off_diagonal <= 1e-9 * J.cwiseAbs().maxCoeff()) return {J.diagonal(), Quaternion::Identity()};
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(0.5 * (J + J.transpose()));
  Mat3 E = solver.eigenvectors();
  if (E.determinant() < 0) E.col(2) *= -1;
  return {solver.eigenvalues(), Quaternion(E)};
}

bool equal(double a, double b) { return std::abs(a - b) <= same * std::max(std::abs(a), std::abs(b)); }

double root(double x) { return std::sqrt(std::max(0.0, x)); }

/// Takes z to the axis k.
Quaternion z_to(int k) { return k == 2 ? Quaternion::Identity() : so3::between(Vec3::UnitZ(), Vec3::Unit(k)); }

Shape bar(const Vec3& from, const Vec3& to, double radius) {
  Shape shape;
  shape.type = Shape::Type::cylinder;
  shape.at = 0.5 * (from + to);
  shape.frame = so3::between(Vec3::UnitZ(), to - from);
  shape.radius = radius;
  shape.length = (to - from).norm();
  return shape;
}

bool inside(const Shape& shape, const Vec3& point) {
  const Vec3 p = (shape.frame.conjugate() * (point - shape.at)).cwiseAbs();
  const Bounds b = bounds(shape);
  return ((p - b.half).array() <= 0.05 * b.half.maxCoeff()).all();
}

}  // namespace

PrincipalInertia principal_inertia(const Body& body) {
  if (!turns(body)) return {};
  return principal(body.type == Body::Type::fixed_point ? inertia_at_pivot(body) : inertia_at_centre_of_mass(body));
}

Shape solid_of_inertia(const Body& body, double thinnest) {
  Shape shape;
  shape.at = turns(body) ? body.centre_of_mass : Vec3::Zero();
  if (!turns(body)) {
    shape.type = Shape::Type::sphere;
    shape.radius = 2 * thinnest;
    return shape;
  }
  const auto [J, axes] = principal(inertia_at_centre_of_mass(body));
  const double m = body.mass;
  shape.frame = axes;
  // equal moments about two axes: a cylinder about the third, J_3 = m r^2/2, J_1 = m (3 r^2 + l^2)/12; about all: a
  // sphere
  for (int k = 0; k < 3; ++k) {
    const double across = J[(k + 1) % 3], along = J[k];
    if (!equal(across, J[(k + 2) % 3])) continue;
    if (equal(across, along)) {
      shape.type = Shape::Type::sphere;
      shape.radius = std::max(thinnest, root(2.5 * along / m));
      return shape;
    }
    shape.type = Shape::Type::cylinder;
    shape.radius = std::max(0.5 * thinnest, root(2 * along / m));
    shape.length = std::max(thinnest, root(12 * across / m - 6 * along / m));
    shape.frame = axes * z_to(k);
    return shape;
  }
  // J_1 = m (b^2 + c^2)/12, so a^2 = 6 (J_2 + J_3 - J_1)/m
  shape.type = Shape::Type::box;
  for (int k = 0; k < 3; ++k) shape.size[k] = std::max(thinnest, root(6 * (J.sum() - 2 * J[k]) / m));
  return shape;
}

std::vector<Shape> default_shapes(const Body& body, const std::vector<Vec3>& anchors, double thinnest) {
  std::vector<Shape> shapes{solid_of_inertia(body, thinnest)};
  if (!turns(body)) return shapes;
  for (const Vec3& anchor : anchors)
    if (!inside(shapes[0], anchor) && (anchor - shapes[0].at).norm() > thinnest)
      shapes.push_back(bar(shapes[0].at, anchor, 0.4 * thinnest));
  return shapes;
}

double reach(const Body& body, const std::vector<Vec3>& anchors) {
  double out = 0;
  if (turns(body)) {
    const Bounds b = bounds(solid_of_inertia(body, 0));
    out = b.half.maxCoeff();
  }
  const Vec3 centre = turns(body) ? body.centre_of_mass : Vec3::Zero();
  for (const Vec3& anchor : anchors) out = std::max(out, (anchor - centre).norm());
  return out;
}

Bounds bounds(const Shape& shape) {
  switch (shape.type) {
    case Shape::Type::box: return {Vec3::Zero(), 0.5 * shape.size};
    case Shape::Type::sphere: return {Vec3::Zero(), Vec3::Constant(shape.radius)};
    case Shape::Type::cylinder:
    case Shape::Type::cone: return {Vec3::Zero(), {shape.radius, shape.radius, 0.5 * shape.length}};
    case Shape::Type::capsule: return {Vec3::Zero(), {shape.radius, shape.radius, 0.5 * shape.length + shape.radius}};
    case Shape::Type::mesh: break;
  }
  if (shape.vertices.empty()) return {};
  Vec3 low = shape.vertices[0], high = shape.vertices[0];
  for (const Vec3& v : shape.vertices) {
    low = low.cwiseMin(v);
    high = high.cwiseMax(v);
  }
  return {0.5 * (low + high), 0.5 * (high - low)};
}

}  // namespace polhode::view
