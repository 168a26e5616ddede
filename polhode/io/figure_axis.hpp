// The axes of a figure: which range they show, where a number is on them, and where their ticks are.
#pragma once

#include <polhode/io/figure.hpp>

namespace polhode {

/// From numbers low..high to pixels from..to.
struct Scale {
  bool logarithmic = false;
  double low = 0, high = 1, from = 0, to = 1;

  /// The pixel of a number, kept within what SVG programs can draw; NaN if it has no place on the axis.
  double operator()(double value) const;
};

/// What a tick says: `text`, or text with an exponent, 10^-3.
struct TickLabel {
  std::string text, exponent;
  bool operator==(const TickLabel&) const = default;
};

struct Ticks {
  std::vector<double> major, minor;
  std::vector<TickLabel> labels;  ///< of the major ones
  int power = 0;                  ///< labels are to be read times 10^power
};

/// The range of the axis, or else that of all its curves' points that can be shown, with a margin of `margin` of its
/// length.
std::pair<double, double> range_of(const Axis& axis, const std::vector<const std::vector<double>*>& values,
                                   double margin);

/// Ticks at 1, 2 or 5 times a power of ten; on a logarithmic axis at powers of ten. At most about `most` major ones.
Ticks ticks(bool logarithmic, double low, double high, int most);

}  // namespace polhode
