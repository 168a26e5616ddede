// The words of enumerations, one table each, and the word that a misspelt one was meant to be.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polhode {

/// A word of an enumeration and what it stands for. One that is a numeral, "2", is a number in files.
struct Word {
  std::string_view word, meaning{};
};

/// words<Coordinate> is the table of an enumeration whose values count from 0: specialised beside it, in the same
/// order.
template <class Enum>
inline constexpr std::array<Word, 0> words{};

/// The word for a value: name_of(Coordinate::travel) is "travel".
template <class Enum>
constexpr std::string_view name_of(Enum value) {
  return words<Enum>[static_cast<std::size_t>(value)].word;
}

/// The value for a word, if there is one.
template <class Enum>
constexpr std::optional<Enum> from_name(std::string_view name) {
  for (std::size_t k = 0; k < words<Enum>.size(); ++k)
    if (words<Enum>[k].word == name) return static_cast<Enum>(k);
  return std::nullopt;
}

template <class Enum>
std::vector<std::string> all_names() {
  std::vector<std::string> all;
  for (const Word& word : words<Enum>) all.emplace_back(word.word);
  return all;
}

/// The candidate that `name` is most likely a misspelling of, if one is close: about one letter in three may differ
/// (wrong, missing, too many, or swapped with its neighbour). Case does not count, nor does `_` against `-`.
std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates);

/// `; did you mean "revolute"?` or nothing: the end of a message.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

/// The same, or `; there are: spherical, revolute, ...` if none is near.
std::string did_you_mean_or_list(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace polhode
