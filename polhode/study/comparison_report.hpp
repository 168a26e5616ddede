// Comparisons and convergence studies for people and programs: text, CSV, JSON, and figures.
#pragma once

#include <string>
#include <vector>

#include <polhode/io/figure.hpp>
#include <polhode/study/convergence.hpp>

namespace polhode {

std::string to_text(const Comparison& comparison);
std::string to_csv(const Comparison& comparison);
std::string to_json(const Comparison& comparison);

std::string to_text(const ConvergenceStudy& study);
std::string to_csv(const ConvergenceStudy& study);
std::string to_json(const ConvergenceStudy& study);

/// Error against step, and error against time of computation, for positions and angles; velocities; reactions.
std::vector<Figure> figures(const ConvergenceStudy& study);

}  // namespace polhode
