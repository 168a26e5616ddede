#include "recording.hpp"

#include <fmt/format.h>

#include <polhode/io/result_file.hpp>
#include <polhode/describe/words.hpp>

namespace polhode::python {

std::mutex& hdf5_mutex() {
  static std::mutex mutex;
  return mutex;
}

Recording::Recording(ResultLayout own) : layout(std::move(own)) {
  for (const Field& field : result_fields()) {
    columns_.push_back(std::make_shared<std::vector<double>>());
    columns_.back()->reserve(layout.samples * field.width(layout));
  }
}

Recording::Recording(Result&& result)
    : layout(std::move(result.layout)), complete(result.complete), status(std::move(result.status)),
      certificate_json(std::move(result.certificate_json)), samples_(result.samples) {
  for (auto& numbers : result.numbers) columns_.push_back(std::make_shared<std::vector<double>>(std::move(numbers)));
}

void Recording::append(const Sample& sample) {
  const auto& fields = result_fields();
  for (std::size_t k = 0; k < fields.size(); ++k) {
    Column& column = columns_[k];
    const std::size_t wanted = column->size() + fields[k].width(layout);
    if (wanted > column->capacity()) {  // arrays may look at the old numbers: they stay where they are
      auto larger = std::make_shared<std::vector<double>>();
      larger->reserve(2 * wanted);
      *larger = *column;
      column = std::move(larger);
    }
    fields[k].put(sample, *column);
  }
  ++samples_;
}

Array Recording::view(const std::string& dataset) const {
  const auto& fields = result_fields();
  std::vector<std::string> names;
  for (std::size_t k = 0; k < fields.size(); ++k) {
    names.push_back(fields[k].dataset);
    if (fields[k].dataset != dataset) continue;
    std::vector<std::size_t> shape{samples_};
    if (fields[k].per != Field::Per::sample) shape.push_back(fields[k].items(layout));
    if (!fields[k].components.empty()) shape.push_back(fields[k].components.size());
    auto* shared = new Column(columns_[k]);
    const nb::capsule owner(shared, [](void* p) noexcept { delete static_cast<Column*>(p); });
    return Array(columns_[k]->data(), shape.size(), shape.data(), owner);
  }
  throw nb::key_error(fmt::format("a result has no \"{}\"{}", dataset, did_you_mean(dataset, names)).c_str());
}

void Recording::write(const std::string& path) const {
  const std::lock_guard lock(hdf5_mutex());
  ResultLayout own = layout;
  own.samples = std::max<std::size_t>(1, samples_);
  ResultFile file = ResultFile::create(path, own);
  const auto& fields = result_fields();
  for (std::size_t i = 0; i < samples_; ++i) {
    std::size_t k = 0;
    const auto next = [&] {  // in the order of result_fields()
      const std::size_t width = fields[k].width(layout);
      return std::span<const double>(columns_[k++]->data() + i * width, width);
    };
    Sample s;
    s.time = next()[0];
    s.positions = next();
    s.quaternions = next();
    s.velocities = next();
    s.angular_velocities = next();
    s.reactions = next();
    s.multipliers = next();
    for (double* energy : {&s.energy.kinetic, &s.energy.gravitational, &s.energy.strain, &s.energy.work, &s.energy.dissipated, &s.energy.algorithmic})
      *energy = next()[0];
    s.linear_momentum = Vec3(next().data());
    s.angular_momentum = Vec3(next().data());
    s.position_residual = next()[0];
    s.velocity_residual = next()[0];
    s.newton_iterations = static_cast<int>(next()[0]);
    file.append(s);
  }
  file.finish(complete, status, certificate_json);
}

void bind_result(nb::module_& m) {
  nb::class_<Recording>(m, "Recording", "The samples of a run.")
      .def("view", &Recording::view, "dataset"_a, "The numbers of a quantity, not copied; by its place in a result file.")
      .def("write", &Recording::write, "path"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("samples", &Recording::samples)
      .def_prop_ro("bodies", [](const Recording& r) { return r.layout.bodies; })
      .def_prop_ro("joints", [](const Recording& r) { return r.layout.joints; })
      .def_prop_ro("rows", [](const Recording& r) { return r.layout.rows; })
      .def_prop_ro("model_json", [](const Recording& r) { return r.layout.model_json; })
      .def_prop_ro("options_json", [](const Recording& r) { return r.layout.options_json; })
      .def_prop_ro("version", [](const Recording& r) { return r.layout.version; })
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
  m.def("result_fields", [] {
    nb::list list;
    for (const Field& field : result_fields()) {
      static constexpr const char* per[] = {"sample", "body", "joint", "row"};
      list.append(nb::make_tuple(field.dataset, per[static_cast<int>(field.per)], nb::cast(field.components), field.unit, field.frame, field.meaning));
    }
    return list;
  }, nb::sig("def result_fields() -> list[tuple[str, str, list[str], str, str, str]]"), "(dataset, what an item is, components, unit, frame, meaning) of every quantity of a result.");
}

}  // namespace polhode::python
