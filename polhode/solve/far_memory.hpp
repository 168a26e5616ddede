// Room for arrays that do not fit into the caches.
#pragma once

#include <cstddef>
#include <vector>

namespace polhode {

/// Asks the system to keep [begin, begin + bytes) in large pages, where it has them: a step through a hundred thousand bodies then looks up
/// one page where it looked up hundreds. For memory that has not been written yet.
void prefer_large_pages(void* begin, std::size_t bytes);

/// Room for n things in an array that is still empty.
template <class T>
void reserve_far(std::vector<T>& array, std::size_t n) {
  array.reserve(n);
  prefer_large_pages(array.data(), n * sizeof(T));
}

}  // namespace polhode
