// Does a message say these words?
#pragma once

#include <string>

#include <gtest/gtest.h>

namespace polhode {

inline testing::AssertionResult says(const std::string& text, const std::string& words) {
  if (text.find(words) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "\"" << text << "\" does not say \"" << words << "\"";
}

}  // namespace polhode
