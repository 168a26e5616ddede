#include <polhode/study/error_estimate.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <polhode/lie/so3.hpp>
#include <polhode/simulate/simulation.hpp>

namespace polhode {
namespace {

// Beyond a radian the difference of two runs does not fall with the step any more: neither tells of the motion.
constexpr double lost_angle = 1;
// The same of places: half of the way that the body has moved, once it has.
constexpr double lost_way = 0.5;
constexpr long first_steps = 8;

/// The angle from one orientation to another, of all 2 k pi +- a the nearest to the one before: a body that is turns
/// behind is so by radians.
double followed(const Quaternion& a, const Quaternion& b, double before) {
  using std::numbers::pi;
  const double angle = so3::log(a.conjugate() * b).norm(), whole = 2 * pi * std::round(before / (2 * pi));
  const double above = whole + angle, below = std::abs(whole - angle);
  return std::abs(above - before) <= std::abs(below - before) ? above : below;
}

}  // namespace

std::optional<Certificate::Trajectory> estimate_error(
    const Model& model, const Certificate& certificate,
    const std::function<bool(double fraction, double time)>& progress) {
  Model finer = model;
  finer.simulation.step *= 0.5;
  Simulation coarse(model), fine(finer);
  const std::vector<NodeState> start = coarse.state().nodes;
  std::vector<double> angles(certificate.bodies.size(), 0.0), ways(certificate.bodies.size(), 0.0);
  Certificate::Trajectory error;
  while (!coarse.done()) {
    if (!coarse.step()) return std::nullopt;
    while (fine.time() < coarse.time() * (1 - 1e-12) && !fine.done())
      if (!fine.step()) return std::nullopt;
    for (std::size_t k = 0; k < angles.size(); ++k) {
      const int node = coarse.compiled().bodies[k].node;
      const NodeState &a = coarse.state().nodes[node], &b = fine.state().nodes[node];
      angles[k] = followed(a.q, b.q, angles[k]);
      ways[k] = std::max(ways[k], (b.x - start[node].x).norm());
      const bool apart = coarse.steps_done() > first_steps && (a.x - b.x).norm() > lost_way * ways[k];
      if ((angles[k] > lost_angle || apart) && !error.lost) error.lost = coarse.time();
    }
    if (progress && !progress(coarse.fraction(), coarse.time())) return std::nullopt;
  }
  if (coarse.state().t != fine.state().t) return std::nullopt;
  for (std::size_t k = 0; k < angles.size(); ++k) {
    const BodyState a = body_state(coarse.compiled().bodies[k], coarse.state()),
                    b = body_state(fine.compiled().bodies[k], fine.state());
    error.position = std::max(error.position, 4.0 / 3 * (a.position - b.position).norm());
    error.angle = std::max(error.angle, 4.0 / 3 * angles[k]);
  }
  return error;
}

}  // namespace polhode
