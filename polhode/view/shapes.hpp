// What a body without shapes of its own is drawn as: the uniform solid that has its inertia, and bars to its joints.
#pragma once

#include <vector>

#include <polhode/model/model.hpp>

namespace polhode::view {

/// The principal axes of a body: J = E diag(moments) E^T about `centre`, in the body frame.
struct PrincipalInertia {
  Vec3 moments = Vec3::Zero();  ///< in the order of the axes of E
  Quaternion axes = Quaternion::Identity();
};

/// About the centre of mass; for a fixed-point body about its pivot. Axes that are principal already keep their order.
PrincipalInertia principal_inertia(const Body& body);

/// The uniform solid with the body's mass and inertia, about its centre of mass: a sphere, a cylinder or a box.
/// No edge is thinner than `thinnest`. A body that does not turn is a sphere.
Shape solid_of_inertia(const Body& body, double thinnest);

/// The solid, and a bar of that thickness to every anchor (in the body frame) that lies outside of it.
std::vector<Shape> default_shapes(const Body& body, const std::vector<Vec3>& anchors, double thinnest);

/// How far the body reaches from its centre of mass, by its inertia and its anchors [m].
double reach(const Body& body, const std::vector<Vec3>& anchors);

/// Half the edges of the smallest box around a shape, in its own axes, about `middle`.
struct Bounds {
  Vec3 middle = Vec3::Zero(), half = Vec3::Zero();
};
Bounds bounds(const Shape& shape);

}  // namespace polhode::view
