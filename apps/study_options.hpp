// What the verbs that study a model share: methods, steps, the reference, and where results go.
#pragma once

#include <polhode/study/comparison.hpp>

#include "model_options.hpp"

namespace polhode {

struct StudyOptions {
  ModelOptions model;
  std::vector<std::string> integrators;
  std::vector<double> steps;
  std::string reference, csv;
  int repeat = 1;
  bool quiet = false, json = false;

  /// The defaults in words, and examples for the end of the help.
  void add_to(CLI::App& verb, const std::string& default_integrators, const std::string& default_steps,
              const std::string& examples);
  void check() const;  ///< ModelError for steps that are none
  /// Before anything runs: files that cannot be written, or that are read.
  void check_outputs(const Model& model, const std::string& svg = "") const;
  /// The methods asked for, checked; without any, all that can serve the model.
  std::vector<IntegratorChoice> choices(const Model& model) const;
  /// The known motion, of --reference or of the model; none if it is to be computed.
  std::optional<Reference> known(const Model& model) const;
};

/// A line that says what runs, and how far it is; and Ctrl-C. Call it `progress` while the study runs.
class StudyBar {
 public:
  explicit StudyBar(bool wanted);
  ~StudyBar();
  StudyProgress progress();

 private:
  struct Inner;
  std::unique_ptr<Inner> inner_;
};

}  // namespace polhode
