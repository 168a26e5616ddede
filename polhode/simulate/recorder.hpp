// Who keeps the samples of a run: the interface, and a recorder in memory. The one that writes files is
// io/file_recorder.hpp.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include <polhode/simulate/certificate.hpp>
#include <polhode/simulate/sample.hpp>

namespace polhode {

class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual void record(const Sample& sample) = 0;
  virtual void finish(const Certificate& certificate) = 0;  ///< once, at the end of the run
};

/// Several recorders of one run; those that are nullptr are none.
class Recorders final : public Recorder {
 public:
  explicit Recorders(std::vector<Recorder*> all) : all_(std::move(all)) { std::erase(all_, nullptr); }
  void record(const Sample& sample) override {
    for (Recorder* one : all_) one->record(sample);
  }
  void finish(const Certificate& certificate) override {
    for (Recorder* one : all_) one->finish(certificate);
  }

 private:
  std::vector<Recorder*> all_;
};

/// Keeps the samples in memory, a column for each of result_fields(), in its order: [samples, items, components].
class MemoryRecorder : public Recorder {
 public:
  /// A column is shared with whoever looks at its numbers: they stay where they are, also when it grows.
  using Column = std::shared_ptr<std::vector<double>>;

  explicit MemoryRecorder(ResultLayout layout);
  /// Samples that were taken before, such as those of a file.
  MemoryRecorder(ResultLayout layout, std::size_t samples, std::vector<std::vector<double>>&& columns);

  void record(const Sample& sample) override;
  void finish(const Certificate& certificate) override { certificate_ = certificate; }

  std::size_t samples() const { return samples_; }
  const ResultLayout& layout() const { return layout_; }
  const std::vector<Column>& columns() const { return columns_; }
  /// The numbers of one sample of a field, by its place in result_fields().
  std::span<const double> row(std::size_t field, std::size_t sample) const;
  /// The numbers of a field, by its place in a result file: recorder["bodies/position"]. std::out_of_range if there is
  /// none.
  std::span<const double> operator[](const std::string& dataset) const;
  const std::optional<Certificate>& certificate() const { return certificate_; }  ///< at the end of the run

 private:
  ResultLayout layout_;
  std::size_t samples_ = 0;
  std::vector<std::size_t> widths_;  ///< numbers a sample, of each field
  std::vector<Column> columns_;
  std::optional<Certificate> certificate_;
};

}  // namespace polhode
