// Writes a result: an HDF5 file that is whole at every instant, while the run goes on and after it is killed.
//
// Everything that HDF5 has to know is written first: all datasets in their final size, filled with NaN, and
// the file is closed. Samples then go to their places by plain writes, and after them their number,
// `progress`. No structure of the file changes any more, so whoever opens it finds `progress` good samples,
// and behind them NaN or samples that were on their way when the run was killed.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include <polhode/io/result_error.hpp>
#include <polhode/simulate/sample.hpp>

namespace polhode {

/// The result of a run in progress.
///
/// | dataset                           | holds                                                        |
/// | --------------------------------- | ------------------------------------------------------------ |
/// | time, bodies/..., energy/..., ... | the table of simulate/sample.cpp, time-major                 |
/// | names/bodies, joints, multipliers | of the items; a dataset's attribute `names` points here      |
/// | model, options, provenance        | JSON texts                                                   |
/// | progress, complete                | samples written; 1 once the run has ended as it should       |
/// | status, certificate               | why the run ended, what it kept; texts, in place at the end  |
class ResultFile {
 public:
  /// Makes the file under another name, then puts it in place of `path`: an older result there is lost only
  /// once the new file stands, with room for all its samples. Throws ResultError, also for a result that another
  /// program is writing.
  static ResultFile create(const std::string& path, const ResultLayout& layout);

  /// Takes a sample. It goes to the file with the first sample after half a second, with many, or by flush().
  void append(const Sample& sample);
  /// The same with numbers that are there already: those of each of result_fields().
  void append(const std::vector<std::span<const double>>& row);
  void flush();

  /// Ends the result. `complete` claims that all samples are there. A result that goes out of scope without
  /// this keeps its samples, and a status that says so.
  void finish(bool complete, const std::string& status, const std::string& certificate_json);

  /// After finish(): empty, or what became of the result where its file was removed or replaced by another program.
  const std::string& displaced() const;

  std::size_t appended() const;  ///< samples so far, written or not yet
  const std::string& path() const;

  ResultFile(ResultFile&&) noexcept;
  ResultFile& operator=(ResultFile&&) noexcept;
  ~ResultFile();

 private:
  struct Writer;
  explicit ResultFile(std::unique_ptr<Writer> writer);
  std::unique_ptr<Writer> writer_;
};

}  // namespace polhode
