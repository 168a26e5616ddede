// M. B. Nielsen, S. Krenk, Multibody motion in implicitly constrained director format with links via explicit
// constraints, ECCOMAS
// Multibody Dynamics 2013: its two hanging chains, measured.
#pragma once

#include <polhode/papers/report.hpp>
#include <polhode/study/trajectory.hpp>

namespace polhode::papers::nielsen_krenk {

/// An example of section 6: four boxes on a built-in model, with the step of the paper. How long the paper runs is not
/// in its text.
struct Example {
  std::string name, model, joints;
  double step = 0, end_time = 0;
  int rows = 0;  ///< equations of the joints
};
const std::vector<Example>& examples();
const Example& example(const std::string& name);

/// The scheme as published, and the same in 6 unknowns a body.
IntegratorChoice director();
IntegratorChoice energy_momentum();

/// The chain at the end of a step, under the symbols of the paper.
struct Instant {
  double time = 0;
  double T = 0, V = 0;            ///< [J]
  Vec3 l = Vec3::Zero();          ///< angular momentum about the origin (40) [N m s]
  double e = 0, Cp = 0, Phi = 0;  ///< the largest of (3), of (18) and of the joints' equations
  int iterations = 0;
  std::vector<Vec3> x;  ///< centres of mass
  std::vector<Quaternion> Q;
};

struct Motion {
  std::vector<Instant> instants;  ///< from the start on, every step
  const Instant& at(double time) const;
  double largest(double (*of)(const Instant&)) const;
  double energy_error() const;  ///< the largest |E - E(0)| [J]
  double l3_error() const;      ///< the largest |l3| [N m s]; it is 0 at the start
  double energy_scale() const;  ///< the largest T [J]
  double l_scale() const;       ///< the largest |l|
};

/// tolerance: eps_r of Table 1; the paper has 1e-8. e and C(q)p are of the director scheme, 0 for others.
Motion run(const Example& example, const IntegratorChoice& integrator, double h, double end_time, double tolerance);

/// |x4 - exact x4| at 1 s, h such that it divides 1 s.
double position_error(const Example& example, const IntegratorChoice& integrator, double h);

/// The exact centres of mass at a time.
std::vector<Vec3> exact(const Example& example, double time);

Page page(const Progress& progress);

}  // namespace polhode::papers::nielsen_krenk
