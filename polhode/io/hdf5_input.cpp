#include <polhode/io/hdf5_input.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace polhode::hdf5 {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are read as they lie in the file");

constexpr std::size_t most_attribute_bytes = 65536;

Handle open_input(const std::string& path) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) throw ResultError("there is no such file");
  if (!std::filesystem::is_regular_file(path, failure)) throw ResultError("is no file");
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "access");
  check(H5Pset_file_locking(access, false, true), "locks");  // the writer takes none; some file systems have none
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose, "cannot be read as HDF5"};
}

/// Every step of a path is a link within the file: others may lead to any file of this machine.
void refuse_foreign_links(hid_t file, const std::string& name) {
  for (std::size_t slash = name.find('/');; slash = name.find('/', slash + 1)) {
    const std::string part = name.substr(0, slash);
    if (H5Lexists(file, part.c_str(), H5P_DEFAULT) <= 0) throw ResultError(part + ": is missing");
    H5L_info_t link;
    check(H5Lget_info(file, part.c_str(), &link, H5P_DEFAULT), part);
    if (link.type != H5L_TYPE_HARD)
      throw ResultError(part + ": is a link to elsewhere; a result holds its own numbers");
    if (slash == std::string::npos) return;
  }
}

void refuse_foreign_storage(hid_t dataset, const std::string& name) {
  const Handle plan(H5Dget_create_plist(dataset), H5Pclose, name);
  if (H5Pget_external_count(plan) != 0)
    throw ResultError(name + ": is stored in another file; a result holds its own numbers");
  const H5D_layout_t layout = H5Pget_layout(plan);
  if (layout != H5D_CONTIGUOUS)
    throw ResultError(name +
                      ": is stored in pieces, compressed or elsewhere; results are stored contiguously, which "
                      "`h5repack -l CONTI -f NONE` restores");
}

bool is_fixed_text(hid_t type) { return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0; }

}  // namespace

/// A dataset that was looked at: all its bytes lie in this file, one after the other.
struct InputFile::Array {
  Handle dataset, type, space;
  std::vector<hsize_t> sizes;
  std::size_t items = 1;
  off_t offset = 0;
};

InputFile::InputFile(const std::string& path) : file_(open_input(path)) {
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat file {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &file) != 0) throw ResultError(std::generic_category().message(errno));
  bytes_ = static_cast<double>(file.st_size);
}

InputFile::InputFile(InputFile&& other) noexcept
    : bytes_(other.bytes_), descriptor_(std::exchange(other.descriptor_, -1)), file_(std::move(other.file_)) {}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

InputFile::Array InputFile::open(const std::string& name) const {
  refuse_foreign_links(file_, name);
  Handle dataset(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose, name);
  refuse_foreign_storage(dataset, name);
  Handle type(H5Dget_type(dataset), H5Tclose, name), space(H5Dget_space(dataset), H5Sclose, name);
  Array out{std::move(dataset), std::move(type), std::move(space), {}, 1, 0};
  const H5S_class_t extent = H5Sget_simple_extent_type(out.space);
  if (extent != H5S_SCALAR && extent != H5S_SIMPLE) throw ResultError(name + ": is empty");
  out.sizes.resize(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(out.space))));
  if (!out.sizes.empty()) check(H5Sget_simple_extent_dims(out.space, out.sizes.data(), nullptr), name);
  double bytes = static_cast<double>(H5Tget_size(out.type));
  for (const hsize_t n : out.sizes) bytes *= static_cast<double>(n);
  if (!(bytes <= bytes_))
    throw ResultError(fmt::format("{}: claims {:.3g} bytes, in a file of {:.3g}", name, bytes, bytes_));
  for (const hsize_t n : out.sizes) out.items *= n;
  if (bytes == 0) return out;
  const haddr_t offset = H5Dget_offset(out.dataset);
  if (offset == HADDR_UNDEF || static_cast<double>(offset) + bytes > bytes_)
    throw ResultError(fmt::format("{}: its {:.3g} bytes are not in the file", name, bytes));
  out.offset = static_cast<off_t>(offset);
  return out;
}

void InputFile::read(const Array& array, const std::string& name, void* out, std::size_t bytes) const {
  off_t at = array.offset;
  for (auto to = static_cast<char*>(out); bytes > 0;) {
    const ssize_t n = ::pread(descriptor_, to, bytes, at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0)
      throw ResultError(fmt::format("{}: {}", name, n < 0 ? std::generic_category().message(errno) : "is cut off"));
    to += n, at += n, bytes -= static_cast<std::size_t>(n);
  }
}

bool InputFile::has(const char* name) const { return H5Lexists(file_, name, H5P_DEFAULT) > 0; }

std::vector<hsize_t> InputFile::sizes(const std::string& name) const { return open(name).sizes; }

std::vector<std::string> InputFile::texts(const std::string& name) const {
  const Array a = open(name);
  if (!is_fixed_text(a.type)) throw ResultError(name + ": is not a text of fixed length");
  if (a.sizes.size() > 1) throw ResultError(name + ": is not a list");
  const std::size_t length = H5Tget_size(a.type);
  std::string table(a.items * length, '\0');
  read(a, name, table.data(), table.size());
  std::vector<std::string> out;
  for (std::size_t i = 0; i < a.items; ++i) {
    const std::string padded = table.substr(i * length, length);
    out.push_back(padded.substr(0, padded.find('\0')));
  }
  return out;
}

std::string InputFile::text(const std::string& name) const {
  const auto all = texts(name);
  if (all.size() != 1) throw ResultError(name + ": is not one text");
  return all[0];
}

std::uint64_t InputFile::count(const std::string& name) const {
  const Array a = open(name);
  const bool byte = H5Tequal(a.type, H5T_STD_U8LE) > 0;
  if (!a.sizes.empty() || !(byte || H5Tequal(a.type, H5T_STD_U64LE) > 0))
    throw ResultError(name + ": is not one whole number of 1 or 8 bytes");
  std::uint64_t value = 0;
  read(a, name, &value, byte ? 1 : sizeof value);
  return value;
}

std::vector<double> InputFile::numbers(const std::string& name, std::size_t rows, std::size_t width) const {
  const Array a = open(name);
  if (H5Tequal(a.type, H5T_IEEE_F64LE) <= 0) throw ResultError(name + ": does not hold numbers of double precision");
  if (a.sizes.empty() || a.sizes[0] < rows || a.items != a.sizes[0] * width)
    throw ResultError(fmt::format("{}: has the wrong size, [{}], for {} samples of {} numbers", name,
                                  fmt::join(a.sizes, ", "), rows, width));
  std::vector<double> out(rows * width);
  read(a, name, out.data(), out.size() * sizeof(double));
  return out;
}

std::optional<std::string> InputFile::text_attribute(const char* name) const {
  if (H5Aexists(file_, name) <= 0) return {};
  const Handle a(H5Aopen(file_, name, H5P_DEFAULT), H5Aclose, name), type(H5Aget_type(a), H5Tclose, name),
      space(H5Aget_space(a), H5Sclose, name);
  const std::size_t length = H5Tget_size(type);
  if (!is_fixed_text(type) || H5Sget_simple_extent_npoints(space) != 1 || length > most_attribute_bytes)
    throw ResultError(fmt::format("attribute {}: is not one short text", name));
  std::string value(length, '\0');
  check(H5Aread(a, type, value.data()), name);
  return value.substr(0, value.find('\0'));
}

std::optional<int> InputFile::number_attribute(const char* name) const {
  if (H5Aexists(file_, name) <= 0) return {};
  const Handle a(H5Aopen(file_, name, H5P_DEFAULT), H5Aclose, name), type(H5Aget_type(a), H5Tclose, name),
      space(H5Aget_space(a), H5Sclose, name);
  if (H5Tget_class(type) != H5T_INTEGER || H5Sget_simple_extent_npoints(space) != 1)
    throw ResultError(fmt::format("attribute {}: is not one whole number", name));
  int value = 0;
  check(H5Aread(a, H5T_NATIVE_INT, &value), name);
  return value;
}

}  // namespace polhode::hdf5
