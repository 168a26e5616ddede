#include <polhode/papers/nielsen_krenk.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include <polhode/study/reference.hpp>

namespace polhode::papers::nielsen_krenk {
namespace {

/// The largest |e|, (3), and |C(q) p|, (18), of the bodies: the memory of the director scheme is q and p of each, 24
/// numbers.
std::pair<double, double> internal_constraints(const State& state) {
  double strain = 0, Cp = 0;
  for (std::size_t i = 0; i < state.nodes.size(); ++i) {
    const Eigen::Map<const Mat3> q(&state.memory[24 * static_cast<long>(i) + 3]),
        p(&state.memory[24 * static_cast<long>(i) + 15]);
    strain = std::max(strain, (0.5 * (q.transpose() * q - Mat3::Identity())).cwiseAbs().maxCoeff());
    Mat3 c = q.transpose() * p + p.transpose() * q;
    c.diagonal() *= 0.5;  // rows q_i . p_i, and q_i . p_j + q_j . p_i
    Cp = std::max(Cp, c.cwiseAbs().maxCoeff());
  }
  return {strain, Cp};
}

}  // namespace

const std::vector<Example>& examples() {
  static const std::vector<Example> all{{"6.1", "chain_revolute", "revolute", 0.01, 10, 20},
                                        {"6.2", "chain_spherical", "spherical", 0.1, 30, 12}};
  return all;
}

const Example& example(const std::string& name) {
  for (const Example& e : examples())
    if (e.name == name) return e;
  throw std::out_of_range("there is no example " + name);
}

IntegratorChoice director() { return {"director", {}}; }
IntegratorChoice energy_momentum() { return {"energy-momentum", {{"order", 2.0}, {"index", 3.0}}}; }

const Instant& Motion::at(double time) const {
  for (const Instant& i : instants)
    if (std::abs(i.time - time) < 1e-9) return i;
  throw std::out_of_range("the run does not stop there");
}

double Motion::largest(double (*of)(const Instant&)) const {
  double out = 0;
  for (const Instant& i : instants) out = std::max(out, of(i));
  return out;
}

double Motion::energy_error() const {
  double out = 0;
  for (const Instant& i : instants) out = std::max(out, std::abs(i.T + i.V - instants[0].T - instants[0].V));
  return out;
}

double Motion::l3_error() const {
  return largest([](const Instant& i) { return std::abs(i.l.z()); });
}
double Motion::energy_scale() const {
  return largest([](const Instant& i) { return i.T; });
}
double Motion::l_scale() const {
  return largest([](const Instant& i) { return i.l.norm(); });
}

Motion run(const Example& example, const IntegratorChoice& integrator, double h, double end_time, double tolerance) {
  Model model = built_in_model(example.model);
  model.simulation.integrator = integrator;
  model.simulation.step = h;
  model.simulation.end_time = end_time;
  model.simulation.output_step = h;
  model.simulation.newton.tolerance = tolerance;
  Simulation simulation(model);
  Motion out;
  simulation.run([&](const Sample& s) {
    Instant now;
    now.time = s.time;
    now.T = s.energy.kinetic;
    now.V = s.energy.gravitational;
    now.l = s.angular_momentum;
    now.Phi = s.position_residual;
    now.iterations = s.newton_iterations;
    if (integrator.name == "director") std::tie(now.e, now.Cp) = internal_constraints(simulation.state());
    for (std::size_t k = 0; 3 * k < s.positions.size(); ++k) {
      now.x.emplace_back(Eigen::Map<const Vec3>(&s.positions[3 * k]));
      now.Q.emplace_back(s.quaternions[4 * k], s.quaternions[4 * k + 1], s.quaternions[4 * k + 2],
                         s.quaternions[4 * k + 3]);
    }
    out.instants.push_back(std::move(now));
  });
  return out;
}

std::vector<Vec3> exact(const Example& example, double time) {
  static std::map<std::pair<std::string, double>, Reference> known;
  const auto key = std::pair(example.model, time);
  auto found = known.find(key);
  if (found == known.end())
    found = known.emplace(key, compute_reference(built_in_model(example.model), {time}, 1e-13)).first;
  std::vector<Vec3> out;
  for (const KnownMotion& body : found->second.moments[0].bodies) out.push_back(*body.position);
  return out;
}

double position_error(const Example& example, const IntegratorChoice& integrator, double h) {
  return (run(example, integrator, h, 1, NewtonOptions{}.tolerance).instants.back().x.back() - exact(example, 1).back())
      .norm();
}

}  // namespace polhode::papers::nielsen_krenk
