// A result file as HDF5 finds it, also while it is being written: the number of samples first, then so many
// of them.
#include <polhode/io/result.hpp>

#include <polhode/describe/words.hpp>
#include <polhode/io/hdf5_input.hpp>
#include <polhode/io/result_structure.hpp>

namespace polhode {
namespace {

void refuse_other_formats(const hdf5::InputFile& file, const std::string& version) {
  if (file.text_attribute("format") != "polhode result") throw ResultError("is not a result of polhode");
  const auto found = file.number_attribute("format_version");
  if (!found) throw ResultError("attribute format_version: is missing");
  if (*found != result_format_version)
    throw ResultError(
        fmt::format("format_version is {}, of polhode {}; this polhode reads {}; take the one that wrote it", *found,
                    version.empty() ? "unknown" : version, result_format_version));
}

Result read_head(const hdf5::InputFile& file) {
  Result result;
  auto& layout = result.layout;
  layout.version = file.text_attribute("polhode_version").value_or("");
  refuse_other_formats(file, layout.version);
  layout.model_json = file.text("model");
  layout.options_json = file.text("options");
  if (file.has("provenance")) layout.provenance_json = file.text("provenance");
  layout.bodies = file.texts("names/bodies");
  layout.joints = file.texts("names/joints");
  layout.rows = file.texts("names/multipliers");
  layout.accelerations = file.has("bodies/acceleration");
  if (file.has("outputs")) {  // files of before have none
    const auto names = file.texts("names/outputs"), units = file.texts("names/output_units"),
               meanings = file.texts("names/output_meanings");
    if (units.size() != names.size() || meanings.size() != names.size())
      throw ResultError("names/outputs: has the wrong size");
    for (std::size_t k = 0; k < names.size(); ++k) layout.outputs.push_back({names[k], units[k], meanings[k]});
  }
  const auto room = file.sizes("time");
  if (room.size() != 1) throw ResultError("time: has the wrong size");
  layout.samples = room[0];

  result.complete = file.count("complete") != 0;  // first: what else there is may only be more
  result.samples = file.count("progress");
  if (result.samples > layout.samples)
    throw ResultError(fmt::format("progress: {} samples, where there is room for {}", result.samples, layout.samples));
  result.status = file.text("status");
  if (result.status != "running") result.certificate_json = file.text("certificate");
  return result;
}

std::size_t field_index(const std::string& dataset) {
  const auto& fields = result_fields();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].dataset == dataset) return i;
    names.push_back(fields[i].dataset);
  }
  throw ResultError(fmt::format("a result has no \"{}\"{}", dataset, did_you_mean(dataset, names)));
}

/// Calls `read`; a failure names the file.
template <class Read>
auto naming(const std::string& path, const Read& read) {
  const hdf5::Quiet quiet;
  try {
    return read();
  } catch (const ResultError& error) {
    throw ResultError(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace

std::span<const double> Result::operator[](const std::string& dataset) const { return numbers[field_index(dataset)]; }

Vec3 Result::position(std::size_t sample, std::size_t body) const {
  return Vec3((*this)["bodies/position"].subspan(3 * (sample * layout.bodies.size() + body), 3).data());
}

Quaternion Result::orientation(std::size_t sample, std::size_t body) const {
  const auto q = (*this)["bodies/quaternion"].subspan(4 * (sample * layout.bodies.size() + body), 4);
  return {q[0], q[1], q[2], q[3]};
}

struct ResultReader::File {
  std::string path;
  hdf5::InputFile file;
  Result head;
};

ResultReader::ResultReader(const std::string& path) {
  file_ = naming(path, [&] {
    hdf5::InputFile file(path);
    Result head = read_head(file);
    return std::unique_ptr<File>(new File{path, std::move(file), std::move(head)});
  });
}

ResultReader::ResultReader(ResultReader&&) noexcept = default;
ResultReader& ResultReader::operator=(ResultReader&&) noexcept = default;
ResultReader::~ResultReader() = default;

const Result& ResultReader::head() const { return file_->head; }
const std::string& ResultReader::path() const { return file_->path; }

std::vector<double> ResultReader::operator[](const std::string& dataset) const {
  const Field& field = result_fields()[field_index(dataset)];
  const Result& head = file_->head;
  if (field.of_accelerations && !head.layout.accelerations) return {};
  if (field.per == Field::Per::output && head.layout.outputs.empty()) return {};
  return naming(file_->path,
                [&] { return file_->file.numbers(field.dataset, head.samples, field.width(head.layout)); });
}

Result read_result(const std::string& path) {
  const ResultReader reader(path);
  Result result = reader.head();
  for (const Field& field : result_fields()) result.numbers.push_back(reader[field.dataset]);
  return result;
}

}  // namespace polhode
