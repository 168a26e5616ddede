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
// The same of places: half of the way that the body that moved farthest has moved, once it has.
constexpr double lost_way = 0.5, least_way = 1e-9;  // the latter relative to the model's length
constexpr long first_steps = 8;

/// The rotation from one orientation to another, of all (a + 2 k pi) n the nearest to the one before: a body that is
/// turns behind is so by radians.
Vec3 followed(const Quaternion& from, const Quaternion& to, const Vec3& before) {
  using std::numbers::pi;
  const Vec3 phi = so3::log(from.conjugate() * to);
  const double angle = phi.norm();
  const Vec3 n = angle > 0 ? Vec3(phi / angle) : before.norm() > 0 ? before.normalized() : Vec3(Vec3::UnitX());
  return (angle + 2 * pi * std::round((before.dot(n) - angle) / (2 * pi))) * n;
}

}  // namespace

std::optional<Certificate::Trajectory> estimate_error(
    const Model& model, const Certificate& certificate,
    const std::function<bool(double fraction, double time)>& progress) {
  Model finer = model;
  finer.simulation.step *= 0.5;
  Simulation coarse(model), fine(finer);
  const std::vector<NodeState> start = coarse.state().nodes;
  std::vector<Vec3> turns(certificate.bodies.size(), Vec3::Zero());
  double way = least_way * coarse.compiled().system.length;
  Certificate::Trajectory error;
  while (!coarse.done()) {
    if (!coarse.step()) return std::nullopt;
    while (fine.time() < coarse.time() * (1 - 1e-12) && !fine.done())
      if (!fine.step()) return std::nullopt;
    for (std::size_t k = 0; k < turns.size(); ++k) {
      const int node = coarse.compiled().bodies[k].node;
      const NodeState &a = coarse.state().nodes[node], &b = fine.state().nodes[node];
      turns[k] = followed(a.q, b.q, turns[k]);
      way = std::max(way, (b.x - start[node].x).norm());
      const bool apart = coarse.steps_done() > first_steps && (a.x - b.x).norm() > lost_way * way;
      if ((turns[k].norm() > lost_angle || apart) && !error.lost) error.lost = coarse.time();
    }
    if (progress && !progress(coarse.fraction(), coarse.time())) return std::nullopt;
  }
  if (coarse.state().t != fine.state().t) return std::nullopt;
  for (std::size_t k = 0; k < turns.size(); ++k) {
    const BodyState a = body_state(coarse.compiled().bodies[k], coarse.state()),
                    b = body_state(fine.compiled().bodies[k], fine.state());
    error.position = std::max(error.position, 4.0 / 3 * (a.position - b.position).norm());
    error.angle = std::max(error.angle, 4.0 / 3 * turns[k].norm());
  }
  return error;
}

}  // namespace polhode
