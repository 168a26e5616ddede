#include <polhode/integrate/methods.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <polhode/describe/words.hpp>
#include <polhode/integrate/director.hpp>
#include <polhode/integrate/energy_decaying.hpp>
#include <polhode/integrate/energy_momentum.hpp>
#include <polhode/integrate/explicit_momentum.hpp>
#include <polhode/integrate/generalized_alpha.hpp>
#include <polhode/integrate/geradin.hpp>
#include <polhode/integrate/lens_cardona.hpp>
#include <polhode/integrate/rattlie.hpp>
#include <polhode/model/error.hpp>
#include <polhode/system/loops.hpp>

namespace polhode {

namespace {

/// For methods that take the inertia of each body alone.
std::optional<std::string> why_not_tied(const std::string& name, const System& system) {
  if (system.inertia.ties.empty()) return std::nullopt;
  return fmt::format(
      "simulation.integrator: {} ties the inertia of several bodies, and {} needs that of each body alone; use "
      "energy-momentum",
      system.inertia.ties.front()->name(), name);
}

/// Loops and drives are where velocities that miss the joints do harm (docs/methods/energy-momentum.md).
std::vector<ChosenOption> choose_index(const System& system, const MethodOptions& options) {
  if (options.all().at("index") != OptionValue("auto")) return {};
  if (!system.inertia.ties.empty()) return {{"index", 3.0, "tied inertia"}};
  const bool loops = has_loops(system), drives = std::any_of(system.given_rows.begin(), system.given_rows.end(),
                                                             [](const GivenRow&given) { return given.drive >= 0; });
  if (!loops && !drives) return {{"index", 3.0, "no loops or drives"}};
  return {{"index", 2.0, loops && drives ? "loops and drives" : loops ? "loops" : "drives"}};
}

std::optional<std::string> why_not_energy_momentum(const System& system, const MethodOptions& options) {
  if (options.number("index") == 3 || system.inertia.ties.empty()) return std::nullopt;
  return fmt::format(
      "simulation.integrator.index: {} ties the inertia of several bodies, and index 2 needs that of each body alone; "
      "use index 3",
      system.inertia.ties.front()->name());
}

GeneralizedAlphaOptions alpha_options(const MethodOptions& options) {
  using Settings = GeneralizedAlphaOptions::Settings;
  using Map = LocalMotionChoice::Map;
  const std::string &settings = options.word("settings"), &update = options.word("update");
  GeneralizedAlphaOptions out;
  out.settings = settings == "hht"           ? Settings::hht
                 : settings == "newmark"     ? Settings::newmark
                 : settings == "trapezoidal" ? Settings::trapezoidal
                                             : Settings::chung_hulbert;
  out.rho_inf = options.number("rho_inf");
  out.motion.group = options.word("group") == "SE3" ? LocalMotionChoice::Group::SE3 : LocalMotionChoice::Group::R3xSO3;
  out.motion.map = update == "cayley"            ? Map::cayley
                   : update == "rotation-vector" ? Map::rotation_vector
                                                 : Map::exponential;
  out.factors = update == "exp2" ? 2 : update == "exp3" ? 3 : 1;
  out.index = static_cast<int>(options.number("index"));
  out.mass_metric = options.word("metric") == "mass";
  out.improved_start = options.word("start") == "improved";
  return out;
}

std::optional<std::string> why_not_alpha(const System& system, const MethodOptions& given) {
  const GeneralizedAlphaOptions options = alpha_options(given);
  if (options.motion.map == LocalMotionChoice::Map::rotation_vector &&
      options.motion.group == LocalMotionChoice::Group::SE3)
    return "simulation.integrator: update rotation-vector is a chart of rotations alone; use it with group R3xSO3";
  if (options.settings == GeneralizedAlphaOptions::Settings::hht && options.rho_inf < 0.5)
    return "simulation.integrator.rho_inf: HHT reaches 0.5 to 1 only; for more damping use settings generalized-alpha";
  return why_not_tied("generalized-alpha", system);
}

EnergyDecayingOptions decaying_options(const MethodOptions& options) {
  return {.rho_inf = options.number("rho_inf"),
          .augmented = options.word("energy") == "augmented",
          .geometric = options.word("light_bodies") == "damped"};
}

std::optional<std::string> why_not_decaying(const System& system, const MethodOptions& given) {
  const EnergyDecayingOptions options = decaying_options(given);
  if (options.augmented && options.geometric)
    return "simulation.integrator: light_bodies damped needs energy physical: its stiffness changes from step to step";
  return options.augmented ? std::nullopt : why_not_tied("energy-decaying with energy physical", system);
}

LensCardonaOptions lens_cardona_options(const MethodOptions& options) {
  using Options = LensCardonaOptions;
  const std::string &scheme = options.word("scheme"), &kappa = options.word("kappa"), &torque = options.word("torque");
  const bool by_alpha = options.all().contains("alpha");
  const double rho = by_alpha ? 0 : options.number("rho_inf");
  Options out;
  out.scheme = scheme == "preserving"    ? Options::Scheme::preserving
               : scheme == "alpha-kappa" ? Options::Scheme::alpha_kappa
                                         : Options::Scheme::decaying;
  out.alpha = scheme == "decaying" ? 1 : by_alpha ? options.number("alpha") : (1 - rho) / (1 + rho);
  out.kappa = kappa == "exact" ? Options::Kappa::exact : kappa == "gamma" ? Options::Kappa::gamma : Options::Kappa::one;
  out.torque = torque == "fixed-pole"      ? Torque::fixed_pole
               : torque == "half-rotation" ? Torque::half_rotation
                                           : Torque::transported;
  return out;
}

/// Explicit methods have nothing to hold joints with.
std::optional<std::string> why_not_explicit(const std::string& name, const System& system) {
  if (system.row_count == 0) return why_not_tied(name, system);
  return fmt::format(
      "simulation.integrator: {} is explicit and cannot hold the constraints of joints and drives, and the model has "
      "{} of "
      "them; use rattlie (explicit but for the constraints) or energy-momentum",
      name, system.row_count);
}

/// What Hulbert's three methods have in common. `rules`: what each rule of the impulse does.
Method explicit_method(const std::string& name, const std::string& summary, ExplicitMethod method,
                       const std::string& initial, const std::string& conserves, const std::string& rules,
                       const std::string& source) {
  return {.name = name,
          .summary = summary,
          .order = "2",
          .conserves =
              "linear momentum, the angular momentum of each body that no moment acts on, and the rotation group, to "
              "round-off. " +
              conserves,
          .use =
              "many steps of free bodies, bodies about a fixed point, and soft springs between them, without anything "
              "to solve. Not for "
              "joints: use rattlie. The step is limited by the fastest spring and by the spin of flat bodies. " +
              rules,
          .source = source,
          .options = {{"impulse",
                       "where forces that depend on the configuration are taken",
                       initial,
                       {},
                       {"midpoint", "trapezoidal"},
                       0,
                       0}},
          .why_not = [name](const System& system, const MethodOptions&) { return why_not_explicit(name, system); },
          .make =
              [method](const System& system, const NewtonOptions&, const MethodOptions& options, const Resources&) {
                return make_explicit_momentum(
                    system, method, options.word("impulse") == "midpoint" ? Impulse::midpoint : Impulse::trapezoidal);
              }};
}

/// All methods: those of the library, then those that were registered.
std::deque<Method>& table() {
  static std::deque<Method> table{
      {.name = "energy-momentum",
       .summary = "Cayley midpoint rule with discrete gradients; the default",
       .order = "2, or 4, 6, 8 by composition; with joints and index 3, the velocities at the ends of steps stay of "
                "order 2, and orders 6 and 8 are of order 4",
       .conserves =
           "energy, linear and angular momentum, constraints at position level, with index 2 at velocity level "
           "too; all to round-off. Symmetric in time. With index 3 velocities meet the constraints to second "
           "order",
       .use = "long runs, closed loops, everything where drift or damping would spoil the result; order 4 for fast "
              "spin and for "
              "accuracy, 6 and 8 for many digits. It keeps high-frequency noise: for very stiff models prefer a "
              "dissipative method",
       .source = "Nielsen & Krenk 2013 in 6 unknowns a body; Gonzalez 1996; Suzuki 1990; Kahan & Li 1997",
       .options = {{"order", "order of accuracy; a step costs 1, 5, 9 or 17 of order 2", 2.0, {2, 4, 6, 8}, {}, 0, 0},
                   {"index",
                    "3: joints at position level; 2: at velocity level too, for loops, drives with kinks and large "
                    "steps, at about twice the work; auto: 2 for models with loops or drives, else 3",
                    std::string("auto"),
                    {2, 3},
                    {"auto"},
                    0,
                    0}},
       .why_not = why_not_energy_momentum,
       .make =
           [](const System& system, const NewtonOptions& newton, const MethodOptions& options,
              const Resources& resources) {
             return make_energy_momentum(system, newton, static_cast<int>(options.number("order")),
                                         static_cast<int>(options.number("index")), resources);
           },
       .choose = choose_index},
      {.name = "generalized-alpha",
       .summary = "Lie group generalized-alpha, with numerical damping; also HHT, Newmark and the trapezoidal rule",
       .order = "2; settings newmark with rho_inf below 1: 1",
       .conserves =
           "constraints at position and velocity level (index 3: position alone); energy and momentum to second order",
       .use = "stiff models, fast rotors (exponential map: no phase error of free spin), multipliers at the end of a "
              "step. "
              "Damping is proved for linear systems only",
       .source = "Bruls & Cardona 2010; Arnold, Bruls & Cardona 2015",
       .options =
           {{"rho_inf", "spectral radius at infinite frequency: 1 no damping, 0 all in one step", 0.9, {}, {}, 0, 1},
            {"settings",
             "whose parameters: generalized-alpha is Chung and Hulbert's; trapezoidal knows no rho_inf",
             std::string("generalized-alpha"),
             {},
             {"generalized-alpha", "hht", "newmark", "trapezoidal"},
             0,
             0},
            {"update",
             "how rotations are composed: one, two or three exponentials (geom1, geom2, geom3 of the paper), "
             "the Cayley map, or the rotation vector of the step (the paper's linear method)",
             std::string("exp1"),
             {},
             {"exp1", "exp2", "exp3", "cayley", "rotation-vector"},
             0,
             0},
            {"group",
             "R3xSO3: velocities in space, spin in the body; SE3: both in the body",
             std::string("R3xSO3"),
             {},
             {"R3xSO3", "SE3"},
             0,
             0},
            {"index",
             "2: constraints at position and velocity level; 3: at position level alone, as in most papers: unstable "
             "with joints at larger steps, and at all if rho_inf is 1",
             2.0,
             {2, 3},
             {},
             0,
             0},
            {"metric",
             "of index 2: mass shifts the configuration by M^-1 B^T eta, whatever the units; identity by B^T eta, as "
             "in "
             "papers",
             std::string("mass"),
             {},
             {"mass", "identity"},
             0,
             0},
            {"start",
             "improved: starting values that keep second order for the multipliers; printed: as in the paper",
             std::string("improved"),
             {},
             {"improved", "printed"},
             0,
             0}},
       .why_not = why_not_alpha,
       .make =
           [](const System& system, const NewtonOptions& newton, const MethodOptions& options,
              const Resources& resources) {
             return make_generalized_alpha(system, newton, alpha_options(options), resources);
           }},
      {.name = "energy-decaying",
       .summary = "energy-momentum with numerical damping: energy never grows, momentum is exact",
       .order = "2",
       .conserves = "linear and angular momentum, constraints at position and velocity level, to round-off. Energy "
                    "falls in every step, "
                    "by an amount that the method tells (energy augmented: with a term of order h^2 added to it)",
       .use = "stiff models, and long runs of them: damping is proved for any model and any step. rho_inf 1 is "
              "energy-momentum",
       .source = "docs/methods/energy-decaying.md; relatives: Armero & Romero 2001, Bauchau & Theron 1996",
       .options =
           {{"rho_inf", "spectral radius at infinite frequency: 1 no damping, 0 all in one step", 0.8, {}, {}, 0, 1},
            {"energy",
             "which energy never grows: physical, or augmented, in about half the time",
             std::string("physical"),
             {},
             {"physical", "augmented"},
             0,
             0},
            {"light_bodies",
             "damped: also vibrations of light bodies under the tension of joints, for energy physical",
             std::string("free"),
             {},
             {"free", "damped"},
             0,
             0}},
       .why_not = why_not_decaying,
       .make =
           [](const System& system, const NewtonOptions& newton, const MethodOptions& options,
              const Resources& resources) {
             return make_energy_decaying(system, newton, decaying_options(options), resources);
           }},
      {.name = "lens-cardona",
       .summary = "Lens and Cardona's schemes with a jump at the start of each step: preserving, decaying, "
                  "decaying-alpha, alpha-kappa",
       .order = "2 for preserving and alpha-kappa; 1 for decaying and decaying-alpha with joints, which do not "
                "converge with alpha 0",
       .conserves = "constraints at position level, alpha-kappa at velocity level too; linear momentum; angular "
                    "momentum with torque fixed-pole. "
                    "Energy falls in every step with the decaying schemes and with kappa exact or gamma where these "
                    "are found; with "
                    "kappa one it may grow",
       .use =
           "reproducing the paper and comparing; damping of vibrations with a small period error. For mechanisms with "
           "joints energy-decaying does the same with half the unknowns, and its energy never grows",
       .source = "Lens & Cardona 2007; for any joints and laws docs/methods/lens-cardona.md",
       .options =
           {{"scheme",
             "preserving: the energy-momentum rule (geradin with half rotations); decaying: alpha is 1; "
             "decaying-alpha; "
             "alpha-kappa: constraints at velocity level too",
             std::string("alpha-kappa"),
             {},
             {"preserving", "decaying", "decaying-alpha", "alpha-kappa"},
             0,
             0},
            {"rho_inf", "spectral radius at infinite frequency: 1 no damping, 0 all in one step", 0.8, {}, {}, 0, 1},
            {"alpha",
             "instead of rho_inf, (1 - rho_inf)/(1 + rho_inf): 0 no damping, 1 the most",
             1.0 / 9,
             {},
             {},
             0,
             1},
            {"kappa",
             "of alpha-kappa. one: energy may grow; exact, gamma: a number more to find in every step, with which it "
             "does not; a step without one is taken as with one, and counted",
             std::string("one"),
             {},
             {"one", "exact", "gamma"},
             0,
             0},
            {"torque",
             "of the decaying schemes. transported; fixed-pole: momentum exact, not for fast spin; half-rotation: as "
             "Geradin's top, at most 2 rad a step",
             std::string("transported"),
             {},
             {"transported", "fixed-pole", "half-rotation"},
             0,
             0}},
       .why_not = [](const System& system, const MethodOptions&) { return why_not_tied("lens-cardona", system); },
       .make =
           [](const System& system, const NewtonOptions& newton, const MethodOptions& options,
              const Resources& resources) {
             return make_lens_cardona(system, newton, lens_cardona_options(options), resources);
           }},
      {.name = "geradin",
       .summary = "midpoint rule with half rotations, as in Geradin's top",
       .order = "2",
       .conserves = "constraints at position level; corrected: energy too; published: energy to second order only. "
                    "Angular momentum of "
                    "models with joints to second order only",
       .use = "reproducing the paper and comparing; energy-momentum conserves more. At most 2 rad a step",
       .source = "Geradin; energy corrected as in docs/methods/geradin.md",
       .options =
           {{"variant",
             "corrected: the mean angular velocity moves the body, energy exact; published: the mean momentum does",
             std::string("corrected"),
             {},
             {"corrected", "published"},
             0,
             0},
            {"parameters",
             "of the half rotation: Euler parameters or the conformal rotation vector; the motion is the same",
             std::string("euler"),
             {},
             {"euler", "conformal"},
             0,
             0}},
       .why_not = [](const System& system, const MethodOptions&) { return why_not_tied("geradin", system); },
       .make =
           [](const System& system, const NewtonOptions& newton, const MethodOptions& options,
              const Resources& resources) {
             return make_geradin(system, newton,
                                 {.published = options.word("variant") == "published",
                                  .conformal = options.word("parameters") == "conformal"},
                                 resources);
           }},
      {.name = "director",
       .summary = "Nielsen and Krenk's scheme as published, in 12 directors and 12 momenta a body",
       .order = "2",
       .conserves = "energy, linear and angular momentum, constraints at position level, orthonormal directors; all to "
                    "round-off",
       .use = "reproducing the paper, and checking energy-momentum, which is the same motion from 6 unknowns a body "
              "instead of 24. "
              "newton.tolerance is the paper's bound on the norm of the residual",
       .source = "Nielsen & Krenk 2013",
       .options = {},
       .why_not = [](const System& system, const MethodOptions&) { return why_not_tied("director", system); },
       .make = [](const System& system, const NewtonOptions& newton, const MethodOptions&,
                  const Resources& resources) { return make_director(system, newton, resources); }},
      {.name = "rattlie",
       .summary = "RATTLE on the rotation group: variational, explicit but for the constraints",
       .order = "2",
       .conserves = "momentum and constraints at position and velocity level, to round-off; energy stays bounded, to "
                    "second order. "
                    "Symmetric in time",
       .use = "long runs of mechanisms without stiff springs, where constraints must hold at velocity level too. Its "
              "step is "
              "limited by the fastest spring",
       .source = "Leimkuhler & Reich 2004; Hante & Arnold 2021",
       .options = {},
       .why_not = [](const System& system, const MethodOptions&) { return why_not_tied("rattlie", system); },
       .make = [](const System& system, const NewtonOptions& newton, const MethodOptions&,
                  const Resources& resources) { return make_rattlie(system, newton, resources); }},
      explicit_method("simo-wong", "explicit, one chain; exact momentum of bodies on springs",
                      ExplicitMethod::simo_wong, "trapezoidal",
                      "Angular momentum of bodies on springs: with impulse trapezoidal to round-off, with midpoint to "
                      "second order. Energy: bounded "
                      "with trapezoidal",
                      "With impulse midpoint it is unstable at every step for elastic forces and on tops, weakly: "
                      "spectral radius 1.0060 at a "
                      "tenth of the period",
                      "Simo & Wong 1991; Hulbert 1992"),
      explicit_method("predictor-corrector", "explicit, one chain; weakly unstable for every step: short runs only",
                      ExplicitMethod::predictor_corrector, "midpoint",
                      "Angular momentum of bodies on springs: with impulse midpoint to round-off, with trapezoidal to "
                      "second order. Energy grows",
                      "It gains energy from rotation at every step, with the third power of it, whatever the impulse",
                      "Hulbert 1992"),
      explicit_method("staggered",
                      "explicit, two chains half a step apart; the best of its family with midpoint impulses",
                      ExplicitMethod::staggered, "midpoint",
                      "Angular momentum of bodies on springs: to second order. Energy: bounded with impulse midpoint",
                      "With impulse trapezoidal it is unstable at every step for elastic forces, and its chains part: "
                      "spectral radius 1.884 at a "
                      "tenth of the period",
                      "Hulbert 1992"),
      {.name = "park-chiou-downer",
       .summary = "explicit, two chains of rates; for comparison, it does not keep angular momentum",
       .order = "2",
       .conserves = "linear momentum and the rotation group, to round-off; angular momentum to second order, and its "
                    "chains part in long runs",
       .use = "comparing with the literature. Not for joints: use rattlie. The step is limited by the fastest spring "
              "and by spin",
       .source = "Park, Chiou & Downer 1990; Hulbert 1992",
       .options = {},
       .why_not = [](const System& system,
                     const MethodOptions&) { return why_not_explicit("park-chiou-downer", system); },
       .make =
           [](const System& system, const NewtonOptions&, const MethodOptions&, const Resources&) {
             return make_explicit_momentum(system, ExplicitMethod::park_chiou_downer, Impulse::midpoint);
           }},
  };
  return table;
}

}  // namespace

const std::deque<Method>& methods() { return table(); }

void register_method(Method method) {
  if (method.name.empty() || !method.make)
    throw ModelError("register_method: a method needs a name and a function that makes its integrator");
  for (const Method& other : table())
    if (other.name == method.name)
      throw ModelError(
          fmt::format("register_method: there is an integrator \"{}\" already: {}; give yours another name",
                      method.name, other.summary));
  table().push_back(std::move(method));
}

const Method& find_method(const std::string& name) {
  std::vector<std::string> names;
  for (const Method& method : methods()) {
    if (method.name == name) return method;
    names.push_back(method.name);
  }
  throw ModelError(fmt::format("simulation.integrator: there is no integrator \"{}\"; there are: {}{}", name,
                               fmt::join(names, ", "), did_you_mean(name, names)));
}

namespace {

/// All values of an option that is one of several.
std::string alternatives(const OptionInfo& option) {
  std::vector<std::string> all = option.words;
  for (const double number : option.numbers) all.push_back(fmt::format("{}", number));
  return fmt::format("{}", fmt::join(all, " or "));
}

/// What is wrong with a value; empty if nothing is.
std::string what_is_wrong(const OptionInfo& option, const OptionValue& value) {
  const auto among = [](const auto& all, const auto& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  };
  if (const double* number = std::get_if<double>(&value)) {
    if (!option.numbers.empty())
      return among(option.numbers, *number) ? "" : fmt::format("is {}; it can be {}", *number, alternatives(option));
    if (!option.words.empty()) return "expected a word";
    return *number >= option.least && *number <= option.most
               ? ""
               : fmt::format("is {}; it must be between {} and {}", *number, option.least, option.most);
  }
  if (option.words.empty()) return "expected a number";
  const std::string& word = std::get<std::string>(value);
  return among(option.words, word) ? "" : fmt::format("is \"{}\"; it can be {}", word, alternatives(option));
}

}  // namespace

MethodOptions complete_options(const Method& method, const IntegratorChoice& choice) {
  std::vector<std::string> findings, names;
  std::map<std::string, OptionValue> values;
  for (const OptionInfo& option : method.options) {
    names.push_back(option.name);
    values[option.name] = option.initial;
  }
  if (values.contains("alpha") && values.contains("rho_inf")) {  // two names of one number: the one that is given stays
    if (choice.options.contains("alpha") && choice.options.contains("rho_inf"))
      findings.push_back(
          "simulation.integrator: alpha and rho_inf are both given; they are one number, alpha = (1 - rho_inf)/(1 + "
          "rho_inf)");
    values.erase(choice.options.contains("alpha") ? "rho_inf" : "alpha");
  }
  for (const auto& [name, value] : choice.options) {
    const std::string where = fmt::format("simulation.integrator.{}", name);
    const auto option = std::find_if(method.options.begin(), method.options.end(),
                                     [&, &wanted = name](const OptionInfo& o) { return o.name == wanted; });
    if (option == method.options.end()) {
      findings.push_back(fmt::format("{}: {} has no such option; its options are: {}{}", where, method.name,
                                     fmt::join(names, ", "), did_you_mean(name, names)));
      continue;
    }
    if (const std::string wrong = what_is_wrong(*option, value); !wrong.empty())
      findings.push_back(fmt::format("{}: {}", where, wrong));
    values[name] = value;
  }
  if (!findings.empty()) throw ModelError(findings);
  return MethodOptions(values);
}

SettledOptions settle_options(const System& system, const IntegratorChoice& choice) {
  const Method& method = find_method(choice.name);
  SettledOptions settled{complete_options(method, choice), {}};
  if (method.choose) settled.chosen = method.choose(system, settled.options);
  for (const ChosenOption& chosen : settled.chosen) settled.options.set(chosen.name, chosen.value);
  return settled;
}

std::string in_words(const std::string& method, const SettledOptions& settled) {
  std::string text = method;
  for (const auto& [name, value] : settled.options.all()) {
    text += std::holds_alternative<double>(value) ? fmt::format(", {} {:g}", name, std::get<double>(value))
                                                  : fmt::format(", {} {}", name, std::get<std::string>(value));
    for (const ChosenOption& chosen : settled.chosen)
      if (chosen.name == name) text += fmt::format(" (auto: {})", chosen.reason);
  }
  return text;
}

std::optional<std::string> why_not(const System& system, const IntegratorChoice& choice) {
  const Method& method = find_method(choice.name);
  return method.why_not ? method.why_not(system, settle_options(system, choice).options) : std::nullopt;
}

std::optional<std::string> why_not(const System& system, const IntegratorChoice& choice, const State& state, double h) {
  if (auto reason = why_not(system, choice)) return reason;
  return make_integrator(system, choice)->why_not(state, h);
}

std::unique_ptr<Integrator> make_integrator(const System& system, const IntegratorChoice& choice,
                                            const NewtonOptions& newton, const Resources& resources) {
  if (const auto reason = why_not(system, choice)) throw ModelError(*reason);
  return find_method(choice.name).make(system, newton, settle_options(system, choice).options, resources);
}

}  // namespace polhode
