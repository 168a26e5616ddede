// The fields of bodies, and which types of bodies use them.
#include <polhode/model/body.hpp>

#include <polhode/describe/object.hpp>

namespace polhode {
namespace {

/// Three principal values or a matrix of rows.
const ValueType& inertia_type() {
  static const ValueType type{[](const JsonValue& in, const FieldInfo&, void* to) {
                                Mat3& out = *static_cast<Mat3*>(to);
                                const bool list = in.value.is_array() && in.value.size() == 3;
                                if (list && in.value[0].is_array()) return read(in, out);
                                if (!list || !in.value[0].is_number())
                                  return in.expected("three principal values or three rows of three numbers");
                                Vec3 principal;
                                if (!read(in, principal)) return false;
                                out = principal.asDiagonal();
                                return true;
                              },
                              [](const FieldInfo&, const void* from) {
                                const Mat3& m = *static_cast<const Mat3*>(from);
                                const auto list = [](const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); };
                                if (Mat3(m.diagonal().asDiagonal()) == m) return list(m.diagonal());
                                return Json::array({list(m.row(0)), list(m.row(1)), list(m.row(2))});
                              },
                              [](const FieldInfo&) { return reference_to("inertia"); }, "Union[Vector, Matrix]"};
  return type;
}

/// A point of the body frame by a word or its coordinates. "pivot" is understood here and resolved when the body is
/// known.
const ValueType& inertia_point_type() {
  static const ValueType type{
      [](const JsonValue& in, const FieldInfo& field, void* to) {
        auto& out = *static_cast<std::optional<Vec3>*>(to);
        const bool has_pivot = field.details.definition == "inertia_about_any";
        if (in.value.is_array()) {
          Vec3 point;
          if (!read(in, point)) return false;
          out = point;
          return true;
        }
        if (!in.value.is_string())
          return in.expected("\"centre_of_mass\", \"origin\", \"pivot\" or a point of the body frame");
        const std::string word = in.value.get<std::string>();
        if (word == "origin")
          out = Vec3::Zero();
        else if (word == "pivot" && !has_pivot)
          return in.error("is \"pivot\", which only a fixed-point body has");
        else if (word != "pivot" && word != "centre_of_mass")
          return in.error(
              fmt::format("is {}{}", describe(in.value), did_you_mean(word, {"centre_of_mass", "origin", "pivot"})));
        return true;
      },
      [](const FieldInfo&, const void* from) {
        const auto& point = *static_cast<const std::optional<Vec3>*>(from);
        return point ? Json::array({point->x(), point->y(), point->z()}) : Json();
      },
      [](const FieldInfo&) { return Json(); }, "Union[str, Vector]",
      [](const FieldInfo&, const void* from, const std::string& key, Reporter& report) {
        if (const auto& point = *static_cast<const std::optional<Vec3>*>(from)) report.finite(key, *point);
      }};
  return type;
}

constexpr FieldInfo typed(FieldInfo field, const ValueType& (*type)()) {
  field.type = type;
  return field;
}

constexpr FieldInfo name =
    field<&Body::name>("", "unique within bodies; not \"ground\"", {.need = Need::required, .definition = "name"});
constexpr FieldInfo mass = field<&Body::mass>(
    "kg", "", {.need = Need::required, .allowed = {.least = 0, .open = true, .remark = "; give a mass > 0 kg"}});
constexpr FieldInfo position = field<&Body::position>("m", "of the body frame's origin, in space");
constexpr FieldInfo velocity = field<&Body::velocity>("m/s", "of the body frame's origin, in space",
                                                      {.otherwise = "made consistent with the joints"});
constexpr FieldInfo shapes = field<&Body::shapes>("", "what it looks like, for pictures only",
                                                  {.otherwise = "drawn from its inertia and its joints"});

constexpr FieldInfo inertia_about(std::string_view words, std::string_view definition) {
  return typed(field<&Body::inertia_about>("m", words, {.otherwise = "centre_of_mass", .definition = definition}),
               inertia_point_type);
}
constexpr auto turning(const FieldInfo& about) {
  return fields(
      typed(field<&Body::inertia>(
                "kg m^2", "three principal values or a symmetric 3x3 matrix",
                {.need = Need::required, .missing = "; give three principal values, or make the body a particle"}),
            inertia_type),
      about,
      field<&Body::inertia_frame>("", "rotation from the axes of inertia to the body frame", {.otherwise = "identity"}),
      field<&Body::centre_of_mass>("m", "in the body frame", {.otherwise = "its origin"}), position,
      field<&Body::orientation>("", "rotation from body to space", {.otherwise = "identity"}));
}
constexpr FieldInfo angular_velocity =
    field<&Body::angular_velocity>("rad/s", "body components", {.otherwise = "made consistent with the joints"});

constexpr auto rigid_fields = fields(
    name, mass,
    turning(inertia_about("\"centre_of_mass\", \"origin\" of the body frame, or a point of it", "inertia_about")),
    velocity, angular_velocity, shapes);
constexpr auto fixed_point_fields = fields(
    name, mass,
    turning(inertia_about("\"centre_of_mass\", \"origin\" of the body frame, \"pivot\", or a point of the body frame",
                          "inertia_about_any")),
    angular_velocity, field<&Body::pivot>("m", "the point that stays, in space"), shapes);
constexpr auto particle_fields = fields(name, mass, position, velocity, shapes);
constexpr auto scalar_fields = fields(
    name, mass, position, field<&Body::axis>("", "direction of travel, in space", {.allowed = has_direction}),
    field<&Body::coordinate>("m", "initial travel"),
    field<&Body::rate>("m/s", "initial rate of travel", {.otherwise = "made consistent with the joints"}), shapes);

}  // namespace

std::vector<const Description*> body_types() {
  static const Description all[] = {
      describe<Body>("rigid", "position and orientation, 6 degrees of freedom; the default", rigid_fields),
      describe<Body>("fixed-point", "turns about its pivot, 3 degrees of freedom", fixed_point_fields),
      describe<Body>("particle", "a mass at a point, 3 degrees of freedom", particle_fields),
      describe<Body>("scalar",
                     "a mass that slides along an axis: its place is position + coordinate * axis, 1 degree of freedom",
                     scalar_fields)};
  return {&all[0], &all[1], &all[2], &all[3]};
}

}  // namespace polhode
