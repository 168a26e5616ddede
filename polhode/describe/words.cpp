// Misspelt words: the edit distance, and what is close enough to suggest.
#include <polhode/describe/words.hpp>

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace polhode {
namespace {

constexpr std::size_t longest_suggested = 80;  // a longer word is no misspelling, and the distance costs its square

char folded(char c) { return c == '_' || c == ' ' ? '-' : char(std::tolower(static_cast<unsigned char>(c))); }

// Damerau's distance with adjacent swaps: the fewest letters to change, add, drop or swap.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = folded(a[i - 1]) == folded(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped =
          i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) && folded(a[i - 2]) == folded(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.empty() || name.size() > longest_suggested) return std::nullopt;
  const std::string* best = nullptr;
  std::size_t least = 0;
  for (const std::string& candidate : candidates) {
    const std::size_t length = std::max(name.size(), candidate.size());
    if (candidate.size() > longest_suggested) continue;
    const std::size_t d = distance(name, candidate);
    if (d > std::max<std::size_t>(1, length / 3) || d >= length) continue;  // a word with nothing in common is no guess
    if (!best || d < least) best = &candidate, least = d;
  }
  return best ? std::optional(*best) : std::nullopt;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const auto guess = nearest(name, candidates);
  return guess ? fmt::format("; did you mean \"{}\"?", *guess) : std::string();
}

std::string did_you_mean_or_list(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string hint = did_you_mean(name, candidates);
  return hint.empty() ? fmt::format("; there are: {}", fmt::join(candidates, ", ")) : hint;
}

}  // namespace polhode
