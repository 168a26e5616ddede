// A result file as HDF5 finds it, also while it is being written: the number of samples first, then so many
// of them.
#include <polhode/io/result.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include <polhode/describe/words.hpp>
#include <polhode/io/hdf5.hpp>

namespace polhode {
namespace {

using hdf5::check;
using hdf5::Handle;

Handle open(hid_t file, const std::string& name) { return {H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, name}; }

std::vector<hsize_t> sizes(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose, "space");
  std::vector<hsize_t> out(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  if (!out.empty()) check(H5Sget_simple_extent_dims(space, out.data(), nullptr), "space");
  return out;
}

/// Texts of fixed length, filled up with zeros.
std::vector<std::string> texts(hid_t file, const std::string& name) {
  const Handle d = open(file, name), type(H5Dget_type(d), H5Tclose, name);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0)
    throw ResultError(fmt::format("{}: is not a text of fixed length", name));
  std::size_t count = 1;
  for (const hsize_t n : sizes(d)) count *= n;
  const std::size_t length = H5Tget_size(type);
  std::string table(count * length, '\0');
  check(H5Dread(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, table.data()), name);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string padded = table.substr(i * length, length);
    out.push_back(padded.substr(0, padded.find('\0')));
  }
  return out;
}

std::string text(hid_t file, const std::string& name) {
  const auto all = texts(file, name);
  if (all.size() != 1) throw ResultError(fmt::format("{}: is not one text", name));
  return all[0];
}

std::uint64_t number(hid_t file, const std::string& name) {
  const Handle d = open(file, name);
  if (!sizes(d).empty()) throw ResultError(fmt::format("{}: is not one number", name));
  std::uint64_t value = 0;
  check(H5Dread(d, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), name);
  return value;
}

std::string text_attribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return "";
  const Handle a(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, name), type(H5Aget_type(a), H5Tclose, name);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) return "";
  std::string value(H5Tget_size(type), '\0');
  check(H5Aread(a, type, value.data()), name);
  return value.substr(0, value.find('\0'));
}

/// The first `samples` of a field.
std::vector<double> numbers(hid_t file, const Field& field, const ResultLayout& layout, std::size_t samples) {
  const Handle d = open(file, field.dataset);
  std::vector<hsize_t> count = sizes(d);
  std::size_t width = 1;
  for (std::size_t i = 1; i < count.size(); ++i) width *= count[i];
  if (count.empty() || count[0] < samples || width != field.width(layout))
    throw ResultError(fmt::format("{}: has the wrong size", field.dataset));
  std::vector<double> out(samples * width);
  if (out.empty()) return out;
  count[0] = samples;
  const std::vector<hsize_t> start(count.size(), 0);
  const Handle here = hdf5::space(count), there(H5Dget_space(d), H5Sclose, field.dataset);
  check(H5Sselect_hyperslab(there, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr), field.dataset);
  check(H5Dread(d, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, out.data()), field.dataset);
  return out;
}

Result read_head(hid_t file) {
  if (text_attribute(file, "format") != "polhode result") throw ResultError("is not a result of polhode");
  Result result;
  auto& layout = result.layout;
  layout.version = text_attribute(file, "polhode_version");
  layout.model_json = text(file, "model");
  layout.options_json = text(file, "options");
  layout.bodies = texts(file, "names/bodies");
  layout.joints = texts(file, "names/joints");
  layout.rows = texts(file, "names/multipliers");
  const auto room = sizes(open(file, "time"));
  if (room.size() != 1) throw ResultError("time: has the wrong size");
  layout.samples = room[0];

  result.complete = number(file, "complete") != 0;  // first: what else there is may only be more
  result.samples = number(file, "progress");
  result.status = text(file, "status");
  if (result.status != "running") result.certificate_json = text(file, "certificate");
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

Handle open_file(const std::string& path) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) throw ResultError("there is no such file");
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "access");
  check(H5Pset_file_locking(access, false, true), "locks");  // the writer takes none; some file systems have none
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose, "cannot be read as HDF5"};
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
  Handle file;
  Result head;
};

ResultReader::ResultReader(const std::string& path) {
  file_ = naming(path, [&] {
    Handle file = open_file(path);
    Result head = read_head(file);
    return std::unique_ptr<File>(new File{path, std::move(file), std::move(head)});
  });
}

ResultReader::ResultReader(ResultReader&&) noexcept = default;
ResultReader& ResultReader::operator=(ResultReader&&) noexcept = default;
ResultReader::~ResultReader() = default;

const Result& ResultReader::head() const { return file_->head; }

std::vector<double> ResultReader::operator[](const std::string& dataset) const {
  const Field& field = result_fields()[field_index(dataset)];
  return naming(file_->path, [&] { return numbers(file_->file, field, file_->head.layout, file_->head.samples); });
}

Result read_result(const std::string& path) {
  const ResultReader reader(path);
  Result result = reader.head();
  for (const Field& field : result_fields()) result.numbers.push_back(reader[field.dataset]);
  return result;
}

}  // namespace polhode
