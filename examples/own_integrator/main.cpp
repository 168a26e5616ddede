// Registers an integrator of our own and runs a model with it: prints the certificate, the order that three steps show,
// and how far the motion is from that of a built-in method.
//     own_integrator models/heavy_top.json [1 or 2]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>

#include <polhode/io/model_reader.hpp>
#include <polhode/simulate/simulation.hpp>

#include "bdf.hpp"

namespace {

/// How far the bodies of two runs are apart at their ends, in m or rad.
double distance(const polhode::Certificate& one, const polhode::Certificate& other) {
  double farthest = 0;
  for (std::size_t k = 0; k < one.bodies.size(); ++k) {
    const auto &a = one.bodies[k].second, &b = other.bodies[k].second;
    farthest = std::max({farthest, (a.position - b.position).norm(), a.orientation.angularDistance(b.orientation)});
  }
  return farthest;
}

}  // namespace

int main(int count, char** words) {
  try {
    polhode::register_method(polhode::MethodOf<BdfOptions>{.name = "bdf",
                                                           .summary = "backward differentiation on the rotation group",
                                                           .order = "1 or 2",
                                                           .conserves = "constraints at position level",
                                                           .use = "stiff models whose fast motion is of no interest",
                                                           .source = "Curtiss & Hirschfelder 1952",
                                                           .make = make_bdf});

    polhode::Model model = polhode::read_model(count > 1 ? words[1] : "models/heavy_top.json");
    const double order = count > 2 ? std::atof(words[2]) : 2, h = model.simulation.step;
    model.simulation.integrator = {"bdf", {{"order", order}}};
    model.simulation.end_time = 100 * h;
    model.simulation.output_step.reset();
    const polhode::Certificate certificate = polhode::Simulation(model).run();
    std::cout << to_text(certificate);
    if (!certificate.complete()) return 1;

    // errors fall as h^order, and so do the differences between runs with h/2, h/4, h/8
    const auto with_step = [&](double step) {
      model.simulation.step = step;
      return polhode::Simulation(model).run();
    };
    const auto half = with_step(h / 2), quarter = with_step(h / 4), eighth = with_step(h / 8);
    const double coarse = distance(half, quarter), fine = distance(quarter, eighth),
                 observed = std::log2(coarse / fine);
    std::printf("order         %.2f, from differences of %.1e and %.1e (m, rad) at the end\n", observed, coarse, fine);

    // and a method of the library finds the same motion: its distance falls as h^order too
    model.simulation.integrator = {"energy-momentum", {{"order", 4.0}, {"index", 3.0}}};
    const auto known = with_step(h / 8);
    const double far = distance(quarter, known), near = distance(eighth, known), agreed = std::log2(far / near);
    std::printf("agreement     %.1e and %.1e (m, rad) from energy-momentum of order 4: order %.2f\n", far, near,
                agreed);
    return std::abs(observed - order) < 0.2 && std::abs(agreed - order) < 0.2 ? 0 : 1;
  } catch (const std::exception& error) {  // ModelError: every line says where, what, by how much and what to try
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
