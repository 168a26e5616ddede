// Error against step: the observed order of a method on a model, for positions, velocities and reactions each.
#pragma once

#include <polhode/study/comparison.hpp>

namespace polhode {

/// The straight line through (log h, log e): e = constant h^order.
struct OrderFit {
  double order = 0;
  double uncertainty = 0;  ///< standard error of the slope; 0 for two points
  int points = 0;          ///< used, of those above the floor
};

/// Fits an order to errors at steps, both of the same length and the steps falling: over the longest stretch in which
/// the slopes between neighbours agree to 0.3. Coarse steps, where other terms count, and the floor of rounding fall
/// out; so do errors at or below `floor`.
OrderFit fit_order(const std::vector<double>& steps, const std::vector<double>& errors, double floor = 0);

struct Convergence {
  IntegratorChoice integrator;
  std::string integrator_text;
  std::vector<ComparedRun> runs;  ///< from the largest step to the smallest
  std::string stopped;            ///< why smaller steps were not tried: the floor of rounding, or a run that failed
  OrderFit position, angle, velocity, angular_velocity, force, moment;
};

struct ConvergenceStudy {
  std::string model;
  double end_time = 0;
  std::vector<double> times;
  Reference reference;
  std::vector<Convergence> methods;
};

/// Runs each method with every step, from the largest on, until its error no longer falls.
ConvergenceStudy converge(const Model& model, const std::vector<IntegratorChoice>& integrators,
                          std::vector<double> steps, const std::optional<Reference>& known,
                          const ComparisonOptions& options = {}, const StudyProgress& progress = {});

}  // namespace polhode
