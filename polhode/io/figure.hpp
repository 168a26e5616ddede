// Figures: curves on linear or logarithmic axes, drawn as SVG for documents, reports and print.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace polhode {

/// A curve through points. NaN, infinity and, on a logarithmic axis, numbers that are not positive leave a gap.
struct Curve {
  enum class Style {
    line,     ///< continuous; dashes, and marks from the fifth curve on, tell it from others without colour
    markers,  ///< thin, with a mark at every point
    dashed,   ///< thin, dashed and grey: a reference, a limit
  };
  std::string label;  ///< in the legend, of one line or several; empty: not there
  std::vector<double> x, y;
  Style style = Style::line;
  std::optional<int> look = {};  ///< which colour, dashes and mark; absent: by its place among the curves
};

struct Axis {
  std::string label;  ///< with its unit: "step h [s]"
  bool logarithmic = false;
  std::optional<std::pair<double, double>> range = {};  ///< absent: all that the curves show
};

/// A triangle that shows a slope on two logarithmic axes: y ~ x^order. It stands where it hides nothing.
struct Slope {
  double order = 1;
  std::string label;  ///< "order 2"
};

struct Figure {
  enum class Legend {
    automatic,  ///< inside where it hides nothing, else at the right
    right,      ///< outside
    none,
  };
  std::string title;
  Axis x, y;
  std::vector<Curve> curves;
  std::vector<Slope> slopes = {};
  Legend legend = Legend::automatic;
  double width = 420, height = 280;  ///< of the area within the axes [px]
};

/// The figure as an SVG document. The same figure gives the same bytes. std::invalid_argument if a curve has not as
/// many x as y, or a range is empty or not positive on a logarithmic axis.
std::string to_svg(const Figure& figure);

/// Several figures in one document, row by row.
std::string to_svg(std::span<const Figure> figures, int columns);

/// Writes the document to a file; std::runtime_error with the reason if that cannot be done.
void write_svg(const std::string& path, std::span<const Figure> figures, int columns = 1);

}  // namespace polhode
