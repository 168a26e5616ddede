// The tables of the page on Hulbert.
#include <cmath>

#include <fmt/format.h>

#include <polhode/papers/bruls_cardona.hpp>
#include <polhode/papers/hulbert_exhibits.hpp>
#include <polhode/study/spectrum.hpp>

namespace polhode::papers::hulbert {
namespace {

std::string fixed(double value, int digits) { return fmt::format("{:.{}f}", value, digits); }

}  // namespace

Growth growth(const Progress& progress) {
  Growth out{{"growth",
              "5.1, predictor-corrector: relative gain of energy from 2 s to 200 s; the push lasts one step",
              {"h [s]", "gain", "gain over the one before"},
              {}},
             {}};
  for (const double h : {5e-4, 1e-3, 2e-3, 4e-3, 1e-2}) {
    tell(progress, fmt::format("hulbert: growth at h = {} s", h));
    const History run = history(tumbling_body(h), scheme("predictor-corrector"), h, 200, 2);
    const double gain = run.final / run.energy;
    out.table.rows.push_back(
        {fmt::format("{:g}", h), number(gain, 3), out.gains.empty() ? "" : number(gain / out.gains.back(), 3)});
    out.gains.push_back(gain);
  }
  return out;
}

Table tumbling_table() {
  const NodeState truth = exact(tumbling_body(), 5);
  const Vec3 J(5, 10, 1);
  Table t{
      "tumbling",
      "5.1 at t = 5 s, h = 1 ms. The motion spreads rounding to the digits that are left out",
      {"method", "Omega1 [rad/s]", "Omega2 [rad/s]", "Omega3 [rad/s]", "kinetic energy [J]", "error of Omega [rad/s]"},
      {}};
  const auto add = [&](const std::string& label, const NodeState& s) {
    const double T = 0.5 * s.Omega.dot(J.cwiseProduct(s.Omega)), e = (s.Omega - truth.Omega).norm();
    t.rows.push_back({label, fixed(s.Omega[0], 9), fixed(s.Omega[1], 9), fixed(s.Omega[2], 9), fixed(T, 8),
                      e == 0 ? "" : number(e, 4)});
  };
  add("exact", truth);
  for (const Scheme* s : free_schemes()) add(method_label(*s), end_of(tumbling_body(), *s, 1e-3, 5));
  return t;
}

Table top_table() {
  const NodeState truth = exact(fast_top(), 1);
  Table t{"top",
          "5.2 at t = 1 s, h = 1 ms: the top's axis, and its angular velocity across it",
          {"method", "axis x", "axis y", "axis z", "Omega1 [rad/s]", "Omega2 [rad/s]", "error of the axis [rad]"},
          {}};
  const Vec3 axis = truth.q * Vec3::UnitZ();
  const auto add = [&](const std::string& label, const NodeState& s) {
    const Vec3 a = s.q * Vec3::UnitZ();
    const double e = a.cross(axis).norm();
    t.rows.push_back({label, fixed(a[0], 12), fixed(a[1], 12), fixed(a[2], 12), fixed(s.Omega[0], 12),
                      fixed(s.Omega[1], 12), e == 0 ? "" : number(e, 4)});
  };
  add("exact", truth);
  for (const Scheme& s : schemes()) add(s.label, end_of(fast_top(), s, 1e-3, 1));
  return t;
}

Table free_table(const LongRuns& runs) {
  Table t{
      "tumbling_long",
      "5.1, h = 1 ms, from t = 2 s on: energy less its value at 2 s, over that; angular momentum in space; "
      "distance of the two chains",
      {"method", "until [s]", "E, lowest", "E, highest", "E, at the end", "momentum, relative", "chains apart [N m s]"},
      {}};
  for (const Scheme* s : free_schemes())
    for (const auto& [end, all] : {std::pair{"200", &runs.free}, {"2000", &runs.long_free}}) {
      const History& h = all->at(s);
      t.rows.push_back({method_label(*s), end, number(h.lowest / h.energy, 3), number(h.highest / h.energy, 3),
                        number(h.final / h.energy, 3), number(h.momentum_error / h.momentum.norm(), 2),
                        has_two_chains(*s) ? number(h.chains_apart, 2) : ""});
    }
  return t;
}

Table top_long_table(const LongRuns& runs) {
  const History& any = runs.top.begin()->second;
  Table t{
      "top_long",
      fmt::format("5.2, h = 1 ms: largest change of the energy of {:.1f} J and of the vertical angular momentum "
                  "of {:.2f} N m s, range of the nutation, distance of the two chains",
                  any.energy, any.momentum.z()),
      {"method", "until [s]", "change of E [J]", "vertical momentum [N m s]", "nutation [rad]", "chains apart [N m s]"},
      {}};
  for (const Scheme& s : schemes())
    for (const auto& [end, all] : {std::pair{"200", &runs.top}, {"2000", &runs.long_top}}) {
      const History& h = all->at(&s);
      t.rows.push_back({s.label, end, number(h.largest(), 3), number(h.vertical_momentum_error, 2),
                        fmt::format("{:.3f} to {:.3f}", h.least_nutation, h.most_nutation),
                        has_two_chains(s) ? number(h.chains_apart, 2) : ""});
    }
  return t;
}

Table spectral_table() {
  Table t{"spectrum",
          "Spectral radius on the linear oscillator, of the implemented step (`polhode spectrum`); above 1: unstable",
          {"method", "h/T = 0.01", "0.1", "0.2", "0.3"},
          {}};
  for (const Scheme& s : schemes()) {
    std::vector<std::string> row = {s.label};
    for (const SpectralPoint& p : spectrum(s.choice(), {.01, .1, .2, .3}).points)
      row.push_back(std::abs(p.radius - 1) < 1e-9
                        ? "1"
                        : fmt::format("1 {} {:.3g}", p.radius > 1 ? '+' : '-', std::abs(p.radius - 1)));
    t.rows.push_back(std::move(row));
  }
  return t;
}

Table top_joint_table() {
  Table t{"rattlie_top",
          "`rattlie` on the heavy top with its tip held by a joint (problem 7.5 of Brüls & Cardona): mean error of "
          "the centre over 0.32 to 0.5 s",
          {"h [s]", "error [m]", "order"},
          {}};
  double before = 0;
  for (const double h : {.0025, .00125, .000625}) {
    const double e = bruls_cardona::error(bruls_cardona::problem("7.5"), {"rattlie", {}}, h);
    t.rows.push_back({fmt::format("{:g}", h), number(e, 7), before > 0 ? fixed(std::log2(before / e), 2) : ""});
    before = e;
  }
  return t;
}

Table chain_table(const Progress& progress) {
  Table t{"rattlie_chain",
          "`rattlie` on four links: centre of the last one at t = 1 s",
          {"h [s]", "x [m]", "y [m]", "z [m]"},
          {}};
  const auto add = [&](const std::string& label, const Vec3& x) {
    t.rows.push_back({label, fixed(x[0], 12), fixed(x[1], 12), fixed(x[2], 12)});
  };
  for (const double h : {.004, .002, .001}) {
    tell(progress, fmt::format("hulbert: four links, h = {} s", h));
    add(fmt::format("{:g}", h), chain_run(four_links(), h, 1).last);
  }
  add("exact", exact_nodes(four_links(), 1).back().x);
  return t;
}

Table chain_energy_table(const Progress& progress) {
  Table t{"rattlie_energy",
          "`rattlie` on four links over 10 s: largest changes. The chain that hangs is chaotic; the one that "
          "flies has no ground and no weight",
          {"chain", "h [s]", "energy at the start [J]", "change of energy [J]", "change of angular momentum [N m s]"},
          {}};
  for (const double h : {.01, .005, .002}) {
    tell(progress, fmt::format("hulbert: energy of four links, h = {} s", h));
    const ChainRun run = chain_run(four_links(), h, 10);
    t.rows.push_back(
        {"hanging", fmt::format("{:g}", h), number(run.energy, 4), number(run.energy_error, 3), "(not conserved)"});
  }
  const ChainRun run = chain_run(flying_links(), .002, 10);
  t.rows.push_back(
      {"flying", "0.002", number(run.energy, 4), number(run.energy_error, 3), number(run.momentum_error, 2)});
  return t;
}

}  // namespace polhode::papers::hulbert
