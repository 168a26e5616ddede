// The figures of the page on Hulbert.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <polhode/papers/hulbert_exhibits.hpp>

namespace polhode::papers::hulbert {
namespace {

/// A number of every part of a history, against time.
Curve line(const std::string& label, const History& h, double History::Part::*y) {
  Curve out{label, {}, {}, Curve::Style::line};
  for (const History::Part& p : h.parts) {
    out.x.push_back(p.time);
    out.y.push_back(p.*y);
  }
  return out;
}

std::string file_label(const Scheme& s) {
  std::string out = s.method;
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

/// Relative change of energy since t = 2 s, in 1e-4, and spin of the tumbling body between two times.
std::pair<Curve, Curve> energy_and_spin(const std::string& label, const Scheme& scheme, double from, double to) {
  std::pair<Curve, Curve> out{{label, {}, {}, Curve::Style::line}, {label, {}, {}, Curve::Style::line}};
  double E0 = 0;
  long count = 0;
  steps(tumbling_body(), scheme.choice(), 1e-3, to, [&](const System& system, const State& state) {
    const Vec3 Omega = state.nodes[0].Omega;
    const double E = system.inertia[0].energy_of_rotation(Omega);
    if (state.t < 2.0005) E0 = E;
    if (state.t < from || count++ % 10 != 0) return;
    out.first.x.push_back(state.t);
    out.first.y.push_back(1e4 * (E / E0 - 1));
    out.second.x.push_back(state.t);
    out.second.y.push_back(Omega.z());
  });
  return out;
}

}  // namespace

Drawing tumbling_drawing(const Scheme& s, int number) {
  Drawing out{fmt::format("tumbling_{}", file_label(s)),
              fmt::format("As Fig. {}: {}, h = 1 ms", number, method_label(s)),
              {},
              3};
  Figure pi{"angular momentum in space", {"time [s]"}, {"pi [N m s]"}, {}},
      W{"angular velocity in the body", {"time [s]"}, {"Omega [rad/s]"}, {}},
      T{"kinetic energy", {"time [s]"}, {"T [J]"}, {}};
  for (Figure* f : {&pi, &W})
    for (const char* label : {"e1", "e2", "e3"}) f->curves.push_back({label, {}, {}, Curve::Style::line});
  T.curves.push_back({"", {}, {}, Curve::Style::line});
  long count = 0;
  steps(tumbling_body(), s.choice(), 1e-3, 10, [&](const System& system, const State& state) {
    if (count++ % 10 != 0) return;
    const Vec3 Omega = state.nodes[0].Omega, momentum = system.inertia[0].spin(Omega),
               in_space = state.nodes[0].q * momentum;
    for (int k = 0; k < 3; ++k) {
      pi.curves[k].x.push_back(state.t);
      pi.curves[k].y.push_back(in_space[k]);
      W.curves[k].x.push_back(state.t);
      W.curves[k].y.push_back(Omega[k]);
    }
    T.curves[0].x.push_back(state.t);
    T.curves[0].y.push_back(0.5 * Omega.dot(momentum));
  });
  for (Figure* f : {&pi, &W, &T}) {
    f->width = 300;
    f->height = 220;
  }
  out.panels = {pi, W, T};
  return out;
}

Drawing free_energy_drawing(const LongRuns& runs) {
  Drawing out{"tumbling_energy",
              "5.1: relative change of energy after the torques, h = 1 ms. Below: the bursts of "
              "Park-Chiou-Downer after 190 s, and the angular velocity that goes with them",
              {},
              2};
  const std::string change = "(E - E(2 s))/E(2 s) [1e-4]";
  Figure growing{"predictor-corrector", {"time [s]"}, {change}, {}}, bounded{"bounded", {"time [s]"}, {change}, {}},
      bursts{"Park-Chiou-Downer", {"time [s]"}, {change}, {}},
      spin{"Park-Chiou-Downer", {"time [s]"}, {"Omega3 [rad/s]"}, {}};
  const History& gain = runs.free.at(&scheme("predictor-corrector"));
  growing.curves = {line("", gain, &History::Part::energy_high)};
  for (double& y : growing.curves[0].y) y *= 1e4 / gain.energy;
  bounded.curves = {energy_and_spin("Simo-Wong", scheme("simo-wong"), 2, 12).first,
                    energy_and_spin("staggered", scheme("staggered"), 2, 12).first};
  auto [energy, Omega] = energy_and_spin("", scheme("park-chiou-downer"), 190, 200);
  bursts.curves = {std::move(energy)};
  spin.curves = {std::move(Omega)};
  out.panels = {growing, bounded, bursts, spin};
  return out;
}

Drawing short_top_drawing() {
  Drawing out{"top_staggered", "As Fig. 6: staggered, midpoint, h = 1 ms", {}, 3};
  Figure axis{"the top's axis", {"time [s]"}, {"component"}, {}},
      W{"angular velocity in the body", {"time [s]"}, {"Omega [rad/s]"}, {}},
      nutation{"nutation", {"time [s]"}, {"angle of the axis with e3 [rad]"}, {}};
  for (const char* label : {"e1", "e2", "e3"}) axis.curves.push_back({label, {}, {}, Curve::Style::line});
  for (const char* label : {"e1", "e2"}) W.curves.push_back({label, {}, {}, Curve::Style::line});
  nutation.curves.push_back({"", {}, {}, Curve::Style::line});
  long count = 0;
  steps(fast_top(), scheme("staggered").choice(), 1e-3, 5, [&](const System&, const State& state) {
    if (count++ % 5 != 0) return;
    const Vec3 a = state.nodes[0].q * Vec3::UnitZ(), Omega = state.nodes[0].Omega;
    for (int k = 0; k < 3; ++k) axis.curves[k].x.push_back(state.t), axis.curves[k].y.push_back(a[k]);
    if (state.t <= 1)
      for (int k = 0; k < 2; ++k) W.curves[k].x.push_back(state.t), W.curves[k].y.push_back(Omega[k]);
    nutation.curves[0].x.push_back(state.t), nutation.curves[0].y.push_back(std::acos(a.z()));
  });
  for (Figure* f : {&axis, &W, &nutation}) {
    f->width = 300;
    f->height = 220;
  }
  out.panels = {axis, W, nutation};
  return out;
}

Drawing long_top_drawing(const LongRuns& runs) {
  Drawing out{"top_nutation",
              "As Figs. 7 to 10: smallest and largest nutation in every 5 s, h = 1 ms; those of the exact motion "
              "are 0.3 and 0.3267337 rad (dashed)",
              {},
              2};
  for (const Scheme& s : schemes()) {
    Figure f{s.label, {"time [s]"}, {"nutation [rad]"}, {}};
    f.height = 150;
    f.curves = {line("", runs.long_top.at(&s), &History::Part::nutation_low),
                line("", runs.long_top.at(&s), &History::Part::nutation_high)};
    f.curves[1].look = f.curves[0].look = 0;
    for (const double limit : {0.3, 0.3267337})
      f.curves.push_back({"", {0, 2000}, {limit, limit}, Curve::Style::dashed});
    f.y.range = s.label == "staggered, trapezoidal" ? std::pair{0.24, 0.35} : std::pair{0.29, 0.335};
    out.panels.push_back(std::move(f));
  }
  return out;
}

Drawing top_energy_drawing(const LongRuns& runs) {
  Drawing out{"top_energy", "5.2: largest change of energy in every part of the time, h = 1 ms", {}, 1};
  Figure f{"5.2, fast top", {"time [s]"}, {"largest |E - E(0)| [J]", true}, {}};
  for (const Scheme& s : schemes()) {
    Curve c{s.label, {}, {}, Curve::Style::line};
    for (const History::Part& p : runs.long_top.at(&s).parts) {
      c.x.push_back(p.time);
      c.y.push_back(std::max(std::abs(p.energy_low), std::abs(p.energy_high)));
    }
    f.curves.push_back(std::move(c));
  }
  f.width = 560;
  f.legend = Figure::Legend::right;
  out.panels = {f};
  return out;
}

Orders orders(const Progress& progress) {
  Orders out;
  out.drawing = {"convergence", "Errors against the step", {}, 2};
  out.table = {"orders",
               "Errors, and the order between the two smallest steps. Body: that of 5.1, thrown with (1, 2, 8) rad/s "
               "and left alone, angular velocity at 2 s [rad/s]; top: that of 5.2, axis at 1 s [rad]",
               {"problem", "method", "h = 10 ms", "5 ms", "2.5 ms", "1.25 ms", "0.625 ms", "order"},
               {}};
  const auto study = [&](const std::string& name, const std::string& label, const std::function<double(double)>& error,
                         Figure& figure) {
    tell(progress, fmt::format("hulbert: order of {}, {}", label, name));
    Curve curve{label, {}, {}, Curve::Style::markers};
    std::vector<std::string> row = {name, label};
    for (const double h : {1e-2, 5e-3, 2.5e-3, 1.25e-3, 6.25e-4}) {
      curve.x.push_back(h);
      curve.y.push_back(error(h));
      row.push_back(number(curve.y.back(), 5));
    }
    const double order = std::log2(curve.y[3] / curve.y[4]);
    out.least = std::min(out.least, order);
    out.most = std::max(out.most, order);
    row.push_back(fmt::format("{:.2f}", order));
    out.table.rows.push_back(std::move(row));
    figure.curves.push_back(std::move(curve));
  };
  Figure body{"body of 5.1, thrown, t = 2 s", {"step h [s]", true}, {"error of Omega [rad/s]", true}, {}},
      top{"5.2, fast top, t = 1 s", {"step h [s]", true}, {"error of the axis [rad]", true}, {}};
  const Vec3 Omega = exact(thrown_body(), 2).Omega, axis = exact(fast_top(), 1).q * Vec3::UnitZ();
  for (const Scheme* s : free_schemes())
    study(
        "body", method_label(*s), [&](double h) { return (end_of(thrown_body(), *s, h, 2).Omega - Omega).norm(); },
        body);
  for (const Scheme& s : schemes())
    study(
        "top", s.label, [&](double h) { return (end_of(fast_top(), s, h, 1).q * Vec3::UnitZ() - axis).norm(); }, top);
  body.slopes = top.slopes = {{2, "order 2"}};
  out.drawing.panels = {body, top};
  return out;
}

}  // namespace polhode::papers::hulbert
