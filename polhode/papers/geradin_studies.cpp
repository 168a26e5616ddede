#include <polhode/papers/geradin_studies.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <polhode/lie/so3.hpp>
#include <polhode/study/convergence.hpp>

namespace polhode::papers::geradin {
namespace {

const std::array<const char*, 2> variants = {"published", "corrected"};
const std::array<const char*, 2> parametrisations = {"euler", "conformal"};
const std::vector<double> steps = {1e-2, 5e-3, 1e-3, 1e-4};

std::vector<std::string> cells(std::vector<std::string> out, const Vec3& v, int digits) {
  for (int k = 0; k < 3; ++k) out.push_back(number(v[k], digits));
  return out;
}

Curve curve(const std::string& label, const std::vector<Instant>& instants, Curve::Style style,
            const std::function<double(const Instant&)>& x, const std::function<double(const Instant&)>& y) {
  Curve out{label, {}, {}, style};
  for (const Instant& i : instants) out.x.push_back(x(i)), out.y.push_back(y(i));
  return out;
}

void unwrap(std::vector<double>& angles) {
  for (std::size_t k = 1; k < angles.size(); ++k)
    angles[k] += 2 * std::numbers::pi * std::round((angles[k - 1] - angles[k]) / (2 * std::numbers::pi));
}

/// Case 1 with the moment of inertia about the axis in every direction.
Model spherical_top() {
  Model model = built_in_model(case_1);
  model.bodies[0].inertia = 1.8 * Mat3::Identity();
  return model;
}

}  // namespace

Drawing response(const Top& top, const Motion& published, const Motion& corrected) {
  const double h = published.instants[1].time;
  const std::vector<Instant> truth = exact(top.model, 1e-3, published.instants.back().time);
  const double E0 = published.instants[0].energy;
  const auto angles = [](const Instant& i) { return euler_angles(i.R, i.Omega); };
  const auto time = [](const Instant& i) { return i.time; };
  const auto panel = [&](const std::string& title, const Axis& x, const Axis& y, const auto& of_x, const auto& of_y) {
    Figure f{title, x, y, {}};
    f.curves = {curve("exact", truth, Curve::Style::dashed, of_x, of_y),
                curve("published", published.instants, Curve::Style::line, of_x, of_y),
                curve("corrected", corrected.instants, Curve::Style::line, of_x, of_y)};
    return f;
  };
  Figure height = panel("(a) height of the centre of mass", {"time [s]"}, {"x3 [m]"}, time,
                        [](const Instant& i) { return i.x.z(); });
  const std::pair<double, double> square = {-1.4, 1.4};
  Figure path = panel(
      "(b) path of the centre of mass, from above", {"x1 [m]", false, square}, {"x2 [m]", false, square},
      [](const Instant& i) { return i.x.x(); }, [](const Instant& i) { return i.x.y(); });
  path.width = path.height = 280;
  Figure theta =
      panel("(c) inclination", {"time [s]"}, {"theta [rad]"}, time, [&](const Instant& i) { return angles(i).theta; });
  Figure phi =
      panel("(d) precession", {"time [s]"}, {"phi [rad]"}, time, [&](const Instant& i) { return angles(i).phi; });
  for (Curve& c : phi.curves) unwrap(c.y);
  Figure constraint{"(e) constraint", {"time [s]"}, {"|x - R X| [1e-16 m]"}, {}};
  Figure phase = panel(
      "(f) phase plane of theta", {"theta [rad]"}, {"rate of theta [rad/s]"},
      [&](const Instant& i) { return angles(i).theta; }, [&](const Instant& i) { return angles(i).theta_rate; });
  Figure energy{"(g) energy", {"time [s]"}, {"(E/E0 - 1) 1e6"}, {}};
  for (const auto* motion : {&published, &corrected}) {
    const char* label = motion == &published ? "published" : "corrected";
    constraint.curves.push_back(
        curve(label, motion->instants, Curve::Style::line, time, [](const Instant& i) { return 1e16 * i.Phi.norm(); }));
    energy.curves.push_back(curve(label, motion->instants, Curve::Style::line, time,
                                  [&](const Instant& i) { return 1e6 * (i.energy / E0 - 1); }));
  }
  Figure spin = panel("(h) angular velocity across the axis", {"time [s]"}, {"Omega1 [rad/s]"}, time,
                      [](const Instant& i) { return i.Omega.x(); });
  return {
      fmt::format("response_{}", top.name),
      fmt::format(
          "Case {}, the top is {}: as Fig. {} of the paper, h = {:g} s. Exact: the equations of motion solved to 1e-12",
          top.name, top.title, top.name, h),
      {height, path, theta, phi, constraint, phase, energy, spin},
      2};
}

Table first_steps() {
  Table t{"first_step",
          "After the first step, h = 0.01 s: Euler parameters of the step, force of the joint on the top, angular "
          "velocity in the body",
          {"case", "variant", "parameters", "e1", "e2", "e3", "lambda1 [N]", "lambda2 [N]", "lambda3 [N]",
           "Omega1 [rad/s]", "Omega2 [rad/s]", "Omega3 [rad/s]"},
          {}};
  for (const Top& top : tops)
    for (const char* variant : variants)
      for (const char* parameters : parametrisations) {
        const Motion m = run(top.model, method(variant, parameters), 1e-2, 1e-2);
        const Instant &a = m.instants.at(0), &b = m.instants.at(1);
        t.rows.push_back(
            cells(cells(cells({top.name, variant, parameters}, half_rotation(a, b), 10), b.lambda, 10), b.Omega, 10));
      }
  return t;
}

Table ends() {
  Table t{"after_2_s",
          "After 2 s, h = 0.01 s: centre of mass, angular velocity in the body, energy; and the exact ones",
          {"case", "variant", "parameters", "x1 [m]", "x2 [m]", "x3 [m]", "Omega1 [rad/s]", "Omega2 [rad/s]",
           "Omega3 [rad/s]", "E [J]"},
          {}};
  for (const Top& top : tops) {
    double E0 = 0;
    for (const char* variant : variants)
      for (const char* parameters : parametrisations) {
        const Motion m = run(top.model, method(variant, parameters), 1e-2, 2);
        const Instant& end = m.instants.back();
        E0 = m.instants[0].energy;
        std::vector<std::string> row = cells(cells({top.name, variant, parameters}, end.x, 10), end.Omega, 10);
        row.push_back(number(end.energy, 11));
        t.rows.push_back(std::move(row));
      }
    const Instant end = exact(top.model, 2, 2).back();
    std::vector<std::string> row = cells(cells({top.name, "exact", ""}, end.x, 10), end.Omega, 10);
    row.push_back(number(E0, 11));
    t.rows.push_back(std::move(row));
  }
  return t;
}

EnergyStudy energies(const Progress& progress) {
  EnergyStudy out;
  for (const double h : steps) out.table.columns.push_back(fmt::format("h = {:g} s", h));
  Figure f{"largest error of the energy", {"step h [s]", true}, {"|E/E0 - 1|", true}, {}};
  for (std::size_t k = 0; k < tops.size(); ++k)
    for (const char* variant : variants) {
      std::vector<std::string> row = {fmt::format("case {}", tops[k].name), variant};
      Curve c{fmt::format("case {}, {}", tops[k].name, variant), {}, {}, Curve::Style::markers};
      for (const double h : steps) {
        tell(progress, fmt::format("geradin: energy of case {}, {}, h = {:g} s", tops[k].name, variant, h));
        c.x.push_back(h);
        c.y.push_back(energy_error(run(tops[k].model, method(variant), h, 2)));
        row.push_back(number(c.y.back(), c.y.back() > 1e-7   ? 6
                                         : c.y.back() > 1e-9 ? 3
                                                             : 2));  // rounding is near 5e-12 after 20000 steps
      }
      (variant == std::string("published") ? out.published : out.corrected)[k] = c.y[0];
      if (k == 1 && variant == std::string("published")) out.order = fit_order(c.x, c.y).order;
      out.table.rows.push_back(std::move(row));
      f.curves.push_back(std::move(c));
    }
  f.slopes = {{2, "order 2"}};

  out.over_ten_seconds = energy_error(run(case_2, method("published"), 1e-2, 10));
  for (const char* variant : variants) {
    const double coarse = energy_error(run(asymmetric, method(variant), 1e-2, 10)),
                 fine = energy_error(run(asymmetric, method(variant), 5e-3, 10));
    const int digits = coarse > 1e-9 ? 4 : 2;
    out.table.rows.push_back({"asymmetric", variant, number(coarse, digits), number(fine, digits), "", ""});
    if (variant == std::string("published")) out.asymmetric_published = coarse;
  }
  out.spherical_published = energy_error(run(spherical_top(), method("published"), 1e-2, 10));
  out.table.rows.push_back(
      {"case 1 with J = 1.8 kg m^2 about every axis", "published", number(out.spherical_published, 2), "", "", ""});

  Figure g{"asymmetric top, h = 0.01 s", {"time [s]"}, {"(E/E0 - 1) 1e4"}, {}};
  for (const char* variant : variants) {
    const Motion m = run(asymmetric, method(variant), 1e-2, 10);
    g.curves.push_back(curve(
        variant, m.instants, Curve::Style::line, [](const Instant& i) { return i.time; },
        [&](const Instant& i) { return 1e4 * (i.energy / m.instants[0].energy - 1); }));
  }
  out.drawing.panels = {f, g};
  out.drawing.caption =
      "Left: largest error of the energy over 2 s. Right: a top without symmetry over 10 s; the error neither grows "
      "nor goes away";
  return out;
}

AccuracyStudy accuracy(const Progress& progress) {
  AccuracyStudy out;
  for (const double h : steps) out.table.columns.push_back(fmt::format("h = {:g} s", h));
  out.table.columns.emplace_back("order");
  for (const Top& top : tops) {
    Figure f{fmt::format("case {}", top.name), {"step h [s]", true}, {"error of x at 2 s [m]", true}, {}};
    for (const char* name : {"published", "corrected", "energy-momentum"}) {
      tell(progress, fmt::format("geradin: accuracy of case {}, {}", top.name, name));
      const IntegratorChoice choice = name == std::string("energy-momentum") ? energy_momentum() : method(name);
      Curve c{name, {}, {}, Curve::Style::markers};
      std::vector<std::string> row = {top.name, name};
      for (const double h : steps) {
        c.x.push_back(h);
        c.y.push_back(position_error(top.model, choice, h));
        row.push_back(number(c.y.back(), 4));
      }
      const double order = std::log10(c.y[2] / c.y[3]);
      row.push_back(number(order, 4));
      if (choice.name == "geradin") out.least = std::min(out.least, order), out.most = std::max(out.most, order);
      out.table.rows.push_back(std::move(row));
      f.curves.push_back(std::move(c));
    }
    f.slopes = {{2, "order 2"}};
    out.drawing.panels.push_back(std::move(f));
  }
  return out;
}

Parametrisations parametrisations_compared() {
  Parametrisations out;
  for (const Top& top : tops)
    for (const char* variant : variants) {
      const double h = 1e-2;
      const Motion a = run(top.model, method(variant, "euler"), h, 2),
                   b = run(top.model, method(variant, "conformal"), h, 2);
      double x = 0, angle = 0;
      for (std::size_t k = 0; k < a.instants.size(); ++k) {
        x = std::max(x, (a.instants[k].x - b.instants[k].x).norm());
        angle = std::max(angle, so3::log(a.instants[k].R.conjugate() * b.instants[k].R).norm());
      }
      const long own = a.certificate.newton.iterations, other = b.certificate.newton.iterations;
      out.difference = std::max({out.difference, x, angle});
      out.same_iterations = out.same_iterations && std::abs(own - other) <= 0.05 * static_cast<double>(own);
      out.table.rows.push_back({top.name, variant, fmt::format("{:g}", h), number(x, 2), number(angle, 2),
                                std::to_string(own), std::to_string(other)});
    }
  return out;
}

Lost kept_and_lost() {
  Lost out;
  for (const Top& top : tops)
    for (const char* name : {"published", "corrected", "energy-momentum"}) {
      const IntegratorChoice choice = name == std::string("energy-momentum") ? energy_momentum() : method(name);
      const Motion m = run(top.model, choice, 1e-2, 2), fine = run(top.model, choice, 5e-3, 2);
      const auto largest = [](const Motion& motion, const auto& of) {
        double value = 0;
        for (const Instant& i : motion.instants) value = std::max(value, of(i));
        return value;
      };
      const auto rate = [](const Instant& i) { return i.Phi_rate; };
      const double E = energy_error(m), Phi = largest(m, [](const Instant&i) { return i.Phi.norm(); }),
                   v = largest(m, rate), l = momentum_error(m);
      const auto digits = [](double value) { return value > 1e-9 ? 3 : 2; };
      out.table.rows.push_back({top.name, name, number(E, digits(E)), number(Phi, 2), number(l, digits(l)),
                                l > 1e-9 ? number(std::log2(l / momentum_error(fine)), 3) : "", number(v, 3),
                                number(std::log2(v / largest(fine, rate)), 3)});
      out.drift = std::max(out.drift, Phi);
      if (&top == &tops[1] && name == std::string("published")) out.published_velocity = v;
    }
  return out;
}

Forces forces() {
  Forces out;
  std::array<ForceError, 3> errors;
  const std::array<double, 3> h = {1e-2, 5e-3, 2.5e-3};
  for (std::size_t k = 0; k < 3; ++k) {
    errors[k] = force_error(case_2, method("corrected"), h[k]);
    out.table.rows.push_back({fmt::format("{:g}", h[k]), number(errors[k].raw, 3), number(errors[k].mean, 3)});
  }
  out.raw_order = 0.5 * std::log2(errors[0].raw / errors[2].raw);
  out.mean_order = 0.5 * std::log2(errors[0].mean / errors[2].mean);
  return out;
}

Nutations nutations() {
  Nutations out;
  for (const Top& top : tops) {
    Motion truth;
    truth.instants = exact(top.model, 1e-3, 10);
    const Nutation right = nutation(truth);
    for (const char* variant : variants) {
      const Nutation n = nutation(run(top.model, method(variant), 1e-2, 10));
      out.spread = std::max(out.spread, n.spread);
      out.period_error = std::max(out.period_error, std::abs(n.period / right.period - 1));
      out.table.rows.push_back({top.name, variant, number(n.period, 6), number(n.highest, 6), number(n.spread, 2)});
    }
    out.table.rows.push_back({top.name, "exact", number(right.period, 6), number(right.highest, 6), ""});
  }
  return out;
}

Claim newmark_claim() {
  const IntegratorChoice trapezoidal = {
      "generalized-alpha",
      {{"settings", std::string("trapezoidal")}, {"index", 3.0}, {"start", std::string("printed")}}};
  const Motion m = run(case_2, trapezoidal, 1e-2, 10), own = run(case_2, method("published"), 1e-2, 10);
  const auto force = [](const Motion& motion) {
    double largest = 0;
    for (const Instant& i : motion.instants) largest = std::max(largest, i.lambda.norm());
    return largest;
  };
  const bool failed = !m.certificate.reached_end();
  const double grown = force(m), held = force(own);
  return {"introduction",
          "Newmark's method may become unstable where there are constraints; a method that keeps energy does not",
          fmt::format(
              "case 2, h = 0.01 s, 10 s: the trapezoidal rule {}; the published rule runs, forces stay below {:.0f} N",
              failed ? fmt::format("fails at t = {:.2f} s", m.certificate.time)
                     : fmt::format("lets the joint's force grow to {:.1e} N", grown),
              held),
          judged(failed || grown > 10 * held)};
}

}  // namespace polhode::papers::geradin
