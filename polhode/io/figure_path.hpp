// Curves in pixels: broken at gaps, thinned to what can be seen; and what they leave free of a figure.
#pragma once

#include <polhode/io/figure_axis.hpp>

namespace polhode {

struct Pixel {
  double x = 0, y = 0;
  bool operator==(const Pixel&) const = default;
};
using Path = std::vector<Pixel>;

/// The curve as paths, a new one after each gap.
std::vector<Path> paths(const Curve& curve, const Scale& x, const Scale& y);

/// The path with fewer points that looks the same. In a column of 0.3 px one can see where the path enters and leaves
/// and how far it reaches up and down: these are kept, and of less than 0.3 px in both directions one point.
Path thinned(const Path& path);

struct Box {
  double left = 0, top = 0, width = 0, height = 0;
  bool holds(Pixel p) const { return p.x >= left && p.x <= left + width && p.y >= top && p.y <= top + height; }
};

/// The places that curves and marks take, as points not more than 3 px apart.
class Taken {
 public:
  explicit Taken(double width, double height) : area_{0, 0, width, height} {}
  void add(const Path& path);
  void add(const Box& box);
  bool any_in(const Box& box) const;
  double distance(Pixel p) const;  ///< to the nearest of them [px]

 private:
  void put(Pixel p) {
    if (area_.holds(p)) points_.push_back(p);
  }
  Box area_;
  Path points_;
};

}  // namespace polhode
