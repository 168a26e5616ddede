// The samples of a run in memory, one array for each quantity of a result, which NumPy reads without copying.
#pragma once

#include "binding.hpp"

#include <mutex>

#include <polhode/io/result.hpp>
#include <polhode/simulate/recorder.hpp>

namespace polhode::python {

/// HDF5 is not made for several threads: whoever calls it holds this.
std::mutex& hdf5_mutex();

/// A recorder that Python looks at, also while the run goes on.
class Recording final : public MemoryRecorder {
 public:
  explicit Recording(ResultLayout layout) : MemoryRecorder(std::move(layout)) {}
  explicit Recording(Result&& result);

  void finish(const Certificate& certificate) override;
  /// The numbers of a quantity, by its place in the file: a view with shape [samples, items, components], ones left
  /// out.
  Array view(const std::string& dataset) const;
  /// Writes the file that the command would have written.
  void write(const std::string& path) const;
  /// The first samples alone, as a recording of its own.
  std::shared_ptr<Recording> first(std::size_t samples) const;

  bool complete = false;
  std::string status = "running", certificate_json, certificate_text;
};

}  // namespace polhode::python
