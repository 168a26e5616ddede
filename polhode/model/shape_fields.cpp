// The fields of shapes, and which shapes make sense.
#include <fmt/format.h>

#include <polhode/describe/object.hpp>
#include <polhode/model/shape.hpp>

namespace polhode {
namespace {

constexpr Allowed positive{.least = 0, .open = true, .remark = "; give a length > 0 m"};
constexpr auto placed =
    fields(field<&Shape::at>("m", "its middle (of a mesh: the origin of its vertices), in the body frame"),
           field<&Shape::frame>("", "rotation from its axes to the body frame", {.otherwise = "identity"}));
constexpr FieldInfo color =
    field<&Shape::color>("", "red, green, blue: #rrggbb", {.otherwise = "the viewer chooses", .definition = "color"});

constexpr auto box_fields = fields(
    placed, field<&Shape::size>("m", "lengths of its edges", {.need = Need::required, .definition = "lengths"}), color);
constexpr auto sphere_fields =
    fields(placed, field<&Shape::radius>("m", "", {.need = Need::required, .allowed = positive}), color);
constexpr auto round_fields = fields(
    placed, field<&Shape::radius>("m", "of a cone: of its base, at -z", {.need = Need::required, .allowed = positive}),
    field<&Shape::length>("m", "along z; of a capsule: of its straight part",
                          {.need = Need::required, .allowed = positive}),
    color);
constexpr auto mesh_fields = fields(
    placed, field<&Shape::vertices>("m", "points", {.need = Need::required}),
    field<&Shape::faces>("", "triangles: indices of vertices, counterclockwise from outside", {.need = Need::required}),
    color);

bool is_color(const std::string& text) {
  return text.size() == 7 && text[0] == '#' && text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
}

void check_mesh(const Shape& shape, const std::string& key, Reporter& report) {
  const int count = static_cast<int>(shape.vertices.size());
  if (count < 3 || shape.faces.empty())
    return report.error(
        key, fmt::format("{} has {} vertices and {} faces; a mesh takes three of them and one face at least", key,
                         count, shape.faces.size()));
  for (std::size_t k = 0; k < shape.vertices.size(); ++k)
    if (!report.finite(fmt::format("{}.vertices[{}]", key, k), shape.vertices[k])) return;
  for (std::size_t k = 0; k < shape.faces.size(); ++k)
    for (const int index : shape.faces[k])
      if (index < 0 || index >= count)
        return report.error(
            key, fmt::format("{}.faces[{}] names the vertex {}; there are 0 to {}", key, k, index, count - 1));
}

void check_shape(const Shape& shape, const std::string& key, Reporter& report) {
  check_object(*shape_types()[static_cast<std::size_t>(shape.type)], &shape, report, key);
  if (!shape.color.empty() && !is_color(shape.color))
    report.error(key + ".color",
                 fmt::format("{}.color is \"{}\"; give red, green and blue such as \"#2563c9\"", key, shape.color));
  if (shape.type == Shape::Type::mesh) return check_mesh(shape, key, report);
  for (const double edge : shape.size)
    if (shape.type == Shape::Type::box && !(edge > 0))
      report.error(key + ".size", fmt::format("{}.size is {}; give a length > 0 m", key, edge));
}

bool read_shape(const JsonValue& in, Shape& out) {
  if (!in.value.is_object()) return in.expected("a shape such as {\"type\": \"sphere\", \"radius\": 0.1}");
  static constexpr FieldInfo type_field = field<&Shape::type>("", "");
  if (!in.value.contains("type")) return in.report.error(in.key, fmt::format("{}.type is missing", in.key)), false;
  if (!type_field.type().read(in.at("type"), type_field, &out.type)) return false;
  const Kinds types = shape_types();
  return read_object(in, *types[static_cast<std::size_t>(out.type)], &out, types);
}

}  // namespace

std::vector<const Description*> shape_types() {
  static const Description all[] = {describe<Shape>("box", "a box", box_fields),
                                    describe<Shape>("cylinder", "a cylinder about z", round_fields),
                                    describe<Shape>("sphere", "a sphere", sphere_fields),
                                    describe<Shape>("cone", "a cone about z", round_fields),
                                    describe<Shape>("capsule", "a cylinder about z with round ends", round_fields),
                                    describe<Shape>("mesh", "triangles", mesh_fields)};
  std::vector<const Description*> list;
  for (const Description& one : all) list.push_back(&one);
  return list;
}

template <>
const ValueType& value_type_of<std::vector<Shape>>() {
  static const ValueType type{
      [](const JsonValue& in, const FieldInfo&, void* to) {
        auto& out = *static_cast<std::vector<Shape>*>(to);
        if (!in.value.is_array())
          return in.expected("a list of shapes such as [{\"type\": \"sphere\", \"radius\": 0.1}]");
        bool sound = true;
        for (std::size_t k = 0; k < in.value.size(); ++k) sound &= read_shape(in.entry(k), out.emplace_back());
        return sound;
      },
      [](const FieldInfo&, const void* from) {
        Json list = Json::array();
        for (const Shape& shape : *static_cast<const std::vector<Shape>*>(from)) {
          list.push_back({{"type", std::string(name_of(shape.type))}});
          list.back().update(write_object(*shape_types()[static_cast<std::size_t>(shape.type)], &shape));
        }
        return list;
      },
      [](const FieldInfo&) { return reference_to("shapes"); }, "list[dict[str, Any]]",
      [](const FieldInfo&, const void* from, const std::string& key, Reporter& report) {
        const auto& shapes = *static_cast<const std::vector<Shape>*>(from);
        for (std::size_t k = 0; k < shapes.size(); ++k) check_shape(shapes[k], fmt::format("{}[{}]", key, k), report);
      }};
  return type;
}

template <>
const ValueType& value_type_of<std::vector<Vec3>>() {
  static const ValueType type{[](const JsonValue& in, const FieldInfo&, void* to) {
                                auto& out = *static_cast<std::vector<Vec3>*>(to);
                                if (!in.value.is_array())
                                  return in.expected("a list of points such as [[0, 0, 0], [1, 0, 0], [0, 1, 0]]");
                                for (std::size_t k = 0; k < in.value.size(); ++k)
                                  if (!read(in.entry(k), out.emplace_back())) return false;
                                return true;
                              },
                              [](const FieldInfo&, const void* from) {
                                Json list = Json::array();
                                for (const Vec3& v : *static_cast<const std::vector<Vec3>*>(from))
                                  list.push_back(Json::array({v.x(), v.y(), v.z()}));
                                return list;
                              },
                              [](const FieldInfo&) {
                                return Json{{"type", "array"}, {"items", reference_to("vector")}, {"minItems", 3}};
                              },
                              "Sequence[Vector]"};
  return type;
}

template <>
const ValueType& value_type_of<std::vector<std::array<int, 3>>>() {
  static const ValueType type{[](const JsonValue& in, const FieldInfo&, void* to) {
                                auto& out = *static_cast<std::vector<std::array<int, 3>>*>(to);
                                if (!in.value.is_array())
                                  return in.expected("a list of triangles such as [[0, 1, 2], [0, 2, 3]]");
                                for (std::size_t k = 0; k < in.value.size(); ++k) {
                                  const JsonValue face = in.entry(k);
                                  if (!face.value.is_array() || face.value.size() != 3)
                                    return face.expected("three indices of vertices");
                                  out.emplace_back();
                                  for (std::size_t i = 0; i < 3; ++i)
                                    if (!read(face.entry(i), out.back()[i])) return false;
                                }
                                return true;
                              },
                              [](const FieldInfo&, const void* from) {
                                return Json(*static_cast<const std::vector<std::array<int, 3>>*>(from));
                              },
                              [](const FieldInfo&) {
                                return Json{{"type", "array"}, {"items", reference_to("face")}, {"minItems", 1}};
                              },
                              "Sequence[Sequence[int]]"};
  return type;
}

}  // namespace polhode
