// What bodies are drawn as: solids that have their inertia, and surfaces that close.
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>

#include <gtest/gtest.h>

#include <polhode/describe/words.hpp>
#include <polhode/io/model_reader.hpp>
#include <polhode/lie/so3.hpp>
#include <polhode/view/mesh.hpp>
#include <polhode/view/scene.hpp>

namespace polhode::view::shapes_test {
namespace {

Body body_with(const Vec3& moments, double mass) {
  Body body;
  body.name = "body";
  body.mass = mass;
  body.inertia = moments.asDiagonal();
  return body;
}

TEST(SolidOfInertia, FindsABoxAgain) {
  const Vec3 edges(1, 0.5, 3);  // of the chain of Nielsen & Krenk
  const double m = 12;
  const Vec3 squares = edges.cwiseProduct(edges), J = m / 12 * (Vec3::Constant(squares.sum()) - squares);
  const Shape shape = solid_of_inertia(body_with(J, m), 1e-3);
  EXPECT_EQ(shape.type, Shape::Type::box);
  EXPECT_LT((shape.size - edges).norm(), 1e-14);
}

TEST(SolidOfInertia, FindsACylinderAgainAboutAnyAxis) {
  const double m = 3, r = 0.2, l = 0.7, along = m * r * r / 2, across = m * (3 * r * r + l * l) / 12;
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 J = Vec3::Constant(across);
    J[axis] = along;
    const Shape shape = solid_of_inertia(body_with(J, m), 1e-3);
    EXPECT_EQ(shape.type, Shape::Type::cylinder);
    EXPECT_NEAR(shape.radius, r, 1e-14);
    EXPECT_NEAR(shape.length, l, 1e-14);
    EXPECT_NEAR(std::abs((shape.frame * Vec3::UnitZ())[axis]), 1, 1e-14);
  }
}

TEST(SolidOfInertia, FindsASphereAgainAndGivesThinDiscsAThickness) {
  const Shape sphere = solid_of_inertia(body_with(Vec3::Constant(0.4 * 2 * 0.09), 2), 1e-3);
  EXPECT_EQ(sphere.type, Shape::Type::sphere);
  EXPECT_NEAR(sphere.radius, 0.3, 1e-14);
  // the heavy top: no thickness at all
  const Shape disc = solid_of_inertia(body_with({0.234375, 0.46875, 0.234375}, 15), 0.01);
  EXPECT_EQ(disc.type, Shape::Type::cylinder);
  EXPECT_NEAR(disc.radius, 0.25, 1e-14);
  EXPECT_DOUBLE_EQ(disc.length, 0.01);
}

TEST(SolidOfInertia, TurnsWithPrincipalAxesThatAreNotThoseOfTheBody) {
  const Mat3 R = so3::exp(Vec3(0.3, -0.7, 0.2)).toRotationMatrix();
  Body body = body_with({1, 2, 2.5}, 1);
  const Shape straight = solid_of_inertia(body, 1e-3);
  body.inertia = R * body.inertia * R.transpose();
  const Shape turned = solid_of_inertia(body, 1e-3);
  EXPECT_LT((turned.size - straight.size).norm(), 1e-12);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(std::abs(R.col(k).dot(turned.frame * Vec3::Unit(k))), 1, 1e-12);
}

/// The volume inside a surface, by the divergence theorem: positive if the triangles are counterclockwise from outside.
double volume(const TriangleMesh& mesh) {
  double six = 0;
  for (const auto& [a, b, c] : mesh.triangles) six += mesh.points[a].dot(mesh.points[b].cross(mesh.points[c]));
  return six / 6;
}

/// Every edge, by the places of its ends, belongs to two triangles, once in each direction.
bool closed(const TriangleMesh& mesh) {
  using Place = std::array<long, 3>;
  const auto place = [&](std::uint32_t k) {
    const Vec3& p = mesh.points[k];
    return Place{std::lround(1e9 * p.x()), std::lround(1e9 * p.y()), std::lround(1e9 * p.z())};
  };
  std::map<std::pair<Place, Place>, int> edges;
  for (const auto& triangle : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      const Place a = place(triangle[k]), b = place(triangle[(k + 1) % 3]);
      if (a < b)
        ++edges[{a, b}];
      else
        --edges[{b, a}];
    }
  return std::all_of(edges.begin(), edges.end(), [](const auto& entry) { return entry.second == 0; });
}

TEST(Tessellate, ClosesEverySurfaceAroundItsVolume) {
  const double pi = std::numbers::pi, r = 0.3, l = 0.8;
  Shape shape;
  shape.size = {0.5, 0.7, 1.1};
  shape.radius = r;
  shape.length = l;
  const std::map<Shape::Type, double> volumes{{Shape::Type::box, 0.5 * 0.7 * 1.1},
                                              {Shape::Type::cylinder, pi * r * r * l},
                                              {Shape::Type::sphere, 4 * pi / 3 * r * r * r},
                                              {Shape::Type::cone, pi * r * r * l / 3},
                                              {Shape::Type::capsule, pi * r * r * l + 4 * pi / 3 * r * r * r}};
  for (const auto& [type, exact] : volumes) {
    shape.type = type;
    const TriangleMesh coarse = tessellate(shape, 32), fine = tessellate(shape, 64);
    EXPECT_TRUE(closed(coarse)) << name_of(type);
    const double error = exact - volume(coarse), finer = exact - volume(fine);
    if (type == Shape::Type::box) {
      EXPECT_NEAR(error, 0, 1e-14);
    } else {
      EXPECT_NEAR(error / finer, 4, 0.1) << name_of(type);  // a polygon misses its circle by the square of its side
    }
    for (std::size_t k = 0; k < coarse.points.size(); ++k) {
      EXPECT_NEAR(coarse.normals[k].norm(), 1, 1e-12);
      EXPECT_GT(coarse.normals[k].dot(coarse.points[k]), 0)
          << name_of(type);  // all of them are convex about the origin
    }
  }
}

TEST(Tessellate, TakesAMeshAsItIs) {
  Shape shape;
  shape.type = Shape::Type::mesh;
  shape.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  shape.faces = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  const TriangleMesh mesh = tessellate(shape);
  EXPECT_TRUE(closed(mesh));
  EXPECT_NEAR(volume(mesh), 1.0 / 6, 1e-15);
}

// At the model pose both sides of a joint that keeps points together are at one place: the holds are in the users' body
// frames.
TEST(Scene, PutsTheAnchorsOfAllModelsTogether) {
  int checked = 0;
  for (const auto& entry : std::filesystem::directory_iterator(POLHODE_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".json") continue;
    const Model model = read_model(entry.path());
    const Scene scene = make_scene(model);
    ASSERT_EQ(scene.bodies.size(), model.bodies.size());
    const auto place = [&](const Hold& hold) -> Vec3 {
      if (hold.body < 0) return hold.point;
      const Body& body = model.bodies[static_cast<std::size_t>(hold.body)];
      return body.position + body.orientation * hold.point;
    };
    for (const SceneJoint& joint : scene.joints)
      if (joint.type == "spherical" || joint.type == "revolute" || joint.type == "universal") {
        EXPECT_LT((place(joint.a) - place(joint.b)).norm(), 1e-12) << entry.path() << " " << joint.name;
        ++checked;
      }
    for (const SceneBody& body : scene.bodies) EXPECT_FALSE(body.shapes.empty());
    EXPECT_GT(scene.joint_size, 0);
  }
  EXPECT_GT(checked, 100);
}

}  // namespace
}  // namespace polhode::view::shapes_test
