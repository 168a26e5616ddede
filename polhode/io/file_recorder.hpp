// Records a run in a result file, and writes a file of what was recorded in memory.
#pragma once

#include <polhode/io/result_file.hpp>
#include <polhode/simulate/recorder.hpp>
#include <polhode/simulate/simulation.hpp>

namespace polhode {

/// The layout of the result of what a run has yet to do, with the texts of its model, options and provenance. A model
/// with computed forces, which no file can hold, is "{}".
ResultLayout result_layout(const Simulation& simulation);

class FileRecorder final : public Recorder {
 public:
  /// Makes the file, with room for all samples. Throws ResultError.
  FileRecorder(const std::string& path, const ResultLayout& layout) : file_(ResultFile::create(path, layout)) {}
  /// The file of a run that goes on: it begins with what was recorded before, and has room for the samples of `layout`,
  /// which are to come.
  FileRecorder(const std::string& path, ResultLayout layout, const MemoryRecorder& before);

  void record(const Sample& sample) override { file_.append(sample); }
  void finish(const Certificate& certificate) override {
    file_.finish(certificate.complete(), certificate.status_text(), to_json(certificate));
  }

  /// After finish(): empty, or what became of a result that lost its place to another program.
  const std::string& displaced() const { return file_.displaced(); }

 private:
  ResultFile file_;
};

/// The file that a FileRecorder would have written. `status` and `certificate_json`: of the run, if it has ended.
void write_result(const std::string& path, const MemoryRecorder& recorded, bool complete, const std::string& status,
                  const std::string& certificate_json);

}  // namespace polhode
