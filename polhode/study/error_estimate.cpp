#include <polhode/study/error_estimate.hpp>

#include <algorithm>

#include <polhode/lie/so3.hpp>
#include <polhode/simulate/simulation.hpp>

namespace polhode {

std::optional<Certificate::Trajectory> estimate_error(
    const Model& model, const Certificate& certificate,
    const std::function<bool(double fraction, double time)>& progress) {
  Model finer = model;
  finer.simulation.step *= 0.5;
  Simulation run(finer);
  const Certificate fine = run.run({}, [&] { return !progress || progress(run.fraction(), run.time()); });
  if (!fine.complete()) return std::nullopt;
  Certificate::Trajectory error;
  for (std::size_t k = 0; k < fine.bodies.size(); ++k) {
    const BodyState &a = certificate.bodies[k].second, &b = fine.bodies[k].second;
    error.position = std::max(error.position, 4.0 / 3 * (a.position - b.position).norm());
    error.angle = std::max(error.angle, 4.0 / 3 * so3::log(a.orientation.conjugate() * b.orientation).norm());
  }
  return error;
}

}  // namespace polhode
