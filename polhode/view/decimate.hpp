// Which samples of a long run are shown, so that what is left tells the truth: recorded numbers only, extremes kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace polhode::view {

using Samples = std::vector<std::uint32_t>;  ///< indices of samples, increasing

/// At most `most` of `count` samples, equally far apart, with the first and the last.
Samples every_nth(std::size_t count, std::size_t most);

/// Numbers of one channel: `place` of `width` a sample.
struct Channel {
  std::span<const double> numbers;
  std::size_t width = 1, place = 0;
  double operator[](std::size_t sample) const { return numbers[sample * width + place]; }
};

/// At most about `most` of `count` samples: the least and the largest of every channel in every one of equal stretches
/// of time, and both ends. All of them if there are fewer.
Samples keep_extremes(const std::vector<Channel>& channels, std::size_t count, std::size_t most);

}  // namespace polhode::view
