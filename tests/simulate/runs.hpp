// Runs of models, and the reference values of tests/data to compare them with.
#pragma once

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <polhode/io/model_reader.hpp>
#include <polhode/lie/so3.hpp>
#include <polhode/simulate/simulation.hpp>

namespace polhode {

inline Model model_file(const std::string& name) { return read_model(POLHODE_SOURCE_DIR "/models/" + name + ".json"); }

/// A model written in the test: the text of its object without the format's version.
inline Model model_text(const std::string& text) { return parse_model("{ \"polhode\": 1, " + text + " }", "test"); }

inline const nlohmann::json& references(const std::string& name) {
  static nlohmann::json all = nlohmann::json::parse(std::ifstream(POLHODE_SOURCE_DIR "/tests/data/references.json")).at("models");
  nlohmann::json& own = all.at(name);
  if (!own.contains("motion"))
    own["motion"] = nlohmann::json::parse(std::ifstream(POLHODE_SOURCE_DIR "/models/references/" + name + ".json")).at("motion");
  return own;
}

inline Vec3 vector_of(const nlohmann::json& list) {
  return Vec3(list.at(0).get<double>(), list.at(1).get<double>(), list.at(2).get<double>());
}

inline IntegratorChoice energy_momentum(double order = 2) { return {"energy-momentum", {{"order", order}}}; }
inline IntegratorChoice generalized_alpha(double rho_inf = 0.9, double index = 3, const std::string& start = "improved") {
  return {"generalized-alpha", {{"rho_inf", rho_inf}, {"index", index}, {"start", start}}};
}

/// The model with another method, step and end.
inline Model with(Model model, const IntegratorChoice& integrator, double step, double end_time) {
  model.simulation.integrator = integrator;
  model.simulation.step = step;
  model.simulation.end_time = end_time;
  model.simulation.output_step.reset();
  return model;
}

inline Certificate run(const Model& model, const IntegratorChoice& integrator, double step, double end_time) {
  return Simulation(with(model, integrator, step, end_time)).run();
}

inline const Certificate::BodyState& body(const Certificate& certificate, const std::string& name) {
  for (const auto& [own_name, state] : certificate.bodies)
    if (own_name == name) return state;
  throw std::out_of_range(name);
}

/// Where a point of a body is, in space.
inline Vec3 point(const Certificate::BodyState& body, const Vec3& X) { return body.position + body.orientation * X; }

/// How far a body is from a row of the references: the largest difference of a component of what the row tells.
inline double distance(const Certificate& certificate, const nlohmann::json& row, bool velocities = false) {
  const Certificate::BodyState& b = body(certificate, row.at("body"));
  const Vec3 X = vector_of(row.at("point"));
  double largest = 0;
  const auto compare = [&](const auto& a, const auto& c) { largest = std::max(largest, (a - c).cwiseAbs().maxCoeff()); };
  if (row.contains("position")) compare(point(b, X), vector_of(row.at("position")));
  if (row.contains("height")) largest = std::max(largest, std::abs(point(b, X).z() - row.at("height").get<double>()));
  if (row.contains("quaternion")) {
    const auto& q = row.at("quaternion");
    const Quaternion expected(q.at(0).get<double>(), q.at(1).get<double>(), q.at(2).get<double>(), q.at(3).get<double>());
    const double sign = b.orientation.dot(expected) < 0 ? -1 : 1;
    compare(b.orientation.coeffs(), sign * expected.coeffs());
  }
  if (velocities && row.contains("velocity"))
    compare(Vec3(b.velocity + b.orientation * b.angular_velocity.cross(X)), vector_of(row.at("velocity")));
  if (velocities && row.contains("angular_velocity")) compare(b.angular_velocity, vector_of(row.at("angular_velocity")));
  return largest;
}

/// How far the end of a run is from the exact motion of a model at that time, over all bodies that the references tell of.
inline double error_of(const Certificate& certificate, const std::string& name) {
  double largest = -1;
  for (const auto& row : references(name).at("motion"))
    if (std::abs(row.at("time").get<double>() - certificate.time) < 1e-9) largest = std::max(largest, distance(certificate, row));
  return largest >= 0 ? largest : throw std::out_of_range("no reference of " + name + " at that time");
}

/// The force of a joint of the ground on its body, in space; the result holds it in the axes of the joint.
inline Vec3 force_from_ground(Simulation& simulation, int joint) {
  const auto reaction = simulation.sample().reactions.subspan(6 * static_cast<std::size_t>(joint), 3);
  return simulation.compiled().connections[static_cast<std::size_t>(joint)].pair.a.E * Vec3(reaction[0], reaction[1], reaction[2]);
}

/// The power of the step that the errors follow, for steps each half of the one before.
inline double observed_order(const std::vector<double>& errors) {
  return std::log2(errors.front() / errors.back()) / static_cast<double>(errors.size() - 1);
}

}  // namespace polhode
