#include <polhode/view/package.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include <polhode/describe/words.hpp>
#include <polhode/integrate/integrator_text.hpp>
#include <polhode/io/json_document.hpp>
#include <polhode/io/provenance.hpp>
#include <polhode/lie/so3.hpp>
#include <polhode/version.hpp>
#include <polhode/view/channels.hpp>
#include <polhode/view/decimate.hpp>
#include <polhode/view/scene.hpp>

namespace polhode::view {
namespace {

using Json = nlohmann::ordered_json;
using Numbers = std::vector<double>;

constexpr std::size_t most_pose_numbers = 6'000'000;  // of one run: 24 MB

Json array(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Json array(const Quaternion& q) { return {q.w(), q.x(), q.y(), q.z()}; }

Json to_json(const Shape& shape, bool link) {
  Json out = {{"type", name_of(shape.type)}, {"at", array(shape.at)}, {"frame", array(shape.frame)}};
  switch (shape.type) {
    case Shape::Type::box: out["size"] = array(shape.size); break;
    case Shape::Type::sphere: out["radius"] = shape.radius; break;
    case Shape::Type::cylinder:
    case Shape::Type::cone:
    case Shape::Type::capsule:
      out["radius"] = shape.radius;
      out["length"] = shape.length;
      break;
    case Shape::Type::mesh: {
      Json &vertices = out["vertices"] = Json::array(), &faces = out["faces"] = Json::array();
      for (const Vec3& v : shape.vertices)
        for (const double x : v) vertices.push_back(x);
      for (const auto& face : shape.faces)
        for (const int index : face) faces.push_back(index);
    }
  }
  if (!shape.color.empty()) out["color"] = shape.color;
  if (link) out["link"] = true;
  return out;
}

Json to_json(const SceneBody& body) {
  Json shapes = Json::array();
  for (std::size_t k = 0; k < body.shapes.size(); ++k)
    shapes.push_back(to_json(body.shapes[k], k > 0 && !body.own_shapes));
  return {{"name", body.body.name},
          {"type", name_of(body.body.type)},
          {"mass", body.body.mass},
          {"centre_of_mass", array(body.body.centre_of_mass)},
          {"inertia", array(body.inertia.moments)},
          {"inertia_frame", array(body.inertia.axes)},
          {"shapes", shapes}};
}

Json to_json(const SceneJoint& joint) {
  return {{"name", joint.name},
          {"type", joint.type},
          {"look", name_of(joint.look)},
          {"a", joint.a.body},
          {"b", joint.b.body},
          {"point_a", array(joint.a.point)},
          {"point_b", array(joint.b.point)},
          {"triad_a", array(joint.a.triad)},
          {"triad_b", array(joint.b.triad)}};
}

Json to_json(const SceneSpring& spring) {
  return {{"name", spring.name},
          {"type", spring.type},
          {"a", spring.a.body},
          {"b", spring.b.body},
          {"point_a", array(spring.a.point)},
          {"point_b", array(spring.b.point)}};
}

/// The numbers of chosen samples, in single precision.
std::vector<float> at(const Numbers& numbers, const Samples& samples, std::size_t width) {
  std::vector<float> out;
  out.reserve(samples.size() * width);
  for (const auto k : samples)
    for (std::size_t i = 0; i < width; ++i) out.push_back(static_cast<float>(numbers[k * width + i]));
  return out;
}

/// The box of all shapes at all poses shown, and of what is fixed to the ground.
Json extent(const Scene& scene, const std::vector<float>& positions, const std::vector<float>& quaternions,
            std::size_t frames) {
  Vec3 low = Vec3::Constant(1e300), high = -low;
  const auto add = [&](const Vec3& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  };
  const std::size_t n = scene.bodies.size();
  for (std::size_t i = 0; i < n; ++i)
    for (const Shape& shape : scene.bodies[i].shapes) {
      const Bounds b = bounds(shape);
      const Vec3 middle = shape.at + shape.frame * b.middle;
      const Mat3 axes = shape.frame.toRotationMatrix() * b.half.asDiagonal();
      for (std::size_t f = 0; f < frames; ++f) {
        const float *x = &positions[3 * (f * n + i)], *q = &quaternions[4 * (f * n + i)];
        const Mat3 R = Quaternion(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
        const Vec3 place = Vec3(x[0], x[1], x[2]) + R * middle, half = (R * axes).cwiseAbs().rowwise().sum();
        if (!place.allFinite()) continue;
        add(place - half);
        add(place + half);
      }
    }
  for (const SceneJoint& joint : scene.joints) {
    if (joint.look == Look::none) continue;
    if (joint.a.body < 0) add(joint.a.point);
    if (joint.b.body < 0) add(joint.b.point);
  }
  if (low.x() > high.x()) low = -(high = Vec3::Ones());
  return {{"min", array(low)}, {"max", array(high)}};
}

/// How a run is called among others: its integrator, as it was asked for, and its step.
std::string label(const SimulationOptions& options) {
  return fmt::format("{}, h = {:g} s", to_text(options.integrator), options.step);
}

Json poses(const ResultReader& reader, const Scene& scene, const PackageOptions& options, PackageWriter& out,
           Json& box) {
  const Result& head = reader.head();
  const std::size_t bodies = head.layout.bodies.size(), joints = head.layout.joints.size();
  const std::size_t fit =
      std::max<std::size_t>(2, most_pose_numbers / std::max<std::size_t>(1, 13 * bodies + 6 * joints));
  const Samples samples = every_nth(head.samples, options.frames > 0 ? options.frames : fit);
  const Numbers time = reader["time"];
  Numbers times;
  for (const auto k : samples) times.push_back(time[k]);
  const auto positions = at(reader["bodies/position"], samples, 3 * bodies);
  const auto quaternions = at(reader["bodies/quaternion"], samples, 4 * bodies);
  box = extent(scene, positions, quaternions, samples.size());
  return {{"count", samples.size()},
          {"time", out.f64(times)},
          {"position", out.f32(positions)},
          {"quaternion", out.f32(quaternions)},
          {"velocity", out.f32(at(reader["bodies/velocity"], samples, 3 * bodies))},
          {"angular_velocity", out.f32(at(reader["bodies/angular_velocity"], samples, 3 * bodies))},
          {"reaction", out.f32(at(reader["joints/reaction"], samples, 6 * joints))}};
}

Json run_header(const ResultReader& reader, const std::string& file, const PackageOptions& options,
                PackageWriter& out) {
  const Result& head = reader.head();
  const auto& [model, scene] = shown_model(reader);
  const auto parsed = [&](const std::string& text, const char* what) {
    return text.empty() ? Json() : parse_ordered_json(text, fmt::format("{}: {}", file, what));
  };
  Json bodies = Json::array(), joints = Json::array(), springs = Json::array(), box;
  for (const auto& body : scene.bodies) bodies.push_back(to_json(body));
  for (const auto& joint : scene.joints) joints.push_back(to_json(joint));
  for (const auto& spring : scene.springs) springs.push_back(to_json(spring));
  Json frames = poses(reader, scene, options, out, box);
  Json groups = run_groups(reader, out);
  if (frames["count"].get<std::size_t>() < head.samples)
    for (auto& group : item_groups(reader, out)) groups.push_back(std::move(group));
  return {{"label", label(model.simulation)},
          {"file", std::filesystem::path(file).filename().string()},
          {"model_name", model.name},
          {"version", provenance_text(head.layout.provenance_json, head.layout.version)},
          {"model", parsed(head.layout.model_json, "model")},
          {"options", parsed(head.layout.options_json, "options")},
          {"certificate", parsed(head.certificate_json, "certificate")},
          {"status", head.status},
          {"complete", head.complete},
          {"samples", head.samples},
          {"planned", head.layout.samples},
          {"gravity", array(scene.gravity)},
          {"extent", box},
          {"size", scene.joint_size},
          {"bodies", bodies},
          {"joints", joints},
          {"springs", springs},
          {"frames", frames},
          {"groups", groups}};
}

Json difference_header(const Difference& d, std::size_t run, PackageWriter& out) {
  const auto largest = [](const Numbers& n) { return n.empty() ? 0.0 : *std::max_element(n.begin(), n.end()); };
  const Samples samples = keep_extremes({{d.position}, {d.angle}}, d.time.size(), 4000);
  Numbers times;
  for (const auto k : samples) times.push_back(d.time[k]);
  return {{"run", run},
          {"against", 0},
          {"samples", d.time.size()},
          {"max_position", largest(d.position)},
          {"max_angle", largest(d.angle)},
          {"end_position", d.position.empty() ? 0 : d.position.back()},
          {"end_angle", d.angle.empty() ? 0 : d.angle.back()},
          {"time", out.f64(times)},
          {"position", out.f32(at(d.position, samples, 1))},
          {"angle", out.f32(at(d.angle, samples, 1))}};
}

/// Runs that would be called the same get the name of their file.
void tell_apart(Json& runs) {
  std::multiset<std::string> labels;
  for (const auto& run : runs) labels.insert(run["label"].get<std::string>());
  for (auto& run : runs) {
    const std::string text = run["label"];
    if (labels.count(text) > 1) run["label"] = fmt::format("{} ({})", text, run["file"].get<std::string>());
  }
}

std::string title(const Json& runs) {
  std::set<std::string> names;
  std::string text;
  for (const auto& run : runs) {
    const std::string name = run["model_name"].get<std::string>().empty() ? run["file"] : run["model_name"];
    if (names.insert(name).second) text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

}  // namespace

Difference difference(const ResultReader& a, const ResultReader& b) {
  Difference out;
  if (a.head().layout.bodies != b.head().layout.bodies) return out;
  const std::size_t n = a.head().layout.bodies.size();
  const Numbers ta = a["time"], tb = b["time"], xa = a["bodies/position"], xb = b["bodies/position"],
                qa = a["bodies/quaternion"], qb = b["bodies/quaternion"];
  for (std::size_t i = 0, j = 0; i < ta.size() && j < tb.size();) {
    if (std::abs(ta[i] - tb[j]) > 1e-9 * (1 + std::abs(ta[i]))) {
      ++(ta[i] < tb[j] ? i : j);
      continue;
    }
    double distance = 0, angle = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const double *x = &xa[3 * (i * n + k)], *y = &xb[3 * (j * n + k)], *p = &qa[4 * (i * n + k)],
                   *q = &qb[4 * (j * n + k)];
      distance = std::max(distance, (Vec3(x) - Vec3(y)).norm());
      angle = std::max(
          angle, so3::log(Quaternion(p[0], p[1], p[2], p[3]).conjugate() * Quaternion(q[0], q[1], q[2], q[3])).norm());
    }
    out.time.push_back(ta[i]);
    out.position.push_back(distance);
    out.angle.push_back(angle);
    ++i;
    ++j;
  }
  return out;
}

std::string make_package(const std::vector<std::string>& files, const PackageOptions& options) {
  PackageWriter out;
  Json runs = Json::array(), differences = Json::array();
  std::vector<ResultReader> readers;
  for (const std::string& file : files) {
    readers.emplace_back(file);
    runs.push_back(run_header(readers.back(), file, options, out));
  }
  tell_apart(runs);
  for (std::size_t k = 1; k < readers.size(); ++k)
    differences.push_back(difference_header(difference(readers[0], readers[k]), k, out));
  const std::string name = title(runs);
  return out.finish({{"format", "polhode view"},
                     {"version", 1},
                     {"polhode", std::string(version)},
                     {"title", name},
                     {"runs", std::move(runs)},
                     {"differences", std::move(differences)}});
}

std::string package_status(const std::vector<std::string>& files) {
  Json out = Json::array();
  for (const std::string& file : files) {
    const ResultReader reader(file);
    const Result& head = reader.head();
    out.push_back({{"samples", head.samples},
                   {"planned", head.layout.samples},
                   {"complete", head.complete},
                   {"running", head.status == "running"},
                   {"status", head.status}});
  }
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace polhode::view
