// Several integrators on one model, side by side: how far each is from the motion, what each keeps, what each costs.
#pragma once

#include <polhode/study/reference.hpp>

namespace polhode {

/// A method with its options, and a step.
struct Candidate {
  IntegratorChoice integrator;
  double step = 0;
};

struct ComparedRun {
  Candidate candidate;
  std::string integrator;  ///< the method with all its options, as the certificate names it
  std::string failure;     ///< why there is no run, or why it ended early; empty: complete
  Errors largest, at_end;
  Certificate certificate;  ///< of the quickest repetition
  bool interrupted() const { return certificate.status == Certificate::Status::interrupted; }
};

struct Comparison {
  std::string model;
  double end_time = 0;
  std::vector<double> times;  ///< at which errors were taken
  Reference reference;
  std::vector<ComparedRun> runs;
};

/// Called before each run with its text, and during it with the fraction done; false interrupts.
struct StudyProgress {
  std::function<void(const std::string&)> begin;
  std::function<bool(double fraction, double time)> show;
};

struct ComparisonOptions {
  int repetitions = 1;  ///< of each run, for its time: the quickest counts
  int most_times = 50;  ///< at which errors are taken, for a reference that is computed
};

/// Times that all steps reach: multiples of the largest step, about `most` of them, and the end. Only the end if steps
/// do not fit.
std::vector<double> common_times(const std::vector<double>& steps, double end_time, int most);

/// The model's runs with each candidate, against `known` if it is given, else against a computed reference.
Comparison compare(const Model& model, const std::vector<Candidate>& candidates, const std::optional<Reference>& known,
                   const ComparisonOptions& options = {}, const StudyProgress& progress = {});

/// One run against a reference, at the given times.
ComparedRun compare_run(const Model& model, const Candidate& candidate, const std::vector<double>& times,
                        const Reference& reference, const ComparisonOptions& options = {},
                        const StudyProgress& progress = {});

/// The reference of a study, known or computed, and the times at which errors are taken.
std::pair<Reference, std::vector<double>> reference_for(const Model& model, const std::vector<double>& steps,
                                                        const std::optional<Reference>& known,
                                                        const ComparisonOptions& options,
                                                        const StudyProgress& progress);

/// The part of a reference that runs with these steps can be measured at. ModelError if there is none.
Reference usable(const Reference& reference, const std::vector<double>& steps, double end_time);

}  // namespace polhode
