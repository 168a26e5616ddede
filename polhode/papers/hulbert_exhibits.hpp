// The tables and figures of the page on Hulbert.
#pragma once

#include <map>

#include <polhode/papers/hulbert.hpp>

namespace polhode::papers::hulbert {

/// Where forces do not depend on the configuration, both rules of the impulse are the same algorithm: 5.1 has four.
std::vector<const Scheme*> free_schemes();
std::string method_label(const Scheme& scheme);
bool has_two_chains(const Scheme& scheme);

/// The long runs of both problems, of 200 s and of 2000 s, with 1 ms.
struct LongRuns {
  std::map<const Scheme*, History> free, long_free, top, long_top;
};
LongRuns long_runs(const Progress& progress);

/// The predictor-corrector method's gain of energy against the step.
struct Growth {
  Table table;
  std::vector<double> gains;
};
Growth growth(const Progress& progress);

/// Error at the end against the step.
struct Orders {
  Drawing drawing;
  Table table;
  double least = 10, most = 0;
};
Orders orders(const Progress& progress);

Table tumbling_table();
Table free_table(const LongRuns& runs);
Table top_table();
Table top_long_table(const LongRuns& runs);
Table spectral_table();
Table top_joint_table();
Table chain_table(const Progress& progress);
Table chain_energy_table(const Progress& progress);

Drawing tumbling_drawing(const Scheme& scheme, int number);  ///< as figures 1 to 4
Drawing free_energy_drawing(const LongRuns& runs);
Drawing short_top_drawing();                     ///< as figure 6
Drawing long_top_drawing(const LongRuns& runs);  ///< as figures 7 to 10
Drawing top_energy_drawing(const LongRuns& runs);

}  // namespace polhode::papers::hulbert
