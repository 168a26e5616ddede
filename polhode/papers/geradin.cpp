#include <polhode/papers/geradin.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/LU>

#include <polhode/study/reference.hpp>

namespace polhode::papers::geradin {
namespace {

/// The exact motion at some times, computed once.
const Reference& reference(const std::string& model, const std::vector<double>& times) {
  static std::map<std::pair<std::string, std::vector<double>>, Reference> known;
  const auto key = std::pair(model, times);
  const auto found = known.find(key);
  return found != known.end()
             ? found->second
             : known.emplace(key, compute_reference(built_in_model(model), times, 1e-13)).first->second;
}

/// From the tip to the centre of mass, in the body.
Vec3 arm(const Model& top) { return -*top.joints.at(0).anchors().at_b; }

}  // namespace

IntegratorChoice method(const std::string& variant, const std::string& parameters) {
  return {"geradin", {{"variant", variant}, {"parameters", parameters}}};
}

IntegratorChoice energy_momentum() { return {"energy-momentum", {{"order", 2.0}, {"index", 3.0}}}; }

Motion run(const Model& top, const IntegratorChoice& integrator, double h, double end_time) {
  Model model = top;
  model.simulation.integrator = integrator;
  model.simulation.step = h;
  model.simulation.end_time = end_time;
  model.simulation.output_step = h;
  const Vec3 X = arm(top);
  Simulation simulation(model);
  const Mat3 axes = simulation.compiled().connections.at(0).pair.a.E;
  Motion out;
  out.certificate = simulation.run([&](const Sample& s) {
    Instant now;
    now.time = s.time;
    now.x = Eigen::Map<const Vec3>(s.positions.data());
    now.v = Eigen::Map<const Vec3>(s.velocities.data());
    now.R = Quaternion(s.quaternions[0], s.quaternions[1], s.quaternions[2], s.quaternions[3]);
    now.Omega = Eigen::Map<const Vec3>(s.angular_velocities.data());
    now.lambda = axes * Eigen::Map<const Vec3>(s.reactions.data());
    now.energy = s.energy.kinetic + s.energy.gravitational;
    now.vertical = s.angular_momentum.z();
    now.Phi = now.x - now.R * X;
    now.Phi_rate = (now.v - now.R * now.Omega.cross(X)).cwiseAbs().maxCoeff();
    out.instants.push_back(now);
  });
  return out;
}

Motion run(const std::string& model, const IntegratorChoice& integrator, double h, double end_time) {
  return run(built_in_model(model), integrator, h, end_time);
}

EulerAngles euler_angles(const Quaternion& R, const Vec3& Omega) {
  const Mat3 r = R.toRotationMatrix();
  EulerAngles out;
  out.psi = std::atan2(r(2, 0), r(2, 1));
  const double s = std::sin(out.psi), c = std::cos(out.psi);
  out.theta = std::atan2(r(2, 0) * s + r(2, 1) * c, r(2, 2));
  out.phi = std::atan2(r(1, 0) * c - r(1, 1) * s, r(0, 0) * c - r(0, 1) * s);
  out.theta_rate = c * Omega.x() - s * Omega.y();
  return out;
}

Vec3 half_rotation(const Instant& start, const Instant& end) {
  const Quaternion turn = start.R.conjugate() * end.R;
  return turn.w() < 0 ? Vec3(-turn.vec()) : Vec3(turn.vec());
}

double energy_error(const Motion& motion) {
  double largest = 0;
  for (const Instant& i : motion.instants)
    largest = std::max(largest, std::abs(i.energy / motion.instants[0].energy - 1));
  return largest;
}

double momentum_error(const Motion& motion) {
  double largest = 0;
  for (const Instant& i : motion.instants)
    largest = std::max(largest, std::abs(i.vertical - motion.instants[0].vertical));
  return largest;
}

double frozen_energy_error(const std::string& model, const Motion& motion) {
  const Mat3 J = built_in_model(model).bodies.at(0).inertia, J_inverse = J.inverse();
  double largest = 0;
  for (std::size_t k = 1; k < motion.instants.size(); ++k) {
    const Instant &a = motion.instants[k - 1], &b = motion.instants[k];
    const Quaternion R_m = a.R.slerp(0.5, b.R);
    const auto frozen = [&](const Instant& i) {
      const Vec3 h = R_m.conjugate() * (i.R * (J * i.Omega));
      return 0.5 * h.dot(J_inverse * h) + i.energy - 0.5 * i.Omega.dot(J * i.Omega);
    };
    largest = std::max(largest, std::abs(frozen(b) - frozen(a)));
  }
  return largest;
}

double position_error(const std::string& model, const IntegratorChoice& integrator, double h) {
  return (run(model, integrator, h, 2).instants.back().x - *reference(model, {2.0}).moments[0].bodies[0].position)
      .norm();
}

ForceError force_error(const std::string& model, const IntegratorChoice& integrator, double h) {
  const Motion motion = run(model, integrator, h, 2);
  const std::size_t steps = motion.instants.size() - 1;
  std::vector<double> times;  // middles and ends of steps
  for (std::size_t k = 1; k <= 2 * steps; ++k) times.push_back(0.5 * h * static_cast<double>(k));
  const Reference& known = reference(model, times);
  const auto force = [&](std::size_t half_steps) {
    return Vec3(Eigen::Map<const Vec3>(known.moments[half_steps - 1].reactions.data()));
  };
  ForceError out;
  for (std::size_t k = 1; k <= steps; ++k) {
    const Vec3& lambda = motion.instants[k].lambda;
    out.raw = std::max(out.raw, (lambda - force(2 * k - 1)).cwiseAbs().maxCoeff());
    if (k < steps)
      out.mean =
          std::max(out.mean, (0.5 * (lambda + motion.instants[k + 1].lambda) - force(2 * k)).cwiseAbs().maxCoeff());
  }
  return out;
}

Nutation nutation(const Motion& motion) {
  std::vector<double> times, angles;  // of the largest inclinations, by a parabola through three instants
  const auto theta = [&](std::size_t k) { return euler_angles(motion.instants[k].R, motion.instants[k].Omega).theta; };
  for (std::size_t k = 1; k + 1 < motion.instants.size(); ++k) {
    const double a = theta(k - 1), b = theta(k), c = theta(k + 1);
    if (!(b > a && b >= c)) continue;
    const double step = motion.instants[k].time - motion.instants[k - 1].time, offset = 0.5 * (a - c) / (a - 2 * b + c);
    times.push_back(motion.instants[k].time + offset * step);
    angles.push_back(b - 0.25 * (a - c) * offset);
  }
  Nutation out;
  out.swings = static_cast<int>(times.size()) - 1;
  out.period = (times.back() - times.front()) / out.swings;
  out.highest = *std::max_element(angles.begin(), angles.end());
  out.spread = out.highest - *std::min_element(angles.begin(), angles.end());
  return out;
}

std::vector<Instant> exact(const std::string& model, double h, double end_time) {
  std::vector<double> times;
  for (int k = 1; k <= static_cast<int>(std::lround(end_time / h)); ++k) times.push_back(k * h);
  std::vector<Instant> out;
  for (const ReferenceMoment& m : reference(model, times).moments) {
    const KnownMotion& top = m.bodies[0];
    Instant now;
    now.time = m.time;
    now.x = *top.position;
    now.v = *top.velocity;
    now.R = *top.orientation;
    now.Omega = *top.angular_velocity;
    out.push_back(now);
  }
  return out;
}

}  // namespace polhode::papers::geradin
