#include <polhode/io/figure.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include <fmt/format.h>

#include <polhode/io/figure_ink.hpp>
#include <polhode/io/output_file.hpp>

namespace polhode {
namespace {

using namespace ink;

constexpr double line_height = 17, tick_length = 5, sample_length = 30;  // [px]

std::vector<std::string> rows_of(const std::string& label) {
  std::vector<std::string> rows;
  std::istringstream text(label);
  for (std::string row; std::getline(text, row);) rows.push_back(row);
  return rows;
}

/// A figure laid out: its size, and its drawing, whose origin is the upper left corner of the axes.
class Panel {
 public:
  explicit Panel(const Figure& figure) : f_(figure), taken_(figure.width, figure.height) {
    for (const Curve& c : f_.curves)
      if (c.x.size() != c.y.size())
        throw std::invalid_argument(
            fmt::format("curve \"{}\": {} numbers x and {} numbers y", c.label, c.x.size(), c.y.size()));
    make_axes();
    int place = 0;
    for (const Curve& c : f_.curves) {
      looks_.emplace_back(c, place);
      place += c.style == Curve::Style::dashed ? 0 : 1;
    }
    draw_grid();
    for (std::size_t k = 0; k < f_.curves.size(); ++k) draw_curve(f_.curves[k], looks_[k], static_cast<int>(k));
    place_legend();
    for (const Slope& slope : f_.slopes) draw_slope(slope);
    measure_margins();
  }
  double width() const { return left_ + f_.width + right_; }
  double height() const {
    return std::max(top_ + f_.height + bottom_, legend_outside_ ? top_ + legend_.height + 4 : 0);
  }
  double left() const { return left_; }
  double top() const { return top_; }

  /// The drawing with the upper left corner of the axes at a point of the document.
  std::string drawn_at(Pixel corner) const {
    std::string out = fmt::format("<g transform=\"translate({} {})\">\n", px(corner.x), px(corner.y));
    // curves are cut off at the axes by an inner document: no names that could clash in a page with several figures
    out += below_ + fmt::format(
                        "<svg width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" overflow=\"hidden\" fill=\"none\" "
                        "stroke-linejoin=\"round\">\n{2}</svg>\n",
                        px(f_.width), px(f_.height), lines_);
    out += frame() + marks_ + notes_ + legend_drawn() + texts();
    return out + "</g>\n";
  }

 private:
  void make_axes() {
    std::vector<const std::vector<double>*> xs, ys;
    bool points = false;
    for (const Curve& c : f_.curves) {
      xs.push_back(&c.x);
      ys.push_back(&c.y);
      points |= c.style == Curve::Style::markers;
    }
    const auto [x0, x1] = range_of(f_.x, xs, points ? 0.04 : 0);
    const auto [y0, y1] = range_of(f_.y, ys, 0.05);
    x_ = {f_.x.logarithmic, x0, x1, 0, f_.width};
    y_ = {f_.y.logarithmic, y0, y1, f_.height, 0};
    x_ticks_ = ticks(f_.x.logarithmic, x0, x1, static_cast<int>(f_.width / 60));
    y_ticks_ = ticks(f_.y.logarithmic, y0, y1, static_cast<int>(f_.height / 35));
  }

  void draw_grid() {
    const std::string grid = "#e4e4e4";
    for (const double v : x_ticks_.major) below_ += line({x_(v), 0}, {x_(v), f_.height}, grid);
    for (const double v : y_ticks_.major) below_ += line({0, y_(v)}, {f_.width, y_(v)}, grid);
  }

  void draw_curve(const Curve& curve, const CurveLook& look, int place) {
    const auto inside = [&](Pixel p) {
      return p.x >= -0.5 && p.x <= f_.width + 0.5 && p.y >= -0.5 && p.y <= f_.height + 0.5;
    };
    const double apart = 70;                                 // marks on a line [px]
    double next_mark = 15 + std::fmod(23.0 * place, apart);  // not at the same places on each
    for (const Path& path : paths(curve, x_, y_)) {
      const Path seen = thinned(path);
      taken_.add(seen);
      std::string points;
      for (const Pixel& p : seen) points += fmt::format("{}{},{}", points.empty() ? "" : " ", px(p.x), px(p.y));
      if (seen.size() > 1)
        lines_ += fmt::format("<polyline {} points=\"{}\"/>\n", look.stroke(), points);
      else if (look.mark < 0)
        lines_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>\n", px(seen[0].x), px(seen[0].y),
                              px(look.width), look.colour);
      if (look.mark < 0) continue;
      for (const Pixel& p : curve.style == Curve::Style::markers ? path : seen) {
        if (!inside(p) || (curve.style != Curve::Style::markers && p.x < next_mark)) continue;
        marks_ += look.mark_at(p);
        taken_.add(Box{p.x - 5, p.y - 5, 10, 10});
        next_mark = p.x + apart;
      }
    }
  }

  /// Inside, at the first place where it hides nothing: corners first, then the middles of the sides; else at the
  /// right.
  void place_legend() {
    double widest = 0, rows = 0;
    for (const Curve& c : f_.curves)
      for (const std::string& row : rows_of(c.label)) {
        widest = std::max(widest, text_width(row));
        ++rows;
      }
    if (f_.legend == Figure::Legend::none || rows == 0) return;
    legend_ = {0, 0, widest + sample_length + 20, rows * line_height + 8};
    const double gap = 8, right = f_.width - legend_.width - gap, bottom = f_.height - legend_.height - gap;
    if (f_.legend == Figure::Legend::automatic && right > 0.3 * f_.width && bottom > gap)
      for (const Pixel corner : {Pixel{right, gap},
                                 {gap, gap},
                                 {right, bottom},
                                 {gap, bottom},
                                 {0.5 * (right + gap), gap},
                                 {0.5 * (right + gap), bottom},
                                 {right, 0.5 * (bottom + gap)},
                                 {gap, 0.5 * (bottom + gap)}}) {
        legend_.left = corner.x;
        legend_.top = corner.y;
        if (taken_.any_in({corner.x - 3, corner.y - 3, legend_.width + 6, legend_.height + 6})) continue;
        taken_.add(legend_);
        return;
      }
    legend_outside_ = true;
    legend_.left = f_.width + 14;
    legend_.top = 0;
  }

  std::string legend_drawn() const {
    if (legend_.width == 0) return {};
    std::string out =
        fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"white\" stroke=\"#bbbbbb\"/>\n",
                    px(legend_.left), px(legend_.top), px(legend_.width), px(legend_.height));
    double y = legend_.top + 4 + 0.5 * line_height;
    for (std::size_t k = 0; k < f_.curves.size(); ++k) {
      if (f_.curves[k].label.empty()) continue;
      const double x = legend_.left + 7;
      out += fmt::format("<path {} fill=\"none\" d=\"M{} {}h{}\"/>\n", looks_[k].stroke(), px(x), px(y),
                         px(sample_length));
      if (looks_[k].mark >= 0) out += looks_[k].mark_at({x + 0.5 * sample_length, y});
      for (const std::string& row : rows_of(f_.curves[k].label)) {
        out += text({x + sample_length + 6, y + 4}, "start", escaped(row));
        y += line_height;
      }
    }
    return out;
  }

  /// The points of the curve whose ends are nearest to that slope, in pixels up for each to the right.
  Taken curve_of_slope(double ratio) const {
    const Curve* best = nullptr;
    double least = std::numeric_limits<double>::infinity();
    for (const Curve& c : f_.curves)
      for (const Path& path : paths(c, x_, y_)) {
        const double off = std::abs((path.front().y - path.back().y) / (path.back().x - path.front().x) - ratio);
        if (off < least) least = off, best = &c;
      }
    Taken out(f_.width, f_.height);
    if (best)
      for (const Path& path : paths(*best, x_, y_)) out.add(path);
    return out;
  }

  /// A right triangle with the slope as its longest side, as near to its curve as it can be without touching any.
  void draw_slope(const Slope& slope) {
    if (!f_.x.logarithmic || !f_.y.logarithmic) throw std::invalid_argument("a slope needs two logarithmic axes");
    const double per_x = std::log(x_.high / x_.low) / f_.width, per_y = std::log(y_.high / y_.low) / f_.height;
    const double ratio = slope.order * per_x / per_y;  // pixels up for each to the right
    double run = 0.13 * f_.width, rise = run * ratio;
    if (std::abs(rise) > 0.3 * f_.height) run *= 0.3 * f_.height / std::abs(rise), rise = run * ratio;
    const double wide = run + text_width(slope.label) + 8, high = std::max(std::abs(rise), line_height);
    Pixel best{f_.width - wide - 6, f_.height - high - 6};
    double nearest = std::numeric_limits<double>::infinity();
    const Taken curve = curve_of_slope(ratio);
    for (double x = 6; x + wide + 6 <= f_.width; x += 6)
      for (double y = 6; y + high + 6 <= f_.height; y += 6) {
        if (taken_.any_in({x - 5, y - 5, wide + 10, high + 10})) continue;
        const double distance = curve.distance({x + 0.5 * run, y + 0.5 * high});
        if (distance < nearest) nearest = distance, best = {x, y};
      }
    taken_.add(Box{best.x, best.y, wide, high});
    const double low = best.y + 0.5 * (high + rise), top = low - rise;
    notes_ += fmt::format("<path d=\"M{0} {1}L{2} {3}V{1}z\" fill=\"#eeeeee\" stroke=\"#333333\"/>\n", px(best.x),
                          px(low), px(best.x + run), px(top));
    notes_ += text({best.x + run + 5, 0.5 * (low + top) + 4}, "start", escaped(slope.label));
  }

  void measure_margins() {
    double widest = 0;
    for (const TickLabel& label : y_ticks_.labels) widest = std::max(widest, text_width(label));
    label_place_ = -widest - 16;
    left_ = widest + 14 + (f_.y.label.empty() ? 4 : line_height + 4);
    bottom_ = 24 + (f_.x.label.empty() ? 0 : line_height + 4);
    top_ = (f_.title.empty() ? 10 : 28) + (y_ticks_.power != 0 ? 12 : 0);
    right_ = legend_outside_ ? 14 + legend_.width + 4 : 16;
  }

  std::string frame() const {
    const double w = f_.width, h = f_.height;
    const std::string black = "#333333";
    std::string out;
    for (const auto& [list, length] : {std::pair{&x_ticks_.major, tick_length}, {&x_ticks_.minor, 0.5 * tick_length}})
      for (const double v : *list)
        out += line({x_(v), h}, {x_(v), h - length}, black) + line({x_(v), 0}, {x_(v), length}, black);
    for (const auto& [list, length] : {std::pair{&y_ticks_.major, tick_length}, {&y_ticks_.minor, 0.5 * tick_length}})
      for (const double v : *list)
        out += line({0, y_(v)}, {length, y_(v)}, black) + line({w, y_(v)}, {w - length, y_(v)}, black);
    return out + fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"{}\"/>\n", px(w), px(h), black);
  }

  std::string texts() const {
    const double w = f_.width, h = f_.height;
    const auto power = [](int n) { return markup({"×10", n < 0 ? fmt::format("−{}", -n) : fmt::format("{}", n)}); };
    std::string out;
    for (std::size_t k = 0; k < x_ticks_.major.size(); ++k)
      out += text({x_(x_ticks_.major[k]), h + 17}, "middle", markup(x_ticks_.labels[k]));
    for (std::size_t k = 0; k < y_ticks_.major.size(); ++k)
      out += text({-7, y_(y_ticks_.major[k]) + 4}, "end", markup(y_ticks_.labels[k]));
    if (x_ticks_.power != 0) out += text({w, h + 17 + line_height}, "end", power(x_ticks_.power));
    if (y_ticks_.power != 0) out += text({0, -6}, "start", power(y_ticks_.power));
    if (!f_.x.label.empty()) out += text({0.5 * w, h + 20 + line_height}, "middle", escaped(f_.x.label));
    if (!f_.y.label.empty())
      out += text({0, 0}, "middle", escaped(f_.y.label),
                  fmt::format(" transform=\"translate({} {}) rotate(-90)\"", px(label_place_), px(0.5 * h)));
    if (!f_.title.empty())
      out += text({0.5 * w, y_ticks_.power != 0 ? -22.0 : -10.0}, "middle", escaped(f_.title), " font-weight=\"bold\"");
    return out;
  }

  const Figure& f_;
  Scale x_, y_;
  Ticks x_ticks_, y_ticks_;
  std::vector<CurveLook> looks_;
  Taken taken_;
  Box legend_;
  bool legend_outside_ = false;
  std::string below_, lines_, marks_, notes_;
  double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0, label_place_ = 0;
};

}  // namespace

std::string to_svg(const Figure& figure) { return to_svg(std::span(&figure, 1), 1); }

std::string to_svg(std::span<const Figure> figures, int columns) {
  if (columns < 1) throw std::invalid_argument(fmt::format("{} columns of figures; take at least 1", columns));
  const std::vector<Panel> panels(figures.begin(), figures.end());
  // a column is as wide, and a row as high, as its largest figure; axes of a column stand below one another
  const std::size_t across = static_cast<std::size_t>(columns), down = (panels.size() + across - 1) / across;
  std::vector<double> left(across), right(across), top(down), bottom(down);
  for (std::size_t k = 0; k < panels.size(); ++k) {
    const Panel& p = panels[k];
    left[k % across] = std::max(left[k % across], p.left());
    right[k % across] = std::max(right[k % across], p.width() - p.left());
    top[k / across] = std::max(top[k / across], p.top());
    bottom[k / across] = std::max(bottom[k / across], p.height() - p.top());
  }
  const double margin = 6, gap = 14;
  std::string body;
  double y = margin, width = 0;
  for (std::size_t row = 0; row < down; ++row) {
    double x = margin;
    for (std::size_t k = row * across; k < std::min((row + 1) * across, panels.size()); ++k) {
      body += panels[k].drawn_at({x + left[k % across], y + top[row]});
      x += left[k % across] + right[k % across] + gap;
      width = std::max(width, x - gap + margin);
    }
    y += top[row] + bottom[row] + gap;
  }
  const double height = std::max(2 * margin, y - gap + margin);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"#111111\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n{2}</svg>\n",
      px(std::ceil(width)), px(std::ceil(height)), body);
}

void write_svg(const std::string& path, std::span<const Figure> figures, int columns) {
  write_file(path, to_svg(figures, columns));
}

}  // namespace polhode
