// Words and values are inverse to each other; misspelt words find their way home.
#include <polhode/describe/words.hpp>

#include <gtest/gtest.h>

#include <polhode/model/model.hpp>

namespace polhode::names_test {
namespace {

std::vector<std::string> joint_words() {
  std::vector<std::string> all;
  for (const JointKind* kind : joint_kinds()) all.emplace_back(kind->word);
  return all;
}
std::vector<std::string> force_words() {
  std::vector<std::string> all;
  for (const ForceKind* kind : force_kinds()) all.emplace_back(kind->word);
  return all;
}

template <class Enum>
void expect_inverse(std::size_t count) {
  EXPECT_EQ(words<Enum>.size(), count);
  for (std::size_t k = 0; k < count; ++k) {  // every value has a word: the enums count from 0
    const auto value = static_cast<Enum>(k);
    EXPECT_EQ(from_name<Enum>(name_of(value)), value);
  }
  EXPECT_EQ(from_name<Enum>("no such word"), std::nullopt);
}

TEST(Names, WordsAndValuesAreInverse) {
  expect_inverse<Body::Type>(4);
  expect_inverse<Coordinate>(3);
  expect_inverse<Shape::Type>(6);
  expect_inverse<Function::Type>(7);
  expect_inverse<Function::Interpolation>(2);
  expect_inverse<SimulationOptions::Assembly>(2);
}

// One slip of any kind leads back to the word: no two of these are two slips apart.
TEST(Names, OneSlipLeadsBack) {
  const auto all = force_words();
  for (const std::string& word : all)
    for (std::size_t i = 0; i < word.size(); ++i) {
      std::string dropped = word, doubled = word, wrong = word, swapped = word;
      dropped.erase(i, 1);
      doubled.insert(i, 1, word[i]);
      wrong[i] = 'x';
      if (i > 0) std::swap(swapped[i - 1], swapped[i]);
      for (const std::string& slip : {dropped, doubled, wrong, swapped}) EXPECT_EQ(nearest(slip, all), word) << slip;
    }
}

TEST(Names, CaseAndDashesDoNotCount) {
  const auto all = joint_words();
  EXPECT_EQ(nearest("Point_On_Line", all), "point-on-line");
  EXPECT_EQ(nearest("center_of_mass", {"centre_of_mass", "mass"}), "centre_of_mass");
}

TEST(Names, AnotherWordIsNotSuggested) {
  const auto all = joint_words();
  EXPECT_EQ(nearest("banana", all), std::nullopt);
  EXPECT_EQ(nearest("", all), std::nullopt);
  EXPECT_EQ(nearest("x", {"y", "z"}), std::nullopt);
  EXPECT_EQ(nearest(std::string(100000, 'a'), all), std::nullopt);
}

}  // namespace
}  // namespace polhode::names_test
