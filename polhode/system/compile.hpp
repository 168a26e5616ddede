// From a Model to a System: names become indices, anchors and axes become markers.
#pragma once

#include <polhode/model/model.hpp>
#include <polhode/system/outputs.hpp>
#include <polhode/system/system.hpp>

namespace polhode {

/// Where the body of a model is in the system.
struct BodyPlace {
  std::string name;
  int node = 0;
  Vec3 origin = Vec3::Zero();  ///< of the user's body frame, in the node's axes (which are parallel)
  bool velocity_given = false, angular_velocity_given = false;
};

/// Where a joint, a coupling, or a drive that stands alone is in the system.
struct ConnectionPlace {
  std::string name, path;  ///< path in the document, such as joints[2]
  std::string_view word;   ///< of its kind
  Look look = Look::none;
  int block = 0;          ///< its constraint block
  Pair pair;              ///< its markers (of the first joint, for a coupling)
  bool oriented = false;  ///< its rows cannot tell the axis of b from its opposite
};

/// Where a force that viewers draw, such as a spring, takes hold.
struct SpringPlace {
  std::string name;
  std::string_view word;
  Pair pair;
};

struct CompiledModel {
  System system;
  std::vector<BodyPlace> bodies;
  std::vector<ConnectionPlace> connections;
  std::vector<SpringPlace> springs;
  std::vector<OutputPlace> outputs;  ///< what forces show of themselves in results
  std::vector<std::string> drive_names, force_names;
  std::vector<std::string> row_labels;  ///< of every multiplier
  State start;                          ///< as given: not yet made consistent
};

/// Compiles a model that validate() found no error in.
CompiledModel compile(const Model& model);

}  // namespace polhode
