#include <polhode/study/comparison_report.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <polhode/integrate/integrator_text.hpp>

namespace polhode {
namespace {

using Json = nlohmann::ordered_json;

/// One column of every table: its name for programs, its heading for people, and how to find it in a run.
struct Compared {
  const char *key, *heading;
  double (*value)(const ComparedRun&);
};

double iterations_a_step(const ComparedRun& run) {
  return run.certificate.steps
             ? static_cast<double>(run.certificate.newton.iterations) / static_cast<double>(run.certificate.steps)
             : 0.0;
}

const std::array<Compared, 13> compared = {{
    {"position_error", "position [m]", [](const ComparedRun& r) { return r.largest.position; }},
    {"angle_error", "angle [rad]", [](const ComparedRun& r) { return r.largest.angle; }},
    {"velocity_error", "velocity [m/s]", [](const ComparedRun& r) { return r.largest.velocity; }},
    {"angular_velocity_error", "spin [rad/s]", [](const ComparedRun& r) { return r.largest.angular_velocity; }},
    {"force_error", "force [N]", [](const ComparedRun& r) { return r.largest.force; }},
    {"moment_error", "moment [N m]", [](const ComparedRun& r) { return r.largest.moment; }},
    {"energy_balance_error", "energy", [](const ComparedRun& r) { return r.certificate.energy.balance_error; }},
    {"linear_momentum_error", "momentum",
     [](const ComparedRun& r) {
       return r.certificate.momentum.linear_components ? r.certificate.momentum.linear_error : Errors::nan;
     }},
    {"angular_momentum_error", "ang. mom.",
     [](const ComparedRun& r) {
       return r.certificate.momentum.angular_components ? r.certificate.momentum.angular_error : Errors::nan;
     }},
    {"constraint_position", "joints",
     [](const ComparedRun& r) {
       return r.certificate.constraints.equations ? r.certificate.constraints.position : Errors::nan;
     }},
    {"constraint_velocity", "their rates",
     [](const ComparedRun& r) {
       return r.certificate.constraints.equations ? r.certificate.constraints.velocity : Errors::nan;
     }},
    {"iterations_per_step", "iterations", iterations_a_step},
    {"seconds", "time [s]", [](const ComparedRun& r) { return r.certificate.seconds; }},
}};

std::string shown(const Compared& column, const ComparedRun& run) {
  const double v = column.value(run);
  if (std::isnan(v)) return "-";
  return std::string_view(column.key) == "iterations_per_step" ? fmt::format("{:.2f}", v) : fmt::format("{:.2e}", v);
}

/// Columns set under their headings; columns in which no row has anything to say are left out.
std::string table(const std::vector<const ComparedRun*>& runs) {
  std::size_t name = 10;
  for (const ComparedRun* run : runs) name = std::max(name, to_text(run->candidate.integrator).size());
  std::vector<const Compared*> used;
  for (const Compared& c : compared)
    if (std::any_of(runs.begin(), runs.end(),
                    [&](const ComparedRun* r) { return r->failure.empty() && c.value(*r) > 0; }))
      used.push_back(&c);
  const auto width = [](const Compared& c) { return std::max<std::size_t>(9, std::string_view(c.heading).size()); };
  std::string out = fmt::format("  {:<{}}  {:>9}", "integrator", name, "step [s]");
  for (const Compared* c : used) out += fmt::format("  {:>{}}", c->heading, width(*c));
  out += "\n";
  for (const ComparedRun* run : runs) {
    out += fmt::format("  {:<{}}  {:>9.4g}", to_text(run->candidate.integrator), name, run->candidate.step);
    if (!run->failure.empty()) {
      out += "  no result: " + run->failure + "\n";
      continue;
    }
    for (const Compared* c : used) out += fmt::format("  {:>{}}", shown(*c, *run), width(*c));
    out += "\n";
  }
  return out;
}

std::string csv(const std::vector<const ComparedRun*>& runs) {
  std::string out = "integrator,step";
  for (const Compared& c : compared) out += fmt::format(",{}", c.key);
  out += ",failure\n";
  for (const ComparedRun* run : runs) {
    out += fmt::format("{},{}", to_text(run->candidate.integrator), run->candidate.step);
    for (const Compared& c : compared) {
      const double v = run->failure.empty() ? c.value(*run) : Errors::nan;
      out += std::isnan(v) ? "," : fmt::format(",{:.9g}", v);
    }
    std::string failure = run->failure;
    std::replace(failure.begin(), failure.end(), '"', '\'');
    out += failure.empty() ? ",\n" : fmt::format(",\"{}\"\n", failure);
  }
  return out;
}

Json number(double v) { return std::isnan(v) ? Json(nullptr) : Json(v); }

Json json(const ComparedRun& run) {
  Json out = {
      {"integrator", to_text(run.candidate.integrator)}, {"options", run.integrator}, {"step", run.candidate.step}};
  out["failure"] = run.failure.empty() ? Json(nullptr) : Json(run.failure);
  if (!run.failure.empty()) return out;
  for (const Compared& c : compared) out[c.key] = number(c.value(run));
  out["at_end"] = {{"position_error", number(run.at_end.position)},
                   {"angle_error", number(run.at_end.angle)},
                   {"velocity_error", number(run.at_end.velocity)},
                   {"angular_velocity_error", number(run.at_end.angular_velocity)}};
  out["steps"] = run.certificate.steps;
  out["halved_steps"] = run.certificate.newton.halved_steps;
  return out;
}

Json reference_json(const Reference& reference, const std::vector<double>& times) {
  return {{"source", reference.source}, {"error", reference.error}, {"times", times}};
}

std::string opening(const std::string& model, double end_time, const std::vector<double>& times,
                    const Reference& reference) {
  return fmt::format("{}, to {:g} s; errors are the largest at {} time{}{}\n  reference: {}\n  its own error: {}\n",
                     model, end_time, times.size(), times.size() == 1 ? "" : "s",
                     times.size() == 1 ? fmt::format(", t = {:g} s", times[0]) : "", reference.source, reference.error);
}

template <class Runs>
std::vector<const ComparedRun*> pointers(const Runs& runs) {
  std::vector<const ComparedRun*> out;
  for (const ComparedRun& run : runs) out.push_back(&run);
  return out;
}

std::vector<const ComparedRun*> pointers(const ConvergenceStudy& study) {
  std::vector<const ComparedRun*> out;
  for (const Convergence& method : study.methods)
    for (const ComparedRun& run : method.runs) out.push_back(&run);
  return out;
}

struct NamedFit {
  const char* name;
  OrderFit Convergence::*fit;
};
constexpr std::array<NamedFit, 6> fits = {{{"position", &Convergence::position},
                                           {"angle", &Convergence::angle},
                                           {"velocity", &Convergence::velocity},
                                           {"angular_velocity", &Convergence::angular_velocity},
                                           {"force", &Convergence::force},
                                           {"moment", &Convergence::moment}}};

}  // namespace

std::string to_text(const Comparison& c) {
  return opening(c.model, c.end_time, c.times, c.reference) + table(pointers(c.runs));
}

std::string to_csv(const Comparison& c) { return csv(pointers(c.runs)); }

std::string to_json(const Comparison& c) {
  Json out = {{"model", c.model},
              {"end_time", c.end_time},
              {"reference", reference_json(c.reference, c.times)},
              {"runs", Json::array()}};
  for (const ComparedRun& run : c.runs) out["runs"].push_back(json(run));
  return out.dump(2);
}

std::string to_text(const ConvergenceStudy& study) {
  std::string out = opening(study.model, study.end_time, study.times, study.reference) + table(pointers(study));
  std::size_t name = 10;
  for (const Convergence& m : study.methods) name = std::max(name, to_text(m.integrator).size());
  out += fmt::format("\n  {:<{}}  observed order, with the standard error of its fit and the points used\n",
                     "integrator", name);
  for (const Convergence& m : study.methods) {
    out += fmt::format("  {:<{}} ", to_text(m.integrator), name);
    for (const auto& [what, fit] : fits)
      if (const OrderFit& f = m.*fit; f.points >= 2)
        out += fmt::format(" {} {:.2f}{} ({})", what, f.order,
                           f.points > 2 ? fmt::format("+-{:.2f}", f.uncertainty) : "", f.points);
    out += m.stopped.empty() ? "\n" : fmt::format("; {}\n", m.stopped);
  }
  return out;
}

std::string to_csv(const ConvergenceStudy& study) { return csv(pointers(study)); }

std::string to_json(const ConvergenceStudy& study) {
  Json out = {{"model", study.model},
              {"end_time", study.end_time},
              {"reference", reference_json(study.reference, study.times)},
              {"methods", Json::array()}};
  for (const Convergence& m : study.methods) {
    Json orders = Json::object(), runs = Json::array();
    for (const auto& [what, fit] : fits)
      if (const OrderFit& f = m.*fit; f.points >= 2)
        orders[what] = {{"order", f.order}, {"uncertainty", f.uncertainty}, {"points", f.points}};
    for (const ComparedRun& run : m.runs) runs.push_back(json(run));
    out["methods"].push_back({{"integrator", to_text(m.integrator)},
                              {"options", m.integrator_text},
                              {"orders", orders},
                              {"stopped", m.stopped.empty() ? Json(nullptr) : Json(m.stopped)},
                              {"runs", runs}});
  }
  return out.dump(2);
}

std::vector<Figure> figures(const ConvergenceStudy& study) {
  const auto panel = [&](const std::string& title, const std::string& y, double Errors::*figure, bool over_time) {
    Figure f{title, {over_time ? "time of computation [s]" : "step h [s]", true}, {y, true}, {}};
    bool any = false;
    for (const Convergence& m : study.methods) {
      Curve curve{to_text(m.integrator), {}, {}, Curve::Style::markers};
      for (const ComparedRun& run : m.runs) {
        if (!run.failure.empty()) continue;
        curve.x.push_back(over_time ? run.certificate.seconds : run.candidate.step);
        curve.y.push_back(run.largest.*figure);
        any = any || run.largest.*figure > 0;
      }
      f.curves.push_back(std::move(curve));
    }
    if (!over_time) f.slopes = {{2, "order 2"}};
    return any ? std::optional(f) : std::nullopt;
  };
  std::vector<Figure> out;
  const auto add = [&](std::optional<Figure> f) {
    if (f) out.push_back(std::move(*f));
  };
  add(panel("Error of positions", "position [m]", &Errors::position, false));
  add(panel("Work and precision", "position [m]", &Errors::position, true));
  add(panel("Error of angles", "angle [rad]", &Errors::angle, false));
  add(panel("Error of velocities", "velocity [m/s]", &Errors::velocity, false));
  add(panel("Error of the joints' forces", "force [N]", &Errors::force, false));
  return out;
}

}  // namespace polhode
