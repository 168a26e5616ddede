// One table per kind of object. An entry without types is for all types.
#include <polhode/io/model_keys.hpp>

namespace polhode::keys {
namespace {

using Types = std::vector<std::string_view>;

const Types turning = {"rigid", "fixed-point"};
const Types between_bodies = {"spherical", "revolute", "universal",     "cylindrical",    "prismatic", "planar",
                              "weld",      "rod",      "point-on-line", "point-on-plane", "screw"};
const Types about_one_axis_or_of_a = {"revolute", "cylindrical",   "prismatic",     "planar",
                                      "screw",    "point-on-line", "point-on-plane"};
const Types about_an_axis_of_a = {"revolute", "cylindrical", "prismatic",     "planar",
                                  "screw",    "universal",   "point-on-line", "point-on-plane"};
const Types about_an_axis_of_b = {"revolute", "cylindrical", "prismatic", "planar", "screw", "universal"};
const Types elastic = {"spring-damper", "torsional-spring-damper", "bushing"};
const Types of_a_pair = {"spring-damper", "bushing"};
const Types loads = {"force", "torque"};

}  // namespace

const std::vector<KeyUse>& model() {
  static const std::vector<KeyUse> keys = {{"polhode"}, {"name"},   {"description"}, {"source"}, {"reference"}, {"gravity"},
                                           {"bodies"},  {"joints"}, {"drives"},      {"forces"}, {"simulation"},
                                           {"$schema"}};
  return keys;
}

const std::vector<KeyUse>& body() {
  static const std::vector<KeyUse> keys = {{"name"},
                                           {"type"},
                                           {"mass"},
                                           {"position"},
                                           {"inertia", turning},
                                           {"inertia_about", turning},
                                           {"inertia_frame", turning},
                                           {"centre_of_mass", turning},
                                           {"orientation", turning},
                                           {"angular_velocity", turning},
                                           {"velocity", {"rigid", "particle"}},
                                           {"pivot", {"fixed-point"}},
                                           {"axis", {"scalar"}},
                                           {"coordinate", {"scalar"}},
                                           {"rate", {"scalar"}},
                                           {"shapes"}};
  return keys;
}

const std::vector<KeyUse>& shape() {
  static const std::vector<KeyUse> keys = {{"type"},
                                           {"at"},
                                           {"frame"},
                                           {"color"},
                                           {"size", {"box"}},
                                           {"radius", {"cylinder", "sphere", "cone", "capsule"}},
                                           {"length", {"cylinder", "cone", "capsule"}},
                                           {"vertices", {"mesh"}},
                                           {"faces", {"mesh"}}};
  return keys;
}

const std::vector<KeyUse>& joint() {
  static const std::vector<KeyUse> keys = {{"name"},
                                           {"type"},
                                           {"between", between_bodies},
                                           {"at", between_bodies},
                                           {"at_a", between_bodies},
                                           {"at_b", between_bodies},
                                           {"axis", about_one_axis_or_of_a},
                                           {"axis_a", about_an_axis_of_a},
                                           {"axis_b", about_an_axis_of_b},
                                           {"length", {"rod"}},
                                           {"pitch", {"screw"}},
                                           {"joints", {"gear", "rack"}},
                                           {"ratio", {"gear"}},
                                           {"radius", {"rack"}}};
  return keys;
}

const std::vector<KeyUse>& drive() {
  static const std::vector<KeyUse> keys = {{"name"}, {"type"}, {"joint"}, {"between"}, {"at"},     {"at_a"},
                                           {"at_b"}, {"axis"}, {"axis_a"}, {"axis_b"}, {"motion"}};
  return keys;
}

const std::vector<KeyUse>& force() {
  static const std::vector<KeyUse> keys = {{"name"},
                                           {"type"},
                                           {"between", of_a_pair},
                                           {"at", {"spring-damper", "bushing", "force"}},
                                           {"at_a", of_a_pair},
                                           {"at_b", of_a_pair},
                                           {"frame", {"bushing"}},
                                           {"stiffness", elastic},
                                           {"damping", elastic},
                                           {"length", {"spring-damper"}},
                                           {"joint", {"torsional-spring-damper", "joint-force"}},
                                           {"angle", {"torsional-spring-damper"}},
                                           {"body", loads},
                                           {"vector", loads},
                                           {"follower", loads},
                                           {"function", {"force", "torque", "joint-force"}},
                                           {"coordinate", {"joint-force"}}};
  return keys;
}

const std::vector<KeyUse>& function() {
  static const std::vector<KeyUse> keys = {{"type"},
                                           {"value", {"constant"}},
                                           {"coefficients", {"polynomial"}},
                                           {"amplitude", {"harmonic"}},
                                           {"angular_frequency", {"harmonic"}},
                                           {"phase", {"harmonic"}},
                                           {"offset", {"harmonic"}},
                                           {"from", {"ramp"}},
                                           {"to", {"ramp"}},
                                           {"start", {"ramp"}},
                                           {"end", {"ramp"}},
                                           {"smooth", {"ramp"}},
                                           {"times", {"table", "piecewise"}},
                                           {"values", {"table"}},
                                           {"interpolation", {"table"}},
                                           {"functions", {"piecewise", "sum"}}};
  return keys;
}

const std::vector<KeyUse>& simulation() {
  static const std::vector<KeyUse> keys = {{"integrator"},  {"step"},     {"end_time"},
                                           {"output_step"}, {"assembly"}, {"newton"}, {"threads"}};
  return keys;
}

const std::vector<KeyUse>& newton() {
  static const std::vector<KeyUse> keys = {{"tolerance"}, {"max_iterations"}};
  return keys;
}

}  // namespace polhode::keys
