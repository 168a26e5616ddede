#include <polhode/view/scene.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <polhode/describe/words.hpp>
#include <polhode/io/model_reader.hpp>
#include <polhode/io/result_file.hpp>
#include <polhode/system/compile.hpp>

namespace polhode::view {
namespace {

double median(std::vector<double> numbers) {
  if (numbers.empty()) return 0;
  const auto middle = numbers.begin() + static_cast<long>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

/// A marker of the system, whose node has its own origin, as a hold in the user's body frame.
Hold hold(const CompiledModel& compiled, const Marker& marker) {
  const bool ground = marker.node >= static_cast<int>(compiled.bodies.size());
  return {ground ? -1 : marker.node, ground ? marker.X : Vec3(marker.X - compiled.bodies[marker.node].origin),
          Quaternion(marker.E)};
}

}  // namespace

Scene make_scene(const Model& model) {
  const CompiledModel compiled = compile(model);
  Scene scene;
  scene.gravity = model.gravity;
  for (const ConnectionPlace& one : compiled.connections)
    scene.joints.push_back(
        {one.name, std::string(one.word), hold(compiled, one.pair.a), hold(compiled, one.pair.b), one.look});
  for (const SpringPlace& one : compiled.springs)
    scene.springs.push_back({one.name, std::string(one.word), hold(compiled, one.pair.a), hold(compiled, one.pair.b)});

  std::vector<std::vector<Vec3>> anchors(model.bodies.size());
  const auto note = [&](const Hold& h) {
    if (h.body >= 0) anchors[h.body].push_back(h.point);
  };
  for (const auto& joint : scene.joints)
    if (joint.look != Look::none) {
      note(joint.a);
      note(joint.b);
    }
  for (const auto& spring : scene.springs) {
    note(spring.a);
    note(spring.b);
  }

  std::vector<double> reaches, widths;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) reaches.push_back(reach(model.bodies[i], anchors[i]));
  // bodies without extent: the distances between them tell how large things are
  Vec3 low = Vec3::Constant(1e300), high = -low;
  for (const Body& body : model.bodies) {
    low = low.cwiseMin(body.position);
    high = high.cwiseMax(body.position);
  }
  double typical = median(reaches);
  if (!(typical > 0)) typical = 0.3 * (high - low).norm();
  if (!(typical > 0)) typical = 1;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    SceneBody out{body, principal_inertia(body), body.shapes, !body.shapes.empty()};
    if (!out.own_shapes) out.shapes = default_shapes(body, anchors[i], 0.05 * typical);
    const Bounds b = bounds(out.shapes[0]);
    widths.push_back(2 * b.half.minCoeff());
    scene.bodies.push_back(std::move(out));
  }
  scene.joint_size = std::clamp(1.35 * median(widths), 0.08 * typical, 0.3 * typical);
  return scene;
}

ShownModel shown_model(const ResultReader& result) {
  const ResultLayout& layout = result.head().layout;
  Model model = parse_model(layout.model_json, result.path() + ": model");
  Scene scene = make_scene(model);
  if (scene.bodies.size() != layout.bodies.size() || scene.joints.size() != layout.joints.size())
    throw ResultError(fmt::format("{}: its model has {} bodies and {} joints, its samples have {} and {}",
                                  result.path(), scene.bodies.size(), scene.joints.size(), layout.bodies.size(),
                                  layout.joints.size()));
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (scene.bodies[i].body.name != layout.bodies[i])
      throw ResultError(fmt::format("{}: body {} is \"{}\" in its model and \"{}\" in its samples", result.path(), i,
                                    scene.bodies[i].body.name, layout.bodies[i]));
  return {std::move(model), std::move(scene)};
}

Vec3 color_of(const Scene& scene, std::size_t body, const Shape& shape) {
  static constexpr std::array<unsigned, 8> few{0x2563c9, 0xe0731d, 0x0f8f6e, 0xb83280,
                                               0x8a6d00, 0x5b5bd6, 0xc0392b, 0x3a7d95};
  static constexpr std::array<unsigned, 7> many{0x28458e, 0x2f7fb8, 0x2aa198, 0x7fb24a, 0xe3b23c, 0xe0662f, 0xb52b4d};
  const auto rgb = [](unsigned hex) -> Vec3 { return Vec3((hex >> 16) & 255, (hex >> 8) & 255, hex & 255) / 255.0; };
  if (!shape.color.empty()) return rgb(static_cast<unsigned>(std::stoul(shape.color.substr(1), nullptr, 16)));
  const std::size_t count = scene.bodies.size();
  if (count <= few.size()) return rgb(few[body]);
  const double place = static_cast<double>(body) / static_cast<double>(count - 1) * (many.size() - 1);
  const std::size_t k = std::min<std::size_t>(many.size() - 2, static_cast<std::size_t>(place));
  const double u = place - static_cast<double>(k);
  return (1 - u) * rgb(many[k]) + u * rgb(many[k + 1]);
}

}  // namespace polhode::view
