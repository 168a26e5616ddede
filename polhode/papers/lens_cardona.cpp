#include <polhode/papers/lens_cardona.hpp>

#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/LU>

#include <polhode/elements/forces/bushing.hpp>
#include <polhode/elements/joints/spherical.hpp>
#include <polhode/simulate/frequencies.hpp>

namespace polhode::papers::lens_cardona {
namespace {

constexpr double g = 9.81;

/// The discrete derivative of V between two angles, with its derivatives by both.
struct Slope {
  double value, by_first, by_second;
  Slope(double a, double b) {
    const double mean = 0.5 * (a + b), d = 0.5 * (b - a);
    const double sinc = std::abs(d) < 1e-4 ? 1 - d * d / 6 : std::sin(d) / d;
    const double sinc_rate = std::abs(d) < 1e-4 ? -d / 3 : (std::cos(d) - sinc) / d;
    value = g * std::sin(mean) * sinc;
    by_first = 0.5 * g * (std::cos(mean) * sinc - std::sin(mean) * sinc_rate);
    by_second = 0.5 * g * (std::cos(mean) * sinc + std::sin(mean) * sinc_rate);
  }
};

/// Steps of a function that takes (theta, rate) one h further.
template <class Step>
Swing swing(double h, double end_time, Step&& step) {
  Swing out;
  double theta = std::numbers::pi / 2, rate = 0;
  const int steps = static_cast<int>(std::lround(end_time / h));
  for (int k = 0; k <= steps; ++k) {
    if (k > 0) step(theta, rate);
    out.time.push_back(k * h);
    out.theta.push_back(theta);
    out.rate.push_back(rate);
    out.total.push_back(0.5 * rate * rate + g * (1 - std::cos(theta)));
  }
  return out;
}

/// The chain of four boxes with bushings that hold points together for its joints.
Model on_bushings(Model model, double stiffness) {
  for (const Joint& joint : model.joints) {
    const Spherical* const ball = joint.get<Spherical>();
    if (!ball) continue;
    Bushing bushing{.name = ball->name, .between = {ball->between[1], ball->between[0]}, .at = ball->at};
    if (!ball->at) bushing.at_a = ball->at_b, bushing.at_b = ball->at_a;
    bushing.stiffness = Vec6(stiffness, stiffness, stiffness, 0, 0, 0);
    model.forces.push_back(bushing);
  }
  std::erase_if(model.joints, [](const Joint& joint) { return joint.get<Spherical>() != nullptr; });
  return model;
}

double fastest_period(const Model& model) {
  const CompiledModel compiled = compile(model);
  return 2 * std::numbers::pi / estimate_frequencies(compiled, compiled.start).spring;
}

}  // namespace

IntegratorChoice scheme(const std::string& name, double alpha, const std::string& kappa) {
  return {"lens-cardona", {{"scheme", name}, {"alpha", alpha}, {"kappa", kappa}}};
}

Motion run(Model model, const IntegratorChoice& integrator, double h, double end_time) {
  model.simulation.integrator = integrator;
  model.simulation.step = h;
  model.simulation.end_time = end_time;
  model.simulation.output_step.reset();
  Simulation simulation(model);
  Motion out;
  out.x.resize(model.bodies.size());
  out.v.resize(model.bodies.size());
  const auto take = [&] {
    const Sample s = simulation.sample();
    out.time.push_back(s.time);
    out.kinetic.push_back(s.energy.kinetic);
    out.potential.push_back(s.energy.gravitational + s.energy.strain);
    out.total.push_back(out.kinetic.back() + out.potential.back());
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
      out.x[k].push_back(Eigen::Map<const Vec3>(s.positions.data() + 3 * k));
      out.v[k].push_back(Eigen::Map<const Vec3>(s.velocities.data() + 3 * k));
    }
  };
  take();
  while (!simulation.done() && simulation.step()) {
    take();
    const State& state = simulation.state();
    out.kappa.push_back(integrator.name == "lens-cardona" && state.memory.size() > 0 ? 1 + state.memory[0] : 1);
    out.multipliers.emplace_back(state.lambda.data(), state.lambda.data() + state.lambda.size());
  }
  out.certificate = simulation.certificate();
  return out;
}

Motion run(const std::string& model, const IntegratorChoice& integrator, double h, double end_time) {
  return run(built_in_model(model), integrator, h, end_time);
}

Swing swing_preserving(double h, double end_time) {
  // (v1 - v)/h + V* = 0,  (theta1 - theta)/h = (v1 + v)/2
  return swing(h, end_time, [h](double& theta, double& rate) {
    double next = theta + h * rate;
    for (int k = 0; k < 20; ++k) {
      const Slope V(theta, next);
      const double change = (2 * (next - theta) / h - 2 * rate + h * V.value) / (2 / h + h * V.by_second);
      next -= change;
      if (std::abs(change) < 1e-15) break;
    }
    rate = 2 * (next - theta) / h - rate;
    theta = next;
  });
}

Swing swing_decaying(double alpha, double h, double end_time) {
  // (a) (v1 - v)/h + f_g = 0,  (b) (vj - v)/h - (f_g - f_h)/3 + alpha (f_j - f_n)/6 = 0,  v1 and vj as in the kinematic rows
  return swing(h, end_time, [=](double& theta, double& rate) {
    Eigen::Vector2d u(h * rate, 0);  // displacements to the end and to the jump
    Eigen::Vector2d v;
    const Eigen::Matrix2d v_by_u = Eigen::Matrix2d{{2 * alpha, -6}, {2, 6}} / (h * (1 + alpha));
    const Eigen::Vector2d at_rest = Eigen::Vector2d(1 - alpha, alpha - 1) * rate / (1 + alpha);
    for (int k = 0; k < 20; ++k) {
      const double theta_1 = theta + u[0], theta_j = theta + u[1];
      const Slope G(theta_j, theta_1), H(theta, theta_j);
      v = v_by_u * u + at_rest;
      const Eigen::Vector2d F(v[0] - rate + h * G.value, v[1] - rate - h / 3 * (G.value - H.value) +
                                                             alpha * h / 6 * g * (std::sin(theta_j) - std::sin(theta)));
      Eigen::Matrix2d D = v_by_u;
      D(0, 0) += h * G.by_second;
      D(0, 1) += h * G.by_first;
      D(1, 0) -= h / 3 * G.by_second;
      D(1, 1) += h / 3 * (H.by_second - G.by_first) + alpha * h / 6 * g * std::cos(theta_j);
      const Eigen::Vector2d change = D.inverse() * F;
      u -= change;
      if (change.norm() < 1e-15) break;
    }
    v = v_by_u * u + at_rest;
    theta += u[0];
    rate = v[0];
  });
}

std::vector<StiffCase> stiff_cases() {
  // springs of 1e6 times the chain's weight for each metre
  const Model chain = built_in_model("chain_spherical"), chain_on_springs = on_bushings(chain, 1e6 * 48 * g);
  // of the coupler's mass a thousandth is left; its pin is a bushing
  Model crank = built_in_model("slider_crank");
  crank.bodies[1].mass *= 1e-3;
  crank.bodies[1].inertia *= 1e-3;
  const Model crank_on_springs = on_bushings(crank, 1e7);
  std::vector<StiffCase> cases{
      {"chain on springs", chain_on_springs, chain, fastest_period(chain_on_springs), 100, 1},
      {"slider-crank with a light coupler", crank_on_springs, crank, fastest_period(crank_on_springs), 250, 0.5}};
  for (StiffCase& stiff : cases)
    stiff.step = stiff.end_time / std::floor(stiff.end_time / (stiff.step * stiff.fastest_period));  // from periods
  return cases;
}

double slow_error(const StiffCase& stiff, const IntegratorChoice& integrator, double h) {
  const Motion fine =
      run(stiff.rigid, {"energy-momentum", {{"order", 4.0}, {"index", 3.0}}}, stiff.step / 16, stiff.end_time);
  const Motion coarse = run(stiff.model, integrator, h, stiff.end_time);
  if (!coarse.certificate.reached_end()) return std::numeric_limits<double>::quiet_NaN();
  double largest = 0;
  for (std::size_t k = 0; k < fine.x.size(); ++k)
    largest = std::max(largest, (fine.x[k].back() - coarse.x[k].back()).norm());
  return largest;
}

}  // namespace polhode::papers::lens_cardona
