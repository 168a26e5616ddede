// Bodies, joints, drives, forces, functions and the simulation, key by key in the order of docs/model-format.md.
#include <polhode/io/model_elements.hpp>

#include <polhode/io/model_keys.hpp>
#include <polhode/model/inertia.hpp>

namespace polhode {
namespace {

using nlohmann::json;

// Three principal values or a matrix.
bool read_inertia(const JsonValue& in, Mat3& out) {
  const bool three_numbers = in.value.is_array() && in.value.size() == 3 && in.value[0].is_number();
  if (!three_numbers && !(in.value.is_array() && in.value.size() == 3 && in.value[0].is_array()))
    return in.expected("three principal values or three rows of three numbers");
  Vec3 principal;
  if (!three_numbers) return read(in, out);
  if (!read(in, principal)) return false;
  out = principal.asDiagonal();
  return true;
}

void read_inertia_about(const JsonValue& in, Body& body) {
  if (!in.value.is_string()) {
    if (!in.value.is_array())
      in.expected("\"centre_of_mass\", \"origin\", \"pivot\" or a point of the body frame");
    else
      read(in, body.inertia_about);
    return;
  }
  const std::string word = in.value.get<std::string>();
  if (word == "origin") body.inertia_about = Vec3::Zero();
  else if (word == "pivot" && body.type == Body::Type::fixed_point) body.inertia_about = pivot_in_body(body);
  else if (word == "pivot") in.error("is \"pivot\", which only a fixed-point body has");
  else if (word != "centre_of_mass")
    in.error(fmt::format("is {}{}", describe(in.value),
                         did_you_mean(word, {"centre_of_mass", "origin", "pivot"})));
}

void read_faces(const JsonValue& in, std::vector<std::array<int, 3>>& out) {
  for (std::size_t k = 0; in.value.is_array() && k < in.value.size(); ++k) {
    const JsonValue face = in.entry(k);
    if (!face.value.is_array() || face.value.size() != 3) {
      face.expected("three indices of vertices");
      return;
    }
    out.emplace_back();
    for (std::size_t i = 0; i < 3; ++i)
      if (!read(face.entry(i), out.back()[i])) return;
  }
  if (!in.value.is_array()) in.expected("a list of triangles such as [[0, 1, 2], [0, 2, 3]]");
}

void read_vertices(const JsonValue& in, std::vector<Vec3>& out) {
  if (!in.value.is_array()) in.expected("a list of points such as [[0, 0, 0], [1, 0, 0], [0, 1, 0]]");
  for (std::size_t k = 0; in.value.is_array() && k < in.value.size(); ++k) {
    out.emplace_back();
    if (!read(in.entry(k), out.back())) return;
  }
}

Shape read_shape(const JsonObject& object) {
  Shape shape;
  if (!object.must("type", shape.type)) return shape;
  object.only(keys::shape(), name_of(shape.type));
  object.may("at", shape.at);
  object.may("frame", shape.frame);
  object.may("color", shape.color);
  switch (shape.type) {
    case Shape::Type::box: object.must("size", shape.size); break;
    case Shape::Type::sphere: object.must("radius", shape.radius); break;
    case Shape::Type::cylinder:
    case Shape::Type::cone:
    case Shape::Type::capsule:
      object.must("radius", shape.radius);
      object.must("length", shape.length);
      break;
    case Shape::Type::mesh:
      for (const char* key : {"vertices", "faces"})
        if (!object.has(key)) object.error(fmt::format("{} of a mesh is missing", key));
      if (object.has("vertices")) read_vertices(object.at("vertices"), shape.vertices);
      if (object.has("faces")) read_faces(object.at("faces"), shape.faces);
      break;
  }
  return shape;
}

void read_shapes(const JsonValue& in, std::vector<Shape>& out) {
  if (!in.value.is_array()) {
    in.expected("a list of shapes such as [{\"type\": \"sphere\", \"radius\": 0.1}]");
    return;
  }
  for (std::size_t k = 0; k < in.value.size(); ++k) {
    const JsonValue entry = in.entry(k);
    if (!entry.value.is_object()) entry.expected("a shape such as {\"type\": \"sphere\", \"radius\": 0.1}");
    else out.push_back(read_shape(JsonObject(entry.value, entry.place, entry.key + ".", entry.log)));
  }
}

template <class Element>
void read_anchors(const JsonObject& object, Element& element) {
  object.may("at", element.at);
  object.may("at_a", element.at_a);
  object.may("at_b", element.at_b);
}

template <class Element>
void read_axes(const JsonObject& object, Element& element) {
  object.may("axis", element.axis);
  object.may("axis_a", element.axis_a);
  object.may("axis_b", element.axis_b);
}

void read_integrator(const JsonValue& in, IntegratorChoice& choice) {
  if (!in.value.is_object()) {
    in.expected("an object such as {\"name\": \"energy-momentum\"}");
    return;
  }
  const JsonObject object(in.value, in.place, in.key + ".", in.log);
  object.must("name", choice.name, "; `polhode integrators` lists them");
  for (const auto& [key, value] : in.value.items()) {
    if (key == "name") continue;
    if (value.is_number()) choice.options[key] = value.get<double>();
    else if (value.is_string()) choice.options[key] = value.get<std::string>();
    else object.at(key).expected("a number or a text");
  }
}

// One function, or three in a list.
void read_load(const JsonValue& in, std::vector<Function>& out) {
  if (!in.value.is_array()) {
    out.emplace_back();
    read(in, out.back());
    return;
  }
  if (in.value.size() != 3) {
    in.expected("one function or a list of three");
    return;
  }
  out.resize(3);
  for (std::size_t k = 0; k < 3; ++k) read(in.entry(k), out[k]);
}

void read_terms(const JsonValue& in, std::vector<Function>& out) {
  if (!in.value.is_array()) {
    in.expected("a list of functions");
    return;
  }
  out.resize(in.value.size());
  for (std::size_t k = 0; k < out.size(); ++k) read(in.entry(k), out[k]);
}

}  // namespace

bool read(const JsonValue& in, Function& out) {
  if (in.value.is_number()) return read(in, out.value);
  if (!in.value.is_object()) return in.expected("a number or a function such as {\"type\": \"harmonic\", ...}");
  const JsonObject object(in.value, in.place, in.key + ".", in.log);
  const std::size_t errors_before = in.log.errors.size();
  if (!object.must("type", out.type)) return false;
  object.only(keys::function(), name_of(out.type));

  using Type = Function::Type;
  switch (out.type) {
    case Type::constant: object.must("value", out.value); break;
    case Type::polynomial: object.must("coefficients", out.coefficients); break;
    case Type::harmonic:
      object.must("amplitude", out.amplitude);
      object.must("angular_frequency", out.angular_frequency);
      object.may("phase", out.phase);
      object.may("offset", out.offset);
      break;
    case Type::ramp:
      object.must("from", out.from);
      object.must("to", out.to);
      object.must("start", out.start);
      object.must("end", out.end);
      object.may("smooth", out.smooth);
      break;
    case Type::table:
      object.must("times", out.times);
      object.must("values", out.values);
      object.may("interpolation", out.interpolation);
      break;
    case Type::piecewise:
      object.must("times", out.times);
      [[fallthrough]];
    case Type::sum:
      if (object.has("functions")) read_terms(object.at("functions"), out.terms);
      else object.error(in.key + ".functions is missing");
      break;
  }
  out.prepare();
  return in.log.errors.size() == errors_before;
}

Body read_body(const JsonObject& object) {
  Body body;
  object.must("name", body.name);
  if (object.has("type") && !object.may("type", body.type)) return body;
  object.only(keys::body(), name_of(body.type));
  object.must("mass", body.mass);
  object.may("position", body.position);
  object.may("velocity", body.velocity);
  object.may("angular_velocity", body.angular_velocity);
  object.may("orientation", body.orientation);
  object.may("centre_of_mass", body.centre_of_mass);
  object.may("pivot", body.pivot);
  object.may("axis", body.axis);
  object.may("coordinate", body.coordinate);
  object.may("rate", body.rate);
  if (object.has("shapes")) read_shapes(object.at("shapes"), body.shapes);

  const bool turns = body.type == Body::Type::rigid || body.type == Body::Type::fixed_point;
  if (turns && !object.has("inertia"))
    object.error("inertia is missing; give three principal values, or make the body a particle");
  if (object.has("inertia")) read_inertia(object.at("inertia"), body.inertia);
  object.may("inertia_frame", body.inertia_frame);
  if (object.has("inertia_about")) read_inertia_about(object.at("inertia_about"), body);
  return body;
}

std::variant<std::monostate, Joint, Coupling> read_joint(const JsonObject& object, const std::string& default_name) {
  std::string type, name = default_name;
  if (!object.must("type", type)) return {};
  object.may("name", name);
  const auto joint_type = from_name<Joint::Type>(type);
  const auto coupling_type = from_name<Coupling::Type>(type);
  if (!joint_type && !coupling_type) {
    std::vector<std::string> all = all_names<Joint::Type>();
    for (const std::string& one : all_names<Coupling::Type>()) all.push_back(one);
    const std::string hint = did_you_mean(type, all);
    object.at("type").error(fmt::format("is {}{}", describe(object.at("type").value),
                                        hint.empty() ? fmt::format("; there are: {}", fmt::join(all, ", ")) : hint));
    return {};
  }
  object.only(keys::joint(), type);

  if (coupling_type) {
    Coupling coupling;
    coupling.name = name;
    coupling.type = *coupling_type;
    object.must("joints", coupling.joints);
    if (coupling.type == Coupling::Type::gear) object.must("ratio", coupling.ratio);
    else object.must("radius", coupling.radius);
    return coupling;
  }
  Joint joint;
  joint.name = name;
  joint.type = *joint_type;
  object.must("between", joint.between, "; name two bodies such as [\"ground\", \"arm\"]");
  read_anchors(object, joint);
  read_axes(object, joint);
  object.may("length", joint.length);
  if (joint.type == Joint::Type::screw) object.must("pitch", joint.pitch);
  return joint;
}

Drive read_drive(const JsonObject& object, const std::string& default_name) {
  Drive drive;
  drive.name = default_name;
  object.only(keys::drive());
  object.may("name", drive.name);
  object.may("type", drive.type);
  object.may("joint", drive.joint);
  object.may("between", drive.between);
  read_anchors(object, drive);
  read_axes(object, drive);
  object.must("motion", drive.motion);
  return drive;
}

Force read_force(const JsonObject& object, const std::string& default_name) {
  Force force;
  force.name = default_name;
  object.may("name", force.name);
  if (!object.must("type", force.type)) return force;
  object.only(keys::force(), name_of(force.type));
  switch (force.type) {
    case Force::Type::spring_damper:
      object.must("between", force.between);
      read_anchors(object, force);
      object.may("stiffness", force.stiffness);
      object.may("damping", force.damping);
      object.may("length", force.length);
      break;
    case Force::Type::torsional_spring_damper:
      object.must("joint", force.joint);
      object.may("stiffness", force.stiffness);
      object.may("damping", force.damping);
      object.may("angle", force.angle);
      break;
    case Force::Type::bushing:
      object.must("between", force.between);
      read_anchors(object, force);
      object.may("frame", force.frame);
      object.may("stiffness", force.stiffnesses);
      object.may("damping", force.dampings);
      break;
    case Force::Type::force:
    case Force::Type::torque:
      object.must("body", force.body);
      object.may("at", force.at_a);  // a point of the body frame
      object.may("vector", force.vector);
      object.may("follower", force.follower);
      if (object.has("function")) read_load(object.at("function"), force.functions);
      if (!object.has("vector") && force.functions.size() != 3)
        object.error("vector is missing; give it, or function as a list of three");
      break;
    case Force::Type::joint_force:
      object.must("joint", force.joint);
      object.may("coordinate", force.coordinate);
      force.functions.emplace_back();
      object.must("function", force.functions.back());
      break;
    case Force::Type::computed_potential:
    case Force::Type::computed_load: break;  // have no word in a file
  }
  return force;
}

SimulationOptions read_simulation(const json& value, ReadLog& log) {
  SimulationOptions options;
  if (!value.is_object()) {
    log.add("simulation", fmt::format("is {}; expected an object", describe(value)));
    return options;
  }
  const JsonObject object(value, "simulation", "", log);
  object.only(keys::simulation());
  if (object.has("integrator")) read_integrator(object.at("integrator"), options.integrator);
  object.may("step", options.step);
  object.may("end_time", options.end_time);
  object.may("output_step", options.output_step);
  object.may("assembly", options.assembly);
  object.may("threads", options.threads);
  if (!object.has("newton")) return options;
  if (!value["newton"].is_object()) {
    object.at("newton").expected("an object such as {\"tolerance\": 1e-13}");
    return options;
  }
  const JsonObject newton(value["newton"], "simulation", "newton.", log);
  newton.only(keys::newton());
  newton.may("tolerance", options.newton.tolerance);
  newton.may("max_iterations", options.newton.max_iterations);
  return options;
}

}  // namespace polhode
