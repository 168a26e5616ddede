#include <polhode/io/file_recorder.hpp>

#include <algorithm>

#include <polhode/io/model_writer.hpp>
#include <polhode/io/provenance.hpp>
#include <polhode/io/run_options.hpp>
#include <polhode/version.hpp>

namespace polhode {
namespace {

void append(const MemoryRecorder& recorded, ResultFile& file) {
  std::vector<std::span<const double>> row(result_fields().size());
  for (std::size_t k = 0; k < recorded.samples(); ++k) {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = recorded.row(i, k);
    file.append(row);
  }
}

ResultLayout with_more(ResultLayout layout, std::size_t samples) {
  layout.samples += samples;
  return layout;
}

}  // namespace

FileRecorder::FileRecorder(const std::string& path, ResultLayout layout, const MemoryRecorder& before)
    : file_(ResultFile::create(path, with_more(std::move(layout), before.samples()))) {
  append(before, file_);
  file_.flush();
}

ResultLayout result_layout(const Simulation& simulation) {
  const Model& model = simulation.model();
  const bool computed =
      std::any_of(model.forces.begin(), model.forces.end(), [](const Force& force) { return force.kind().in_memory; });
  ResultLayout layout = simulation.layout(std::string(version));
  layout.model_json = computed ? "{}" : write_model(model);
  SimulationOptions options = model.simulation;
  options.integrator = simulation.integrator();
  layout.options_json = options_json(options);
  layout.provenance_json = make_provenance(layout.model_json);
  return layout;
}

void write_result(const std::string& path, const MemoryRecorder& recorded, bool complete, const std::string& status,
                  const std::string& certificate_json) {
  ResultLayout layout = recorded.layout();
  layout.samples = std::max<std::size_t>(1, recorded.samples());
  ResultFile file = ResultFile::create(path, layout);
  append(recorded, file);
  file.finish(complete, status, certificate_json);
}

}  // namespace polhode
