#include <polhode/view/gltf.hpp>

#include <cmath>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <polhode/io/output_file.hpp>
#include <polhode/io/provenance.hpp>
#include <polhode/lie/so3.hpp>
#include <polhode/version.hpp>
#include <polhode/view/base64.hpp>
#include <polhode/view/decimate.hpp>
#include <polhode/view/mesh.hpp>
#include <polhode/view/scene.hpp>

namespace polhode::view {
namespace {

using Json = nlohmann::ordered_json;

// numbers that the format gives to words
constexpr int component_float = 5126, component_uint = 5125, target_vertices = 34962, target_indices = 34963;

double linear(double s) { return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4); }

Json gltf_array(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Json gltf_array(const Quaternion& q) { return {q.x(), q.y(), q.z(), q.w()}; }  // glTF: x, y, z, w

class GltfWriter {
 public:
  GltfWriter(const ResultReader& result, std::size_t frames)
      : result_(result),
        shown_(shown_model(result)),
        samples_(every_nth(result.head().samples, frames > 0 ? frames : result.head().samples)) {
    if (samples_.empty()) throw ResultError("the result has no samples yet");
    add_bodies();
    add_animation();
  }

  std::string binary() {
    json_["buffers"] = {{{"byteLength", data_.size()}}};
    std::string text = finished().dump(-1, ' ', false, Json::error_handler_t::replace);
    text.resize((text.size() + 3) / 4 * 4, ' ');
    data_.resize((data_.size() + 3) / 4 * 4);
    std::string out = "glTF" + word(2) + word(12 + 8 + text.size() + 8 + data_.size());
    return out + word(text.size()) + "JSON" + text + word(data_.size()) + std::string("BIN\0", 4) + data_;
  }

  std::string text() {
    json_["buffers"] = {
        {{"byteLength", data_.size()}, {"uri", "data:application/octet-stream;base64," + base64(data_)}}};
    return finished().dump(-1, ' ', false, Json::error_handler_t::replace);
  }

 private:
  static std::string word(std::size_t number) {
    const auto n = static_cast<std::uint32_t>(number);
    return {reinterpret_cast<const char*>(&n), 4};
  }

  Json finished() const {
    const ResultLayout& layout = result_.head().layout;
    const Json computed_by = {{"computed_by", provenance_text(layout.provenance_json, layout.version)}};
    Json out = {
        {"asset", {{"version", "2.0"}, {"generator", fmt::format("polhode {}", version)}, {"extras", computed_by}}},
        {"scene", 0},
        {"scenes", {{{"name", shown_.model.name.empty() ? "polhode" : shown_.model.name}, {"nodes", {0}}}}}};
    out.update(json_);
    return out;
  }

  /// Puts numbers into the buffer, and describes them; returns the index of the accessor.
  std::size_t accessor(const void* numbers, std::size_t bytes, std::size_t count, int component, const char* type,
                       int target, const Json& limits) {
    data_.resize((data_.size() + 3) / 4 * 4);
    Json view = {{"buffer", 0}, {"byteOffset", data_.size()}, {"byteLength", bytes}};
    if (target != 0) view["target"] = target;
    data_.append(static_cast<const char*>(numbers), bytes);
    json_["bufferViews"].push_back(view);
    Json out = {{"bufferView", json_["bufferViews"].size() - 1},
                {"componentType", component},
                {"count", count},
                {"type", type}};
    out.update(limits);
    json_["accessors"].push_back(out);
    return json_["accessors"].size() - 1;
  }

  std::size_t vectors(const std::vector<Vec3>& points, bool with_limits) {
    std::vector<float> numbers;
    Vec3 low = Vec3::Constant(1e300), high = -low;
    for (const Vec3& p : points) {
      for (const double x : p) numbers.push_back(static_cast<float>(x));
      const Vec3 rounded = p.cast<float>().cast<double>();
      low = low.cwiseMin(rounded);
      high = high.cwiseMax(rounded);
    }
    const Json limits = with_limits ? Json{{"min", gltf_array(low)}, {"max", gltf_array(high)}} : Json::object();
    return accessor(numbers.data(), 4 * numbers.size(), points.size(), component_float, "VEC3", target_vertices,
                    limits);
  }

  std::size_t material(const Vec3& color) {
    const std::string key = fmt::format("{:.4f} {:.4f} {:.4f}", color.x(), color.y(), color.z());
    if (const auto found = materials_.find(key); found != materials_.end()) return found->second;
    json_["materials"].push_back({{"pbrMetallicRoughness",
                                   {{"baseColorFactor", {linear(color.x()), linear(color.y()), linear(color.z()), 1}},
                                    {"metallicFactor", 0.1},
                                    {"roughnessFactor", 0.5}}}});
    return materials_[key] = json_["materials"].size() - 1;
  }

  /// A mesh of this shape and colour; equal ones are shared.
  std::size_t mesh(const Shape& shape, const Vec3& color) {
    std::string key = fmt::format("{} {} {} {} {} {} {}", static_cast<int>(shape.type), shape.size.x(), shape.size.y(),
                                  shape.size.z(), shape.radius, shape.length, material(color));
    for (const Vec3& v : shape.vertices) key += fmt::format(" {} {} {}", v.x(), v.y(), v.z());
    for (const auto& f : shape.faces) key += fmt::format(" {} {} {}", f[0], f[1], f[2]);
    if (const auto found = meshes_.find(key); found != meshes_.end()) return found->second;
    const TriangleMesh m = tessellate(shape);
    const std::size_t position = vectors(m.points, true), normal = vectors(m.normals, false);
    const std::size_t indices = accessor(m.triangles.data(), 12 * m.triangles.size(), 3 * m.triangles.size(),
                                         component_uint, "SCALAR", target_indices, Json::object());
    json_["meshes"].push_back({{"primitives",
                                {{{"attributes", {{"POSITION", position}, {"NORMAL", normal}}},
                                  {"indices", indices},
                                  {"material", material(color)}}}}});
    return meshes_[key] = json_["meshes"].size() - 1;
  }

  std::size_t node(Json node) {
    json_["nodes"].push_back(std::move(node));
    return json_["nodes"].size() - 1;
  }

  void add_bodies() {
    const Vec3 up = scene_.gravity.norm() > 0 ? Vec3(-scene_.gravity.normalized()) : Vec3::UnitZ();
    node({{"name", "polhode"}, {"rotation", gltf_array(so3::between(up, Vec3::UnitY()))}, {"children", Json::array()}});
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      const SceneBody& body = scene_.bodies[i];
      Json children = Json::array();
      for (const Shape& shape : body.shapes)
        if (const TriangleMesh m = tessellate(shape, 4); !m.triangles.empty())
          children.push_back(node({{"translation", gltf_array(shape.at)},
                                   {"rotation", gltf_array(shape.frame.normalized())},
                                   {"mesh", mesh(shape, color_of(scene_, i, shape))}}));
      const Json joints = joints_on(static_cast<int>(i));
      children.insert(children.end(), joints.begin(), joints.end());
      Json one = {{"name", body.body.name}};
      if (!children.empty()) one["children"] = children;
      nodes_.push_back(node(one));
      json_["nodes"][0]["children"].push_back(nodes_.back());
    }
    for (const Json& joint : joints_on(-1)) json_["nodes"][0]["children"].push_back(joint);
  }

  /// Pins for joints that turn about one axis, balls for the others.
  Json joints_on(int body) {
    Json out = Json::array();
    for (const SceneJoint& joint : scene_.joints) {
      if (joint.a.body != body || joint.look == Look::none) continue;
      Shape shape;
      const bool pin = joint.look == Look::pin || joint.look == Look::sleeve || joint.look == Look::slider ||
                       joint.look == Look::thread;
      shape.type = pin ? Shape::Type::cylinder : Shape::Type::sphere;
      shape.radius = (pin ? 0.35 : 0.5) * scene_.joint_size;
      shape.length = 1.5 * scene_.joint_size;
      out.push_back(node({{"name", joint.name},
                          {"translation", gltf_array(joint.a.point)},
                          {"rotation", gltf_array(joint.a.triad.normalized())},
                          {"mesh", mesh(shape, Vec3(0.22, 0.26, 0.31))}}));
    }
    return out;
  }

  void add_animation() {
    const std::size_t bodies = scene_.bodies.size();
    const auto time = result_["time"], x = result_["bodies/position"], q = result_["bodies/quaternion"];
    std::vector<float> times;
    for (const auto k : samples_) times.push_back(static_cast<float>(time[k]));
    if (times.size() < 2) {  // one pose: no animation
      for (std::size_t i = 0; i < bodies; ++i) {
        json_["nodes"][nodes_[i]]["translation"] = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
        json_["nodes"][nodes_[i]]["rotation"] = {q[4 * i + 1], q[4 * i + 2], q[4 * i + 3], q[4 * i]};
      }
      return;
    }
    const std::size_t input = accessor(times.data(), 4 * times.size(), times.size(), component_float, "SCALAR", 0,
                                       {{"min", {times.front()}}, {"max", {times.back()}}});
    Json samplers = Json::array(), channels = Json::array();
    const auto add = [&](std::size_t body, const char* path, const std::vector<float>& numbers, const char* type) {
      const std::size_t output =
          accessor(numbers.data(), 4 * numbers.size(), samples_.size(), component_float, type, 0, Json::object());
      samplers.push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
      channels.push_back({{"sampler", samplers.size() - 1}, {"target", {{"node", nodes_[body]}, {"path", path}}}});
    };
    for (std::size_t i = 0; i < bodies; ++i) {
      std::vector<float> places, turns;
      Quaternion last = Quaternion::Identity();
      for (const auto k : samples_) {
        const double *p = &x[3 * (k * bodies + i)], *r = &q[4 * (k * bodies + i)];
        Quaternion now = Quaternion(r[0], r[1], r[2], r[3]).normalized();
        if (now.dot(last) < 0) now.coeffs() *= -1;  // neighbours on the same side: viewers then turn the short way
        last = now;
        places.insert(places.end(), {static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])});
        turns.insert(turns.end(), {static_cast<float>(now.x()), static_cast<float>(now.y()),
                                   static_cast<float>(now.z()), static_cast<float>(now.w())});
      }
      add(i, "translation", places, "VEC3");
      add(i, "rotation", turns, "VEC4");
    }
    json_["animations"] = {{{"name", "motion"}, {"samplers", samplers}, {"channels", channels}}};
  }

  const ResultReader& result_;
  ShownModel shown_;
  const Scene& scene_ = shown_.scene;
  Samples samples_;
  Json json_ = Json::object();
  std::string data_;
  std::vector<std::size_t> nodes_;  ///< of each body
  std::map<std::string, std::size_t> materials_, meshes_;
};

}  // namespace

void write_gltf(const std::string& path, const ResultReader& result, std::size_t frames) {
  GltfWriter writer(result, frames);
  write_file(path, path.ends_with(".gltf") ? writer.text() : writer.binary());
}

}  // namespace polhode::view
