// A model as it is drawn: the shapes of its bodies, and where its joints and springs take hold of them.
#pragma once

#include <string>
#include <vector>

#include <polhode/io/result.hpp>
#include <polhode/model/joint.hpp>
#include <polhode/model/model.hpp>
#include <polhode/view/shapes.hpp>

namespace polhode::view {

/// A point and a triad of a body, in the body frame; body -1 is the ground, in space.
struct Hold {
  int body = -1;
  Vec3 point = Vec3::Zero();
  Quaternion triad = Quaternion::Identity();
};

struct SceneBody {
  Body body;
  PrincipalInertia inertia;
  std::vector<Shape> shapes;  ///< its own, or the default ones
  bool own_shapes = false;
};

/// A joint, a coupling or a drive that stands alone: in the order of the joints of a result.
struct SceneJoint {
  std::string name, type;
  Hold a, b;
  Look look = Look::none;
};

struct SceneSpring {
  std::string name, type;
  Hold a, b;
};

struct Scene {
  Vec3 gravity = Vec3::Zero();
  std::vector<SceneBody> bodies;
  std::vector<SceneJoint> joints;
  std::vector<SceneSpring> springs;
  double joint_size = 0;  ///< that a joint should be drawn with [m]
};

/// Of a model that was found sound.
Scene make_scene(const Model& model);

/// The model inside a result, and its scene.
struct ShownModel {
  Model model;
  Scene scene;
};
/// Throws ModelError if the text is no model, ResultError if the samples are not of its bodies and joints.
ShownModel shown_model(const ResultReader& result);

/// The colour of a body: the shape's own, or one of a scale over all bodies. Red, green, blue, 0 to 1, sRGB.
Vec3 color_of(const Scene& scene, std::size_t body, const Shape& shape);

}  // namespace polhode::view
