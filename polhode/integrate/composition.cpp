#include <polhode/integrate/composition.hpp>

#include <array>
#include <cmath>
#include <stdexcept>

namespace polhode {

std::span<const double> composition(int order) {
  static const std::array<double, 1> second{1};
  static const std::array<double, 5> fourth = [] {
    const double g = 1 / (4 - std::cbrt(4.0));
    return std::array<double, 5>{g, g, 1 - 4 * g, g, g};
  }();
  static const std::array<double, 9> sixth{0.39216144400731413927925056,  0.33259913678935943859974864, -0.70624617255763935980996482,
                                           0.08221359629355080023149045,  0.79854399093482996339895035, 0.08221359629355080023149045,
                                           -0.70624617255763935980996482, 0.33259913678935943859974864, 0.39216144400731413927925056};
  static const std::array<double, 17> eighth{
      0.13020248308889008087881763,  0.56116298177510838456196441, -0.38947496264484728640807860, 0.15884190655515560089621075,
      -0.39590389413323757733623154, 0.18453964097831570709183254, 0.25837438768632204729397911,  0.29501172360931029887096624,
      -0.60550853383003451169892108, 0.29501172360931029887096624, 0.25837438768632204729397911,  0.18453964097831570709183254,
      -0.39590389413323757733623154, 0.15884190655515560089621075, -0.38947496264484728640807860, 0.56116298177510838456196441,
      0.13020248308889008087881763};
  switch (order) {
    case 2: return second;
    case 4: return fourth;
    case 6: return sixth;
    case 8: return eighth;
  }
  throw std::invalid_argument("compositions are of order 2, 4, 6 or 8");
}

}  // namespace polhode
