// Tables and figures of the page on Nielsen & Krenk, and the numbers that its claims need.
#pragma once

#include <array>

#include <polhode/papers/nielsen_krenk.hpp>

namespace polhode::papers::nielsen_krenk {

inline constexpr double paper_tolerance = 1e-8;  ///< eps_r

/// The chain at four instants: figures 2 and 5.
Drawing snapshots(const Example& e, const Motion& motion);

/// Energy, angular momentum, constraints: figures 3, 4, 6 and 7.
Drawing conservation(const Example& e, const Motion& motion);

/// How far two stopping rules lead apart.
Figure chaos(const Example& e, const Motion& motion);

Table positions(const Progress& progress);

/// The largest errors of a run, and the most iterations of a step.
struct Figures {
  double energy, relative, l3, e, Cp, Phi, l_other;
  int most = 0;
};
Figures figures_of(const Motion& m);
std::vector<std::string> row_of(const Example& e, const Motion& m);

struct Sizes {
  Table table{"unknowns",
              "Unknowns of a step, n bodies and m equations of joints; and the largest distance of the bodies between "
              "the two codes in the first second",
              {"example", "n", "m", "counted in the paper, 12 n + m", "director, 24 n + m", "energy-momentum, 6 n + m",
               "distance [m]"},
              {}};
  double difference = 0;
};
Sizes sizes();

struct Accuracy {
  Table table{"errors", "|x4 - exact x4| in m at t = 1 s", {"example", "h [s]", "error [m]", "order"}, {}};
  Drawing drawing{"convergence",
                  "Error of body 4 at t = 1 s against the step, director; and how far two stopping rules, 1e-8 and "
                  "rounding, lead apart",
                  {},
                  3};
  std::array<double, 2> orders{};
};
Accuracy accuracy(const Progress& progress);

}  // namespace polhode::papers::nielsen_krenk
