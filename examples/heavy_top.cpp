// A model built in C++, without a file: a fast top on a spherical joint, simulated for 2 s. Prints the certificate.
#include <iostream>

#include <polhode/elements/joints/spherical.hpp>
#include <polhode/simulate/simulation.hpp>

int main() {
  polhode::Body top;
  top.name = "top";
  top.mass = 15;
  top.inertia.diagonal() << 0.234375, 0.46875, 0.234375;  // about the centre of mass, which is the body's origin
  top.position = {0, 1, 0};
  top.angular_velocity = polhode::Vec3(0, 150, -4.61538);  // body components; the velocity follows from the joint

  polhode::Model model;
  model.name = "heavy top";
  model.gravity = {0, 0, -9.81};
  model.bodies = {top};
  model.joints = {polhode::Spherical{.name = "tip", .between = {"ground", "top"}, .at = polhode::Vec3(0, 0, 0)}};
  model.simulation.integrator = {"energy-momentum", {{"order", 4.0}}};
  model.simulation.step = 1e-3;
  model.simulation.end_time = 2;

  polhode::Simulation simulation(model);
  const polhode::Certificate certificate = simulation.run();
  std::cout << to_text(certificate);
  return certificate.energy.balance_error < 1e-11 ? 0 : 1;  // round-off: 10 000 substeps
}
