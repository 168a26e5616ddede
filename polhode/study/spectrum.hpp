// Spectral properties of the methods: what one step does to a linear oscillator, x'' + omega^2 x = 0, found by stepping
// the implementation itself. See docs/spectrum.md.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include <polhode/lie/algebra.hpp>
#include <polhode/model/model.hpp>

namespace polhode {

/// A rigid body of unit mass on a bushing: x'' + x = 0 along the first axis, exactly linear, period 2 pi.
Model linear_oscillator();

/// One step as a matrix, y1 = A y0, on the space that the oscillator's motions span in all that a step takes over to
/// the next: position, velocity and the method's memory. The matrix is told in an orthonormal basis of that space.
struct Amplification {
  MatX A;
  double defect = 0;  ///< how far the step leads out of that space, relative: round-off, if it is linear
};

/// ModelError if the method cannot serve the oscillator; std::runtime_error if a step does not converge. A limit that
/// the method puts on its step is passed over: what happens beyond it can be seen.
Amplification amplification(const IntegratorChoice& integrator, double h_over_T);

/// The step at one size. With the principal roots exp((-xi +- i) omega_bar h), those that follow the exact exp(+- i
/// omega h) from small steps on. NaN where these are real: there is no oscillation left to have a period.
struct SpectralPoint {
  double h_over_T = 0;
  double radius = 0;        ///< the largest |root|, spurious ones included
  double period_error = 0;  ///< T_bar/T - 1 = omega/omega_bar - 1
  double damping = 0;       ///< algorithmic damping ratio xi
  std::vector<std::complex<double>> roots;
};

struct Spectrum {
  IntegratorChoice integrator;
  std::vector<SpectralPoint> points;  ///< as asked for
  std::string note;                   ///< why there are none, or fewer
};

/// At every h/T given, in that order.
Spectrum spectrum(const IntegratorChoice& integrator, const std::vector<double>& h_over_T);

}  // namespace polhode
