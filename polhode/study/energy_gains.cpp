#include <polhode/study/energy_gains.hpp>

#include <fmt/format.h>

#include <polhode/model/error.hpp>
#include <polhode/simulate/simulation.hpp>

namespace polhode {
namespace {

IntegratorChoice lens(const std::string& scheme, const std::string& kappa, const std::string& torque) {
  return {"lens-cardona", {{"scheme", scheme}, {"rho_inf", 0.5}, {"kappa", kappa}, {"torque", torque}}};
}

std::string cell(const Gains& gains) {
  if (!gains.failure.empty()) return "no run";
  const std::string fallbacks = gains.fallbacks > 0 ? fmt::format(", {} fallbacks", gains.fallbacks) : std::string();
  if (gains.gaining == 0)
    return gains.fallbacks > 0 ? fmt::format("no ({} fallbacks)", gains.fallbacks) : std::string("no");
  return fmt::format("gains ({} of {}{})", gains.gaining, gains.steps, fallbacks);
}

}  // namespace

Gains count_gains(const Model& model, const IntegratorChoice& integrator) {
  Model own = model;
  own.simulation.integrator = integrator;
  try {
    const Certificate c = Simulation(own).run();
    // the certificate counts a gain against the energy that has moved so far, which is next to none when a model starts
    // from rest
    const long gaining = c.energy.largest_gain > 1e-12 ? c.energy.gaining_steps : 0;
    return {gaining, c.steps, c.newton.fallbacks, c.complete() ? std::string() : c.reason};
  } catch (const ModelError& error) {
    return {0, 0, 0, error.what()};
  }
}

std::vector<std::pair<std::string, IntegratorChoice>> methods_with_gains() {
  return {{"lens-cardona decaying-alpha", lens("decaying-alpha", "one", "transported")},
          {"alpha-kappa, one", lens("alpha-kappa", "one", "transported")},
          {"alpha-kappa, exact", lens("alpha-kappa", "exact", "transported")},
          {"alpha-kappa, gamma", lens("alpha-kappa", "gamma", "transported")},
          {"fixed-pole, one", lens("alpha-kappa", "one", "fixed-pole")},
          {"fixed-pole, gamma", lens("alpha-kappa", "gamma", "fixed-pole")},
          {"energy-decaying", {"energy-decaying", {{"rho_inf", 0.5}}}},
          {"generalized-alpha", {"generalized-alpha", {{"rho_inf", 0.5}, {"index", 3.0}}}},
          {"energy-momentum", {"energy-momentum", {{"index", 3.0}}}}};
}

const std::vector<GainRun>& gain_runs() {
  static const std::vector<GainRun> runs{{"lens_a", 0.02, 100},
                                         {"lens_b", 0.02, 100},
                                         {"lens_c", 0.01, 90},
                                         {"lens_d", 0.01, 70},
                                         {"heavy_top", 1e-3, 100},
                                         {"geradin_top_2", 5e-3, 100},
                                         {"kovalevskaya_top", 0.01, 100},
                                         {"free_rigid_body", 0.01, 100},
                                         {"chain_spherical", 0.02, 100},
                                         {"chain_revolute", 0.02, 100},
                                         {"planar_four_bar", 0.01, 100},
                                         {"four_bar_2", 0.01, 100},
                                         {"bennett", 0.01, 100},
                                         {"bricard", 0.02, 100},
                                         {"slider_crank", 0.01, 100},
                                         {"flyball_governor", 5e-3, 100},
                                         {"car_axis", 0.01, 100},
                                         {"driven_revolute", 0.01, 100},
                                         {"gear_train", 0.01, 100},
                                         {"screw", 0.01, 100}};
  return runs;
}

std::string gain_table(const std::vector<GainCase>& cases) {
  const auto methods = methods_with_gains();
  std::string head = "| model |", line = "| --- |", rows;
  for (const auto& [name, choice] : methods) {
    head += fmt::format(" {} |", name);
    line += " --- |";
  }
  for (const GainCase& one : cases) {
    rows += fmt::format("| `{}`, h = {:g} s |", one.name, one.model.simulation.step);
    for (const auto& [name, choice] : methods) rows += fmt::format(" {} |", cell(count_gains(one.model, choice)));
    rows += "\n";
  }
  return fmt::format("{}\n{}\n{}", head, line, rows);
}

}  // namespace polhode
