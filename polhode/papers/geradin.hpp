// M. Geradin, Energy conserving time integration for multibody dynamics, application to top motion: its two tops,
// measured.
#pragma once

#include <polhode/papers/report.hpp>
#include <polhode/study/trajectory.hpp>

namespace polhode::papers::geradin {

/// The cases of the paper, as built-in models: 1, the top is dropped; 2, it is thrown. And a top without symmetry,
/// which is ours.
inline const std::string case_1 = "geradin_top_1", case_2 = "geradin_top_2", asymmetric = "geradin_top_asymmetric";

/// The rule by our names: published or corrected, in Euler parameters or the conformal rotation vector.
IntegratorChoice method(const std::string& variant, const std::string& parameters = "euler");
IntegratorChoice energy_momentum();

/// The top at the end of a step, under the symbols of the paper.
struct Instant {
  double time = 0;
  Vec3 x = Vec3::Zero(), v = Vec3::Zero();  ///< centre of mass, in space
  Quaternion R = Quaternion::Identity();
  Vec3 Omega = Vec3::Zero();  ///< in the body
  /// force of the joint on the top, in space, in the middle of the step that ends here [N]
  Vec3 lambda = Vec3::Zero();
  double energy = 0;        ///< [J]
  double vertical = 0;      ///< angular momentum about the vertical through the tip [N m s]
  Vec3 Phi = Vec3::Zero();  ///< x - R X, (17)
  double Phi_rate = 0;      ///< the largest component of v - R (Omega x X)
};

struct Motion {
  std::vector<Instant> instants;  ///< from the start on, every step
  Certificate certificate;
};

Motion run(const Model& top, const IntegratorChoice& integrator, double h, double end_time);
Motion run(const std::string& model, const IntegratorChoice& integrator, double h, double end_time);

/// phi, theta, psi of R = R3(phi) R1(theta) R3(psi), and the rate of theta.
struct EulerAngles {
  double phi = 0, theta = 0, psi = 0, theta_rate = 0;
};
EulerAngles euler_angles(const Quaternion& R, const Vec3& Omega);

/// e of the step between two instants, the vector part of R0^T R1.
Vec3 half_rotation(const Instant& start, const Instant& end);

/// The largest |E/E(0) - 1|.
double energy_error(const Motion& motion);

/// The largest change of the vertical angular momentum [N m s].
double momentum_error(const Motion& motion);

/// What the published equations keep in a step: 1/2 h^T (Rm J^-1 Rm^T) h, with the inertia of the middle of the step,
/// and the rest of the energy. The largest change of it in a step [J].
double frozen_energy_error(const std::string& model, const Motion& motion);

/// |x - exact x| at 2 s.
double position_error(const std::string& model, const IntegratorChoice& integrator, double h);

/// The largest error of the joint's force over 2 s [N]: largest component; lambda as it comes, against the force in the
/// middle of the step; and the mean of two lambda that follow each other, against the force between them.
struct ForceError {
  double raw = 0, mean = 0;
};
ForceError force_error(const std::string& model, const IntegratorChoice& integrator, double h);

/// Nutation over a run: mean period, and how much the largest inclinations differ from one another.
struct Nutation {
  double period = 0, highest = 0, spread = 0;
  int swings = 0;
};
Nutation nutation(const Motion& motion);

/// The exact motion at multiples of h, as a run would give it; without multipliers.
std::vector<Instant> exact(const std::string& model, double h, double end_time);

Page page(const Progress& progress);

}  // namespace polhode::papers::geradin
