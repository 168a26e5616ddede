// E. Lens, A. Cardona, An energy preserving/decaying scheme for nonlinearly constrained multibody systems, Multibody
// Syst. Dyn. 18 (2007): its four test cases, measured.
#pragma once

#include <polhode/papers/report.hpp>
#include <polhode/simulate/simulation.hpp>

namespace polhode::papers::lens_cardona {

/// A scheme of the paper by our names.
IntegratorChoice scheme(const std::string& name, double alpha, const std::string& kappa = "one");

/// A run step by step.
struct Motion {
  std::vector<double> time, kinetic, potential, total, kappa;
  std::vector<std::vector<Vec3>> x, v;           ///< of each body
  std::vector<std::vector<double>> multipliers;  ///< of each step, in its middle; none at the start
  Certificate certificate;
};
Motion run(const std::string& model, const IntegratorChoice& integrator, double h, double end_time);
Motion run(Model model, const IntegratorChoice& integrator, double h, double end_time);

/// Test case a as it stands in the paper, with the angle theta for its only unknown: K = theta'^2/2, V = g (1 - cos
/// theta). The discrete derivative of V is g sin(mean) sin(d)/d, d half the difference. x = sin theta and y = cos theta
/// point as in case b.
struct Swing {
  std::vector<double> time, theta, rate, total;
};
Swing swing_preserving(double h, double end_time);
Swing swing_decaying(double alpha, double h, double end_time);

/// A chain on springs that its weight stretches by a millionth of a metre, and a slider-crank with a very light coupler
/// whose pin is a stiff bushing; with steps of 100 and of 250 fastest periods.
struct StiffCase {
  std::string name;
  Model model;
  Model rigid;  ///< its slow motion: the same with joints for the springs; or itself
  double fastest_period, step, end_time;
};
std::vector<StiffCase> stiff_cases();

/// The largest distance of a body from where the slow motion is at the end.
double slow_error(const StiffCase& stiff, const IntegratorChoice& integrator, double h);

Page page(const Progress& progress);

}  // namespace polhode::papers::lens_cardona
