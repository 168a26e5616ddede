// Arrays in huge pages: what is in them does not change, and no room is left over.
#include <polhode/solve/huge_pages.hpp>

#include <numeric>

#include <gtest/gtest.h>

namespace polhode::huge_pages_test {
namespace {

constexpr std::size_t some = 3, many = 1'000'001;  // less and more than a large page

TEST(HugePages, SettledArraysHoldWhatTheyHeldAndNoMore) {
  for (const std::size_t n : {std::size_t{0}, some, many}) {
    std::vector<double> array(n);
    std::iota(array.begin(), array.end(), 1.0);
    array.reserve(2 * n + 1);
    const std::vector<double> before = array;
    settle_huge(array);
    EXPECT_EQ(array, before);
    EXPECT_EQ(array.capacity(), n);
    VecX numbers = Eigen::Map<const VecX>(before.data(), static_cast<Eigen::Index>(n));
    const VecX numbers_before = numbers;
    settle_huge(numbers);
    EXPECT_EQ(numbers, numbers_before);
  }
}

TEST(HugePages, ReservedRoomIsEnough) {
  std::vector<int> array;
  reserve_huge(array, many);
  const int* const place = array.data();
  array.assign(many, 7);
  EXPECT_EQ(array.data(), place);
  EXPECT_EQ(std::accumulate(array.begin(), array.end(), 0LL), 7LL * static_cast<long long>(many));
}

}  // namespace
}  // namespace polhode::huge_pages_test
