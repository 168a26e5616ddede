// The invariants of the library's joints, and its measures: typed tests run for each of them.
#pragma once

#include <gtest/gtest.h>

#include <polhode/system/elements.hpp>

namespace polhode {

// The rows of the joint table in docs/joints.md, written once more. The third axis of a marker is the joint's axis.
inline constexpr InvariantChoice spherical_rows{.point = true};
inline constexpr InvariantChoice revolute_rows{.point = true, .cosine = bit(2, 0) | bit(2, 1)};
inline constexpr InvariantChoice universal_rows{.point = true, .cosine = bit(2, 2)};
inline constexpr InvariantChoice cylindrical_rows{.along_b = bit(0) | bit(1), .cosine = bit(2, 0) | bit(2, 1)};
inline constexpr InvariantChoice prismatic_rows{.along_b = bit(0) | bit(1),
                                                .cosine = bit(2, 0) | bit(2, 1) | bit(0, 1)};
inline constexpr InvariantChoice planar_rows{.along_a = bit(2), .cosine = bit(2, 0) | bit(2, 1)};
inline constexpr InvariantChoice weld_rows{.point = true, .cosine = bit(0, 1) | bit(1, 2) | bit(2, 0)};
inline constexpr InvariantChoice line_rows{.along_a = bit(0) | bit(1)};
inline constexpr InvariantChoice plane_rows{.along_a = bit(2)};
inline constexpr InvariantChoice rod_rows{.square = true};

template <class... More>
using JointInvariantsAnd =
    ::testing::Types<Invariants<spherical_rows>, Invariants<revolute_rows>, Invariants<universal_rows>,
                     Invariants<cylindrical_rows>, Invariants<prismatic_rows>, Invariants<planar_rows>,
                     Invariants<weld_rows>, Invariants<line_rows>, Invariants<plane_rows>, Invariants<rod_rows>,
                     More...>;

using AllMeasures = ::testing::Types<ScalarMeasure<AngleCoordinate>, ScalarMeasure<TravelCoordinate>,
                                     ScalarMeasure<LengthCoordinate>, PointMeasure, BushingMeasure>;

}  // namespace polhode
