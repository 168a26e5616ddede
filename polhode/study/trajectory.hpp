// A run as a study sees it: the motion at chosen times, and the certificate.
#pragma once

#include <functional>

#include <polhode/simulate/simulation.hpp>

namespace polhode {

struct Moment {
  double time = 0;
  std::vector<BodyState> bodies;
  std::vector<double> reactions;  ///< six numbers for each connection, at this time (not at the middle of a step)
};

/// The motion of the bodies at a state; reactions are left out.
Moment moment_of(const CompiledModel& model, const State& state);

struct Trajectory {
  std::vector<std::string> bodies;
  std::vector<Moment> moments;
  Certificate certificate;
};

/// Times that a run with this step reaches: multiples of it, and the end.
bool reaches(double step, double end_time, double time);

/// Runs the model and notes the motion at `times`, which the run must reach. Multipliers that belong to the middle of a
/// step are carried to its ends: the mean of both steps that meet there. `progress` is called after every step and may
/// return false.
Trajectory record(const Model& model, const std::vector<double>& times, const std::function<bool()>& progress = {});

}  // namespace polhode
