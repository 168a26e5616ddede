// Model to JSON text, by the tables of its fields.
#include <polhode/io/model_writer.hpp>

#include <fmt/format.h>

#include <polhode/describe/object.hpp>
#include <polhode/io/json_text.hpp>
#include <polhode/model/error.hpp>

namespace polhode {
namespace {

/// An object with its type after its name.
Json with_type(const Json& fields, std::string_view word) {
  Json out = {{"name", fields["name"]}, {"type", std::string(word)}};
  out.update(fields);
  return out;
}

Json to_json(const Body& body) {
  const Description& type = *body_types()[static_cast<std::size_t>(body.type)];
  const Json fields = write_object(type, &body);
  return body.type == Body::Type::rigid ? fields : with_type(fields, type.word);
}
Json to_json(const Joint& joint) { return with_type(write_object(joint.kind(), joint.data()), joint.kind().word); }
Json to_json(const Coupling& coupling) {
  return with_type(write_object(coupling.kind(), coupling.data()), coupling.kind().word);
}
Json to_json(const Drive& drive) { return write_object(kind<Drive>, &drive); }
Json to_json(const Force& force) {
  if (force.kind().in_memory)
    throw ModelError(fmt::format(
        "forces: \"{}\" is computed by a program, which a file cannot hold; leave it out to write the model",
        force.name()));
  return with_type(write_object(force.kind(), force.data()), force.kind().word);
}

template <class Element>
void put_list(Json& document, const char* key, const std::vector<Element>& elements) {
  for (const Element& element : elements) document[key].push_back(to_json(element));
}

}  // namespace

std::string write_model(const Model& model) {
  Json document = {{"polhode", 1}};
  document.update(write_object(kind<Model>, &model));
  document["bodies"] = Json::array();
  put_list(document, "bodies", model.bodies);
  put_list(document, "joints", model.joints);
  put_list(document, "joints", model.couplings);
  put_list(document, "drives", model.drives);
  put_list(document, "forces", model.forces);
  document["simulation"] = write_object(kind<SimulationOptions>, &model.simulation);
  return json_text(document) + "\n";
}

}  // namespace polhode
