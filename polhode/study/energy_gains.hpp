// Which method gains energy on which model: the steps that do, counted.
#pragma once

#include <string>
#include <vector>

#include <polhode/model/model.hpp>

namespace polhode {

/// A model with the step and the end of its runs in its simulation block.
struct GainCase {
  std::string name;
  Model model;
};

struct Gains {
  long gaining = 0, steps = 0, fallbacks = 0;
  std::string failure;  ///< why there is no run, or no complete one
};

/// Steps that gain more than 1e-12 of the energy that moves, after the work of loads, drives and dampers.
Gains count_gains(const Model& model, const IntegratorChoice& integrator);

/// The methods that are compared, with their headings.
std::vector<std::pair<std::string, IntegratorChoice>> methods_with_gains();

/// The models of the table by the names of their files in models/, with step and number of steps.
struct GainRun {
  std::string model;
  double step;
  int steps;
};
const std::vector<GainRun>& gain_runs();

/// The table in Markdown, a row a model, a column a method.
std::string gain_table(const std::vector<GainCase>& cases);

}  // namespace polhode
