#include <polhode/study/reference_file.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <polhode/describe/object.hpp>
#include <polhode/io/json_document.hpp>
#include <polhode/model/error.hpp>

namespace polhode {
namespace {

/// A row of the file: what is known of a body at a time.
struct ReferenceRow {
  double time = 0;
  std::string body{};
  Vec3 point = Vec3::Zero();
  std::optional<Vec3> position{}, velocity{}, angular_velocity{};
  Quaternion quaternion = Quaternion::Identity();
  std::optional<double> height{};
  double accuracy = 0, velocity_accuracy = 0;
  bool operator==(const ReferenceRow&) const = default;
};

constexpr auto row_fields = fields(field<&ReferenceRow::time>("s", "", {.need = Need::required}),
                                   field<&ReferenceRow::body>("", "its name", {.need = Need::required}),
                                   field<&ReferenceRow::point>("m", "of the body frame"),
                                   field<&ReferenceRow::position>("m", "of the point, in space"),
                                   field<&ReferenceRow::velocity>("m/s", "of the point, in space"),
                                   field<&ReferenceRow::quaternion>("", "body to space"),
                                   field<&ReferenceRow::angular_velocity>("rad/s", "body components"),
                                   field<&ReferenceRow::height>("m", "z of the position alone"),
                                   field<&ReferenceRow::accuracy>("m or rad", "of the row"),
                                   field<&ReferenceRow::velocity_accuracy>("m/s or rad/s", "of the row"));
constexpr Description row_description = describe<ReferenceRow>("row", "what is known of a body at a time", row_fields);

}  // namespace

Reference read_reference(const std::filesystem::path& file) {
  const std::string where = file.string();
  const nlohmann::json document = parse_json(read_json_text(file, "a file of the exact motion"), where);

  Findings findings;
  Reporter report(findings, {"reference"});
  Reference out;
  double accuracy = 0;
  for (const auto& [key, value] : document.items())
    if (key != "source" && key != "motion")
      report.error(key, fmt::format("unknown key \"{}\"; known are source, motion", key));
  if (document.contains("source")) read(JsonValue{document["source"], "source", report}, out.source);
  if (!document.contains("motion") || !document["motion"].is_array()) {
    report.error("motion", "motion is missing; expected a list of what is known");
  } else {
    for (std::size_t i = 0; i < document["motion"].size(); ++i) {
      const nlohmann::json& entry = document["motion"][i];
      Reporter at_row(findings, {"motion", i});
      ReferenceRow row;
      read_object({entry, "", at_row}, row_description, &row);
      KnownMotion known{row.body, row.point, row.position, row.velocity, row.angular_velocity, row.height, {}};
      if (entry.contains("quaternion")) known.orientation = row.quaternion;
      accuracy = std::max(accuracy, row.accuracy);
      auto moment =
          std::find_if(out.moments.begin(), out.moments.end(), [&](const auto& m) { return m.time == row.time; });
      if (moment == out.moments.end())
        moment = out.moments.insert(out.moments.end(), ReferenceMoment{row.time, {}, {}});
      moment->bodies.push_back(known);
    }
  }
  if (findings.has_errors()) throw ModelError(findings.all, where);
  std::sort(out.moments.begin(), out.moments.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
  out.position_error = accuracy;
  out.error = fmt::format("{:.0e}, as its source says", accuracy);
  return out;
}

std::optional<Reference> known_reference(const Model& model, const std::string& asked,
                                         const std::optional<std::filesystem::path>& folder) {
  if (asked == "computed") return std::nullopt;
  if (!asked.empty()) return read_reference(asked);
  if (model.reference.empty() || !folder) return std::nullopt;
  if (std::filesystem::path(model.reference).is_absolute())
    throw ModelError(fmt::format(
        "reference is {}; name a file by its path from the model's folder, or give --reference", model.reference));
  const Reference all = read_reference(*folder / model.reference);
  const bool in_time = std::any_of(all.moments.begin(), all.moments.end(), [&](const ReferenceMoment& moment) {
    return moment.time > 0 && moment.time <= model.simulation.end_time * (1 + 1e-9);
  });
  return in_time ? std::optional(all) : std::nullopt;
}

}  // namespace polhode
