// The honest list of docs/energy-gains.md: which method gains energy on which model.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

#include <polhode/study/energy_gains.hpp>

#include "simulate/runs.hpp"

namespace polhode::energy_gains_test {
namespace {

/// The rows of the table without the counts in brackets, which rounding may change by one.
std::vector<std::string> rows(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("| `")) out.push_back(std::regex_replace(line, std::regex(R"( \([^)]*\))"), ""));
  return out;
}

TEST(EnergyGains, ThePageTellsWhatIsMeasured) {
  std::stringstream page;
  page << std::ifstream(POLHODE_SOURCE_DIR "/docs/energy-gains.md").rdbuf();
  std::vector<GainCase> cases;
  for (const GainRun& run : gain_runs())
    cases.push_back({run.model, with(model_file(run.model), {}, run.step, run.steps * run.step)});
  const auto told = rows(page.str()), seen = rows(gain_table(cases));
  EXPECT_EQ(told.size(), seen.size()) << "make the page again: polhode integrators --gains";
  for (std::size_t k = 0; k < std::min(told.size(), seen.size()); ++k) EXPECT_EQ(told[k], seen[k]);
}

TEST(EnergyGains, NeverHappenWithMethodsThatProveIt) {
  for (const GainRun& run : gain_runs())
    for (const auto& [name, choice] : methods_with_gains())
      if (name == "energy-decaying" || name == "energy-momentum" || name == "lens-cardona decaying-alpha") {
        EXPECT_EQ(count_gains(with(model_file(run.model), {}, run.step, run.steps * run.step), choice).gaining, 0)
            << run.model << " " << name;
      }
}

}  // namespace
}  // namespace polhode::energy_gains_test
