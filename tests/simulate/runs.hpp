// Runs of models, and the reference values of tests/data to compare them with.
#pragma once

#include <cmath>
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

const nlohmann::json& references(const std::string& name);

inline Vec3 vector_of(const nlohmann::json& list) {
  return Vec3(list.at(0).get<double>(), list.at(1).get<double>(), list.at(2).get<double>());
}

inline IntegratorChoice energy_momentum(double order = 2) { return {"energy-momentum", {{"order", order}}}; }
/// Joints at position level alone, whatever the model.
inline IntegratorChoice plain_energy_momentum() { return {"energy-momentum", {{"index", 3.0}}}; }
inline IntegratorChoice generalized_alpha(double rho_inf = 0.9, double index = 3,
                                          const std::string& start = "improved") {
  return {"generalized-alpha", {{"rho_inf", rho_inf}, {"index", index}, {"start", start}}};
}

/// The model with another method, step and end.
Model with(Model model, const IntegratorChoice& integrator, double step, double end_time);

Certificate run(const Model& model, const IntegratorChoice& integrator, double step, double end_time);

const Certificate::BodyState& body(const Certificate& certificate, const std::string& name);

/// Where a point of a body is, in space.
inline Vec3 point(const Certificate::BodyState& body, const Vec3& X) { return body.position + body.orientation * X; }

/// How far a body is from a row of the references: the largest difference of a component of what the row tells.
double distance(const Certificate& certificate, const nlohmann::json& row, bool velocities = false);

/// How far the end of a run is from the exact motion of a model at that time, over all bodies that the references tell
/// of.
double error_of(const Certificate& certificate, const std::string& name);

/// The force of a joint of the ground on its body, in space; the result holds it in the axes of the joint.
Vec3 force_from_ground(Simulation& simulation, int joint);

/// The power of the step that the errors follow, for steps each half of the one before.
inline double observed_order(const std::vector<double>& errors) {
  return std::log2(errors.front() / errors.back()) / static_cast<double>(errors.size() - 1);
}

}  // namespace polhode
