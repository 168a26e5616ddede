// JSON to Model: structure first, element by element, then the model's own validation for all elements that were sound.
#include <polhode/io/model_reader.hpp>

#include <algorithm>
#include <fstream>
#include <map>

#include <polhode/io/json_document.hpp>
#include <polhode/io/model_elements.hpp>
#include <polhode/io/model_keys.hpp>
#include <polhode/model/checks.hpp>
#include <polhode/model/error.hpp>
#include <polhode/model/heap.hpp>
#include <polhode/model/validate.hpp>

namespace polhode {
namespace {

using nlohmann::json;

constexpr int format_version = 1;
constexpr std::size_t most_findings = 20;

struct Reading {
  Model model;
  JointPlaces places;
  ReadLog log;
  bool complete = true;  // false: elements are missing or without a name, and references to them would look wrong
  std::vector<std::size_t> drives_by_default, forces_by_default;  // whose coordinate is what the joint leaves free
};

// Calls read_one(object, index) for each entry of a list. An entry without a name is called by its place.
template <class ReadOne>
void read_list(const json& document, const std::string& list, Reading& reading, ReadOne&& read_one) {
  const auto found = document.find(list);
  if (found == document.end()) return;
  if (!found->is_array()) {
    reading.log.add("model", fmt::format("{} is {}; expected a list", list, describe(*found)));
    reading.complete = false;
    return;
  }
  for (std::size_t i = 0; i < found->size(); ++i) {
    const json& entry = (*found)[i];
    if (!entry.is_object()) {
      reading.log.add(fmt::format("{}[{}]", list, i), fmt::format("is {}; expected an object", describe(entry)));
      reading.complete = false;
      continue;
    }
    const bool named = entry.contains("name") && entry["name"].is_string();
    if (entry.contains("name") && !named) reading.complete = false;
    const std::string name = named ? entry["name"].get<std::string>() : std::string();
    read_one(JsonObject(entry, checks::place(list, i, name), "", reading.log), i);
  }
}

void read_elements(const json& document, Reading& reading) {
  Model& model = reading.model;
  const auto count = [&](const char* list) { return document.contains(list) ? document[list].size() : 0; };
  model.bodies.reserve(count("bodies"));
  model.joints.reserve(count("joints"));
  model.forces.reserve(count("forces"));
  read_list(document, "bodies", reading, [&](const JsonObject& object, std::size_t) {
    model.bodies.push_back(read_body(object));
    if (!object.has("name")) reading.complete = false;
  });
  read_list(document, "joints", reading, [&](const JsonObject& object, std::size_t i) {
    const std::string default_name = fmt::format("joints[{}]", i);
    const auto element = read_joint(object, default_name);
    if (const auto* joint = std::get_if<Joint>(&element)) {
      model.joints.push_back(*joint);
      reading.places.joints.push_back(i);
    } else if (const auto* coupling = std::get_if<Coupling>(&element)) {
      model.couplings.push_back(*coupling);
      reading.places.couplings.push_back(i);
    } else {
      reading.complete = false;
    }
  });
  read_list(document, "drives", reading, [&](const JsonObject& object, std::size_t i) {
    if (!object.has("type")) reading.drives_by_default.push_back(model.drives.size());
    model.drives.push_back(read_drive(object, fmt::format("drives[{}]", i)));
  });
  read_list(document, "forces", reading, [&](const JsonObject& object, std::size_t i) {
    model.forces.push_back(read_force(object, fmt::format("forces[{}]", i)));
    if (!object.has("coordinate")) reading.forces_by_default.push_back(model.forces.size() - 1);
  });
}

// A coordinate that was left out is the one that the joint leaves free.
void resolve_coordinates(Reading& reading) {
  std::map<std::string, Joint::Type> types;
  for (const Joint& joint : reading.model.joints) types.emplace(joint.name, joint.type);
  const auto resolve = [&](const std::string& joint, Coordinate& coordinate, const char* key, const std::string& place) {
    const auto type = types.find(joint);
    if (type == types.end()) return;  // no joint, or an unknown one: said elsewhere
    const auto free = free_coordinates(type->second);
    if (type->second == Joint::Type::cylindrical)
      reading.log.add(place, fmt::format("{} is missing; a cylindrical joint leaves angle and travel free", key));
    else if (!free.empty())
      coordinate = free.front();
  };
  for (std::size_t i : reading.drives_by_default) {
    Drive& drive = reading.model.drives[i];
    const std::string place = checks::place("drives", i, drive.name);
    if (drive.joint.empty() && !drive.between[0].empty())
      reading.log.add(place, "type is missing; a drive between bodies is of type angle, travel or length");
    resolve(drive.joint, drive.type, "type", place);
  }
  for (std::size_t i : reading.forces_by_default) {
    Force& force = reading.model.forces[i];
    if (force.type == Force::Type::joint_force)
      resolve(force.joint, force.coordinate, "coordinate", checks::place("forces", i, force.name));
  }
}

Reading read_document(const json& document) {
  Reading reading;
  ReadLog& log = reading.log;
  reading.complete = false;
  if (!document.is_object()) {
    log.add("model", fmt::format("is {}; expected an object {{\"polhode\": 1, ...}}", describe(document)));
    return reading;
  }
  const JsonObject whole(document, "model", "", log);
  int version = 0;
  if (!whole.must("polhode", version, "; a model opens with \"polhode\": 1")) return reading;
  if (version != format_version) {
    log.add("model", fmt::format("polhode is {}; this program reads format version {}", version, format_version));
    return reading;
  }
  reading.complete = whole.has("bodies");
  whole.only(keys::model());
  whole.may("name", reading.model.name);
  whole.may("description", reading.model.description);
  whole.may("source", reading.model.source);
  whole.may("reference", reading.model.reference);
  whole.may("gravity", reading.model.gravity);
  if (!reading.complete) log.add("model", "bodies is missing; give a list of at least one body");
  read_elements(document, reading);
  resolve_coordinates(reading);
  if (whole.has("simulation")) reading.model.simulation = read_simulation(document["simulation"], log);
  return reading;
}

// What validation says of elements that could be read; the others have their errors already.
void add_findings(const Reading& reading, std::vector<std::string>& errors, std::vector<std::string>& warnings) {
  const Findings findings = validate(reading.model, reading.places);
  const auto sound = [&](const std::string& finding) {
    return std::none_of(reading.log.places.begin(), reading.log.places.end(),
                        [&](const std::string& place) { return finding.starts_with(place + ":"); });
  };
  for (const std::string& error : findings.errors)
    if (sound(error)) errors.push_back(error);
  warnings = findings.warnings;
}

}  // namespace

Model parse_model(std::string_view text, const std::string& where, std::vector<std::string>* warnings) {
  Reading reading = read_document(parse_json(text, where));
  std::vector<std::string> errors = reading.log.errors, odd;
  if (reading.complete && errors.size() < most_findings) add_findings(reading, errors, odd);

  if (!errors.empty()) {
    const std::size_t more = errors.size() > most_findings ? errors.size() - most_findings : 0;
    errors.resize(errors.size() - more);
    if (more > 0) errors.push_back(fmt::format("and {} more", more));
    for (std::string& error : errors) error = where + ": " + error;
    throw ModelError(std::move(errors));
  }
  if (warnings)
    for (const std::string& warning : odd) warnings->push_back(where + ": " + warning);
  return std::move(reading.model);
}

Model read_model(const std::filesystem::path& file, std::vector<std::string>* warnings) {
  const std::string where = file.string();
  std::error_code failed;
  if (std::filesystem::is_directory(file, failed)) throw ModelError(where + ": is a folder; name a model file");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw ModelError(where + ": cannot be opened; is the path right?");

  std::string text;
  std::vector<char> buffer(std::size_t(1) << 16);
  while (stream && text.size() <= max_json_bytes) {
    stream.read(buffer.data(), std::streamsize(buffer.size()));
    text.append(buffer.data(), std::size_t(stream.gcount()));
  }
  Model model = parse_model(text, where, warnings);
  const bool large = text.size() > 1'000'000;
  std::string().swap(text);
  if (large) give_back_freed_memory();
  return model;
}

}  // namespace polhode
