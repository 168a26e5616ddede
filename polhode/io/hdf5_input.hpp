// Reads HDF5 files that anybody may have made: links, types, sizes and storage are checked before a byte is read. For
// the sources of io/ only; it is not installed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <polhode/io/hdf5.hpp>

namespace polhode::hdf5 {

/// A file open for reading. Nothing outside it is opened (no external links, external or virtual storage), no filter
/// plugin is loaded, and no dataset may claim more bytes than the file has. HDF5 tells where a dataset lies; its bytes
/// are read from there by plain reads: HDF5's own reading trusts sizes of the file. All functions throw ResultError.
class InputFile {
 public:
  explicit InputFile(const std::string& path);
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile();

  bool has(const char* name) const;  ///< a dataset
  /// The sizes of a dataset; none for a scalar.
  std::vector<hsize_t> sizes(const std::string& name) const;
  /// A list of texts of fixed length, filled up with zeros.
  std::vector<std::string> texts(const std::string& name) const;
  std::string text(const std::string& name) const;
  std::uint64_t count(const std::string& name) const;  ///< one whole number
  /// The first `rows` of an array of numbers, each of `width` numbers.
  std::vector<double> numbers(const std::string& name, std::size_t rows, std::size_t width) const;

  /// Attributes of the file; nothing if it has none of that name.
  std::optional<std::string> text_attribute(const char* name) const;
  std::optional<int> number_attribute(const char* name) const;

 private:
  struct Array;
  Array open(const std::string& name) const;
  void read(const Array& array, const std::string& name, void* out, std::size_t bytes) const;

  double bytes_ = 0;
  int descriptor_ = -1;
  Handle file_;
};

}  // namespace polhode::hdf5
