// The samples of a run in memory, one array for each quantity of a result, which NumPy reads without copying.
#pragma once

#include "binding.hpp"

#include <mutex>

#include <polhode/io/result.hpp>

namespace polhode::python {

/// HDF5 is not made for several threads: whoever calls it holds this.
std::mutex& hdf5_mutex();

class Recording {
 public:
  Recording() = default;
  explicit Recording(ResultLayout layout);
  explicit Recording(Result&& result);

  void append(const Sample& sample);
  std::size_t samples() const { return samples_; }
  /// The numbers of a quantity, by its place in the file: a view with shape [samples, items, components], ones left out.
  Array view(const std::string& dataset) const;
  /// Writes the file that the command would have written.
  void write(const std::string& path) const;

  ResultLayout layout;
  bool complete = false;
  std::string status = "running", certificate_json, certificate_text;

 private:
  using Column = std::shared_ptr<std::vector<double>>;  // shared with the arrays that look at it
  std::size_t samples_ = 0;
  std::vector<Column> columns_;
};

}  // namespace polhode::python
