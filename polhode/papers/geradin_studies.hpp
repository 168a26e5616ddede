// Tables and figures of the page on Geradin, and the numbers that its claims need.
#pragma once

#include <array>

#include <polhode/papers/geradin.hpp>

namespace polhode::papers::geradin {

struct Top {
  const char *name, *title;
  std::string model;
};
inline const std::array<Top, 2> tops = {{{"1", "dropped", case_1}, {"2", "thrown", case_2}}};

/// A response in the eight forms (a) to (h) of the paper's figures.
Drawing response(const Top& top, const Motion& published, const Motion& corrected);

Table first_steps();
Table ends();

struct EnergyStudy {
  Table table{"energy", "Largest |E/E(0) - 1|; cases 1 and 2 over 2 s, the others over 10 s", {"top", "variant"}, {}};
  Drawing drawing{"energy", "Energy against the step", {}, 2};
  std::array<double, 2> published{}, corrected{};  ///< cases 1 and 2, h = 0.01 s
  double order = 0, over_ten_seconds = 0, asymmetric_published = 0, spherical_published = 0;
};
EnergyStudy energies(const Progress& progress);

struct AccuracyStudy {
  Table table{
      "errors", "|x - exact x| in m at t = 2 s, and the order between the two smallest steps", {"case", "method"}, {}};
  Drawing drawing{"convergence", "Error of the centre of mass at t = 2 s against the step", {}, 2};
  double least = 1e9, most = -1e9;
};
AccuracyStudy accuracy(const Progress& progress);

struct Parametrisations {
  Table table{"parametrisations",
              "Euler parameters against the conformal rotation vector: largest difference of x and R over 2 s, and "
              "iterations of Newton's method",
              {"case", "variant", "h [s]", "difference of x [m]", "difference of R [rad]", "iterations, euler",
               "iterations, conformal"},
              {}};
  double difference = 0;
  bool same_iterations = true;
};
Parametrisations parametrisations_compared();

struct Lost {
  Table table{"kept_and_lost",
              "Largest change over 2 s at h = 0.01 s, and its order in h where it is not rounding; of the velocity "
              "constraint the largest component",
              {"case", "method", "energy, relative", "constraint [m]", "vertical angular momentum [N m s]", "order",
               "velocity constraint [m/s]", "order"},
              {}};
  double drift = 0, published_velocity = 0;
};
Lost kept_and_lost();

struct Forces {
  Table table{"forces",
              "Case 2, corrected: largest error of a component of the joint's force over 2 s [N]",
              {"h [s]", "lambda, in the middle of its step", "mean of two lambda, between their steps"},
              {}};
  double raw_order = 0, mean_order = 0;
};
Forces forces();

/// Nutation over 10 s; the paper calls it perfectly preserved.
struct Nutations {
  Table table{"nutation",
              "Nutation over 10 s, h = 0.01 s: mean period, largest inclination, and how much the largest inclinations "
              "of its swings differ",
              {"case", "method", "period [s]", "largest theta [rad]", "spread [rad]"},
              {}};
  double spread = 0, period_error = 0;
};
Nutations nutations();

/// The trapezoidal rule with constraints at position level, on case 2: when it ends, or the largest force if it does
/// not.
Claim newmark_claim();

}  // namespace polhode::papers::geradin
