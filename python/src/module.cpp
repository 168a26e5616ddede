// The module polhode._core: what the Python package is a face of.
#include "binding.hpp"

#include <cmath>

#include <polhode/describe/words.hpp>
#include <polhode/io/result_file.hpp>
#include <polhode/model/error.hpp>
#include <polhode/version.hpp>

namespace polhode::python {

Array array(std::vector<double> numbers, std::vector<std::size_t> shape) {
  auto* owned = new std::vector<double>(std::move(numbers));
  const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return Array(owned->data(), shape.size(), shape.data(), owner);
}

Vec3 vector_of(const std::array<double, 3>& numbers, const char* name) {
  const Vec3 v(numbers.data());
  if (!v.allFinite()) {
    const std::string text = std::string(name) + " holds a number that is not finite";
    throw nb::value_error(text.c_str());
  }
  return v;
}

namespace {

/// A message as a Python text. It may quote bytes of a document that are no characters.
nb::object text_of(std::string_view message) {
  return nb::steal(PyUnicode_DecodeUTF8(message.data(), static_cast<Py_ssize_t>(message.size()), "replace"));
}

/// C++ errors as those of polhode.errors, which know places and suggestions.
void translate(const std::exception_ptr& exception, void*) {
  const auto raise = [](const char* type, const nb::object& argument) {
    const nb::object error = nb::module_::import_("polhode.errors").attr(type);
    PyErr_SetObject(error.ptr(), error(argument).ptr());
  };
  try {
    std::rethrow_exception(exception);
  } catch (const ModelError& error) {
    nb::list findings;
    for (const Finding& finding : error.findings()) {
      const ElementPlace& place = finding.place;
      const std::string at = place.index ? place.list + "[" + std::to_string(*place.index) + "]" : place.list;
      const bool named = place.index && place.name != at;
      findings.append(nb::make_tuple(text_of(error.line(finding)), text_of(at), text_of(finding.field),
                                     text_of(named ? place.name : ""), text_of(finding.text)));
    }
    raise("ModelError", findings);
  } catch (const ResultError& error) {
    raise("ResultError", text_of(error.what()));
  }
}

}  // namespace
}  // namespace polhode::python

NB_MODULE(_core, m) {
  using namespace polhode::python;
  m.doc() = "The C++ core of polhode. Use the package polhode, which gives it words.";
  m.attr("version") = std::string(polhode::version);
  nb::register_exception_translator(translate);
  m.def("nearest", &polhode::nearest, "name"_a, "candidates"_a,
        "The candidate that a name is most likely a misspelling of.");
  bind_model(m);
  bind_computed(m);
  bind_result(m);
  bind_simulation(m);
  bind_system(m);
  bind_study(m);
}
