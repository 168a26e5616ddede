// The numbers that measure how one body stands to another, by their words.
#pragma once

#include <polhode/describe/words.hpp>

namespace polhode {

/// A number that measures how one body stands to another.
enum class Coordinate {
  angle,   ///< of b about the axis of a, 0 at the model pose, counted over many turns [rad]
  travel,  ///< of b's anchor along the axis of a [m]
  length   ///< distance between the anchors [m]
};

template <>
inline constexpr auto words<Coordinate> = std::to_array<Word>({
    {"angle", "of b about the axis of a [rad]"},
    {"travel", "of b's anchor along the axis of a [m]"},
    {"length", "distance of the anchors [m]"},
});

/// At most two of them, in order.
struct Coordinates {
  std::array<Coordinate, 2> list{};
  std::size_t count = 0;

  constexpr Coordinates() = default;
  constexpr Coordinates(std::initializer_list<Coordinate> some) {
    for (const Coordinate one : some) list[count++] = one;
  }
  constexpr const Coordinate* begin() const { return list.data(); }
  constexpr const Coordinate* end() const { return list.data() + count; }
  constexpr bool has(Coordinate one) const { return (count > 0 && list[0] == one) || (count > 1 && list[1] == one); }
};

}  // namespace polhode
