// Figures: what stands where, and that any XML program can read them.
#include <polhode/io/figure.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>
#include <stdexcept>

#include <gtest/gtest.h>

#include <polhode/io/figure_path.hpp>

namespace polhode::figure_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

/// Every tag is closed in turn, every attribute quoted, every & the beginning of an entity; else what is wrong.
std::string xml_fault(const std::string& text) {
  static const std::regex tag(R"(<(/?)([a-z]+)((?: [a-zA-Z-]+="[^"<>]*")*) ?(/?)>)");
  static const std::regex entity("&(amp|lt|gt|quot);");
  if (std::regex_replace(text, entity, "").find('&') != std::string::npos) return "a bare &";
  std::vector<std::string> open;
  std::size_t end = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), tag); it != std::sregex_iterator(); ++it) {
    const std::smatch& m = *it;
    const std::string between = text.substr(end, static_cast<std::size_t>(m.position()) - end);
    if (between.find_first_of("<>") != std::string::npos) return "a stray bracket in: " + between;
    if (end > 0 && open.empty()) return "more than one root";
    end = static_cast<std::size_t>(m.position() + m.length());
    if (m[1].length() > 0) {
      if (open.empty() || open.back() != m[2]) return "closed but not open: " + m[2].str();
      open.pop_back();
    } else if (m[4].length() == 0) {
      open.push_back(m[2]);
    }
  }
  if (text.find_first_of("<>", end) != std::string::npos) return "a stray bracket at the end";
  return open.empty() ? "" : "not closed: " + open.back();
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

std::vector<std::string> polylines(const std::string& svg) {
  static const std::regex points("<polyline[^>]* points=\"([^\"]*)\"");
  std::vector<std::string> out;
  for (std::sregex_iterator it(svg.begin(), svg.end(), points); it != std::sregex_iterator(); ++it)
    out.push_back((*it)[1]);
  return out;
}

Figure one_curve(std::vector<double> x, std::vector<double> y) {
  const Curve curve{.label = "", .x = std::move(x), .y = std::move(y)};
  return {.title = "", .x = {"x"}, .y = {"y"}, .curves = {curve}, .width = 400, .height = 200};
}

std::vector<std::string> texts_of(const Ticks& ticks) {
  std::vector<std::string> out;
  for (const TickLabel& label : ticks.labels)
    out.push_back(label.text + (label.exponent.empty() ? "" : "^" + label.exponent));
  return out;
}
/// Of a point from the lines between points.
double distance(Pixel p, const Path& path) {
  double least = infinity;
  for (std::size_t k = 1; k < path.size(); ++k) {
    const double dx = path[k].x - path[k - 1].x, dy = path[k].y - path[k - 1].y, square = dx * dx + dy * dy;
    const double along =
        square > 0 ? std::clamp(((p.x - path[k - 1].x) * dx + (p.y - path[k - 1].y) * dy) / square, 0.0, 1.0) : 0;
    least = std::min(least, std::hypot(p.x - path[k - 1].x - along * dx, p.y - path[k - 1].y - along * dy));
  }
  return least;
}

using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;

TEST(Figure, IsWellFormedWhateverIsWrittenOnIt) {
  EXPECT_EQ(xml_fault("<a><b c=\"d\"/>e</a>"), "");  // the judge itself
  for (const char* wrong : {"<a><b></a></b>", "<a>", "<a>&</a>", "<a><</a>", "<a b=c/>", "<a/><a/>"})
    EXPECT_NE(xml_fault(wrong), "") << wrong;

  Figure figure = one_curve({1, 2, 3}, {4, nan, 6});
  figure.title = "a < b & \"c\" > d\n\x01";
  figure.x.label = figure.y.label = figure.curves[0].label = figure.title;
  figure.curves[0].style = Curve::Style::markers;
  const std::string svg = to_svg(figure);
  EXPECT_EQ(xml_fault(svg), "");
  EXPECT_EQ(count(svg, "a &lt; b &amp; &quot;c&quot; &gt; d</text>"), 4u);  // title, two axes, legend
  EXPECT_EQ(xml_fault(to_svg(Figure{})), "");
  EXPECT_EQ(xml_fault(to_svg({}, 2)), "");
}

TEST(Figure, TicksAreAtOneTwoAndFive) {
  EXPECT_EQ(ticks(false, 0, 1, 5).major, (Numbers{0, 0.2, 0.4, 0.6, 0.8, 1}));  // as near to the decimals as can be
  EXPECT_EQ(texts_of(ticks(false, 0, 1, 5)), (Texts{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(texts_of(ticks(false, -7.3, 12, 5)), (Texts{"−5", "0", "5", "10"}));
  EXPECT_EQ(ticks(false, -7.3, 12, 5).minor, (Numbers{-7, -6, -4, -3, -2, -1, 1, 2, 3, 4, 6, 7, 8, 9, 11, 12}));
  for (const int most : {2, 5, 9})
    for (double length = 1e-9; length < 1e9; length *= 1.37) {
      const Numbers major = ticks(false, 0.3 * length, 1.3 * length, most).major;
      EXPECT_LE(major.size(), static_cast<std::size_t>(most) + 1);
      EXPECT_GE(major.size(), most < 5 ? 1u : 2u);
    }
}

TEST(Figure, SmallAndLargeNumbersShareAPowerOfTen) {
  const Ticks small = ticks(false, 0, 3e-7, 3), large = ticks(false, 0, 2e6, 2);
  EXPECT_EQ(small.power, -7);
  EXPECT_EQ(texts_of(small), (Texts{"0", "1", "2", "3"}));
  EXPECT_EQ(large.power, 6);
  EXPECT_EQ(texts_of(large), (Texts{"0", "1", "2"}));
  EXPECT_EQ(ticks(false, 0, 0.004, 5).power, 0);
}

TEST(Figure, LogarithmicTicksAreAtPowersOfTen) {
  const Ticks decades = ticks(true, 0.02, 30, 6);
  EXPECT_EQ(decades.major, (Numbers{0.1, 1, 10}));
  EXPECT_EQ(texts_of(decades), (Texts{"10^−1", "10^0", "10^1"}));
  EXPECT_EQ(decades.minor.size(), 8u + 8u + 8u + 2u);  // .02 to .09, .2 to .9, 2 to 9, 20 and 30
  EXPECT_EQ(texts_of(ticks(true, 1e-16, 1, 6)), (Texts{"10^−15", "10^−12", "10^−9", "10^−6", "10^−3", "10^0"}));
  EXPECT_EQ(texts_of(ticks(true, 0.15, 0.7, 6)), (Texts{"2·10^−1", "5·10^−1"}));  // no two powers of ten to label
  EXPECT_EQ(texts_of(ticks(true, 1.1, 1.5, 6)), (Texts{"1.1", "1.2", "1.3", "1.4", "1.5"}));
}

TEST(Figure, MapsNumbersToPixels) {
  const Scale linear{false, -1, 3, 0, 400}, logarithmic{true, 1e-4, 1, 300, 0};
  EXPECT_EQ(linear(-1), 0);
  EXPECT_EQ(linear(0), 100);
  EXPECT_EQ(linear(3), 400);
  EXPECT_NEAR(logarithmic(1e-3), 225, 1e-12 * 300);
  EXPECT_TRUE(std::isnan(linear(infinity)) && std::isnan(logarithmic(0)) && std::isnan(logarithmic(-1)));

  Figure figure = one_curve({0, 1, 2, 4}, {0, 10, 5, 0});
  figure.y.range = {0, 20};
  EXPECT_EQ(polylines(to_svg(figure)), Texts{"0,200 100,100 200,150 400,200"});
  figure.x = {"x", true, std::pair{0.01, 100.0}};
  EXPECT_EQ(polylines(to_svg(figure)),
            Texts{"200,100 230.1,150 260.21,200"});  // 230.1 = 200 + 100 log10(2); x = 0 has no place
}

TEST(Figure, WhatIsNoNumberLeavesAGap) {
  EXPECT_EQ(polylines(to_svg(one_curve({0, 1, 2, 3, 4, 5, 6, 7, 8}, {1, 1, nan, 1, 1, infinity, nan, 1, 1}))).size(),
            3u);
  Figure figure = one_curve({0, 1, 2, 3, 4}, {1, 10, -1, 10, 1});
  EXPECT_EQ(polylines(to_svg(figure)).size(), 1u);
  figure.y.logarithmic = true;
  EXPECT_EQ(polylines(to_svg(figure)).size(), 2u);
  // a point between two gaps is a dot
  const std::string alone = to_svg(one_curve({0, 1, 2, 3, 4}, {1, nan, 2, nan, 3}));
  EXPECT_EQ(polylines(alone).size(), 0u);
  EXPECT_EQ(count(alone, "<circle"), 3u);
}

TEST(Figure, RefusesWhatCannotBeDrawn) {
  EXPECT_THROW(to_svg(one_curve({0, 1}, {0})), std::invalid_argument);
  Figure figure = one_curve({1, 2}, {1, 2});
  figure.x.range = {2, 2};
  EXPECT_THROW(to_svg(figure), std::invalid_argument);
  figure.x = {"x", true, std::pair{0.0, 1.0}};
  EXPECT_THROW(to_svg(figure), std::invalid_argument);
  figure.x = {"x"};
  figure.slopes = {{2, "order 2"}};
  EXPECT_THROW(to_svg(figure), std::invalid_argument);
  EXPECT_THROW(write_svg("/no/such/folder/figure.svg", std::vector{one_curve({1, 2}, {1, 2})}), std::runtime_error);
}

TEST(Figure, LongCurvesAreThinnedToWhatCanBeSeen) {
  // a spike of one sample among 200000, in a fast oscillation: both stay, in a few points for each of 400 / 0.3 columns
  Path path;
  for (int k = 0; k <= 200000; ++k) path.push_back({400.0 * k / 200000, 100 + 50 * std::sin(0.5 * k)});
  path[123456].y = 7;
  const Path seen = thinned(path);
  EXPECT_LE(seen.size(), 4u * 1335u);
  EXPECT_EQ(seen.front(), path.front());
  EXPECT_EQ(seen.back(), path.back());
  EXPECT_NE(std::find(seen.begin(), seen.end(), path[123456]), seen.end());

  // a slow spiral: no point of it is further than 0.3 px from the lines between points that are kept, or the diagonal
  // of a square of 0.3 px from one
  Path spiral;
  for (int k = 0; k < 20000; ++k) spiral.push_back({0.005 * k * std::cos(1e-3 * k), 0.005 * k * std::sin(1e-3 * k)});
  const Path kept = thinned(spiral);
  EXPECT_LT(kept.size(), 10000u);
  for (std::size_t k = 0; k < spiral.size(); k += 97) EXPECT_LT(distance(spiral[k], kept), 0.3 * std::sqrt(2)) << k;
}

TEST(Figure, LegendHidesNoCurve) {
  // curves through three corners: the legend is in the fourth; through all: outside, and the document is wider
  Figure figure = one_curve({0, 0.3, 0.3, 1}, {0, 0, 1, 1});
  figure.curves[0].label = "low, then high";
  const std::string inside = to_svg(figure);
  figure.curves.push_back({.label = "", .x = {0, 1, 1, 0, 0.5, 0.5, 0, 1}, .y = {1, 0, 1, 0, 0, 1, 0.5, 0.5}});
  const std::string outside = to_svg(figure);
  static const std::regex legend(
      "<rect x=\"([0-9.]+)\" y=\"([0-9.]+)\" width=\"([0-9.]+)\" height=\"([0-9.]+)\" fill=\"white\" stroke");
  std::smatch a, b;
  ASSERT_TRUE(std::regex_search(inside, a, legend));
  ASSERT_TRUE(std::regex_search(outside, b, legend));
  EXPECT_GT(std::stod(a[1]), 0.3 * 400);  // below the step, right of its foot
  EXPECT_LT(std::stod(a[1]) + std::stod(a[3]), 400);
  EXPECT_GT(std::stod(a[2]), 100);
  EXPECT_GT(std::stod(b[1]), 400);
}

TEST(Figure, CurvesDifferWithoutColour) {
  Figure figure;
  for (int k = 0; k < 12; ++k) figure.curves.push_back({.label = "c", .x = {0, 1, 2}, .y = {0.0, 1.0 * k, 2}});
  const std::string svg = to_svg(figure);
  // what the legend shows of each curve, without its colours
  static const std::regex entry("<path stroke=([^\n]*)\n(<(?:circle|path)[^\n]*\n)?<text");
  static const std::regex paint(
      "(stroke|fill)=\"#[0-9a-f]*\"|c?[xy]=\"[0-9.]*\"|translate\\([^)]*\\)|M[0-9.]+ [0-9.]+h");
  std::vector<std::string> looks;
  for (std::sregex_iterator it(svg.begin(), svg.end(), entry); it != std::sregex_iterator(); ++it)
    looks.push_back(std::regex_replace(it->str(), paint, ""));
  ASSERT_EQ(looks.size(), 12u);
  for (std::size_t i = 0; i < looks.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(looks[i], looks[j]) << i << ", " << j;
}

TEST(Figure, PanelsOfAColumnAreAligned) {
  Figure narrow = one_curve({0, 1}, {0, 1}), wide = one_curve({0, 1}, {10000.25, 10000.5});
  const std::string svg = to_svg(std::vector{narrow, narrow, wide, narrow}, 2);
  static const std::regex corner("<g transform=\"translate\\(([0-9.]+) ([0-9.]+)\\)\"");
  std::vector<std::pair<double, double>> at;
  for (std::sregex_iterator it(svg.begin(), svg.end(), corner); it != std::sregex_iterator(); ++it)
    at.emplace_back(std::stod((*it)[1]), std::stod((*it)[2]));
  ASSERT_EQ(at.size(), 4u);
  EXPECT_EQ(at[0].first, at[2].first);
  EXPECT_EQ(at[1].first, at[3].first);
  EXPECT_EQ(at[0].second, at[1].second);
  EXPECT_GT(at[1].first, at[0].first + 400);
  EXPECT_GT(at[2].second, at[0].second + 200);
  EXPECT_EQ(xml_fault(svg), "");
}

}  // namespace
}  // namespace polhode::figure_test
