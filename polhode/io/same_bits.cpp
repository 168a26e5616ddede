#include <polhode/io/same_bits.hpp>

#include <bit>
#include <cstdint>

#include <fmt/format.h>

namespace polhode {

std::optional<std::string> first_difference(const ResultReader& before, const MemoryRecorder& now) {
  const ResultLayout &then = before.head().layout, &layout = now.layout();
  if (then.bodies != layout.bodies || then.joints != layout.joints || then.rows != layout.rows)
    return "the bodies, joints or multipliers have other names";
  std::size_t first = before.head().samples;  // the first sample that differs
  if (now.samples() < first) return fmt::format("it ended after {} of {} samples", now.samples(), first);
  std::optional<std::string> out;
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  for (const Field& field : result_fields()) {
    const std::size_t width = field.width(layout);
    const std::vector<double> one = before[field.dataset];
    const auto other = now[field.dataset];
    for (std::size_t i = 0; i < first * width; ++i) {
      if (bits(one[i]) == bits(other[i])) continue;
      first = i / width;
      out = fmt::format("sample {}, t = {:g} s: {}: {} then, {} now", first, now["time"][first], field.dataset, one[i],
                        other[i]);
      break;
    }
  }
  return out;
}

}  // namespace polhode
