#include <polhode/view/decimate.hpp>

#include <algorithm>
#include <numeric>

namespace polhode::view {

Samples every_nth(std::size_t count, std::size_t most) {
  most = std::max<std::size_t>(2, most);
  const std::size_t stride = count <= most ? 1 : (count - 2) / (most - 1) + 1;
  Samples out;
  for (std::size_t k = 0; k < count; k += stride) out.push_back(static_cast<std::uint32_t>(k));
  if (count > 0 && out.back() != count - 1) out.push_back(static_cast<std::uint32_t>(count - 1));
  return out;
}

Samples keep_extremes(const std::vector<Channel>& channels, std::size_t count, std::size_t most) {
  Samples out;
  if (count <= most) {
    out.resize(count);
    std::iota(out.begin(), out.end(), 0u);
    return out;
  }
  const std::size_t stretches = std::max<std::size_t>(1, most / (2 * std::max<std::size_t>(1, channels.size())));
  out = {0, static_cast<std::uint32_t>(count - 1)};
  for (std::size_t s = 0; s < stretches; ++s) {
    const std::size_t from = s * count / stretches, to = (s + 1) * count / stretches;
    for (const Channel& channel : channels) {
      std::size_t least = from, largest = from;
      for (std::size_t k = from; k < to; ++k) {
        if (channel[k] < channel[least]) least = k;
        if (channel[k] > channel[largest]) largest = k;
      }
      if (from < to) out.insert(out.end(), {static_cast<std::uint32_t>(least), static_cast<std::uint32_t>(largest)});
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace polhode::view
