// The checks of a model, in the order of the document: bodies, joints, drives, forces, simulation.
#include <polhode/model/validate.hpp>

#include <algorithm>
#include <thread>

#include <polhode/model/checks.hpp>

namespace polhode {
namespace checks {

bool NameIndex::add(const std::string& name, std::size_t index, const std::string& where, Reporter& report) {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (name.empty()) {
    report.error("name is empty");
  } else if (name == "ground") {
    report.error("name is \"ground\", which means what does not move; choose another");
  } else if (name == "." || name.find('/') != std::string::npos || std::any_of(name.begin(), name.end(), control)) {
    report.error("name holds a slash or a control character, or is a dot; names are paths in result files");
  } else if (const auto [entry, added] = entries_.try_emplace(name, Entry{index, where}); !added) {
    report.error("name is taken by {}; names are unique within a list", entry->second.where);
  } else {
    return true;
  }
  return false;
}

std::optional<std::size_t> NameIndex::find(const std::string& name) const {
  const auto entry = entries_.find(name);
  return entry == entries_.end() ? std::nullopt : std::optional(entry->second.index);
}

std::vector<std::string> NameIndex::all() const {
  std::vector<std::string> all;
  for (const auto& [name, entry] : entries_) all.push_back(name);
  std::sort(all.begin(), all.end());  // of equally near names the same one is suggested every time
  return all;
}

const Body* Context::find_body(const std::string& name) const {
  const auto index = bodies.find(name);
  return index ? &model.bodies[*index] : nullptr;
}

const Body* Context::body(std::string_view key, const std::string& name, Reporter& report) const {
  if (name == "ground") return nullptr;
  if (const Body* found = find_body(name)) return found;
  std::vector<std::string> candidates;
  if (report.may_suggest()) candidates = bodies.all(), candidates.push_back("ground");
  report.error("{}: there is no body \"{}\"{}", key, name, did_you_mean(name, candidates));
  return nullptr;
}

const Joint* Context::joint(std::string_view key, const std::string& name, Reporter& report) const {
  const auto index = joints.find(name);
  if (index && *index < model.joints.size()) return &model.joints[*index];
  if (index)
    report.error("{}: \"{}\" is a coupling of joints; name one of its joints", key, name);
  else
    report.error("{}: there is no joint \"{}\"{}", key, name,
                 report.may_suggest() ? did_you_mean(name, joints.all()) : std::string());
  return nullptr;
}

bool has_orientation(const Body* body) {
  return !body || body->type == Body::Type::rigid || body->type == Body::Type::fixed_point;
}

Quaternion orientation(const Body* body) {
  return body && has_orientation(body) ? body->orientation : Quaternion::Identity();
}

Vec3 origin(const Body* body) {
  if (!body) return Vec3::Zero();
  if (body->type != Body::Type::scalar) return body->position;
  return body->position + body->coordinate * body->axis.normalized();
}

Pair pair(const Context& context, const std::array<std::string, 2>& between, Reporter& report) {
  if (between[0] == between[1]) {
    report.error("between is [\"{0}\", \"{0}\"]; name two different bodies{1}", between[0],
                 between[0] == "ground" ? ", one of which moves" : "");
    return {};
  }
  Pair pair;
  pair.a = context.body("between[0]", between[0], report);
  pair.b = context.body("between[1]", between[1], report);
  pair.known = (pair.a || between[0] == "ground") && (pair.b || between[1] == "ground");
  return pair;
}

void simulation(const SimulationOptions& s, Reporter& report) {
  const bool step_given = report.finite("step", s.step);
  if (step_given && s.step <= 0) report.error("step is {}; give a time > 0 s such as 0.001", s.step);
  if (report.finite("end_time", s.end_time) && s.end_time < 0)
    report.error("end_time is {}; give a time >= 0 s", s.end_time);
  if (s.output_step && report.finite("output_step", *s.output_step)) {
    const double steps = std::round(*s.output_step / s.step);
    if (*s.output_step <= 0)
      report.error("output_step is {}; give a time > 0 s, a multiple of the step", *s.output_step);
    else if (step_given && s.step > 0 &&
             !(steps >= 1 && std::abs(*s.output_step - steps * s.step) <= 1e-9 * *s.output_step))
      report.error("output_step is {}, which is not a multiple of the step {}; try {:.10g}", *s.output_step, s.step,
                   std::max(1.0, steps) * s.step);
  }
  if (s.integrator.name.empty()) report.error("integrator.name is empty; `polhode integrators` lists them");
  for (const auto& [name, option] : s.integrator.options)
    if (const double* number = std::get_if<double>(&option)) report.finite("integrator." + name, *number);
  if (!(s.newton.tolerance > 0 && s.newton.tolerance < 1))
    report.error("newton.tolerance is {}; give a relative error between 0 and 1 such as 1e-13", s.newton.tolerance);
  if (s.newton.max_iterations < 1)
    report.error("newton.max_iterations is {}; give at least 1", s.newton.max_iterations);
  if (s.threads < 1 || s.threads > 1024)
    report.error("threads is {}; give 1 to 1024, at most as many as there are processors", s.threads);
  else if (const int processors = static_cast<int>(std::thread::hardware_concurrency()); processors > 0 && s.threads > processors)
    report.warning("threads is {}, more than the {} processor{} here, which makes it slower; try {}", s.threads, processors,
                   processors == 1 ? "" : "s", processors);
}

}  // namespace checks

Findings validate(const Model& model, const JointPlaces& places) {
  Findings findings;
  checks::Context context{model, findings, {}, {}};

  checks::Reporter whole(findings, "model");
  whole.finite("gravity", model.gravity);
  if (model.bodies.empty()) whole.error("bodies is empty; give at least one");

  checks::bodies(context);
  checks::joints(context, places);
  checks::drives(context);
  checks::forces(context);
  checks::Reporter simulation(findings, "simulation");
  checks::simulation(model.simulation, simulation);
  return findings;
}

}  // namespace polhode
