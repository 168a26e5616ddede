// What a user describes: bodies, joints, drives, forces, and how to simulate them. Plain data, one field per word of the
// JSON format (docs/model-format.md), resolved to arrays only by system/compile. SI units, angles in radians.
//
// "At the model pose" means: with every body where `position` and `orientation` put it. A field such as `at` or `axis` is
// given in space at that pose; `at_a`, `axis_b` and the like are given in the frame of that body (for "ground": in space).
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <polhode/lie/algebra.hpp>
#include <polhode/model/computed_force.hpp>
#include <polhode/model/function.hpp>
#include <polhode/model/shape.hpp>

namespace polhode {

/// What moves. The body frame is the user's: `position` is where its origin is, in space.
struct Body {
  enum class Type {
    rigid,        ///< position and orientation, 6 degrees of freedom
    fixed_point,  ///< turns about `pivot`, 3 degrees of freedom
    particle,     ///< position only, 3 degrees of freedom
    scalar        ///< a mass that slides: its place is position + coordinate * axis, 1 degree of freedom
  };

  std::string name;
  Type type = Type::rigid;
  double mass = 0;                                  ///< [kg]
  Mat3 inertia = Mat3::Zero();                      ///< in `inertia_frame`, about `inertia_about` [kg m^2]
  std::optional<Vec3> inertia_about;                ///< a point of the body frame; if absent, the centre of mass
  Quaternion inertia_frame = Quaternion::Identity();///< takes components in which `inertia` is given to the body frame
  Vec3 centre_of_mass = Vec3::Zero();               ///< in the body frame [m]
  Vec3 position = Vec3::Zero();                     ///< of the body frame's origin, in space [m]
  Quaternion orientation = Quaternion::Identity();  ///< takes body components to space components
  std::optional<Vec3> velocity;                     ///< of the body frame's origin, in space [m/s]; absent: made consistent
  std::optional<Vec3> angular_velocity;             ///< body components [rad/s]; absent: made consistent
  Vec3 pivot = Vec3::Zero();                        ///< fixed_point: the point that stays, in space [m]
  Vec3 axis = Vec3::UnitX();                        ///< scalar: direction of travel, in space
  double coordinate = 0;                            ///< scalar: initial travel [m]
  std::optional<double> rate;                       ///< scalar: initial rate of travel [m/s]
  std::vector<Shape> shapes;                        ///< what it looks like; none: viewers draw its inertia and its joints
  bool operator==(const Body&) const = default;
};

/// A rigid connection between two bodies. Which fields count depends on the type: see docs/model-format.md.
struct Joint {
  enum class Type {
    spherical, revolute, universal, cylindrical, prismatic, planar, weld,
    point_on_line, point_on_plane, rod, screw
  };

  std::string name;
  Type type = Type::spherical;
  std::array<std::string, 2> between;       ///< names of bodies a and b; "ground" is one that does not move
  std::optional<Vec3> at, at_a, at_b;       ///< anchor; `at` in space at the model pose, or one in each body. Default: origins
  std::optional<Vec3> axis, axis_a, axis_b; ///< axis (normal of a plane, direction of a line, the two of a universal joint)
  std::optional<double> length;             ///< rod: its length; absent: the distance at the model pose [m]
  double pitch = 0;                         ///< screw: travel per angle [m/rad]
  bool operator==(const Joint&) const = default;
};

/// Ties the motions of two joints together: gear, angle_1 + ratio angle_2 = 0; rack, travel_1 - radius angle_2 = 0.
struct Coupling {
  enum class Type { gear, rack };
  std::string name;
  Type type = Type::gear;
  std::array<std::string, 2> joints;
  double ratio = 1;   ///< gear
  double radius = 0;  ///< rack [m]
  bool operator==(const Coupling&) const = default;
};

/// A number that measures how one body stands to another.
enum class Coordinate {
  angle,   ///< of b about the axis of a, 0 at the model pose, counted over many turns [rad]
  travel,  ///< of b's anchor along the axis of a [m]
  length   ///< distance between the anchors [m]
};

/// Prescribes a coordinate: of a joint, or of a pair of bodies that no joint of that kind connects.
struct Drive {
  std::string name;
  Coordinate type = Coordinate::angle;
  std::string joint;                        ///< whose coordinate; empty: the pair below
  std::array<std::string, 2> between;
  std::optional<Vec3> at, at_a, at_b, axis, axis_a, axis_b;  ///< as in Joint
  Function motion;                          ///< value of the coordinate [rad or m]
  bool operator==(const Drive&) const = default;
};

/// A force element or a load.
struct Force {
  enum class Type {
    spring_damper,            ///< between two points: stiffness, damping, length (natural)
    torsional_spring_damper,  ///< about a joint's axis: stiffness, damping, angle (of rest)
    bushing,                  ///< six stiffnesses and dampings: three along, three about the axes of `frame` fixed to a
    force,                    ///< at a point of `body`: vector * function, or three functions
    torque,                   ///< on `body`: as force
    joint_force,              ///< on a joint's own coordinate: a motor's torque or a piston's force, `function`
    computed_potential,       ///< between two bodies or of a joint: `potential`; in memory only
    computed_load             ///< on `body` at `at_a`, or on a joint's coordinate: `load`; in memory only
  };

  std::string name;
  Type type = Type::force;
  std::array<std::string, 2> between;         ///< spring_damper, bushing, computed_potential
  std::string joint;                          ///< torsional_spring_damper, joint_force, computed ones of a joint
  Coordinate coordinate = Coordinate::angle;  ///< joint_force, computed ones: which coordinate of the joint
  std::optional<Vec3> at, at_a, at_b;         ///< as in Joint; `at_a` is also the point of a force, in its body's frame
  Quaternion frame = Quaternion::Identity();  ///< bushing, potential: takes its axes to space at the model pose
  double stiffness = 0, damping = 0;          ///< [N/m, N s/m] or [N m/rad, N m s/rad]
  std::optional<double> length;               ///< natural length; absent: the distance at the model pose [m]
  double angle = 0;                           ///< angle of rest [rad]
  Vec6 stiffnesses = Vec6::Zero(), dampings = Vec6::Zero();  ///< bushing: three translations, three rotations
  std::string body;                           ///< force, torque
  Vec3 vector = Vec3::Zero();                 ///< force [N], torque [N m]; in space, or in the body if it follows
  std::vector<Function> functions;            ///< none: constant; one: multiplies `vector`; three: the components
  bool follower = false;                      ///< turns with the body
  std::shared_ptr<const ComputedPotential> potential;
  std::shared_ptr<const ComputedLoad> load;
  bool operator==(const Force&) const = default;
};

/// How an integrator is chosen: its name and its options, checked against the table of integrate/methods.
using OptionValue = std::variant<double, std::string>;
struct IntegratorChoice {
  std::string name = "energy-momentum";
  std::map<std::string, OptionValue> options;
  bool operator==(const IntegratorChoice&) const = default;
};

struct NewtonOptions {
  double tolerance = 1e-17;  ///< on the estimated error of a step's unknowns, relative, each kind by itself
  int max_iterations = 20;
  bool operator==(const NewtonOptions&) const = default;
};

struct SimulationOptions {
  enum class Assembly {
    strict,  ///< positions and velocities that contradict the joints are an error
    project  ///< they are moved to the nearest ones that do not
  };
  IntegratorChoice integrator;
  double step = 1e-3;                  ///< [s]
  double end_time = 1;                 ///< [s]
  std::optional<double> output_step;   ///< [s]; absent: about 1000 samples, a multiple of the step
  Assembly assembly = Assembly::strict;
  NewtonOptions newton;
  int threads = 1;                     ///< that share the work of large models; results do not depend on it
  bool operator==(const SimulationOptions&) const = default;
};

struct Model {
  std::string name, description, source;  ///< `source`: where the numbers come from
  std::string reference;                  ///< file of its exact motion, relative to the model's own file
  Vec3 gravity = Vec3::Zero();            ///< [m/s^2]
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<Coupling> couplings;
  std::vector<Drive> drives;
  std::vector<Force> forces;
  SimulationOptions simulation;
  bool operator==(const Model&) const = default;
};

}  // namespace polhode
