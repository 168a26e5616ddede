// Spectra found by stepping, against the closed forms of the methods and digits of an independent computation.
#include <polhode/study/spectrum.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <polhode/elements/forces.hpp>
#include <polhode/integrate/integrator_text.hpp>
#include <polhode/integrate/methods.hpp>
#include <polhode/model/error.hpp>
#include <polhode/simulate/simulation.hpp>
#include <polhode/study/spectrum_report.hpp>

namespace polhode::spectrum_test {
namespace {

constexpr double pi = std::numbers::pi;
using Complex = std::complex<double>;

SpectralPoint at(const std::string& integrator, double h_over_T) {
  const Spectrum s = spectrum(parse_integrator(integrator), {h_over_T});
  EXPECT_EQ(s.note, "") << integrator;
  return s.points.at(0);
}

/// alpha_m, alpha_f, gamma, beta.
struct Alpha {
  double m, f, gamma, beta;
};

/// Chung & Hulbert 1993, of second order and with the largest high-frequency damping for a given one of low
/// frequencies.
Alpha chung_hulbert(double rho) {
  const double m = (2 * rho - 1) / (rho + 1), f = rho / (rho + 1);
  return {m, f, 0.5 - m + f, 0.25 * std::pow(1 - m + f, 2)};
}
/// Hilber, Hughes & Taylor 1977: alpha = -(1 - rho)/(1 + rho), here with the sign of Chung & Hulbert's alpha_f.
Alpha hht(double rho) {
  const double f = (1 - rho) / (1 + rho);
  return {0, f, 0.5 + f, 0.25 * std::pow(1 + f, 2)};
}
/// Newmark 1959 with beta = (gamma + 1/2)^2/4, for which the roots at infinity are the double root -rho.
Alpha newmark(double rho) {
  const double gamma = 0.5 + (1 - rho) / (1 + rho);
  return {0, 0, gamma, 0.25 * std::pow(gamma + 0.5, 2)};
}

/// The roots of Chung & Hulbert's amplification matrix of (d, h v, h^2 a), y = omega h:
///   d1 = d + h v + h^2 ((1/2 - beta) a + beta a1),  v1 = v + h ((1 - gamma) a + gamma a1),
///   (1 - alpha_m) a1 + alpha_m a + omega^2 ((1 - alpha_f) d1 + alpha_f d) = 0
Eigen::VectorXcd alpha_roots(const Alpha& p, double y) {
  Mat3 L1, L0;
  L1 << 1, 0, -p.beta, 0, 1, -p.gamma, y * y * (1 - p.f), 0, 1 - p.m;
  L0 << 1, 1, 0.5 - p.beta, 0, 1, 1 - p.gamma, -y * y * p.f, 0, -p.m;
  return (L1.inverse() * L0).eval().eigenvalues();
}

double distance(Complex root, const Eigen::VectorXcd& roots) { return (roots.array() - root).abs().minCoeff(); }

TEST(Spectrum, GeneralizedAlphaHasTheRootsOfItsAmplificationMatrix) {
  const auto compare = [](const std::string& integrator, const Alpha& parameters, std::size_t roots) {
    for (const double h_over_T : {0.01, 0.1, 0.5, 1.0, 10.0}) {
      const SpectralPoint p = at(integrator, h_over_T);
      EXPECT_EQ(p.roots.size(), roots) << integrator;
      for (const Complex& root : p.roots)
        EXPECT_LT(distance(root, alpha_roots(parameters, 2 * pi * h_over_T)), 1e-11)
            << integrator << ", h/T = " << h_over_T;  // measured 1.3e-12
    }
  };
  for (const double rho : {0.0, 0.5, 0.8})
    compare(fmt::format("generalized-alpha rho_inf={}", rho), chung_hulbert(rho), 3);
  for (const double rho : {0.5, 0.6, 0.8})
    compare(fmt::format("generalized-alpha settings=hht rho_inf={}", rho), hht(rho), 3);
  // here no motion ever excites the third root: a is the acceleration
  compare("generalized-alpha rho_inf=1", chung_hulbert(1), 2);
  for (const double rho : {0.0, 0.6, 1.0})
    compare(fmt::format("generalized-alpha settings=newmark rho_inf={}", rho), newmark(rho), 2);
  compare("generalized-alpha settings=trapezoidal", {0, 0, 0.5, 0.25}, 2);
  compare("generalized-alpha group=SE3 index=2 rho_inf=0.8", chung_hulbert(0.8), 3);
}

TEST(Spectrum, DigitsOfAnIndependentComputation) {
  struct Row {
    std::string integrator;
    double h_over_T, radius, period_error, damping;
  };
  // radius to 10 decimals, the others to 7 digits; the comparison that Lens & Cardona make, computed from the closed
  // forms
  for (const Row& row : {Row{"generalized-alpha rho_inf=0.8", 0.1, .9999044214, 3.382841e-2, 1.572715e-4},
                         {"generalized-alpha rho_inf=0.6", 0.1, .9989833905, 4.060488e-2, 1.684539e-3},
                         {"generalized-alpha rho_inf=0", 0.1, .9697081665, 1.232057e-1, 5.498793e-2},
                         {"generalized-alpha rho_inf=0.6", 0.5, .9190106660, 6.540416e-1, 4.446672e-2},
                         {"generalized-alpha settings=hht rho_inf=0.8", 0.1, .9986244628, 4.017248e-2, 2.278750e-3},
                         {"generalized-alpha settings=hht rho_inf=0.6", 0.1, .9978413128, 4.578879e-2, 3.596856e-3},
                         {"generalized-alpha settings=hht rho_inf=0.5", 0.1, .9977334976, 4.671532e-2, 3.780050e-3},
                         {"generalized-alpha settings=hht rho_inf=0.6", 0.5, .8730413884, 6.833864e-1, 7.275204e-2},
                         {"lens-cardona rho_inf=0.8", 0.1, .9997674486, 2.158675e-4, 3.702400e-4},
                         {"lens-cardona rho_inf=0.6", 0.1, .9994771408, 2.338981e-4, 8.325685e-4},
                         {"lens-cardona rho_inf=0", 0.1, .9979327436, 5.672153e-4, 3.295414e-3},
                         {"lens-cardona rho_inf=0.6", 0.5, .8754790131, 8.404583e-2, 4.588783e-2}}) {
    const SpectralPoint p = at(row.integrator, row.h_over_T);
    EXPECT_NEAR(p.radius, row.radius, 0.51e-10) << row.integrator;
    EXPECT_NEAR(p.period_error, row.period_error, 0.51e-6 * row.period_error) << row.integrator;
    EXPECT_NEAR(p.damping, row.damping, 0.51e-6 * row.damping) << row.integrator;
  }
}

TEST(Spectrum, MidpointRulesTurnByTheArcTangent) {
  // tan(omega_bar h/2) = omega h/2, no damping; order 4: five such steps
  const double g = 1 / (4 - std::cbrt(4.0));
  for (const double h_over_T : {0.01, 0.1, 0.5, 1.0, 10.0}) {
    const double y = 2 * pi * h_over_T;
    double turned = 0;
    for (const double part : {g, g, 1 - 4 * g, g, g}) turned += 2 * std::atan(0.5 * part * y);
    for (const auto& [integrator, angle] : {std::pair{"energy-momentum", 2 * std::atan(0.5 * y)},
                                            {"geradin", 2 * std::atan(0.5 * y)},
                                            {"generalized-alpha settings=trapezoidal", 2 * std::atan(0.5 * y)},
                                            {"energy-momentum order=4", turned}}) {
      const SpectralPoint p = at(integrator, h_over_T);
      EXPECT_NEAR(p.radius, 1, 1e-14) << integrator;
      EXPECT_NEAR(p.period_error / (y / angle - 1), 1, 1e-6)
          << integrator << ", h/T = " << h_over_T;  // 1e-8 cancels at order 4
      EXPECT_NEAR(p.damping, 0, 1e-13) << integrator;
    }
  }
}

// R(z) = [1 + (3 - alpha) z/6 + (1 - alpha) z^2/12] / [1 - (3 + alpha) z/6 + (1 + alpha) z^2/12], z = i omega h:
// Pade(2, 2) for alpha 0,
// Pade(1, 2) for alpha 1.
TEST(Spectrum, LensCardonaIsAPadeApproximation) {
  for (const double alpha : {0.0, 0.25, 1.0})
    for (const char* scheme : {"alpha-kappa", "decaying-alpha"})
      for (const double h_over_T : {0.01, 0.1, 0.3, 0.5, 1.0, 10.0}) {
        const double y = 2 * pi * h_over_T;
        const Complex z(0, y);
        const Complex R = (1.0 + (3 - alpha) / 6 * z + (1 - alpha) / 12 * z * z) /
                          (1.0 - (3 + alpha) / 6 * z + (1 + alpha) / 12 * z * z);
        const SpectralPoint p = at(fmt::format("lens-cardona scheme={} alpha={}", scheme, alpha), h_over_T);
        EXPECT_NEAR(p.radius, std::abs(R), 1e-12);
        double distance_to_R = 1;
        for (const Complex& root : p.roots) distance_to_R = std::min(distance_to_R, std::abs(root - R));
        EXPECT_LT(distance_to_R, 1e-12) << alpha << " " << h_over_T;
        if (y > pi) continue;
        const double phase = std::arg(R);  // less than half a turn
        EXPECT_NEAR(p.period_error, y / phase - 1, 1e-8);
        EXPECT_NEAR(p.damping, -std::log(std::abs(R)) / phase, 1e-8);
      }
}

TEST(Spectrum, ExplicitMethodsAreCentralDifferences) {
  // sin(omega_bar h/2) = omega h/2 below omega h = 2; above, a real root of L^2 - (2 - y^2) L + 1 beyond -1
  for (const char* integrator : {"rattlie", "simo-wong", "predictor-corrector", "staggered", "park-chiou-downer"}) {
    for (const double y : {0.01, 0.5, 1.5, 1.99}) {
      const SpectralPoint p = at(integrator, y / (2 * pi));
      EXPECT_NEAR(p.radius, 1, 1e-12) << integrator;
      EXPECT_NEAR(p.period_error, y / (2 * std::asin(0.5 * y)) - 1, 1e-13 / y)
          << integrator << ", y = " << y;  // rounding, over y
    }
    for (const double y : {2.01, 3.0, 20.0}) {
      const SpectralPoint p = at(integrator, y / (2 * pi));
      const double half = 0.5 * y * y - 1, radius = half + std::sqrt(half * half - 1);
      EXPECT_NEAR(p.radius, radius, 1e-11 * radius) << integrator << ", y = " << y;
      EXPECT_TRUE(std::isnan(p.period_error) && std::isnan(p.damping)) << integrator;
    }
  }
}

TEST(Spectrum, TrapezoidalImpulsesDriveTwoChainsApartAsFastAsTheOscillatorTurns) {
  // Each chain is pulled by the mean of its own ends, carried by the other: their distance d obeys d'' = +omega^2 d,
  // whatever the step.
  for (const double y : {0.01, 0.05, 0.1}) {
    const SpectralPoint p = at("staggered impulse=trapezoidal", y / (2 * pi));
    EXPECT_NEAR(std::log(p.radius) / y, 1, y * y) << y;
    EXPECT_NEAR(p.damping, 0, 1e-12);  // the motion itself is not damped: nothing warns of it at first
  }
}

TEST(Spectrum, EveryMethodIsLinearOnTheOscillator) {
  for (const Method& method : methods())
    for (const double h_over_T : {0.01, 0.1, 1.0, 10.0})
      EXPECT_LT(amplification({method.name, {}}, h_over_T).defect, 1e-13) << method.name << ", h/T = " << h_over_T;
}

TEST(Spectrum, RunsObeyTheCharacteristicPolynomial) {
  // Cayley & Hamilton: with the roots of A, x_{n+3} - e1 x_{n+2} + e2 x_{n+1} - e3 x_n = 0 along every run of the
  // driver
  const SpectralPoint p = at("generalized-alpha rho_inf=0.6", 0.1);
  ASSERT_EQ(p.roots.size(), 3u);
  const Complex a = p.roots[0], b = p.roots[1], c = p.roots[2];
  const double e1 = (a + b + c).real(), e2 = (a * b + b * c + c * a).real(), e3 = (a * b * c).real();
  Model model = linear_oscillator();
  model.bodies[0].position = Vec3(1, 0, 0);
  model.bodies[0].velocity = Vec3(0.3, 0, 0);
  model.forces[0].edit<Bushing>()->at_a = model.forces[0].edit<Bushing>()->at_b = Vec3::Zero();
  model.simulation.integrator = parse_integrator("generalized-alpha rho_inf=0.6 start=printed");
  model.simulation.step = 0.2 * pi;
  model.simulation.end_time = 20 * pi;
  Simulation run(model);
  std::vector<double> x{run.sample().positions[0]};
  while (!run.done() && run.step()) x.push_back(run.sample().positions[0]);
  ASSERT_EQ(x.size(), 101u);
  for (std::size_t n = 0; n + 3 < x.size(); ++n)
    EXPECT_NEAR(x[n + 3] - e1 * x[n + 2] + e2 * x[n + 1] - e3 * x[n], 0, 1e-13) << n;
}

TEST(Spectrum, RadiusFallsSteadilyToItsLimit) {
  std::vector<double> h_over_T;
  for (double h = 0.01; h < 1e3; h *= 1.2) h_over_T.push_back(h);
  for (const double rho : {0.0, 0.3, 0.5, 0.8, 0.9}) {
    const Spectrum s = spectrum({"generalized-alpha", {{"rho_inf", rho}}}, h_over_T);
    ASSERT_EQ(s.points.size(), h_over_T.size()) << s.note;
    for (std::size_t k = 1; k < s.points.size(); ++k)
      EXPECT_LE(s.points[k].radius, s.points[k - 1].radius + 1e-14) << rho;
    EXPECT_NEAR(s.points.back().radius, rho, 0.005) << rho;  // a triple root at infinity: as h^(-2/3), 0.003
  }
}

TEST(Spectrum, ErrorsHaveTheOrderOfTheMethod) {
  const auto slope = [](const std::string& integrator, double SpectralPoint::*quantity) {
    return std::log10(at(integrator, 0.02).*quantity / at(integrator, 0.002).*quantity);
  };
  EXPECT_NEAR(slope("generalized-alpha", &SpectralPoint::period_error), 2, 0.01);
  EXPECT_NEAR(slope("generalized-alpha", &SpectralPoint::damping), 3, 0.02);
  EXPECT_NEAR(slope("generalized-alpha settings=newmark rho_inf=0.6", &SpectralPoint::damping), 1, 0.01);
  EXPECT_NEAR(slope("rattlie", &SpectralPoint::period_error), 2, 0.01);
  EXPECT_NEAR(slope("energy-momentum order=4", &SpectralPoint::period_error), 4, 0.01);
}

TEST(Spectrum, GivesWhatWasAskedForInThatOrder) {
  const Spectrum s = spectrum({"rattlie", {}}, {0.2, 0.1, 0.2});
  ASSERT_EQ(s.points.size(), 3u);
  EXPECT_EQ(s.points[0].h_over_T, 0.2);
  EXPECT_EQ(s.points[1].h_over_T, 0.1);
  EXPECT_EQ(s.points[0].radius, s.points[2].radius);
  EXPECT_THROW(spectrum({"rattlie", {}}, {0}), ModelError);
  EXPECT_THROW(spectrum({"rattle", {}}, {0.1}), ModelError);
  EXPECT_THROW(spectrum({"rattlie", {{"rho_inf", 0.5}}}, {0.1}), ModelError);
}

TEST(Spectrum, MethodsThatDoTheSameShareACurve) {
  std::vector<Spectrum> spectra;
  for (const char* text : {"energy-momentum", "rattlie", "geradin", "generalized-alpha rho_inf=0.5"})
    spectra.push_back(spectrum(parse_integrator(text), {0.1, 0.3, 0.5}));
  const std::vector<Figure> panels = figures(spectra);
  ASSERT_EQ(panels.size(), 3u);
  ASSERT_EQ(panels[0].curves.size(), 3u);
  EXPECT_EQ(panels[0].curves[0].label, "energy-momentum,\ngeradin");
  EXPECT_NE(to_svg(panels, 3).find("geradin</text>"), std::string::npos);
  const std::string csv = to_csv(spectra);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 4 * 3);
  EXPECT_NE(csv.find("rattlie,0.5,7.7404"), std::string::npos);
  EXPECT_NE(csv.find(",,\n"), std::string::npos);  // no period beyond the limit
  EXPECT_NE(to_table(spectra).find("real"), std::string::npos);
}

}  // namespace
}  // namespace polhode::spectrum_test
