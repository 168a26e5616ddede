// What this machine can do at most, on one thread: multiplications and additions on numbers in registers, and numbers
// read from memory. docs/performance.md compares a step with it. One line of JSON.
#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

#include <fmt/format.h>

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Operations a second of a = a b + c on as many independent numbers as fill the registers, fused or not as the
/// compiler has it.
double operations() {
  constexpr int numbers = 40, times = 200000;
  std::array<double, numbers> a{};
  double best = 0;
  for (int round = 0; round < 50; ++round) {
    const auto start = std::chrono::steady_clock::now();
    double b = 0.999, c = 1e-3;
    asm volatile("" : "+x"(b), "+x"(c));  // not known to the compiler
    for (int k = 0; k < times; ++k)
      for (int i = 0; i < numbers; ++i) a[i] = a[i] * b + c;
    asm volatile("" : : "r"(a.data()) : "memory");  // and wanted
    best = std::max(best, 2.0 * numbers * times / seconds_since(start));
  }
  return best;
}

/// Bytes a second when a sum is taken over far more numbers than caches hold.
double bytes() {
  const std::vector<double> x(32 << 20, 1.0);
  double best = 0;
  for (int round = 0; round < 8; ++round) {
    const auto start = std::chrono::steady_clock::now();
    std::array<double, 32> sum{};
    for (std::size_t i = 0; i < x.size(); i += sum.size())
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += x[i + k];
    asm volatile("" : : "r"(sum.data()) : "memory");
    best = std::max(best, 8.0 * static_cast<double>(x.size()) / seconds_since(start));
  }
  return best;
}

}  // namespace

int main() {
  fmt::print("{{\"Gflop_per_second\": {:.3g}, \"GB_per_second\": {:.3g}}}\n", 1e-9 * operations(), 1e-9 * bytes());
}
