// Room for arrays that do not fit into the caches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include <polhode/lie/algebra.hpp>

namespace polhode {

/// Asks the system to keep [begin, begin + bytes) in huge pages, where it has them: a step through a hundred thousand
/// bodies then looks up one page where it looked up hundreds. For memory that has not been written yet.
void prefer_huge_pages(void* begin, std::size_t bytes);

/// Room for n things in an array that is still empty.
template <class T>
void reserve_huge(std::vector<T>& array, std::size_t n) {
  array.reserve(n);
  prefer_huge_pages(array.data(), n * sizeof(T));
}

/// The array is complete: shrinks it to its size and moves it to huge pages.
template <class T>
void settle_huge(std::vector<T>& array) {
  std::vector<T> settled;
  reserve_huge(settled, array.size());
  std::move(array.begin(), array.end(), std::back_inserter(settled));
  array.swap(settled);
}

inline void settle_huge(VecX& array) {
  VecX settled(array.size());
  prefer_huge_pages(settled.data(), static_cast<std::size_t>(array.size()) * sizeof(double));
  settled = array;
  array.swap(settled);
}

}  // namespace polhode
