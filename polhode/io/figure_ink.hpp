// What a figure is drawn with: texts, lines, marks, and the looks by which curves are told apart.
#pragma once

#include <polhode/io/figure_path.hpp>

namespace polhode::ink {

/// A number of pixels, to a hundredth: short, and the same on every machine.
std::string px(double value);

/// Text that may stand in XML.
std::string escaped(const std::string& text);

/// How wide a text of 12 px is, about: a little more in most fonts than it will be.
double text_width(const std::string& text);
double text_width(const TickLabel& label);

/// A label with its exponent raised.
std::string markup(const TickLabel& label);

/// A text at a point; `anchor` is start, middle or end, `more` further attributes.
std::string text(Pixel at, const std::string& anchor, const std::string& markup, const std::string& more = "");

std::string line(Pixel a, Pixel b, const std::string& stroke);

/// What a curve looks like: in colour, and without.
struct CurveLook {
  std::string colour, dash;
  double width = 1;
  int mark = -1;  ///< its shape, or -1

  CurveLook(const Curve& curve, int place);
  std::string stroke() const;
  std::string mark_at(Pixel p) const;
};

}  // namespace polhode::ink
