// The schema is an object a kind, with definitions of what fields share; tables are Markdown.
#include <polhode/io/model_description.hpp>

#include <algorithm>

#include <fmt/ranges.h>

#include <polhode/describe/object.hpp>
#include <polhode/integrate/methods.hpp>
#include <polhode/io/json_text.hpp>
#include <polhode/model/error.hpp>
#include <polhode/model/model.hpp>

namespace polhode {
namespace {

/// Definitions that fields refer to by name.
constexpr const char* definitions = R"({
  "name": {"type": "string", "minLength": 1, "pattern": "^[^/\\u0000-\\u001f\\u007f]+$", "not": {"enum": ["ground", "."]}},
  "vector": {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3},
  "direction": {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3, "contains": {"type": "number", "not": {"const": 0}}},
  "lengths": {"type": "array", "items": {"type": "number", "exclusiveMinimum": 0}, "minItems": 3, "maxItems": 3},
  "face": {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 3, "maxItems": 3},
  "color": {"type": "string", "pattern": "^#[0-9a-fA-F]{6}$"},
  "matrix": {"type": "array", "items": {"$ref": "#/$defs/vector"}, "minItems": 3, "maxItems": 3, "description": "three rows"},
  "rotation": {
    "description": "quaternion [w, x, y, z], axis and angle, rotation vector, or matrix of rows",
    "oneOf": [
      {"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4, "description": "quaternion [w, x, y, z] of norm 1"},
      {"type": "object", "properties": {"axis": {"$ref": "#/$defs/direction"}, "angle": {"type": "number", "description": "[rad]"}},
        "required": ["axis", "angle"], "additionalProperties": false},
      {"type": "object", "properties": {"rotation_vector": {"$ref": "#/$defs/vector", "description": "axis times angle [rad]"}},
        "required": ["rotation_vector"], "additionalProperties": false},
      {"$ref": "#/$defs/matrix"}
    ]
  },
  "six_by_six": {"oneOf": [
    {"type": "array", "items": {"type": "number"}, "minItems": 6, "maxItems": 6},
    {"type": "array", "items": {"type": "array", "items": {"type": "number"}, "minItems": 6, "maxItems": 6}, "minItems": 6, "maxItems": 6, "description": "six rows, symmetric"}
  ]},
  "inertia": {"oneOf": [{"$ref": "#/$defs/vector"}, {"$ref": "#/$defs/matrix"}]},
  "inertia_about": {"oneOf": [{"enum": ["centre_of_mass", "origin"]}, {"$ref": "#/$defs/vector"}]},
  "inertia_about_any": {"oneOf": [{"enum": ["centre_of_mass", "origin", "pivot"]}, {"$ref": "#/$defs/vector"}]},
  "between": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2, "uniqueItems": true},
  "two_joints": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
  "moving_body": {"type": "string", "not": {"const": "ground"}},
  "load_function": {"oneOf": [{"$ref": "#/$defs/function"}, {"type": "array", "items": {"$ref": "#/$defs/function"}, "minItems": 3, "maxItems": 3}]},
  "shapes": {"type": "array", "items": {"$ref": "#/$defs/shape"}}
})";

template <class Kind>
Kinds in_files(const std::vector<const Kind*>& kinds) {
  Kinds out;
  for (const Kind* one : kinds) {
    if constexpr (requires { one->in_memory; })
      if (one->in_memory) continue;
    out.push_back(one);
  }
  return out;
}

Kinds joints_and_couplings() {
  Kinds all = in_files(joint_kinds());
  for (const Description* one : in_files(coupling_kinds())) all.push_back(one);
  return all;
}

Json one_of(const Kinds& kinds, const Description* usual = nullptr) {
  Json forms = Json::array();
  for (const Description* one : kinds) forms.push_back(object_schema(*one, true, one != usual));
  return {{"oneOf", forms}};
}

Json descriptions(const Kinds& kinds) {
  Json out = Json::array();
  for (const Description* one : kinds) out.push_back(description_json(*one));
  return out;
}

Json force_descriptions() {
  Json out = Json::array();
  for (const ForceKind* one : force_kinds()) {
    if (one->in_memory) continue;
    out.push_back(description_json(*one));
    if (one->output) out.back()["outputs"] = description_json(*one->output)["fields"];
  }
  return out;
}

/// What forces show of themselves: | of | channel | unit | what |.
std::string outputs_table() {
  std::string out = "| of | channel | unit | what |\n| --- | --- | --- | --- |\n";
  for (const ForceKind* one : force_kinds()) {
    if (!one->output) continue;
    for (const FieldInfo& field : one->output->fields)
      out += fmt::format("| `{}` | `{}`{} | {} | {} |\n", one->word, field.word,
                         field.type == value_type_of<Vec3> ? ".x, .y, .z" : "", field.unit, field.meaning);
  }
  return out;
}

// ---- integrators: their options come from the table of methods ----

/// What is known of a method, in the form of descriptions.
Json description_of(const Method& method) {
  return {{"word", method.name},
          {"summary", method.summary},
          {"order", method.order},
          {"conserves", method.conserves},
          {"use", method.use},
          {"source", method.source},
          {"fields", description_json(*method.options)["fields"]}};
}

/// The choice of an integrator: options of the library's methods are known, those of others are whatever they are.
Json integrator_schema() {
  Json names = Json::array(), each = Json::array();
  for (const Method& method : library_methods()) {
    names.push_back(method.name);
    Json options = object_schema(*method.options);
    options["description"] = method.summary;
    options["properties"]["name"] = {{"const", method.name}};
    each.push_back({{"if", {{"properties", {{"name", {{"const", method.name}}}}}}}, {"then", options}});
  }
  return {{"type", "object"},
          {"properties", {{"name", {{"type", "string"}, {"minLength", 1}, {"examples", names}}}}},
          {"required", {"name"}},
          {"additionalProperties", {{"type", {"number", "string"}}}},
          {"allOf", each}};
}

// ---- tables ----

std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != text.npos; at += 2) text.insert(at, "\\");
  return text;
}

std::string key_cell(const FieldInfo& field) { return fmt::format("`{}`", field.word); }

/// Keys of one object: | key | meaning |.
std::string table_of(const Description& description) {
  std::string out = "| key | meaning |\n| --- | --- |\n";
  for (const FieldInfo& field : description.fields)
    out += fmt::format("| {} | {}{} |\n", key_cell(field), cell(meaning_of(description, field)),
                       field.details.need == Need::required ? "; required" : "");
  return out;
}

/// Options of a method: | option | values | default | meaning |.
std::string options_table(const Description& description) {
  std::string out = "| option | values | default | meaning |\n| --- | --- | --- | --- |\n";
  for (const FieldInfo& field : description.fields) {
    std::vector<std::string> values;
    for (const OptionValue& value : alternatives(field))
      values.push_back(std::holds_alternative<double>(value) ? fmt::format("{:g}", std::get<double>(value))
                                                             : fmt::format("`{}`", std::get<std::string>(value)));
    if (values.empty()) values.push_back(range_of(field));
    out += fmt::format("| {} | {} | {} | {} |\n", key_cell(field), fmt::join(values, ", "),
                       default_of(description, field), cell(meaning_of(field)));
  }
  return out;
}

/// Keys of kinds that share most of them: | key | for | meaning |, each key once.
std::string shared_table(const Kinds& kinds) {
  std::vector<const FieldInfo*> fields;
  for (const Description* one : kinds)
    for (const FieldInfo& field : one->fields)
      if (std::none_of(fields.begin(), fields.end(), [&](const FieldInfo* f) { return f->word == field.word; }))
        fields.push_back(&field);
  std::string out = "| key | for | meaning |\n| --- | --- | --- |\n";
  std::vector<std::string> types;
  for (const Description* one : kinds) types.push_back(fmt::format("`{}`: {}", one->word, one->summary));
  out += fmt::format("| `type` | all | {} |\n", cell(fmt::format("{}", fmt::join(types, "; "))));
  for (const FieldInfo* field : fields) {
    std::vector<std::string> users, meanings;
    for (const Description* one : kinds)
      if (const FieldInfo* own = one->find(field->word)) {
        users.emplace_back(one->word);
        const std::string meaning = meaning_of(*one, *own);
        if (std::find(meanings.begin(), meanings.end(), meaning) == meanings.end()) meanings.push_back(meaning);
      }
    const bool all = users.size() == kinds.size();
    out +=
        fmt::format("| {} | {} | {}{} |\n", key_cell(*field), all ? "all" : fmt::format("{}", fmt::join(users, ", ")),
                    cell(fmt::format("{}", fmt::join(meanings, "; or "))),
                    field->details.need == Need::required ? "; required" : "");
  }
  return out;
}

/// A line a kind: | type | what it does | keys |, without those that all kinds have.
std::string kinds_table(const Kinds& kinds, const std::vector<std::string>& common,
                        const std::vector<std::string>& counts = {}) {
  std::string out = counts.empty() ? "| type | what it does | keys |\n| --- | --- | --- |\n"
                                   : "| type | what it does | keys | equations |\n| --- | --- | --- | --- |\n";
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    std::vector<std::string> keys;
    for (const FieldInfo& field : kinds[k]->fields) {
      if (std::find(common.begin(), common.end(), field.word) != common.end()) continue;
      const std::string standard = default_of(*kinds[k], field);
      std::vector<std::string> notes;
      if (field.details.need == Need::required)
        notes.push_back("required");
      else if (!standard.empty())
        notes.push_back("default " + standard);
      const std::string unit = field.unit.empty() ? "" : fmt::format(" [{}]", field.unit);
      keys.push_back(fmt::format("{}{}{}", key_cell(field), unit,
                                 notes.empty() ? "" : fmt::format(" ({})", fmt::join(notes, ", "))));
    }
    out += fmt::format("| `{}` | {} | {} |{}\n", kinds[k]->word, cell(std::string(kinds[k]->summary)),
                       fmt::join(keys, ", "), counts.empty() ? "" : " " + counts[k] + " |");
  }
  return out;
}

template <class Kind>
std::vector<std::string> equations(const std::vector<const Kind*>& kinds) {
  std::vector<std::string> out;
  for (const Kind* one : kinds) out.push_back(std::to_string(one->equations));
  return out;
}

}  // namespace

std::string model_schema() {
  Json properties = {{"$schema", {{"type", "string"}, {"description", "for editors"}}},
                     {"polhode", {{"const", 1}, {"description", "format version"}}}};
  properties.update(object_schema(kind<Model>)["properties"]);
  const auto list = [](const char* definition) { return Json{{"type", "array"}, {"items", reference_to(definition)}}; };
  properties["bodies"] = list("body");
  properties["bodies"]["minItems"] = 1;
  properties["joints"] = list("joint");
  properties["drives"] = list("drive");
  properties["forces"] = list("force");
  properties["simulation"] = reference_to("simulation");

  Json defs = Json::parse(definitions);
  const Kinds bodies = body_types();
  defs["body"] = one_of(bodies, bodies[0]);
  defs["shape"] = one_of(shape_types());
  defs["joint"] = one_of(joints_and_couplings());
  defs["drive"] = object_schema(kind<Drive>);
  defs["force"] = one_of(in_files(force_kinds()));
  defs["function"] = one_of(function_types());
  defs["function"]["oneOf"].insert(defs["function"]["oneOf"].begin(), Json{{"type", "number"}});
  defs["function"]["description"] = "a function of time: a number is a constant";
  defs["integrator"] = integrator_schema();
  defs["simulation"] = object_schema(kind<SimulationOptions>);
  const Json schema = {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "polhode model"},
      {"description",
       "A multibody system and how to simulate it. SI units, angles in radians. Comments are allowed in model files."},
      {"type", "object"},
      {"properties", properties},
      {"required", {"polhode", "bodies"}},
      {"additionalProperties", false},
      {"$defs", defs}};
  return json_text(schema, {.columns = 140, .spaced = false}) + "\n";
}

std::string model_description() {
  Json joints = descriptions(in_files(joint_kinds())), couplings = descriptions(in_files(coupling_kinds()));
  for (std::size_t k = 0; k < joints.size(); ++k) joints[k]["equations"] = joint_kinds()[k]->equations;
  for (std::size_t k = 0; k < couplings.size(); ++k) couplings[k]["equations"] = coupling_kinds()[k]->equations;
  Json integrators = Json::array();
  for (const Method& method : methods()) integrators.push_back(description_of(method));
  const Json all = {{"model", description_json(kind<Model>)},
                    {"bodies", descriptions(body_types())},
                    {"shapes", descriptions(shape_types())},
                    {"joints", joints},
                    {"couplings", couplings},
                    {"drives", Json::array({description_json(kind<Drive>)})},
                    {"forces", force_descriptions()},
                    {"functions", descriptions(function_types())},
                    {"simulation", description_json(kind<SimulationOptions>)},
                    {"integrators", integrators}};
  return json_text(all, {.columns = 140}) + "\n";
}

std::string description_table(const std::string& list) {
  if (list == "model") return table_of(kind<Model>);
  if (list == "bodies") return shared_table(body_types());
  if (list == "shapes") return shared_table(shape_types());
  if (list == "joints")
    return kinds_table(in_files(joint_kinds()), {"name", "between", "at", "at_a", "at_b"}, equations(joint_kinds()));
  if (list == "couplings")
    return kinds_table(in_files(coupling_kinds()), {"name", "joints"}, equations(coupling_kinds()));
  if (list == "drives") return table_of(kind<Drive>);
  if (list == "forces") return kinds_table(in_files(force_kinds()), {"name", "at", "at_a", "at_b"});
  if (list == "outputs") return outputs_table();
  if (list == "functions") return kinds_table(function_types(), {});
  if (list == "simulation") return table_of(kind<SimulationOptions>);
  for (const Method& method : methods())
    if (list == method.name) return options_table(*method.options);
  throw ModelError(fmt::format("there is no table \"{}\"", list));
}

std::string with_tables(const std::string& page) {
  static const std::string open = "<!-- describe: ", close = " -->\n", end = "<!-- end -->";
  std::string out;
  std::size_t done = 0;
  for (std::size_t at = page.find(open); at != page.npos; at = page.find(open, done)) {
    const std::size_t word = at + open.size(), after = page.find(close, word), last = page.find(end, at);
    if (after == page.npos || last == page.npos) throw ModelError("a table is not closed by <!-- end -->");
    out += page.substr(done, after + close.size() - done) + "\n" + description_table(page.substr(word, after - word)) +
           "\n";
    done = last;
  }
  return out + page.substr(done);
}

}  // namespace polhode
