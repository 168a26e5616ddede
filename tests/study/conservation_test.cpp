// The table of what every method keeps: the page in docs/ tells the truth.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

#include <polhode/study/conservation.hpp>

namespace polhode::conservation_test {
namespace {

/// The rows of a table without the figures in brackets, which may differ in their last digit from machine to machine.
std::vector<std::string> rows(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("| `")) out.push_back(std::regex_replace(line, std::regex(R"( \([0-9.e+-]+\))"), ""));
  return out;
}

/// Of the library's own methods: taken before any test registers others.
const std::vector<IntegratorChoice> variants = method_variants();

TEST(Conservation, ThePageTellsWhatIsMeasured) {
  std::stringstream page;
  page << std::ifstream(POLHODE_SOURCE_DIR "/docs/conservation.md").rdbuf();
  std::vector<Conservation> measured;
  for (const IntegratorChoice& choice : variants) measured.push_back(measure_conservation(choice));
  const auto told = rows(page.str()), seen = rows(conservation_table(measured));
  EXPECT_EQ(told.size(), seen.size()) << "make the page again: polhode integrators --measure";
  for (std::size_t k = 0; k < std::min(told.size(), seen.size()); ++k) EXPECT_EQ(told[k], seen[k]);
}

Conservation of(const std::string& name) { return measure_conservation({name, {}}); }

TEST(Conservation, EnergyMomentumKeepsAllButRates) {
  const Conservation c = of("energy-momentum");
  EXPECT_EQ(c.energy.kind, Kept::Kind::exact);
  EXPECT_EQ(c.linear_momentum.kind, Kept::Kind::exact);
  EXPECT_EQ(c.angular_momentum.kind, Kept::Kind::exact);
  EXPECT_EQ(c.position.kind, Kept::Kind::exact);
  EXPECT_EQ(c.reversal.kind, Kept::Kind::exact);
  EXPECT_EQ(c.velocity.kind, Kept::Kind::order);
  EXPECT_EQ(c.velocity.power, 2);
  EXPECT_FALSE(c.gains);
}

TEST(Conservation, RattlieKeepsAllButEnergy) {
  const Conservation c = of("rattlie");
  EXPECT_EQ(c.energy.power, 2);
  EXPECT_EQ(c.angular_momentum.kind, Kept::Kind::exact);
  EXPECT_EQ(c.velocity.kind, Kept::Kind::exact);
  EXPECT_EQ(c.reversal.kind, Kept::Kind::exact);
}

TEST(Conservation, MeasuresWhatAMethodWithoutJointsKeepsOnSprings) {
  const Conservation c = of("staggered");
  EXPECT_EQ(c.model, "flying pair on springs");
  EXPECT_EQ(c.position.kind, Kept::Kind::nothing);
  EXPECT_EQ(c.linear_momentum.kind, Kept::Kind::exact);
}

}  // namespace
}  // namespace polhode::conservation_test
