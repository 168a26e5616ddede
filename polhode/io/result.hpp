// Reads a result back, finished or not: what reports, exports and comparisons work on.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <polhode/simulate/sample.hpp>

namespace polhode {

/// A result in memory, as far as it was written when it was read.
struct Result {
  ResultLayout layout;      ///< `layout.samples` is the room, planned at the start
  std::size_t samples = 0;  ///< so many are there
  bool complete = false;
  std::string status, certificate_json;
  std::vector<std::vector<double>> numbers;  ///< of each of result_fields(): [samples, items, components]

  /// The numbers of a field, by its place in the file: result["bodies/position"].
  /// Throws ResultError for an unknown one.
  std::span<const double> operator[](const std::string& dataset) const;

  Vec3 position(std::size_t sample, std::size_t body) const;           ///< in space [m]
  Quaternion orientation(std::size_t sample, std::size_t body) const;  ///< takes body to space components
};

/// Throws ResultError for a file that is not there, not readable or not a result.
Result read_result(const std::string& path);

/// A result read field by field, for files that are too large to hold: only what is asked for is in memory. What it
/// knows of samples and status is as of when it was opened. All functions throw ResultError.
class ResultReader {
 public:
  explicit ResultReader(const std::string& path);
  ResultReader(ResultReader&&) noexcept;
  ResultReader& operator=(ResultReader&&) noexcept;
  ~ResultReader();

  const Result& head() const;  ///< all but the numbers
  const std::string& path() const;
  /// The numbers of a field, [samples, items, components], by its place in the file.
  std::vector<double> operator[](const std::string& dataset) const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace polhode
