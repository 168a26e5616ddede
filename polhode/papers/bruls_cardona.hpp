// O. Bruls, A. Cardona, On the use of Lie group time integrators in multibody dynamics, J. Comput. Nonlinear Dyn. 5
// (2010) 031002: its five problems, measured.
#pragma once

#include <polhode/papers/report.hpp>
#include <polhode/study/trajectory.hpp>

namespace polhode::papers::bruls_cardona {

/// A problem of section 7: a built-in model, the point that is observed, and the times at which errors are taken.
struct Problem {
  std::string name, title, model, body;
  Vec3 X = Vec3::Zero();       ///< in the body's frame; the paper observes R X
  double first = 0, last = 0;  ///< of the window, every 0.02 s
  std::vector<double> rhos;    ///< the spectral radii of its figure
  std::vector<double> times() const;
};
const std::vector<Problem>& problems();
const Problem& problem(const std::string& name);

/// The methods of the paper by our names, and more: exp1, exp2, exp3 are geom1, geom2, geom3; rotation-vector is
/// "linear".
IntegratorChoice method(const std::string& update, double rho_inf, const std::string& start = "printed",
                        const std::string& group = "R3xSO3", double index = 3);

/// Equation (99): the mean over the window of the distance of x from the exact motion, not from a fine run of the same
/// method.
double error(const Problem& problem, const IntegratorChoice& integrator, double h);

/// The model of a problem, to be simulated in this way.
Model model_of(const Problem& problem, const IntegratorChoice& integrator, double h, double end_time);

/// The exact x at a time.
Vec3 exact(const Problem& problem, double t);

/// The largest error of the joint's force between two times, the ends left out [N], on problem 7.5.
double force_error(const IntegratorChoice& integrator, double h, double from, double to);

/// E(10 s) - E(0) at h = 1 ms [J].
double energy_after_ten_seconds(const Problem& problem, const IntegratorChoice& integrator);

Page page(const Progress& progress);

}  // namespace polhode::papers::bruls_cardona
