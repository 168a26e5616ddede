#include <polhode/study/comparison.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <polhode/model/error.hpp>
#include <polhode/model/validate.hpp>

namespace polhode {

std::vector<double> common_times(const std::vector<double>& steps, double end_time, int most) {
  const double largest = *std::max_element(steps.begin(), steps.end());
  std::vector<double> times;
  if (std::all_of(steps.begin(), steps.end(), [&](double h) { return reaches(h, end_time, largest); })) {
    const double count = std::floor(end_time / largest * (1 + 1e-12)), stride = std::max(1.0, std::ceil(count / most));
    for (double k = stride; k * largest < end_time * (1 - 1e-9); k += stride) times.push_back(k * largest);
  }
  times.push_back(end_time);
  return times;
}

Reference usable(const Reference& reference, const std::vector<double>& steps, double end_time) {
  Reference out = reference;
  out.moments.clear();
  std::vector<std::string> times;
  for (const ReferenceMoment& m : reference.moments) {
    times.push_back(fmt::format("{:g}", m.time));
    const bool reached =
        std::all_of(steps.begin(), steps.end(), [&](double h) { return reaches(h, end_time, m.time); });
    if (m.time <= end_time * (1 + 1e-9) && reached) out.moments.push_back(m);
  }
  if (out.moments.empty())
    throw ModelError(fmt::format(
        "the reference tells of t = {} s; a run to {:g} s with steps of {:g} s meets none of them: give another "
        "--end-time or --steps, or --reference computed",
        fmt::join(times, ", "), end_time, fmt::join(steps, ", ")));
  return out;
}

ComparedRun compare_run(const Model& model, const Candidate& candidate, const std::vector<double>& times,
                        const Reference& reference, const ComparisonOptions& options, const StudyProgress& progress) {
  ComparedRun out{candidate, candidate.integrator.name, {}, {}, {}, {}};
  Model own = model;
  own.simulation.integrator = candidate.integrator;
  own.simulation.step = candidate.step;
  own.simulation.output_step.reset();
  const double steps = own.simulation.end_time / candidate.step;
  try {
    for (int k = 0; k < std::max(1, options.repetitions); ++k) {
      long done = 0;
      const auto show = [&] {
        ++done;
        return !progress.show ||
               progress.show(static_cast<double>(done) / steps, static_cast<double>(done) * candidate.step);
      };
      const Trajectory run = record(own, times, show);
      out.integrator = run.certificate.integrator;
      if (!run.certificate.complete()) out.failure = run.certificate.reason;
      out.largest = largest_errors(run, reference);
      out.at_end = errors_at_end(run, reference);
      if (k == 0 || run.certificate.seconds < out.certificate.seconds) out.certificate = run.certificate;
      if (!out.failure.empty()) break;
    }
  } catch (const ModelError& error) {
    out.failure = error.what();
  }
  return out;
}

std::pair<Reference, std::vector<double>> reference_for(const Model& model, const std::vector<double>& steps,
                                                        const std::optional<Reference>& known,
                                                        const ComparisonOptions& options,
                                                        const StudyProgress& progress) {
  if (progress.begin) progress.begin("reference");
  if (!known) {
    const std::vector<double> times = common_times(steps, model.simulation.end_time, options.most_times);
    return {compute_reference(model, times, 1e-12, progress.show), times};
  }
  const Reference reference = completed(usable(*known, steps, model.simulation.end_time), model, progress.show);
  std::vector<double> times;
  for (const ReferenceMoment& m : reference.moments) times.push_back(m.time);
  return {reference, times};
}

Comparison compare(const Model& model, const std::vector<Candidate>& candidates, const std::optional<Reference>& known,
                   const ComparisonOptions& options, const StudyProgress& progress) {
  Comparison out;
  out.model = model.name;
  out.end_time = model.simulation.end_time;
  std::vector<double> steps;
  for (const Candidate& c : candidates) steps.push_back(c.step);
  std::tie(out.reference, out.times) = reference_for(model, steps, known, options, progress);
  for (const Candidate& candidate : candidates) {
    if (progress.begin) progress.begin(fmt::format("{}, step {:g} s", candidate.integrator.name, candidate.step));
    out.runs.push_back(compare_run(model, candidate, out.times, out.reference, options, progress));
  }
  return out;
}

}  // namespace polhode
