// The result file as HDF5 sees it.
#include <polhode/io/result_structure.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

#include <polhode/io/hdf5.hpp>

namespace polhode {
namespace {

using hdf5::check;
using hdf5::Handle;

void attribute(hid_t object, const char* name, const std::string& text) {
  if (text.empty()) return;
  const Handle type = hdf5::text_type(text.size()), space = hdf5::space({});
  const Handle a(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
  check(H5Awrite(a, type, text.data()), name);
}

void attribute(hid_t object, const char* name, int value) {
  const Handle space = hdf5::space({});
  const Handle a(H5Acreate2(object, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
  check(H5Awrite(a, H5T_NATIVE_INT, &value), name);
}

/// A dataset whose place in the file is settled now and for good.
Handle dataset(hid_t file, const std::string& name, hid_t type, const std::vector<hsize_t>& sizes) {
  const Handle space = hdf5::space(sizes);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, name), plan(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, name);
  check(H5Pset_create_intermediate_group(links, 1), name);
  check(H5Pset_layout(plan, H5D_CONTIGUOUS), name);
  check(H5Pset_alloc_time(plan, H5D_ALLOC_TIME_EARLY), name);
  check(H5Pset_fill_time(plan, H5D_FILL_TIME_NEVER),
        name);  // we fill it ourselves, and see why if that fails
  if (H5Tget_class(type) == H5T_FLOAT) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    check(H5Pset_fill_value(plan, H5T_NATIVE_DOUBLE, &nan), name);
  }
  return {H5Dcreate2(file, name.c_str(), type, space, links, plan, H5P_DEFAULT), H5Dclose, name};
}

off_t offset(hid_t dataset) {
  const haddr_t address = H5Dget_offset(dataset);
  return address == HADDR_UNDEF ? 0 : static_cast<off_t>(address);  // undefined where there is nothing to write
}

off_t text(hid_t file, const std::string& name, const std::string& value, std::size_t room) {
  std::string padded = value;
  padded.resize(std::max<std::size_t>(1, room));
  const Handle type = hdf5::text_type(padded.size()), d = dataset(file, name, type, {});
  check(H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()), name);
  return offset(d);
}

void texts(hid_t file, const std::string& name, const std::vector<std::string>& values) {
  std::size_t longest = 1;
  for (const auto& value : values) longest = std::max(longest, value.size());
  std::string table;
  for (const auto& value : values) table += value, table.append(longest - value.size(), '\0');
  const Handle type = hdf5::text_type(longest), d = dataset(file, name, type, {values.size()});
  check(H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, table.data()), name);
}

template <class Number>
off_t number(hid_t file, const std::string& name, hid_t type, Number value) {
  const Handle d = dataset(file, name, type, {});
  check(H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), name);
  return offset(d);
}

off_t field(hid_t file, const Field& f, const ResultLayout& layout) {
  std::vector<hsize_t> sizes{layout.samples};
  if (f.per != Field::Per::sample) sizes.push_back(f.items(layout));
  if (!f.components.empty()) sizes.push_back(f.components.size());
  const Handle d = dataset(file, f.dataset, H5T_IEEE_F64LE, sizes);
  attribute(d, "unit", f.unit);
  attribute(d, "frame", f.frame);
  attribute(d, "meaning", f.meaning);
  attribute(d, "components", fmt::format("{}", fmt::join(f.components, ", ")));
  if (f.per == Field::Per::body) attribute(d, "names", "/names/bodies");
  if (f.per == Field::Per::joint) attribute(d, "names", "/names/joints");
  if (f.per == Field::Per::row) attribute(d, "names", "/names/multipliers");
  if (f.per == Field::Per::output) {
    attribute(d, "names", "/names/outputs");
    attribute(d, "units", "/names/output_units");
    attribute(d, "meanings", "/names/output_meanings");
  }
  return offset(d);
}

/// The certificate tells the final state of each body (13 numbers of at most 25 characters, each in a line of its own,
/// and the words), the largest reaction of each joint (two numbers), and the work of each drive and force, whose text
/// in the model is longer.
std::size_t certificate_room(const ResultLayout& layout) {
  std::size_t room = 65536 + layout.model_json.size();
  for (const auto& name : layout.bodies) room += 704 + 6 * name.size();  // \u0001 is 6 characters in JSON
  for (const auto& name : layout.joints) room += 224 + 6 * name.size();
  return room;
}

}  // namespace

ResultPlaces lay_out_result(const std::string& path, const ResultLayout& layout) {
  const hdf5::Quiet quiet;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, path);
  check(H5Pset_file_locking(access, false, true),
        path);  // nobody else knows the file; some disks have no locks
  const Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose, path);
  attribute(file, "format", "polhode result");
  attribute(file, "format_version", result_format_version);
  attribute(file, "polhode_version", layout.version);
  texts(file, "names/bodies", layout.bodies);
  texts(file, "names/joints", layout.joints);
  texts(file, "names/multipliers", layout.rows);
  const auto of_outputs = [&](std::string NumberInfo::*member) {
    std::vector<std::string> all;
    for (const NumberInfo& output : layout.outputs) all.push_back(output.*member);
    return all;
  };
  texts(file, "names/outputs", of_outputs(&NumberInfo::word));
  texts(file, "names/output_units", of_outputs(&NumberInfo::unit));
  texts(file, "names/output_meanings", of_outputs(&NumberInfo::meaning));
  text(file, "model", layout.model_json, layout.model_json.size());
  text(file, "options", layout.options_json, layout.options_json.size());
  if (!layout.provenance_json.empty()) text(file, "provenance", layout.provenance_json, layout.provenance_json.size());
  ResultPlaces at;
  at.status_room = 4096;
  at.certificate_room = certificate_room(layout);
  at.progress = number(file, "progress", H5T_STD_U64LE, std::uint64_t{0});
  at.complete = number(file, "complete", H5T_STD_U8LE, std::uint8_t{0});
  at.status = text(file, "status", "running", at.status_room);
  at.certificate = text(file, "certificate", "", at.certificate_room);
  for (const auto& f : result_fields())
    at.fields.push_back(f.of_accelerations && !layout.accelerations ? 0 : field(file, f, layout));
  check(H5Fflush(file, H5F_SCOPE_GLOBAL), path);
  return at;
}

}  // namespace polhode
