// The page on Hulbert: figures 1 to 4 and 6 to 10, the digits, long runs, and each claim beside what was measured.
#include <cmath>

#include <fmt/format.h>

#include <polhode/papers/hulbert_exhibits.hpp>
#include <polhode/study/spectrum.hpp>

namespace polhode::papers::hulbert {

std::vector<const Scheme*> free_schemes() {
  return {&scheme("simo-wong"), &scheme("predictor-corrector"), &scheme("staggered"), &scheme("park-chiou-downer")};
}
std::string method_label(const Scheme& s) { return s.label.substr(0, s.label.find(',')); }
bool has_two_chains(const Scheme& s) { return s.method == "staggered" || s.method == "park-chiou-downer"; }

LongRuns long_runs(const Progress& progress) {
  LongRuns out;
  for (const double end : {200.0, 2000.0}) {
    for (const Scheme* s : free_schemes()) {
      tell(progress, fmt::format("hulbert: 5.1, {} s, {}", end, method_label(*s)));
      (end < 1000 ? out.free : out.long_free)[s] = history(tumbling_body(), *s, 1e-3, end, 2);
    }
    for (const Scheme& s : schemes()) {
      tell(progress, fmt::format("hulbert: 5.2, {} s, {}", end, s.label));
      (end < 1000 ? out.top : out.long_top)[&s] = history(fast_top(), s, 1e-3, end);
    }
  }
  return out;
}

namespace {

/// The largest difference of radius and period between Tamma & Namburu's algorithm, which moves the translations of the
/// predictor-corrector method, and central differences, which move those of Simo & Wong's.
double spectral_difference() {
  std::vector<double> steps;
  for (int k = 1; k <= 31; ++k) steps.push_back(0.01 * k);
  const auto a = spectrum(scheme("predictor-corrector").choice(), steps).points,
             b = spectrum(scheme("simo-wong", "trapezoidal").choice(), steps).points;
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    largest = std::max({largest, std::abs(a[k].radius - b[k].radius), std::abs(a[k].period_error - b[k].period_error)});
  return largest;
}

/// The largest difference of two methods' angular velocities over a time, at all steps.
double apart(const Model& model, const Scheme& a, const Scheme& b, double end) {
  std::vector<Vec3> rates;
  steps(model, a.choice(), 1e-3, end,
        [&](const System&, const State& state) { rates.push_back(state.nodes[0].Omega); });
  double largest = 0;
  std::size_t k = 0;
  steps(model, b.choice(), 1e-3, end, [&](const System&, const State& state) {
    largest = std::max(largest, (state.nodes[0].Omega - rates[k++]).norm());
  });
  return largest;
}

/// The largest angle between the axes of the top by any two methods over a time.
double axes_apart(double end) {
  std::vector<std::vector<Vec3>> axes;
  for (const Scheme& s : schemes()) {
    axes.emplace_back();
    steps(fast_top(), s.choice(), 1e-3, end,
          [&](const System&, const State& state) { axes.back().push_back(state.nodes[0].q * Vec3::UnitZ()); });
  }
  double largest = 0;
  for (const auto& a : axes)
    for (const auto& b : axes)
      for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, a[k].cross(b[k]).norm());
  return largest;
}

/// The largest relative change of energy from t = 2 s to 10 s by Park, Chiou & Downer's method while Omega3 is beyond 6
/// rad/s, and else.
std::pair<double, double> bursts() {
  double fast = 0, slow = 0, E0 = 0;
  steps(tumbling_body(), scheme("park-chiou-downer").choice(), 1e-3, 10, [&](const System& system, const State& state) {
    const Vec3 Omega = state.nodes[0].Omega;
    const double E = system.inertia[0].energy_of_rotation(Omega);
    if (state.t < 2.0005) {
      E0 = E;
      return;
    }
    double& part = std::abs(Omega.z()) > 6 ? fast : slow;
    if (std::abs(E / E0 - 1) > std::abs(part)) part = E / E0 - 1;
  });
  return {fast, slow};
}

Section tumbling_section(const LongRuns& runs, const Progress& progress) {
  Section out{"5.1 Unstable rotation about the axis of intermediate inertia", "", {}, {}, {}};
  const Model model = tumbling_body();
  out.text =
      "A body with J = (5, 10, 1) kg m^2 is spun up about its first axis, pushed about another one for 1 ms, and left "
      "to "
      "itself. The torque does not "
      "depend on the configuration, so both rules of the impulse are the same algorithm.";
  const Growth grows = growth(progress);
  tell(progress, "hulbert: 5.1");
  out.tables = {tumbling_table(), free_table(runs), grows.table};
  int number_of_figure = 1;
  for (const Scheme* s : free_schemes()) out.drawings.push_back(tumbling_drawing(*s, number_of_figure++));
  out.drawings.push_back(free_energy_drawing(runs));

  const auto of = [&](const char* name) -> const History& { return runs.free.at(&scheme(name)); };
  const auto later = [&](const char* name) -> const History& { return runs.long_free.at(&scheme(name)); };
  const auto lost = [](const History& h) { return h.momentum_error / h.momentum.norm(); };
  const auto gained = [](const History& h) { return h.final / h.energy; };
  const auto lowest = [](const History& h) { return h.lowest / h.energy; };
  const double kept =
      std::max({lost(later("simo-wong")), lost(later("predictor-corrector")), lost(later("staggered"))});
  const double difference = apart(model, scheme("simo-wong"), scheme("staggered"), 10);
  const auto [fast, slow] = bursts();
  const Vec3 truth = exact(model, 5).Omega;
  const double e_staggered = (end_of(model, scheme("staggered"), 1e-3, 5).Omega - truth).norm(),
               e_park = (end_of(model, scheme("park-chiou-downer"), 1e-3, 5).Omega - truth).norm();
  out.claims = {
      {"5.1", "the first three algorithms conserve angular momentum identically",
       fmt::format("to {:.0e} relative in 2000 s (2 million steps); Park-Chiou-Downer is off by {:.1e} in 200 s", kept,
                   lost(of("park-chiou-downer"))),
       judged(kept < 1e-11 && lost(of("park-chiou-downer")) > 1e-6)},
      {"5.1", "Simo-Wong and staggered are virtually identical",
       fmt::format("angular velocities of up to 13 rad/s differ by at most {:.1e} rad/s in 10 s", difference),
       judged(difference < 0.02)},
      {"5.1", "predictor-corrector: weak growth of energy for long times",
       fmt::format("{:+.2e} after 200 s, {:+.2e} after 2000 s, relative", gained(of("predictor-corrector")),
                   gained(later("predictor-corrector"))),
       judged(gained(of("predictor-corrector")) > 0 &&
              gained(later("predictor-corrector")) > 5 * gained(of("predictor-corrector")))},
      {"5.1", "the rate of growth depends on the step, growth remains with smaller steps",
       fmt::format("{:.2e} at 0.5 ms, {:.2e} at 1 ms, {:.2e} at 2 ms: about the third power of the step",
                   grows.gains[0], grows.gains[1], grows.gains[2]),
       judged(0 < grows.gains[0] && grows.gains[0] < grows.gains[1] && grows.gains[1] < grows.gains[2])},
      {"5.1", "Park-Chiou-Downer: energy grows in bursts when Omega3 is large",
       fmt::format(
           "bursts, yes: until 10 s energy is off by {:+.1e} while Omega3 is beyond 6 rad/s, by {:+.1e} else. But the "
           "staggered method has such bursts too ({:+.1e}), none can be seen in a figure like the "
           "paper's, and in the long run they take energy away: {:+.1e} after 200 s, {:+.1e} after 2000 s. The paper's "
           "version, which it does not write out, may differ from this one",
           fast, slow, of("staggered").highest / of("staggered").energy, lowest(of("park-chiou-downer")),
           lowest(later("park-chiou-downer"))),
       Claim::Verdict::in_part},
      {"abstract", "the staggered conserving algorithm performs better than that of Park et al.",
       fmt::format(
           "at 5 s its error is larger, {:.1e} against {:.1e} rad/s; over 2000 s it keeps energy to {:.1e} against "
           "{:.1e}, and momentum to rounding against {:.1e}",
           e_staggered, e_park, later("staggered").largest() / later("staggered").energy,
           later("park-chiou-downer").largest() / later("park-chiou-downer").energy, lost(later("park-chiou-downer"))),
       judged(later("staggered").largest() < later("park-chiou-downer").largest())}};
  return out;
}

Section top_section(const LongRuns& runs, const Progress& progress) {
  Section out{"5.2 Fast symmetric top with fixed tip", "", {}, {}, {}};
  tell(progress, "hulbert: 5.2");
  out.text = "J = (5, 5, 1) kg m^2 about the tip, a weight of 20 N at 1 m, tilted by 0.3 rad, spinning with 50 rad/s.";
  out.tables = {top_table(), top_long_table(runs)};
  out.drawings = {short_top_drawing(), long_top_drawing(runs), top_energy_drawing(runs)};
  const auto of = [&](const char* name, const char* impulse) -> const History& {
    return runs.top.at(&scheme(name, impulse));
  };
  const auto later = [&](const char* name, const char* impulse) -> const History& {
    return runs.long_top.at(&scheme(name, impulse));
  };
  const auto pair = [&](const char* name, const char* impulse) {
    return fmt::format("{:.1e} J in 200 s, {:.1e} J in 2000 s", of(name, impulse).largest(),
                       later(name, impulse).largest());
  };
  const auto grows = [&](const char* name, const char* impulse) {
    return later(name, impulse).largest() > 5 * of(name, impulse).largest();
  };
  const History &mid = later("staggered", "midpoint"), &trap = later("staggered", "trapezoidal");
  const double close = axes_apart(1);
  out.claims = {{"5.2", "for a short time the results are indistinguishable",
                 fmt::format("axes of any two methods differ by at most {:.1e} "
                             "rad in 1 s",
                             close),
                 judged(close < 1e-3)},
                {"5.2", "Simo-Wong: instability with the midpoint rule",
                 fmt::format("energy changes by {}; with the trapezoidal rule by "
                             "{}",
                             pair("simo-wong", "midpoint"), pair("simo-wong", "trapezoidal")),
                 judged(grows("simo-wong", "midpoint") && !grows("simo-wong", "trapezoidal"))},
                {"5.2", "predictor-corrector: weak instability with both rules",
                 fmt::format("midpoint: {}; trapezoidal: {}", pair("predictor-corrector", "midpoint"),
                             pair("predictor-corrector", "trapezoidal")),
                 judged(grows("predictor-corrector", "midpoint") && grows("predictor-corrector", "trapezoidal"))},
                {"5.2", "staggered: stable with both rules",
                 fmt::format("midpoint: {}; trapezoidal: it does not blow up, but its chains "
                             "part by up to {:.2g} of 50 N m s and energy is off by up to {:.1f} J",
                             pair("staggered", "midpoint"), trap.chains_apart, trap.largest()),
                 Claim::Verdict::in_part},
                {"5.2", "staggered: the midpoint rule is superior",
                 fmt::format("nutation between {:.3f} and {:.3f} rad, exact 0.3 and "
                             "0.3267; trapezoidal {:.3f} to {:.3f}",
                             mid.least_nutation, mid.most_nutation, trap.least_nutation, trap.most_nutation),
                 judged(mid.largest() < trap.largest())},
                {"5.2", "Park-Chiou-Downer shows no instability", pair("park-chiou-downer", ""),
                 judged(!grows("park-chiou-downer", ""))},
                {"6", "only staggered and Simo-Wong avoid weak instabilities",
                 "true with the right rule: midpoint for staggered, "
                 "trapezoidal for Simo-Wong; each is unstable with the other rule",
                 Claim::Verdict::in_part}};
  return out;
}

Section stability_section() {
  Section out{"Stability", "", {spectral_table()}, {}, {}};
  out.text =
      "Not in the paper: limits in closed form. For a free symmetric body, spin W about its axis, r = J3/J1 and phi = "
      "W h, the "
      "small angle of the axis "
      "obeys a linear recursion. Its roots have size 1 for\n\n"
      "| method | free spin is stable for | a spring |\n| --- | --- | --- |\n"
      "| Simo-Wong | abs(2 r - 1) sin(phi/2) <= 1: always for r <= 1 | omega h <= 2, trapezoidal rule |\n"
      "| predictor-corrector | no phi: nutation changes by 1 + r^2 (r^2 - 1) phi^4/8 a step, such that energy grows "
      "for all r but "
      "1 | omega h <= 2, midpoint rule |\n"
      "| staggered | r sin(phi/2) <= 1: always for r <= 1 | omega h <= 2, midpoint rule |\n"
      "| Park-Chiou-Downer | abs(r - 1) phi <= 2 | omega h <= 2 |\n\n"
      "A step above the limit is refused. [docs/methods/explicit.md](../../methods/explicit.md) derives them.";
  const double difference = spectral_difference();
  out.claims = {{"2.2", "Tamma-Namburu and central differences have identical spectral properties",
                 fmt::format("radius and period agree to {:.0e} at 31 steps up to h/T = 0.31 (translations of "
                             "predictor-corrector, midpoint, "
                             "and of Simo-Wong, trapezoidal)",
                             difference),
                 judged(difference < 1e-9)},
                {"2.2", "their error is smaller", "", Claim::Verdict::not_tested}};
  out.claims.back().measured = "the paper refers to its reference [6]";
  return out;
}

Section constraint_section(const Progress& progress) {
  Section out{"6 Constraints", "", {top_joint_table(), chain_table(progress), chain_energy_table(progress)}, {}, {}};
  out.text =
      "The paper announces constraints for the staggered method. Here the method for joints is `rattlie`, of one "
      "chain: "
      "variational, with constraints at "
      "position and velocity level ([docs/methods/rattlie.md](../../methods/rattlie.md)).";
  out.claims = {{"6", "the staggered method can incorporate constraints in a straightforward way",
                 "not built here: in a trial of two chains with constraints, on the four links the chains parted "
                 "exponentially and the run "
                 "ended near t = 3 s for h = 2, 5 and 10 ms",
                 Claim::Verdict::not_tested}};
  return out;
}

}  // namespace

Page page(const Progress& progress) try {
  Page out;
  out.name = "hulbert";
  out.title = "Explicit momentum conserving algorithms: Hulbert";
  out.citation =
      "G. M. Hulbert, *Explicit momentum conserving algorithms for rigid body dynamics*, Computers & Structures 44 "
      "(1992) 1291-1303 (received 4 June 1991), section 5.";
  out.summary =
      "Two problems of one body by four explicit methods: those of Simo & Wong (`simo-wong`), the paper's two "
      "(`predictor-corrector`, `staggered`) and that of Park, Chiou & Downer "
      "(`park-chiou-downer`), with two rules for the impulse of forces that depend on the configuration. Errors are "
      "against the motion itself, integrated by extrapolation to 1e-12.";
  out.sections.push_back(
      {"Data and equations that had to be corrected",
       "- 5.1: the intervals of the torque overlap at t_d; half-open ones are used, and the exact impulse of the "
       "torque over each "
       "step. Evaluated at one instant instead, the half chain of the staggered "
       "method, which straddles the jump, would get another momentum than the whole one, for ever.\n"
       "- 5.2: J is said to be about the centre of mass. Equation (38) with the moment of the weight needs it about "
       "the fixed "
       "tip, and so it is taken; nutation is then between 0.3 and 0.3267337 rad. "
       "Omega(0) is said to be in the inertial basis; (0, 0, 50) rad/s are its components in the body.\n"
       "- Fig. 6: its caption has a step of 0.01, the text 0.001, which is taken.\n"
       "- The quantities and time axes of the figures cannot be read from the text; panels and times are a choice.\n"
       "- Equations corrected: (30) J for two things, (39) and 5.2 start from different orientations, (48) 2/dt, (53) "
       "no tilde on "
       "Lambda_n, step 6 before (57) is at t_{n+1} and, with the trapezoidal rule, takes the "
       "moment at the corrected configuration, after (77) the configurations are those of (61), (64), (66). "
       "Park-Chiou-Downer is "
       "not written out in the paper: it is taken as the midpoint rule on the Euler parameters, "
       "which is the Cayley map, and Euler's equations at the other chain.",
       {},
       {},
       {}});
  const LongRuns runs = long_runs(progress);
  out.sections.push_back(tumbling_section(runs, progress));
  out.sections.push_back(top_section(runs, progress));
  const Orders order = orders(progress);
  out.sections.push_back(
      {"Order",
       "",
       {order.table},
       {order.drawing},
       {{"2", "second-order accurate", fmt::format("orders {:.2f} to {:.2f}", order.least, order.most),
         judged(order.least > 1.9 && order.most < 2.1)}}});
  tell(progress, "hulbert: stability");
  out.sections.push_back(stability_section());
  out.sections.push_back(constraint_section(progress));
  out.models = {"tumbling_body", "fast_top", "heavy_top", "four_links"};
  out.commands = {
      "polhode run models/tumbling_body.json --integrator.name simo-wong --json -o none",
      "polhode compare models/fast_top.json --integrator \"simo-wong impulse=trapezoidal\" --integrator \"staggered "
      "impulse=midpoint\" --integrator park-chiou-downer",
      "polhode run models/fast_top.json --integrator.impulse trapezoidal --end-time 200 -o none",
      "polhode spectrum --integrator \"staggered impulse=trapezoidal\"",
      "polhode run models/four_links.json --json -o none"};
  return out;
} catch (const Interrupted&) {
  return {};
}

}  // namespace polhode::papers::hulbert
