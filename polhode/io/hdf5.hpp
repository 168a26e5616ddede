// A thin wrap of the HDF5 C library: handles that close themselves, and failures that throw with the
// library's own words. For the sources of io/ only; it is not installed.
#pragma once

#include <hdf5.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <polhode/io/result_file.hpp>

namespace polhode::hdf5 {

/// The first cause of the last failure, as HDF5 tells it.
inline std::string cause() {
  std::string text = "unknown error of HDF5";
  const auto note = [](unsigned n, const H5E_error2_t* error, void* out) -> herr_t {
    if (n == 0 && error->desc) *static_cast<std::string*>(out) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note, &text);
  return text;
}

/// Keeps the library from printing its error stack while this lives.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// An open object of HDF5.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close close, const std::string& what) : id_(id), close_(close) {
    if (id_ < 0) throw ResultError(fmt::format("{}: {}", what, cause()));
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  Close close_;
};

inline void check(herr_t status, const std::string& what) {
  if (status < 0) throw ResultError(fmt::format("{}: {}", what, cause()));
}

/// The type of UTF-8 texts of at most `size` bytes, filled up with zeros.
inline Handle text_type(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "text type");
  check(H5Tset_size(type, std::max<std::size_t>(1, size)), "text type");
  check(H5Tset_strpad(type, H5T_STR_NULLPAD), "text type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "text type");
  return type;
}

inline Handle space(const std::vector<hsize_t>& sizes) {
  return {
      sizes.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr),
      H5Sclose, "space"};
}

}  // namespace polhode::hdf5
