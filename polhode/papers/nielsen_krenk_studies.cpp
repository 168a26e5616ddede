#include <polhode/papers/nielsen_krenk_studies.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <polhode/study/convergence.hpp>

namespace polhode::papers::nielsen_krenk {
namespace {

/// The twelve edges of every box, seen along an axis of space: u and v are the axes of the drawing.
Curve boxes(const Instant& instant, int u, int v) {
  const Vec3 half(0.5, 0.25, 1.5);
  Curve out{"", {}, {}, Curve::Style::line, 0};
  const double gap = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t k = 0; k < instant.x.size(); ++k)
    for (int axis = 0; axis < 3; ++axis)
      for (const int a : {-1, 1})
        for (const int b : {-1, 1}) {
          for (const int end : {-1, 1}) {
            Vec3 corner;
            corner[axis] = end * half[axis], corner[(axis + 1) % 3] = a * half[(axis + 1) % 3],
            corner[(axis + 2) % 3] = b * half[(axis + 2) % 3];
            const Vec3 x = instant.x[k] + instant.Q[k] * corner;
            out.x.push_back(x[u]), out.y.push_back(x[v]);
          }
          out.x.push_back(gap), out.y.push_back(gap);
        }
  return out;
}

/// Where the end of the chain has been.
Curve trace(const Motion& motion, double until, int u, int v) {
  Curve out{"", {}, {}, Curve::Style::dashed};
  for (const Instant& i : motion.instants) {
    if (i.time > until + 1e-9) break;
    const Vec3 end = i.x.back() + i.Q.back() * Vec3(0, 0, -1.5);
    out.x.push_back(end[u]), out.y.push_back(end[v]);
  }
  return out;
}

Curve curve(const std::string& label, const Motion& motion, double (*of)(const Instant&), int look) {
  Curve out{label, {}, {}, Curve::Style::line, look};
  for (const Instant& i : motion.instants) out.x.push_back(i.time), out.y.push_back(of(i));
  return out;
}

}  // namespace

Drawing snapshots(const Example& e, const Motion& motion) {
  const std::array<double, 4> times = {0, 1, 2, 3};
  const bool spatial = e.joints == "spherical";
  Drawing out{
      fmt::format("motion_{}", e.model),
      fmt::format("{}: the chain at four instants, as Fig. {} of the paper, h = {:g} s{}; dashed: the way of its end",
                  e.name, spatial ? 5 : 2, e.step, spatial ? ". Above: seen along x1, below: along x2" : ""),
      {},
      4};
  for (const int u : spatial ? std::vector{1, 0} : std::vector{1})
    for (const double t : times) {
      Figure f{fmt::format("t = {:g} s", t),
               {u == 1 ? "x2 [m]" : "x1 [m]", false, {{-10, 10}}},
               {"x3 [m]", false, {{-12.5, 2.5}}},
               {}};
      f.curves = {trace(motion, t, u, 2), boxes(motion.at(t), u, 2)};
      f.width = 240, f.height = 180;
      f.legend = Figure::Legend::none;
      out.panels.push_back(std::move(f));
    }
  return out;
}

Drawing conservation(const Example& e, const Motion& motion) {
  const bool spatial = e.joints == "spherical";
  Figure energy{"energy", {"time [s]"}, {"energy [J]"}, {}},
      momentum{"angular momentum about the origin", {"time [s]"}, {"l [N m s]"}, {}},
      internal{"internal constraints", {"time [s]"}, {"largest |e|, |C(q)p| [kg m/s]", true}, {}},
      external{"external constraints", {"time [s]"}, {"largest |Phi| [m, 1]", true}, {}},
      energy_error{"error of the energy", {"time [s]"}, {"|E - E(0)| [J]", true}, {}},
      l3_error{"error of the angular momentum", {"time [s]"}, {"|l3| [N m s]", true}, {}};
  energy.curves = {curve(
                       "E", motion, [](const Instant& i) { return i.T + i.V; }, 0),
                   curve(
                       "T", motion, [](const Instant& i) { return i.T; }, 1),
                   curve(
                       "V", motion, [](const Instant& i) { return i.V; }, 2)};
  momentum.curves = {curve(
                         "l1", motion, [](const Instant& i) { return i.l.x(); }, 0),
                     curve(
                         "l2", motion, [](const Instant& i) { return i.l.y(); }, 1),
                     curve(
                         "l3", motion, [](const Instant& i) { return i.l.z(); }, 2)};
  const Curve tolerance{
      "tolerance of the residual", {0, e.end_time}, {paper_tolerance, paper_tolerance}, Curve::Style::dashed};
  internal.curves = {tolerance,
                     curve(
                         "C(q)p", motion, [](const Instant& i) { return i.Cp; }, 1),
                     curve(
                         "e(q)", motion, [](const Instant& i) { return i.e; }, 0)};
  external.curves = {tolerance, curve(
                                    "Phi", motion, [](const Instant& i) { return i.Phi; }, 0)};
  internal.y.range = external.y.range = {{1e-17, 1e-6}};
  Curve defect{"director", {}, {}, Curve::Style::line, 0};
  for (const Instant& i : motion.instants)
    defect.x.push_back(i.time), defect.y.push_back(std::abs(i.T + i.V - motion.instants[0].T - motion.instants[0].V));
  defect.label.clear();
  energy_error.curves = {tolerance, defect};
  l3_error.curves = {tolerance, curve(
                                    "", motion, [](const Instant& i) { return std::abs(i.l.z()); }, 0)};
  energy_error.y.range = l3_error.y.range = {{1e-15, 1e-6}};
  Drawing out{
      fmt::format("conservation_{}", e.model),
      fmt::format("{}: as Figs. {} and {} of the paper, director, h = {:g} s, tolerance 1e-8; below them the errors of "
                  "energy and l3{}",
                  e.name, spatial ? 6 : 3, spatial ? 7 : 4, e.step, spatial ? "" : ". l3 is exactly 0 in the plane"),
      {energy, momentum, internal, external, energy_error},
      2};
  if (spatial) out.panels.push_back(l3_error);
  return out;
}

Figure chaos(const Example& e, const Motion& motion) {
  const Motion other = run(e, director(), e.step, e.end_time, NewtonOptions{}.tolerance);
  Figure f{fmt::format("{}: 1e-8 against rounding", e.name), {"time [s]"}, {"distance of x4 [m]", true}, {}};
  Curve c{"", {}, {}, Curve::Style::line, 0};
  for (std::size_t k = 1; k < motion.instants.size(); ++k)
    c.x.push_back(motion.instants[k].time),
        c.y.push_back((motion.instants[k].x.back() - other.instants[k].x.back()).norm());
  f.curves = {c};
  return f;
}

Table positions(const Progress& progress) {
  Table t{"positions",
          "Centres of bodies 2 and 4, kinetic energy and l1; director to rounding, and the exact motion",
          {"example", "h [s]", "t [s]", "x2_1 [m]", "x2_2 [m]", "x2_3 [m]", "x4_1 [m]", "x4_2 [m]", "x4_3 [m]", "T [J]",
           "l1 [N m s]"},
          {}};
  const auto put = [](std::vector<std::string>& row, const Vec3& x) {
    for (int k = 0; k < 3; ++k) row.push_back(fmt::format("{:.9f}", std::abs(x[k]) < 1e-12 ? 0.0 : x[k]));
  };
  for (const Example& e : examples()) {
    for (const double h : e.name == "6.1" ? std::vector{0.01} : std::vector{0.1, 0.01}) {
      tell(progress, fmt::format("nielsen-krenk: positions of {}, h = {:g} s", e.name, h));
      const Motion motion = run(e, director(), h, 5, NewtonOptions{}.tolerance);
      for (const double time : {1.0, 2.0, 3.0, 5.0}) {
        const Instant& i = motion.at(time);
        std::vector<std::string> row = {e.name, fmt::format("{:g}", h), fmt::format("{:g}", time)};
        put(row, i.x[1]), put(row, i.x[3]);
        row.push_back(fmt::format("{:.7f}", i.T)), row.push_back(fmt::format("{:.7f}", i.l.x()));
        t.rows.push_back(std::move(row));
      }
    }
    for (const double time : {1.0, 2.0, 3.0, 5.0}) {
      std::vector<std::string> row = {e.name, "exact", fmt::format("{:g}", time)};
      const std::vector<Vec3> x = exact(e, time);
      put(row, x[1]), put(row, x[3]);
      row.insert(row.end(), {"", ""});
      t.rows.push_back(std::move(row));
    }
  }
  return t;
}

Figures figures_of(const Motion& m) {
  Figures f{};
  f.energy = m.energy_error(), f.relative = f.energy / m.energy_scale(), f.l3 = m.l3_error();
  f.e = m.largest([](const Instant& i) { return i.e; });
  f.Cp = m.largest([](const Instant& i) { return i.Cp; });
  f.Phi = m.largest([](const Instant& i) { return i.Phi; });
  f.l_other = m.largest([](const Instant& i) { return std::hypot(i.l.y(), i.l.z()); });
  f.most = static_cast<int>(m.largest([](const Instant& i) { return static_cast<double>(i.iterations); }));
  return f;
}

std::vector<std::string> row_of(const Example& e, const Motion& m) {
  const Figures f = figures_of(m);
  return {e.name,
          fmt::format("{:g}", e.step),
          fmt::format("{:g}", e.end_time),
          number(f.energy, 2),
          number(f.relative, 2),
          number(f.l3, 2),
          number(f.l3 / m.l_scale(), 2),
          number(f.e, 2),
          number(f.Cp, 2),
          number(f.Phi, 2),
          std::to_string(f.most)};
}

Sizes sizes() {
  Sizes out;
  for (const Example& e : examples()) {
    const Motion a = run(e, director(), e.step, 1, NewtonOptions{}.tolerance),
                 b = run(e, energy_momentum(), e.step, 1, NewtonOptions{}.tolerance);
    double apart = 0;
    for (std::size_t k = 0; k < a.instants.size(); ++k)
      for (std::size_t body = 0; body < 4; ++body)
        apart = std::max(apart, (a.instants[k].x[body] - b.instants[k].x[body]).norm());
    out.difference = std::max(out.difference, apart);
    out.table.rows.push_back({e.name, "4", std::to_string(e.rows), std::to_string(48 + e.rows),
                              std::to_string(96 + e.rows), std::to_string(24 + e.rows), number(apart, 2)});
  }
  return out;
}

Accuracy accuracy(const Progress& progress) {
  Accuracy out;
  Figure f{"error at t = 1 s", {"step h [s]", true}, {"error of x4 [m]", true}, {}};
  for (std::size_t k = 0; k < examples().size(); ++k) {
    const Example& e = examples()[k];
    Curve c{fmt::format("{}, {} joints", e.name, e.joints), {}, {}, Curve::Style::markers};
    for (const double h : {0.1, 0.05, 0.025, 0.0125, 0.00625}) {
      tell(progress, fmt::format("nielsen-krenk: accuracy of {}, h = {:g} s", e.name, h));
      c.x.push_back(h), c.y.push_back(position_error(e, director(), h));
      const std::size_t n = c.y.size();
      out.table.rows.push_back({e.name, fmt::format("{:g}", h), number(c.y.back(), 5),
                                n > 1 ? number(std::log2(c.y[n - 2] / c.y[n - 1]), 4) : ""});
    }
    out.orders[k] = fit_order(c.x, c.y).order;
    f.curves.push_back(std::move(c));
  }
  f.slopes = {{2, "order 2"}};
  out.drawing.panels = {f};
  return out;
}

}  // namespace polhode::papers::nielsen_krenk
