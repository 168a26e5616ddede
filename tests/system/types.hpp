// The invariants of the library's joints, and its measures: typed tests run for each of them.
#pragma once

#include <gtest/gtest.h>

#include <polhode/system/elements.hpp>

namespace polhode {

template <class... More>
using JointInvariantsAnd =
    ::testing::Types<Invariants<spherical_rows>, Invariants<revolute_rows>, Invariants<universal_rows>, Invariants<cylindrical_rows>,
                     Invariants<prismatic_rows>, Invariants<planar_rows>, Invariants<weld_rows>, Invariants<line_rows>,
                     Invariants<plane_rows>, Invariants<rod_rows>, More...>;

using AllMeasures = ::testing::Types<ScalarMeasure<AngleCoordinate>, ScalarMeasure<TravelCoordinate>, ScalarMeasure<LengthCoordinate>,
                                     PointMeasure, BushingMeasure>;

}  // namespace polhode
