#include "recording.hpp"

#include <fmt/format.h>

#include <polhode/describe/words.hpp>
#include <polhode/io/file_recorder.hpp>

namespace polhode::python {

std::mutex& hdf5_mutex() {
  static std::mutex mutex;
  return mutex;
}

Recording::Recording(Result&& result)
    : MemoryRecorder(std::move(result.layout), result.samples, std::move(result.numbers)),
      complete(result.complete),
      status(std::move(result.status)),
      certificate_json(std::move(result.certificate_json)) {}

void Recording::finish(const Certificate& certificate) {
  complete = certificate.complete();
  status = certificate.status_text();
  certificate_json = to_json(certificate);
  certificate_text = to_text(certificate);
}

std::shared_ptr<Recording> Recording::first(std::size_t count) const {
  Result part;
  part.layout = layout();
  part.samples = count;
  part.status = "running";
  for (std::size_t k = 0; k < columns().size(); ++k) {
    const auto begin = columns()[k]->begin();
    part.numbers.emplace_back(begin, begin + static_cast<long>(count * result_fields()[k].width(layout())));
  }
  return std::make_shared<Recording>(std::move(part));
}

Array Recording::view(const std::string& dataset) const {
  const auto& fields = result_fields();
  std::vector<std::string> names;
  for (std::size_t k = 0; k < fields.size(); ++k) {
    names.push_back(fields[k].dataset);
    if (fields[k].dataset != dataset) continue;
    std::vector<std::size_t> shape{samples()};
    if (fields[k].per != Field::Per::sample) shape.push_back(fields[k].items(layout()));
    if (!fields[k].components.empty()) shape.push_back(fields[k].components.size());
    auto* shared = new Column(columns()[k]);
    const nb::capsule owner(shared, [](void* p) noexcept { delete static_cast<Column*>(p); });
    return Array(columns()[k]->data(), shape.size(), shape.data(), owner);
  }
  throw nb::key_error(fmt::format("a result has no \"{}\"{}", dataset, did_you_mean(dataset, names)).c_str());
}

void Recording::write(const std::string& path) const {
  const std::lock_guard lock(hdf5_mutex());
  write_result(path, *this, complete, status, certificate_json);
}

void bind_result(nb::module_& m) {
  nb::class_<Recording>(m, "Recording", "The samples of a run.")
      .def("view", &Recording::view, "dataset"_a,
           "The numbers of a quantity, not copied; by its place in a result file.")
      .def("write", &Recording::write, "path"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("samples", &Recording::samples)
      .def_prop_ro("bodies", [](const Recording& r) { return r.layout().bodies; })
      .def_prop_ro("joints", [](const Recording& r) { return r.layout().joints; })
      .def_prop_ro("rows", [](const Recording& r) { return r.layout().rows; })
      .def_prop_ro("outputs",
                   [](const Recording& r) {
                     std::vector<std::tuple<std::string, std::string, std::string>> list;
                     for (const NumberInfo& one : r.layout().outputs)
                       list.emplace_back(one.word, one.unit, one.meaning);
                     return list;
                   })
      .def_prop_ro("model_json", [](const Recording& r) { return r.layout().model_json; })
      .def_prop_ro("options_json", [](const Recording& r) { return r.layout().options_json; })
      .def_prop_ro("version", [](const Recording& r) { return r.layout().version; })
      .def_prop_ro("provenance_json", [](const Recording& r) { return r.layout().provenance_json; })
      .def_ro("complete", &Recording::complete)
      .def_ro("status", &Recording::status)
      .def_ro("certificate_json", &Recording::certificate_json)
      .def_ro("certificate_text", &Recording::certificate_text);
  m.def(
      "read_result",
      [](const std::string& path) {
        const std::lock_guard lock(hdf5_mutex());
        return std::make_shared<Recording>(read_result(path));
      },
      "path"_a, nb::call_guard<nb::gil_scoped_release>(), "Reads a result file.");
  m.def(
      "result_fields",
      [] {
        nb::list list;
        for (const Field& field : result_fields()) {
          static constexpr const char* per[] = {"sample", "body", "joint", "row", "output"};
          list.append(nb::make_tuple(field.dataset, per[static_cast<int>(field.per)], nb::cast(field.components),
                                     field.unit, field.frame, field.meaning));
        }
        return list;
      },
      nb::sig("def result_fields() -> list[tuple[str, str, list[str], str, str, str]]"),
      "(dataset, what an item is, components, unit, frame, meaning) of every quantity of a result.");
}

}  // namespace polhode::python
