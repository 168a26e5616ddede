#include <polhode/study/reference_file.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>

#include <polhode/io/json_document.hpp>
#include <polhode/io/json_object.hpp>
#include <polhode/model/error.hpp>

namespace polhode {
namespace {

const std::vector<KeyUse> row_keys = {{"time"},     {"body"},       {"point"},  {"position"}, {"velocity"},
                                      {"quaternion"}, {"angular_velocity"}, {"height"}, {"accuracy"}, {"velocity_accuracy"}};

}  // namespace

Reference read_reference(const std::filesystem::path& file) {
  const std::string where = file.string();
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw ModelError(where + ": the reference cannot be opened; is the path right?");
  std::stringstream text;
  text << stream.rdbuf();
  const nlohmann::json document = parse_json(text.str(), where);

  ReadLog log;
  Reference out;
  double accuracy = 0;
  const JsonObject whole(document, "reference", "", log);
  whole.only({{"source"}, {"motion"}});
  whole.may("source", out.source);
  if (!whole.has("motion") || !document["motion"].is_array()) {
    log.add("reference", "motion is missing; expected a list of what is known");
  } else {
    for (std::size_t i = 0; i < document["motion"].size(); ++i) {
      const JsonObject row(document["motion"][i], fmt::format("motion[{}]", i), "", log);
      row.only(row_keys);
      double time = 0, own = 0;
      KnownMotion known;
      row.must("time", time);
      row.must("body", known.body);
      row.may("point", known.point);
      row.may("position", known.position);
      row.may("velocity", known.velocity);
      row.may("quaternion", known.orientation);
      row.may("angular_velocity", known.angular_velocity);
      row.may("height", known.height);
      row.may("accuracy", own);
      accuracy = std::max(accuracy, own);
      auto moment = std::find_if(out.moments.begin(), out.moments.end(), [&](const auto& m) { return m.time == time; });
      if (moment == out.moments.end()) moment = out.moments.insert(out.moments.end(), ReferenceMoment{time, {}, {}});
      moment->bodies.push_back(known);
    }
  }
  if (!log.errors.empty()) {
    for (std::string& error : log.errors) error = where + ": " + error;
    throw ModelError(log.errors);
  }
  std::sort(out.moments.begin(), out.moments.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
  out.position_error = accuracy;
  out.error = fmt::format("{:.0e}, as its source says", accuracy);
  return out;
}

}  // namespace polhode
