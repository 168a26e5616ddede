#include <polhode/simulate/certificate.hpp>

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace polhode {
namespace {

nlohmann::ordered_json array(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

}  // namespace

std::string Certificate::status_text() const {
  switch (status) {
    case Status::running: return "running";
    case Status::complete: return "complete";
    case Status::complete_with_warnings: return "complete with warnings";
    case Status::interrupted: return "interrupted";
    case Status::failed: return "failed";
  }
  return {};
}

std::string to_json(const Certificate& c) {
  using json = nlohmann::ordered_json;
  json bodies = json::object(), reactions = json::object();
  for (const auto& [name, b] : c.bodies)
    bodies[name] = {{"position", array(b.position)},
                    {"quaternion", {b.orientation.w(), b.orientation.x(), b.orientation.y(), b.orientation.z()}},
                    {"velocity", array(b.velocity)},
                    {"angular_velocity", array(b.angular_velocity)}};
  for (const auto& [name, r] : c.reactions)
    reactions[name] = {{"max_force", r.force}, {"max_moment", r.moment}, {"unique", r.unique}};
  const auto components = [&](int count) { return c.momentum.known ? json(count) : json(nullptr); };
  json out = {{"model", c.model},
              {"integrator", c.integrator},
              {"step", c.step},
              {"end_time", c.end_time},
              {"time", c.time},
              {"steps", c.steps},
              {"seconds", c.seconds},
              {"threads", c.threads},
              {"status", c.status_text()},
              {"reason", c.reason},
              {"warnings", c.warnings},
              {"newton",
               {{"iterations", c.newton.iterations},
                {"halved_steps", c.newton.halved_steps},
                {"fallbacks", c.newton.fallbacks}}},
              {"energy",
               {{"initial", c.energy.initial},
                {"final", c.energy.final},
                {"scale", c.energy.scale},
                {"max_error", c.energy.max_error},
                {"max_imbalance", c.energy.max_imbalance},
                {"max_relative_error", c.energy.max_relative_error},
                {"balance_error", c.energy.balance_error},
                {"algorithmic_dissipation", c.energy.algorithmic_dissipation},
                {"identity_error", c.energy.identity_error},
                {"largest_gain", c.energy.largest_gain},
                {"gaining_steps", c.energy.gaining_steps},
                {"work", c.energy.work}}},
              {"work", {{"drives", c.drive_work}, {"loads", c.load_work}, {"dampers", c.dissipated}}},
              {"momentum",
               {{"linear_error", c.momentum.linear_error},
                {"angular_error", c.momentum.angular_error},
                {"linear_change", c.momentum.linear_change},
                {"angular_change", c.momentum.angular_change},
                {"linear_components", components(c.momentum.linear_components)},
                {"angular_components", components(c.momentum.angular_components)}}},
              {"constraints",
               {{"position", c.constraints.position},
                {"velocity", c.constraints.velocity},
                {"equations", c.constraints.equations},
                {"redundant", c.constraints.redundant},
                {"freedoms", c.constraints.freedoms},
                {"redundancies", c.constraints.redundancies}}},
              {"resolution",
               {{"turn", c.resolution.turn},
                {"turn_body", c.resolution.turn_body},
                {"turn_time", c.resolution.turn_time},
                {"steps_per_period", c.resolution.steps_per_period},
                {"stiffest", c.resolution.stiffest},
                {"across_joints", c.resolution.across_joints},
                {"across_joints_time", c.resolution.across_joints_time},
                {"halved", c.resolution.halved}}},
              {"reactions", reactions},  // what is not finite is written as null
              {"reaction_samples", c.reaction_samples},
              {"bodies", bodies}};
  if (c.trajectory)
    out["trajectory_error"] = {{"position", c.trajectory->position},
                               {"angle", c.trajectory->angle},
                               {"lost", c.trajectory->lost ? json(*c.trajectory->lost) : json(nullptr)}};
  return out.dump(2);
}

std::string to_text(const Certificate& c) {
  std::string out;
  const auto line = [&](const std::string& text) { out += "  " + text + "\n"; };
  for (const std::string& warning : c.warnings) out += "Warning: " + warning + "\n";
  out += fmt::format("Certificate of {} with {}, step {:g} s, {:g} of {:g} s\n", c.model, c.integrator, c.step, c.time,
                     c.end_time);
  line(fmt::format("status        {}{}", c.status_text(), c.reason.empty() ? "" : ": " + c.reason));
  line(fmt::format("steps         {} in {:.3g} s{}, {:.2f} Newton iterations a step{}", c.steps, c.seconds,
                   c.threads > 1 ? fmt::format(" on {} threads", c.threads) : "",
                   c.steps ? static_cast<double>(c.newton.iterations) / static_cast<double>(c.steps) : 0.0,
                   (c.newton.halved_steps ? fmt::format(", {} steps halved", c.newton.halved_steps) : "") +
                       (c.newton.fallbacks ? fmt::format(", {} fallbacks", c.newton.fallbacks) : "")));
  const bool worked = !c.drive_work.empty() || !c.load_work.empty() || !c.dissipated.empty();
  line(fmt::format("energy        {:.9g} J at the start, {:.9g} J at the end", c.energy.initial, c.energy.final));
  if (worked) {
    for (const auto& [name, w] : c.drive_work) line(fmt::format("  drive         {:+.9g} J by \"{}\"", w, name));
    for (const auto& [name, w] : c.load_work) line(fmt::format("  load          {:+.9g} J by \"{}\"", w, name));
    for (const auto& [name, w] : c.dissipated) line(fmt::format("  damper        {:+.9g} J by \"{}\"", -w, name));
  } else {
    line(fmt::format("  error         {:.2e} relative, {:.2e} J: the largest of all steps", c.energy.max_relative_error,
                     c.energy.max_error));
  }
  line(fmt::format("  balance       {:.2e} relative, {:.2e} J, of energy less all work: the largest of all steps",
                   c.energy.balance_error, c.energy.max_imbalance));
  line(
      fmt::format("  algorithm     {:+.3g} J: lost (+) or gained (-) by the integrator; gained in {} steps, at most "
                  "{:.2e} relative",
                  c.energy.algorithmic_dissipation, c.energy.gaining_steps, c.energy.largest_gain));
  if (c.trajectory)
    line(fmt::format("trajectory    error about {:.2e} m, {:.2e} rad at the end, from a run with half the step{}",
                     c.trajectory->position, c.trajectory->angle,
                     c.trajectory->lost ? fmt::format("; lost at t = {:g} s", *c.trajectory->lost) : ""));
  const auto momentum = [&](const char* label, int components, double error, double change, const char* unit) {
    if (!c.momentum.known)
      line(fmt::format("{} unknown: too few configurations were found that meet the joints", label));
    else if (components == 0)
      line(fmt::format("{} no component is conserved by this model", label));
    else
      line(fmt::format("{} {:.2e} relative, {:.2e} {}, {} component{} conserved by this model", label, error, change,
                       unit, components, components == 1 ? "" : "s"));
  };
  momentum("momentum     ", c.momentum.linear_components, c.momentum.linear_error, c.momentum.linear_change, "kg m/s");
  momentum("ang. momentum", c.momentum.angular_components, c.momentum.angular_error, c.momentum.angular_change,
           "kg m^2/s");
  if (c.constraints.equations > 0) {
    line(fmt::format("constraints   {:.2e} at position level, {:.2e} at velocity level (m and rad; m/s and rad/s)",
                     c.constraints.position, c.constraints.velocity));
    line(fmt::format("              {} equations, {} redundant, {} degree{} of freedom", c.constraints.equations,
                     c.constraints.redundant, c.constraints.freedoms, c.constraints.freedoms == 1 ? "" : "s"));
    for (const auto& text : c.constraints.redundancies) line("              " + text);
  }
  const Certificate::Resolution& steps = c.resolution;
  std::string resolution = fmt::format("resolution    {:.3g} rad a step at most", steps.turn);
  if (!steps.turn_body.empty()) resolution += fmt::format(" (\"{}\")", steps.turn_body);
  if (std::isfinite(steps.steps_per_period))
    resolution += fmt::format("; {:.3g} steps a period of \"{}\"", steps.steps_per_period, steps.stiffest);
  if (c.constraints.equations > 0)
    resolution += fmt::format("; {:.2e} of the kinetic energy across joints", steps.across_joints);
  line(resolution);
  if (!c.reactions.empty())
    line(c.reaction_samples == 0 ? "reactions     not taken: they are evaluated at the samples of a run"
                                 : fmt::format("reactions     the largest of {} samples", c.reaction_samples));
  int shown = 0;
  for (const auto& [name, r] : c.reactions) {
    if (c.reaction_samples == 0) break;
    if (++shown > 8) {
      line(fmt::format("              of {} more joints: in the result file, or with --json", c.reactions.size() - 8));
      break;
    }
    line(fmt::format("  reaction      at most {:.6g} N, {:.6g} N m in \"{}\"{}", r.force, r.moment, name,
                     r.unique ? "" : " (not unique: the smallest possible)"));
  }
  return out;
}

}  // namespace polhode
