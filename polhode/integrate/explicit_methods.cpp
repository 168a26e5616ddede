// The explicit momentum algorithms in words: what each conserves, what it is for, where it fails.
#include <fmt/format.h>

#include <polhode/integrate/explicit_momentum.hpp>

namespace polhode {
namespace {

/// Explicit methods have nothing to hold joints with.
std::optional<std::string> why_not_explicit(const std::string& name, const System& system) {
  if (system.row_count == 0) return why_not_tied(name, system);
  return fmt::format(
      "simulation.integrator: {} is explicit and cannot hold the constraints of joints and drives, and the model has "
      "{} of them; use rattlie (explicit but for the constraints) or energy-momentum",
      name, system.row_count);
}

/// What Hulbert's three methods have in common. `rules`: what each rule of the impulse does.
template <ExplicitMethod method, Impulse initial>
Method explicit_method(const std::string& name, const std::string& summary, const std::string& conserves,
                       const std::string& rules, const std::string& source) {
  using Options = ImpulseOptions<initial>;
  return MethodOf<Options>{
      .name = name,
      .summary = summary,
      .order = "2",
      .conserves =
          "linear momentum, the angular momentum of each body that no moment acts on, and the rotation group, "
          "to round-off. " +
          conserves,
      .use =
          "many steps of free bodies, bodies about a fixed point, and soft springs between them, without anything to "
          "solve. Not for joints: use rattlie. The step is limited by the fastest spring and by the spin of flat "
          "bodies. " +
          rules,
      .source = source,
      .why_not = [name](const System& system, const Options&) { return why_not_explicit(name, system); },
      .make = [](const System& system, const NewtonOptions&, const Options& options,
                 const Resources&) { return make_explicit_momentum(system, method, options.impulse); }};
}

}  // namespace

Method simo_wong_method() {
  return explicit_method<ExplicitMethod::simo_wong, Impulse::trapezoidal>(
      "simo-wong", "explicit, one chain; exact momentum of bodies on springs",
      "Angular momentum of bodies on springs: with impulse trapezoidal to round-off, with midpoint to second order. "
      "Energy: bounded with trapezoidal",
      "With impulse midpoint it is unstable at every step for elastic forces and on tops, weakly: spectral radius "
      "1.0060 "
      "at a tenth of the period",
      "Simo & Wong 1991; Hulbert 1992");
}

Method predictor_corrector_method() {
  return explicit_method<ExplicitMethod::predictor_corrector, Impulse::midpoint>(
      "predictor-corrector", "explicit, one chain; weakly unstable for every step: short runs only",
      "Angular momentum of bodies on springs: with impulse midpoint to round-off, with trapezoidal to second order. "
      "Energy grows",
      "It gains energy from rotation at every step, with the third power of it, whatever the impulse", "Hulbert 1992");
}

Method staggered_method() {
  return explicit_method<ExplicitMethod::staggered, Impulse::midpoint>(
      "staggered", "explicit, two chains half a step apart; the best of its family with midpoint impulses",
      "Angular momentum of bodies on springs: to second order. Energy: bounded with impulse midpoint",
      "With impulse trapezoidal it is unstable at every step for elastic forces, and its chains part: spectral radius "
      "1.884 at a tenth of the period",
      "Hulbert 1992");
}

Method park_chiou_downer_method() {
  return MethodOf<NoOptions>{
      .name = "park-chiou-downer",
      .summary = "explicit, two chains of rates; for comparison, it does not keep angular momentum",
      .order = "2",
      .conserves =
          "linear momentum and the rotation group, to round-off; angular momentum to second order, and its "
          "chains part in long runs",
      .use =
          "comparing with the literature. Not for joints: use rattlie. The step is limited by the fastest spring and "
          "by spin",
      .source = "Park, Chiou & Downer 1990; Hulbert 1992",
      .why_not = [](const System& system, const NoOptions&) { return why_not_explicit("park-chiou-downer", system); },
      .make =
          [](const System& system, const NewtonOptions&, const NoOptions&, const Resources&) {
            return make_explicit_momentum(system, ExplicitMethod::park_chiou_downer, Impulse::midpoint);
          }};
}

}  // namespace polhode
