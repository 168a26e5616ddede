// Model to JSON text. What is on one line if it fits stays on one line: a body reads as in the examples.
#include <polhode/io/model_writer.hpp>

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <polhode/model/error.hpp>
#include <polhode/model/names.hpp>

namespace polhode {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t columns = 110;

Json to_json(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }
Json to_json(const Quaternion& q) { return Json::array({q.w(), q.x(), q.y(), q.z()}); }
Json to_json(const std::array<std::string, 2>& names) { return Json::array({names[0], names[1]}); }
Json to_json(double number) { return number; }

Json to_json(const Vec6& v) {
  Json list = Json::array();
  for (double x : v) list.push_back(x);
  return list;
}

Json to_json(const Mat3& m) {
  if (Mat3(m.diagonal().asDiagonal()) == m) return to_json(Vec3(m.diagonal()));
  return Json::array({to_json(Vec3(m.row(0))), to_json(Vec3(m.row(1))), to_json(Vec3(m.row(2)))});
}

template <class T>
void put(Json& object, const char* key, const std::optional<T>& value) {
  if (value) object[key] = to_json(*value);
}

template <class T>
void put_unless(Json& object, const char* key, const T& value, const T& standard) {
  if (!(value == standard)) object[key] = to_json(value);
}

Json to_json(const Function& f) {
  using Type = Function::Type;
  if (f.type == Type::constant) return f.value;
  Json object = {{"type", name_of(f.type)}};
  const auto put_terms = [&] {
    Json& terms = object["functions"] = Json::array();
    for (const Function& term : f.terms) terms.push_back(to_json(term));
  };
  switch (f.type) {
    case Type::constant: break;
    case Type::polynomial: object["coefficients"] = f.coefficients; break;
    case Type::harmonic:
      object["amplitude"] = f.amplitude;
      object["angular_frequency"] = f.angular_frequency;
      put_unless(object, "phase", f.phase, 0.0);
      put_unless(object, "offset", f.offset, 0.0);
      break;
    case Type::ramp:
      object["from"] = f.from;
      object["to"] = f.to;
      object["start"] = f.start;
      object["end"] = f.end;
      if (f.smooth) object["smooth"] = true;
      break;
    case Type::table:
      object["times"] = f.times;
      object["values"] = f.values;
      if (f.interpolation != Function::Interpolation::linear) object["interpolation"] = name_of(f.interpolation);
      break;
    case Type::piecewise:
      object["times"] = f.times;
      put_terms();
      break;
    case Type::sum: put_terms(); break;
  }
  return object;
}

Json to_json(const Shape& shape) {
  using Type = Shape::Type;
  Json object = {{"type", name_of(shape.type)}};
  put_unless(object, "at", shape.at, Vec3(Vec3::Zero()));
  put_unless(object, "frame", shape.frame, Quaternion(Quaternion::Identity()));
  if (shape.type == Type::box) object["size"] = to_json(shape.size);
  else if (shape.type != Type::mesh) object["radius"] = shape.radius;
  if (shape.type == Type::cylinder || shape.type == Type::cone || shape.type == Type::capsule) object["length"] = shape.length;
  if (shape.type == Type::mesh) {
    Json& vertices = object["vertices"] = Json::array();
    for (const Vec3& vertex : shape.vertices) vertices.push_back(to_json(vertex));
    object["faces"] = shape.faces;
  }
  if (!shape.color.empty()) object["color"] = shape.color;
  return object;
}

Json to_json(const Body& body) {
  const Body standard;
  Json object = {{"name", body.name}};
  if (body.type != standard.type) object["type"] = name_of(body.type);
  object["mass"] = body.mass;
  if (body.type == Body::Type::rigid || body.type == Body::Type::fixed_point) object["inertia"] = to_json(body.inertia);
  put(object, "inertia_about", body.inertia_about);
  put_unless(object, "inertia_frame", body.inertia_frame, standard.inertia_frame);
  put_unless(object, "centre_of_mass", body.centre_of_mass, standard.centre_of_mass);
  put_unless(object, "position", body.position, standard.position);
  put_unless(object, "orientation", body.orientation, standard.orientation);
  put(object, "velocity", body.velocity);
  put(object, "angular_velocity", body.angular_velocity);
  put_unless(object, "pivot", body.pivot, standard.pivot);
  put_unless(object, "axis", body.axis, standard.axis);
  put_unless(object, "coordinate", body.coordinate, standard.coordinate);
  put(object, "rate", body.rate);
  for (const Shape& shape : body.shapes) object["shapes"].push_back(to_json(shape));
  return object;
}

template <class Element>
void put_anchors(Json& object, const Element& element) {
  put(object, "at", element.at);
  put(object, "at_a", element.at_a);
  put(object, "at_b", element.at_b);
}

template <class Element>
void put_axes(Json& object, const Element& element) {
  put(object, "axis", element.axis);
  put(object, "axis_a", element.axis_a);
  put(object, "axis_b", element.axis_b);
}

Json to_json(const Joint& joint) {
  Json object = {{"name", joint.name}, {"type", name_of(joint.type)}, {"between", to_json(joint.between)}};
  put_anchors(object, joint);
  put_axes(object, joint);
  put(object, "length", joint.length);
  if (joint.type == Joint::Type::screw) object["pitch"] = joint.pitch;
  return object;
}

Json to_json(const Coupling& coupling) {
  Json object = {{"name", coupling.name}, {"type", name_of(coupling.type)}, {"joints", to_json(coupling.joints)}};
  if (coupling.type == Coupling::Type::gear) object["ratio"] = coupling.ratio;
  else object["radius"] = coupling.radius;
  return object;
}

Json to_json(const Drive& drive) {
  Json object = {{"name", drive.name}, {"type", name_of(drive.type)}};
  if (!drive.joint.empty()) object["joint"] = drive.joint;
  else object["between"] = to_json(drive.between);
  put_anchors(object, drive);
  put_axes(object, drive);
  object["motion"] = to_json(drive.motion);
  return object;
}

Json to_json(const Force& force) {
  Json object = {{"name", force.name}, {"type", name_of(force.type)}};
  switch (force.type) {
    case Force::Type::spring_damper:
    case Force::Type::bushing:
      object["between"] = to_json(force.between);
      put_anchors(object, force);
      if (force.type == Force::Type::bushing) {
        put_unless(object, "frame", force.frame, Quaternion(Quaternion::Identity()));
        object["stiffness"] = to_json(force.stiffnesses);
        object["damping"] = to_json(force.dampings);
        break;
      }
      object["stiffness"] = force.stiffness;
      object["damping"] = force.damping;
      put(object, "length", force.length);
      break;
    case Force::Type::torsional_spring_damper:
      object["joint"] = force.joint;
      object["stiffness"] = force.stiffness;
      object["damping"] = force.damping;
      put_unless(object, "angle", force.angle, 0.0);
      break;
    case Force::Type::force:
    case Force::Type::torque:
      object["body"] = force.body;
      put(object, "at", force.at_a);
      if (force.functions.size() != 3) object["vector"] = to_json(force.vector);
      if (force.functions.size() == 1) object["function"] = to_json(force.functions[0]);
      if (force.functions.size() == 3)
        object["function"] = Json::array({to_json(force.functions[0]), to_json(force.functions[1]),
                                          to_json(force.functions[2])});
      if (force.follower) object["follower"] = true;
      break;
    case Force::Type::joint_force:
      object["joint"] = force.joint;
      object["coordinate"] = name_of(force.coordinate);
      if (!force.functions.empty()) object["function"] = to_json(force.functions[0]);
      break;
    case Force::Type::computed_potential:
    case Force::Type::computed_load:
      throw ModelError(fmt::format("forces: \"{}\" is computed by a program, which a file cannot hold; leave it out to write the model", force.name));
  }
  return object;
}

Json to_json(const SimulationOptions& options) {
  Json integrator = {{"name", options.integrator.name}};
  for (const auto& [key, value] : options.integrator.options)
    std::visit([&, &key = key](const auto& v) { integrator[key] = v; }, value);
  Json object = {{"integrator", integrator}, {"step", options.step}, {"end_time", options.end_time}};
  put(object, "output_step", options.output_step);
  if (options.assembly != SimulationOptions::Assembly::strict) object["assembly"] = name_of(options.assembly);
  if (options.newton != NewtonOptions())
    object["newton"] = {{"tolerance", options.newton.tolerance}, {"max_iterations", options.newton.max_iterations}};
  if (options.threads != 1) object["threads"] = options.threads;
  return object;
}

template <class Element>
void put_list(Json& document, const char* key, const std::vector<Element>& elements) {
  for (const Element& element : elements) document[key].push_back(to_json(element));
}

std::string scalar_text(const Json& value) {
  if (!value.is_number_float()) return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  const double number = value.get<double>();
  if (!std::isfinite(number))
    throw ModelError(fmt::format("a number of the model is {}, which JSON cannot hold", number));
  if (number == 0) return std::signbit(number) ? "-0.0" : "0";  // -0 would be read as the whole number 0
  return fmt::format("{}", number);
}

// On one line if it fits; otherwise an entry a line.
std::string text(const Json& value, std::size_t indent) {
  if (!value.is_structured()) return scalar_text(value);
  if (value.empty()) return value.is_object() ? "{}" : "[]";
  std::vector<std::string> entries;
  std::size_t length = 0;
  bool one_line = true;
  for (const auto& item : value.items()) {
    const std::string key = value.is_object() ? scalar_text(item.key()) + ": " : "";
    entries.push_back(key + text(item.value(), indent + 2));
    length += entries.back().size() + 2;
    one_line = one_line && entries.back().find('\n') == std::string::npos;
  }
  const char open = value.is_object() ? '{' : '[', close = value.is_object() ? '}' : ']';
  if (one_line && indent + length <= columns && indent > 0)
    return fmt::format(fmt::runtime(value.is_object() ? "{{ {} }}" : "[{}]"), fmt::join(entries, ", "));
  const std::string margin(indent, ' ');
  return fmt::format("{}\n{}  {}\n{}{}", open, margin, fmt::join(entries, ",\n" + margin + "  "), margin, close);
}

}  // namespace

std::string write_model(const Model& model) {
  Json document = {{"polhode", 1}};
  const auto put_text = [&](const char* key, const std::string& value) {
    if (!value.empty()) document[key] = value;
  };
  put_text("name", model.name);
  put_text("description", model.description);
  put_text("source", model.source);
  put_text("reference", model.reference);
  put_unless(document, "gravity", model.gravity, Vec3(Vec3::Zero()));
  document["bodies"] = Json::array();
  put_list(document, "bodies", model.bodies);
  put_list(document, "joints", model.joints);
  put_list(document, "joints", model.couplings);
  put_list(document, "drives", model.drives);
  put_list(document, "forces", model.forces);
  document["simulation"] = to_json(model.simulation);
  return text(document, 0) + "\n";
}

}  // namespace polhode
