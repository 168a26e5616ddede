// The energy-momentum rule as an integrator: of order 2, and of higher orders by composition.
#include <polhode/integrate/energy_momentum.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <polhode/integrate/composition.hpp>
#include <polhode/integrate/energy_momentum_rule.hpp>
#include <polhode/integrate/fast_cayley.hpp>
#include <polhode/integrate/velocity_level_rule.hpp>
#include <polhode/system/loops.hpp>

namespace polhode {
namespace {

/// The plain rule: joints at position level.
class PositionLevelRule {
 public:
  PositionLevelRule(const System& system, const NewtonOptions& newton, int substeps, const Resources& resources)
      : rule_(system, newton, substeps, resources) {}
  void start(State&) const {}
  void save(std::vector<double>& numbers) const { rule_.solver.save(numbers); }
  void restore(std::span<const double> numbers) { rule_.solver.restore(numbers); }
  StepReport step(State& state, double h, int substep = 0) { return rule_.step(state, h, substep); }

 private:
  EnergyMomentumRule<FastCayley> rule_;
};

template <class Rule>
class EnergyMomentum final : public Integrator {
 public:
  EnergyMomentum(const System& system, const NewtonOptions& newton, int order, const Resources& resources)
      : system_(system),
        weights_(composition(order)),
        rule_(system, newton, static_cast<int>(weights_.size()), resources) {}

  void start(State& state, double) override {
    FastCayley::settle(state);
    rule_.start(state);
    if (weights_.size() > 1) FastCayley::settle(trial_ = state);
    restore({});
  }
  bool multipliers_at_end() const override { return false; }
  void save(std::vector<double>& numbers) const override { rule_.save(numbers); }
  void restore(std::span<const double> numbers) override { rule_.restore(numbers); }

  StepReport step(State& state, double h) override {
    return weights_.size() == 1 ? rule_.step(state, h) : composed(state, h);
  }

 private:
  /// Steps of w_1 h, w_2 h, ..., with the weights of a symmetric composition.
  StepReport composed(State& state, double h) {
    trial_ = state;
    mean_lambda_.setZero(system_.row_count);
    StepReport report;
    const std::size_t middle = weights_.size() / 2;
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      const StepReport part = rule_.step(trial_, weights_[k] * h, static_cast<int>(k));
      const int iterations = report.iterations + part.iterations;
      report = part;
      report.iterations = iterations;
      if (!part.converged) return report;
      // the errors of velocities across the joints, and of multipliers to first order, alternate in sign; in the
      // weighted mean of all substeps but the middle one, which belongs to the middle of the step, they cancel
      if (k != middle) mean_lambda_ += weights_[k] / (1 - weights_[middle]) * trial_.lambda;
    }
    trial_.lambda = mean_lambda_;
    trial_.t = state.t + h;
    std::swap(state, trial_);
    return report;
  }

  const System& system_;
  std::span<const double> weights_;  ///< of the substeps
  Rule rule_;
  VecX mean_lambda_;
  State trial_;
};

}  // namespace

std::unique_ptr<Integrator> make_energy_momentum(const System& system, const NewtonOptions& newton,
                                                 const EnergyMomentumOptions& options, const Resources& resources) {
  if (options.index == EnergyMomentumOptions::Index::velocity)
    return std::make_unique<EnergyMomentum<VelocityLevelRule>>(system, newton, options.order, resources);
  return std::make_unique<EnergyMomentum<PositionLevelRule>>(system, newton, options.order, resources);
}

namespace {

/// Loops and drives are where velocities that miss the joints do harm (docs/methods/energy-momentum.md).
std::vector<ChosenOption> choose_index(const System& system, const EnergyMomentumOptions& options) {
  if (options.index != EnergyMomentumOptions::Index::automatic) return {};
  if (!system.inertia.ties.empty()) return {{"index", 3.0, "tied inertia"}};
  const bool loops = has_loops(system), drives = std::any_of(system.given_rows.begin(), system.given_rows.end(),
                                                             [](const GivenRow&given) { return given.drive >= 0; });
  if (!loops && !drives) return {{"index", 3.0, "no loops or drives"}};
  return {{"index", 2.0, loops && drives ? "loops and drives" : loops ? "loops" : "drives"}};
}

std::optional<std::string> why_not_energy_momentum(const System& system, const EnergyMomentumOptions& options) {
  if (options.index != EnergyMomentumOptions::Index::velocity || system.inertia.ties.empty()) return std::nullopt;
  return fmt::format(
      "simulation.integrator.index: {} ties the inertia of several bodies, and index 2 needs that of each body alone; "
      "use index 3",
      system.inertia.ties.front()->name());
}

}  // namespace

Method energy_momentum_method() {
  return MethodOf<EnergyMomentumOptions>{
      .name = "energy-momentum",
      .summary = "Cayley midpoint rule with discrete gradients; the default",
      .order =
          "2, or 4, 6, 8 by composition; with joints and index 3, the velocities at the ends of steps stay of "
          "order 2, and orders 6 and 8 are of order 4",
      .conserves =
          "energy, linear and angular momentum, constraints at position level, with index 2 at velocity level "
          "too; all to round-off. Symmetric in time. With index 3 velocities meet the constraints to second "
          "order",
      .use =
          "long runs, closed loops, everything where drift or damping would spoil the result; order 4 for fast spin "
          "and for accuracy, 6 and 8 for many digits. It keeps high-frequency noise: for very stiff models prefer a "
          "dissipative method",
      .source = "Nielsen & Krenk 2013 in 6 unknowns a body; Gonzalez 1996; Suzuki 1990; Kahan & Li 1997",
      .why_not = why_not_energy_momentum,
      .make = make_energy_momentum,
      .choose = choose_index};
}

}  // namespace polhode
