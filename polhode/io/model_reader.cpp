// JSON to Model: structure first, element by element, then the model's own validation for all elements that were sound.
#include <polhode/io/model_reader.hpp>

#include <algorithm>
#include <map>

#include <polhode/describe/object.hpp>
#include <polhode/io/json_document.hpp>
#include <polhode/model/error.hpp>
#include <polhode/model/heap.hpp>
#include <polhode/model/inertia.hpp>
#include <polhode/model/validate.hpp>

namespace polhode {
namespace {

using nlohmann::json;

constexpr int format_version = 1;
constexpr std::size_t most_findings = 20;

/// Kinds that a file may name.
template <class Kind>
void append(Kinds& out, const std::vector<const Kind*>& kinds) {
  for (const Kind* one : kinds) {
    if constexpr (requires { one->in_memory; })
      if (one->in_memory) continue;
    out.push_back(one);
  }
}

class ModelReading {
 public:
  ModelReading() {
    append(joints_and_couplings_, joint_kinds());
    append(joints_and_couplings_, coupling_kinds());
    append(forces_, force_kinds());
  }

  Model model;
  Findings findings;
  bool complete = false;  ///< false: elements are missing or without a name, and references to them would look wrong

  void read(const json& document);
  /// What validation says of elements that could be read; the others have their errors already.
  void validate_what_is_sound();

 private:
  Reporter at(ElementPlace place) { return Reporter(findings, std::move(place)); }
  template <class ReadOne>
  void read_list(const json& document, const std::string& list, ReadOne&& read_one);
  const Description* type_of(const JsonValue& in, const Kinds& kinds) const;
  void read_body(const JsonValue& in);
  void read_joint(const JsonValue& in, std::size_t index, const std::string& name);
  void read_drive(const JsonValue& in, const std::string& name);
  void read_force(const JsonValue& in, const std::string& name);
  void resolve_coordinate(const std::string& joint, Coordinate& coordinate, const char* field, Reporter& report);

  JointPlaces places_;
  Kinds bodies_ = body_types(), joints_and_couplings_, forces_;
  std::map<std::string, const JointKind*> kind_of_joint_;
};

/// Calls read_one(value, index, name) for each entry of a list. An entry without a name is called by its place.
template <class ReadOne>
void ModelReading::read_list(const json& document, const std::string& list, ReadOne&& read_one) {
  const auto found = document.find(list);
  if (found == document.end()) return;
  if (!found->is_array()) {
    at({"model"}).error(list, fmt::format("{} is {}; expected a list", list, describe(*found)));
    complete = false;
    return;
  }
  for (std::size_t i = 0; i < found->size(); ++i) {
    const json& entry = (*found)[i];
    const bool named = entry.is_object() && entry.contains("name") && entry["name"].is_string();
    const std::string place = fmt::format("{}[{}]", list, i), name = named ? entry["name"].get<std::string>() : place;
    Reporter report = at({list, i, name});
    if (!entry.is_object()) {
      report.error(fmt::format("is {}; expected an object", describe(entry)));
      complete = false;
      continue;
    }
    if (entry.contains("name") && !named) complete = false;
    read_one(JsonValue{entry, "", report}, i, name);
  }
}

/// The kind that `type` names; null, with an error, if there is none.
const Description* ModelReading::type_of(const JsonValue& in, const Kinds& kinds) const {
  if (!in.value.contains("type")) return in.report.error("type", "type is missing"), nullptr;
  std::string word;
  if (!polhode::read(in.at("type"), word)) return nullptr;
  if (const Description* found = find_kind(kinds, word)) return found;
  std::vector<std::string> all;
  for (const Description* one : kinds) all.emplace_back(one->word);
  in.at("type").error(fmt::format("is {}{}", describe(in.value["type"]), did_you_mean_or_list(word, all)));
  return nullptr;
}

void ModelReading::read_body(const JsonValue& in) {
  Body body;
  if (!in.value.contains("name")) complete = false;
  const Description* const type = in.value.contains("type") ? type_of(in, bodies_) : bodies_[0];
  if (type) {
    body.type = static_cast<Body::Type>(std::find(bodies_.begin(), bodies_.end(), type) - bodies_.begin());
    read_object(in, *type, &body, bodies_);
    if (body.type == Body::Type::fixed_point && in.value.value("inertia_about", json()) == "pivot")
      body.inertia_about = pivot_in_body(body);
  } else if (in.value.contains("name") && in.value["name"].is_string()) {
    body.name = in.value["name"].get<std::string>();
  }
  model.bodies.push_back(std::move(body));
}

void ModelReading::read_joint(const JsonValue& in, std::size_t index, const std::string& name) {
  const Description* const type = type_of(in, joints_and_couplings_);
  if (!type) return void(complete = false);
  if (const JointKind* kind = find_kind(joint_kinds(), type->word)) {
    Joint joint(*kind);
    read_object(in, *kind, joint.edit(), joints_and_couplings_);
    joint.rename(name);
    kind_of_joint_.emplace(name, kind);
    model.joints.push_back(std::move(joint));
    places_.joints.push_back(index);
  } else {
    Coupling coupling(*find_kind(coupling_kinds(), type->word));
    read_object(in, *type, coupling.edit(), joints_and_couplings_);
    coupling.rename(name);
    model.couplings.push_back(std::move(coupling));
    places_.couplings.push_back(index);
  }
}

/// A coordinate that was left out is the one that the joint leaves free.
void ModelReading::resolve_coordinate(const std::string& joint, Coordinate& coordinate, const char* field,
                                      Reporter& report) {
  const auto found = kind_of_joint_.find(joint);
  if (found == kind_of_joint_.end()) return;  // no joint, or an unknown one: said elsewhere
  const JointKind& kind = *found->second;
  std::vector<std::string_view> free;
  for (const Coordinate one : kind.free) free.push_back(name_of(one));
  if (const auto usual = kind.usual())
    coordinate = *usual;
  else if (kind.free.count > 1)
    report.error(field,
                 fmt::format("{} is missing; a {} joint leaves {} free", field, kind.word, fmt::join(free, " and ")));
}

void ModelReading::read_drive(const JsonValue& in, const std::string& name) {
  Drive drive;
  read_object(in, kind<Drive>, &drive);
  drive.name = name;
  if (!in.value.contains("type")) {
    if (drive.joint.empty() && !drive.between[0].empty())
      in.report.error("type", "type is missing; a drive between bodies is of type angle, travel or length");
    resolve_coordinate(drive.joint, drive.type, "type", in.report);
  }
  model.drives.push_back(std::move(drive));
}

void ModelReading::read_force(const JsonValue& in, const std::string& name) {
  const Description* const type = type_of(in, forces_);
  if (!type) return void(complete = false);
  const ForceKind& kind = *find_kind(force_kinds(), type->word);
  Force force(kind);
  read_object(in, kind, force.edit(), forces_);
  force.rename(name);
  const std::string* const joint = force.field<std::string>("joint");
  const FieldInfo* const coordinate = kind.find("coordinate");
  if (joint && coordinate && coordinate->words.data() == words<Coordinate>.data() && !in.value.contains("coordinate"))
    resolve_coordinate(*joint, *static_cast<Coordinate*>(coordinate->of(force.edit())), "coordinate", in.report);
  model.forces.push_back(std::move(force));
}

void ModelReading::read(const json& document) {
  Reporter whole = at({"model"});
  if (!document.is_object())
    return whole.error(fmt::format("is {}; expected an object {{\"polhode\": 1, ...}}", describe(document)));
  const JsonValue in{document, "", whole};
  int version = 0;
  if (!document.contains("polhode"))
    return whole.error("polhode", "polhode is missing; a model opens with \"polhode\": 1");
  if (!polhode::read(in.at("polhode"), version)) return;
  if (version != format_version)
    return whole.error("polhode",
                       fmt::format("polhode is {}; this program reads format version {}", version, format_version));

  read_object(in, kind<Model>, &model, {},
              {"polhode", "bodies", "joints", "drives", "forces", "simulation", "$schema"});
  complete = document.contains("bodies");
  if (!complete) whole.error("bodies", "bodies is missing; give a list of at least one body");

  const auto count = [&](const char* list) { return document.contains(list) ? document[list].size() : 0; };
  model.bodies.reserve(count("bodies"));
  model.joints.reserve(count("joints"));
  model.forces.reserve(count("forces"));
  read_list(document, "bodies", [&](const JsonValue& value, std::size_t, const std::string&) { read_body(value); });
  read_list(document, "joints",
            [&](const JsonValue& value, std::size_t i, const std::string& name) { read_joint(value, i, name); });
  read_list(document, "drives",
            [&](const JsonValue& value, std::size_t, const std::string& name) { read_drive(value, name); });
  read_list(document, "forces",
            [&](const JsonValue& value, std::size_t, const std::string& name) { read_force(value, name); });
  if (!document.contains("simulation")) return;
  Reporter simulation = at({"simulation"});
  if (!document["simulation"].is_object())
    return simulation.error(fmt::format("is {}; expected an object", describe(document["simulation"])));
  read_object({document["simulation"], "", simulation}, kind<SimulationOptions>, &model.simulation);
}

void ModelReading::validate_what_is_sound() {
  const std::vector<Finding> read = findings.all;
  for (const Finding& finding : validate(model, places_).all) {
    const bool sound = std::none_of(read.begin(), read.end(), [&](const Finding& one) {
      return one.place.list == finding.place.list && one.place.index == finding.place.index;
    });
    if (sound || finding.severity == Finding::Severity::warning) findings.all.push_back(finding);
  }
}

}  // namespace

Model parse_model(std::string_view text, const std::string& where, std::vector<Finding>* warnings) {
  ModelReading reading;
  reading.read(parse_json(text, where));
  if (reading.complete && reading.findings.all.size() < most_findings) reading.validate_what_is_sound();

  std::vector<Finding> errors = reading.findings.errors();
  if (!errors.empty()) {
    const std::size_t more = errors.size() > most_findings ? errors.size() - most_findings : 0;
    errors.resize(errors.size() - more);
    if (more > 0) errors.push_back({Finding::Severity::error, {}, "", fmt::format("and {} more", more)});
    throw ModelError(std::move(errors), where);
  }
  if (warnings) *warnings = reading.findings.warnings();
  return std::move(reading.model);
}

Model read_model(const std::filesystem::path& file, std::vector<Finding>* warnings) {
  const std::string where = file.string();
  std::string text = read_json_text(file, "a model file");
  Model model = parse_model(text, where, warnings);
  const bool large = text.size() > 1'000'000;
  std::string().swap(text);
  if (large) give_back_freed_memory();
  return model;
}

}  // namespace polhode
