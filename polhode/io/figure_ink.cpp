#include <polhode/io/figure_ink.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace polhode::ink {
namespace {

/// Okabe & Ito's colours, told apart with every kind of colour vision; grey in place of yellow, which is too pale for a
/// line.
constexpr std::array colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9", "#808080"};
constexpr std::array dashes{"", "7 3", "1.5 2.5", "9 3 2 3"};

/// Square, triangle, diamond, triangle downwards, cross; the first is a circle.
constexpr std::array shapes{"",
                            "M-3.2 -3.2h6.4v6.4h-6.4z",
                            "M0 -4.4L4 2.9H-4z",
                            "M0 -4.6L4.2 0L0 4.6L-4.2 0z",
                            "M0 4.4L4 -2.9H-4z",
                            "M-3.4 -3.4L3.4 3.4M-3.4 3.4L3.4 -3.4"};

}  // namespace

std::string px(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) out += c;  // XML has no control characters
    }
  return out;
}

double text_width(const std::string& text) {
  double width = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;  // the rest of a character of UTF-8
    const bool narrow = std::string("fijlrtI.,:;!|'()[]-/ ").find(c) != std::string::npos;
    const bool wide = (c >= 'A' && c <= 'Z') || std::string("mw@%+=<>_~").find(c) != std::string::npos;
    width += narrow ? 4.6 : wide ? 10.2 : 7.5;
  }
  return width;
}

double text_width(const TickLabel& label) { return text_width(label.text) + 0.75 * text_width(label.exponent); }

std::string markup(const TickLabel& label) {
  return label.exponent.empty()
             ? label.text
             : fmt::format("{}<tspan dy=\"-5\" font-size=\"9\">{}</tspan>", label.text, label.exponent);
}

std::string text(Pixel at, const std::string& anchor, const std::string& markup, const std::string& more) {
  return fmt::format("<text x=\"{}\" y=\"{}\"{}{}>{}</text>\n", px(at.x), px(at.y),
                     anchor == "start" ? "" : " text-anchor=\"" + anchor + "\"", more, markup);
}

std::string line(Pixel a, Pixel b, const std::string& stroke) {
  return fmt::format("<path d=\"M{} {}L{} {}\" stroke=\"{}\"/>\n", px(a.x), px(a.y), px(b.x), px(b.y), stroke);
}

CurveLook::CurveLook(const Curve& curve, int place) {
  const int k = std::max(0, curve.look.value_or(place)), kinds = static_cast<int>(dashes.size());
  const bool points = curve.style == Curve::Style::markers, reference = curve.style == Curve::Style::dashed;
  colour = reference ? "#555555" : colours[k % colours.size()];
  dash = reference ? "4 3" : points ? "" : dashes[k % kinds];
  width = points || reference ? 1.1 : 1.7;
  mark = points ? k : reference ? -1 : k / kinds - 1;
}

std::string CurveLook::stroke() const {
  return fmt::format("stroke=\"{}\" stroke-width=\"{}\"{}", colour, px(width),
                     dash.empty() ? "" : " stroke-dasharray=\"" + dash + "\"");
}

std::string CurveLook::mark_at(Pixel p) const {
  const std::size_t shape = static_cast<std::size_t>(mark) % shapes.size(),
                    round = static_cast<std::size_t>(mark) / shapes.size();
  const std::string paint =
      fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"1.3\"", round % 2 == 0 ? "white" : colour, colour);
  if (shape == 0) return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3.5\" {}/>\n", px(p.x), px(p.y), paint);
  return fmt::format("<path transform=\"translate({} {})\" d=\"{}\" {}/>\n", px(p.x), px(p.y), shapes[shape], paint);
}

}  // namespace polhode::ink
