#include "runs.hpp"

#include <fstream>

namespace polhode {

const nlohmann::json& references(const std::string& name) {
  static nlohmann::json all =
      nlohmann::json::parse(std::ifstream(POLHODE_SOURCE_DIR "/tests/data/references.json")).at("models");
  nlohmann::json& own = all.at(name);
  if (!own.contains("motion"))
    own["motion"] =
        nlohmann::json::parse(std::ifstream(POLHODE_SOURCE_DIR "/models/references/" + name + ".json")).at("motion");
  return own;
}

Model with(Model model, const IntegratorChoice& integrator, double step, double end_time) {
  model.simulation.integrator = integrator;
  model.simulation.step = step;
  model.simulation.end_time = end_time;
  model.simulation.output_step.reset();
  return model;
}

Certificate run(const Model& model, const IntegratorChoice& integrator, double step, double end_time) {
  return Simulation(with(model, integrator, step, end_time)).run();
}

const Certificate::BodyState& body(const Certificate& certificate, const std::string& name) {
  for (const auto& [own_name, state] : certificate.bodies)
    if (own_name == name) return state;
  throw std::out_of_range(name);
}

double distance(const Certificate& certificate, const nlohmann::json& row, bool velocities) {
  const Certificate::BodyState& b = body(certificate, row.at("body"));
  const Vec3 X = vector_of(row.at("point"));
  double largest = 0;
  const auto compare = [&](const auto& a, const auto& c) {
    largest = std::max(largest, (a - c).cwiseAbs().maxCoeff());
  };
  if (row.contains("position")) compare(point(b, X), vector_of(row.at("position")));
  if (row.contains("height")) largest = std::max(largest, std::abs(point(b, X).z() - row.at("height").get<double>()));
  if (row.contains("quaternion")) {
    const auto& q = row.at("quaternion");
    const Quaternion expected(q.at(0).get<double>(), q.at(1).get<double>(), q.at(2).get<double>(),
                              q.at(3).get<double>());
    const double sign = b.orientation.dot(expected) < 0 ? -1 : 1;
    compare(b.orientation.coeffs(), sign * expected.coeffs());
  }
  if (velocities && row.contains("velocity"))
    compare(Vec3(b.velocity + b.orientation * b.angular_velocity.cross(X)), vector_of(row.at("velocity")));
  if (velocities && row.contains("angular_velocity"))
    compare(b.angular_velocity, vector_of(row.at("angular_velocity")));
  return largest;
}

double error_of(const Certificate& certificate, const std::string& name) {
  double largest = -1;
  for (const auto& row : references(name).at("motion"))
    if (std::abs(row.at("time").get<double>() - certificate.time) < 1e-9)
      largest = std::max(largest, distance(certificate, row));
  return largest >= 0 ? largest : throw std::out_of_range("no reference of " + name + " at that time");
}

Vec3 force_from_ground(Simulation& simulation, int joint) {
  const Sample now = simulation.sample();
  return simulation.compiled().connections[static_cast<std::size_t>(joint)].pair.a.E *
         Eigen::Map<const Vec3>(&now.reactions[6 * static_cast<std::size_t>(joint)]);
}

}  // namespace polhode
