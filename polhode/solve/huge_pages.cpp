#include <polhode/solve/huge_pages.hpp>

#include <cstdint>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace polhode {

void prefer_huge_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
  constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t first = (address + page - 1) / page * page, end = (address + bytes) / page * page;
  if (first < end)
    madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);  // advice: what comes of it changes no result
#endif
}

}  // namespace polhode
