#include <polhode/study/convergence.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

namespace polhode {
namespace {

/// Position and angle as one, for the question whether the error still falls.
double trajectory_error(const Errors& e) {
  return std::isnan(e.angle) ? e.position : std::isnan(e.position) ? e.angle : std::max(e.position, e.angle);
}

}  // namespace

OrderFit fit_order(const std::vector<double>& steps, const std::vector<double>& errors, double floor) {
  std::vector<double> x, y;
  for (std::size_t k = 0; k < steps.size(); ++k)
    if (errors[k] > floor && std::isfinite(errors[k]))
      x.push_back(std::log(steps[k])), y.push_back(std::log(errors[k]));

  // the longest stretch in which the slopes of neighbours agree, and the error falls: before it other terms count,
  // after it rounding
  std::vector<double> slope;
  for (std::size_t k = 0; k + 1 < x.size(); ++k) slope.push_back((y[k + 1] - y[k]) / (x[k + 1] - x[k]));
  std::size_t first = 0, length = 0;
  for (std::size_t a = 0; a < slope.size(); ++a) {
    double least = slope[a], most = slope[a];
    std::size_t b = a;
    for (; b < slope.size() && slope[b] > 0.3; ++b) {
      least = std::min(least, slope[b]);
      most = std::max(most, slope[b]);
      if (most - least > 0.3) break;
    }
    if (b - a >= length && b > a) first = a, length = b - a;  // of equals, the one of smaller steps
  }
  x = length > 0
          ? std::vector<double>(x.begin() + static_cast<long>(first), x.begin() + static_cast<long>(first + length + 1))
          : std::vector<double>{};
  y = length > 0
          ? std::vector<double>(y.begin() + static_cast<long>(first), y.begin() + static_cast<long>(first + length + 1))
          : std::vector<double>{};
  OrderFit fit;
  const auto n = static_cast<double>(x.size());
  fit.points = static_cast<int>(x.size());
  if (fit.points < 2) return {std::nan(""), std::nan(""), fit.points};
  double mx = 0, my = 0, sxx = 0, sxy = 0, rest = 0;
  for (std::size_t k = 0; k < x.size(); ++k) mx += x[k] / n, my += y[k] / n;
  for (std::size_t k = 0; k < x.size(); ++k) sxx += (x[k] - mx) * (x[k] - mx), sxy += (x[k] - mx) * (y[k] - my);
  fit.order = sxy / sxx;
  for (std::size_t k = 0; k < x.size(); ++k) rest += std::pow(y[k] - my - fit.order * (x[k] - mx), 2);
  if (fit.points > 2) fit.uncertainty = std::sqrt(rest / (n - 2) / sxx);
  return fit;
}

ConvergenceStudy converge(const Model& model, const std::vector<IntegratorChoice>& integrators,
                          std::vector<double> steps, const std::optional<Reference>& known,
                          const ComparisonOptions& options, const StudyProgress& progress) {
  std::sort(steps.rbegin(), steps.rend());
  ConvergenceStudy out;
  out.model = model.name;
  out.end_time = model.simulation.end_time;
  std::tie(out.reference, out.times) = reference_for(model, steps, known, options, progress);
  const double floor = 3 * out.reference.position_error;

  for (const IntegratorChoice& integrator : integrators) {
    Convergence method{integrator, integrator.name, {}, {}, {}, {}, {}, {}, {}, {}};
    double before = std::numeric_limits<double>::infinity();
    int risen = 0;
    for (const double step : steps) {
      if (progress.begin) progress.begin(fmt::format("{}, step {:g} s", integrator.name, step));
      ComparedRun run = compare_run(model, {integrator, step}, out.times, out.reference, options, progress);
      method.integrator_text = run.integrator;
      const double error = trajectory_error(run.largest);
      const bool failed = !run.failure.empty();
      method.runs.push_back(std::move(run));
      if (failed) continue;  // a smaller step may do
      if (error <= floor) {
        method.stopped = fmt::format("at h = {:g} s the error is that of the reference itself", step);
        break;
      }
      risen = error > 0.8 * before && error < 1e-6 ? risen + 1 : 0;
      if (risen > 0) {
        method.stopped = fmt::format("at h = {:g} s the error no longer falls: the floor of rounding", step);
        break;
      }
      before = error;
    }
    const auto fit = [&](double Errors::*figure, double least) {
      std::vector<double> h, e;
      for (const ComparedRun& run : method.runs)
        if (run.failure.empty()) h.push_back(run.candidate.step), e.push_back(run.largest.*figure);
      return fit_order(h, e, least);
    };
    method.position = fit(&Errors::position, floor);
    method.angle = fit(&Errors::angle, floor);
    method.velocity = fit(&Errors::velocity, 0);
    method.angular_velocity = fit(&Errors::angular_velocity, 0);
    method.force = fit(&Errors::force, 0);
    method.moment = fit(&Errors::moment, 0);
    out.methods.push_back(std::move(method));
  }
  return out;
}

}  // namespace polhode
