// Models as JSON text, through the library's own reader and writer; and the choice of an integrator.
#include "binding.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/variant.h>

#include <polhode/integrate/methods.hpp>
#include <polhode/io/model_description.hpp>
#include <polhode/io/model_reader.hpp>
#include <polhode/io/model_writer.hpp>
#include <polhode/model/error.hpp>
#include <polhode/model/validate.hpp>

namespace polhode::python {
namespace {

void keep(const std::vector<Finding>& warnings, const std::string& where, ModelHandle& handle) {
  for (const Finding& warning : warnings) handle.warnings.push_back(where + ": " + to_text(warning));
}

/// ModelError if there is no such method, or an option of it is wrong.
void check_integrator(const IntegratorChoice& choice, const std::string& where) {
  const Findings findings = check_choice(choice);
  if (findings.has_errors()) throw ModelError(findings.errors(), where);
}

std::shared_ptr<ModelHandle> parse(std::string_view text, const std::string& where) {
  auto handle = std::make_shared<ModelHandle>();
  std::vector<Finding> warnings;
  handle->model = parse_model(text, where, &warnings);
  check_integrator(handle->model.simulation.integrator, where);
  keep(warnings, where, *handle);
  return handle;
}

std::shared_ptr<ModelHandle> read(const std::string& path) {
  auto handle = std::make_shared<ModelHandle>();
  std::vector<Finding> warnings;
  handle->model = read_model(path, &warnings);
  check_integrator(handle->model.simulation.integrator, path);
  keep(warnings, path, *handle);
  return handle;
}

/// Checks again what Python's functions have changed.
void check(const ModelHandle& handle, const std::string& where) {
  const Findings findings = validate(handle.model);
  if (findings.has_errors()) throw ModelError(findings.errors(), where);
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Method& method : methods()) names.push_back(method.name);
  return names;
}

}  // namespace

void bind_model(nb::module_& m) {
  nb::class_<ModelHandle>(m, "ModelHandle", "A model that the reader found sound.")
      .def_prop_ro("warnings", [](const ModelHandle& h) { return h.warnings; })
      .def(
          "text", [](const ModelHandle& h) { return write_model(h.model); }, "The model in canonical JSON.")
      .def("check", &check, "where"_a);
  m.def("parse_model", &parse, "text"_a, "where"_a, "Reads a model from JSON text; `where` names it in messages.");
  m.def("read_model", &read, "path"_a, "Reads a model file.");
  m.def("describe", &model_description, "All kinds of elements and options with their fields, as JSON text.");
  m.def("method_names", &method_names, "The names of all integrators.");
  m.def(
      "check_integrator",
      [](const std::string& name, const std::map<std::string, OptionValue>& options) {
        check_integrator({name, options}, "");
      },
      "name"_a, "options"_a, "ModelError if there is no such integrator, or an option of it is wrong.");
}

}  // namespace polhode::python
