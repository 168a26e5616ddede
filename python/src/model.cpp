// Models as JSON text, through the library's own reader and writer; and the table of integrators.
#include "binding.hpp"

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

std::shared_ptr<ModelHandle> parse(std::string_view text, const std::string& where) {
  auto handle = std::make_shared<ModelHandle>();
  std::vector<Finding> warnings;
  handle->model = parse_model(text, where, &warnings);
  keep(warnings, where, *handle);
  return handle;
}

std::shared_ptr<ModelHandle> read(const std::string& path) {
  auto handle = std::make_shared<ModelHandle>();
  std::vector<Finding> warnings;
  handle->model = read_model(path, &warnings);
  keep(warnings, path, *handle);
  return handle;
}

/// Checks again what Python's functions have changed.
void check(const ModelHandle& handle, const std::string& where) {
  const Findings findings = validate(handle.model);
  if (findings.has_errors()) throw ModelError(findings.errors(), where);
}

/// What is known of every method, and of its options.
nb::list method_table() {
  nb::list table;
  for (const Method& method : methods()) {
    nb::list options;
    for (const OptionInfo& option : method.options) {
      nb::dict entry;
      entry["name"] = option.name;
      entry["meaning"] = option.meaning;
      entry["default"] = nb::cast(option.initial);
      entry["numbers"] = nb::cast(option.numbers);
      entry["words"] = nb::cast(option.words);
      entry["range"] = nb::make_tuple(option.least, option.most);
      options.append(entry);
    }
    nb::dict entry;
    entry["name"] = method.name;
    entry["summary"] = method.summary;
    entry["order"] = method.order;
    entry["conserves"] = method.conserves;
    entry["use"] = method.use;
    entry["source"] = method.source;
    entry["options"] = options;
    table.append(entry);
  }
  return table;
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
  m.def("method_table", &method_table, nb::sig("def method_table() -> list[dict[str, typing.Any]]"),
        "All integrators, with their options.");
}

}  // namespace polhode::python
