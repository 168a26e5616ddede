// A model looked at without simulating it: freedoms, redundancy, consistency, what it conserves, how fast it wants to
// move.
#pragma once

#include <polhode/simulate/conserved.hpp>
#include <polhode/simulate/frequencies.hpp>

namespace polhode {

struct CheckReport {
  std::string model;
  std::size_t bodies = 0;
  int body_freedoms = 0;  ///< before the joints
  StartReport start;      ///< freedoms after the joints, redundancies, residuals as given, what was moved
  ConservedMomenta conserved;
  Frequencies frequencies;
  double step = 0;  ///< of the model [s]
  std::vector<std::string> advice;
};

/// ModelError if the model has no consistent start, or if its integrator cannot serve it with its step: what a run
/// would refuse.
CheckReport check(const Model& model);

std::string to_text(const CheckReport& report);  ///< for people, a line a finding
std::string to_json(const CheckReport& report);  ///< one object

}  // namespace polhode
