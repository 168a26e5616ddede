#include <polhode/io/figure_path.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polhode {

std::vector<Path> paths(const Curve& curve, const Scale& x, const Scale& y) {
  std::vector<Path> out(1);
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    const Pixel p{x(curve.x[k]), y(curve.y[k])};
    if (!std::isnan(p.x) && !std::isnan(p.y))
      out.back().push_back(p);
    else if (!out.back().empty())
      out.emplace_back();
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

Path thinned(const Path& path) {
  constexpr double seen = 0.3;  // [px]
  Path out;
  const std::size_t n = path.size();
  for (std::size_t first = 0, next = 0; first < n; first = next) {
    std::size_t low = first, high = first;
    double left = path[first].x, right = left;
    for (next = first; next < n; ++next) {
      left = std::min(left, path[next].x);
      right = std::max(right, path[next].x);
      if (right - left >= seen) break;
      if (path[next].y < path[low].y) low = next;
      if (path[next].y > path[high].y) high = next;
    }
    std::vector<std::size_t> kept{first};
    if (path[high].y - path[low].y >= seen)
      kept.insert(kept.end(), {std::min(low, high), std::max(low, high), next - 1});
    if (next == n) kept.push_back(n - 1);
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    for (const std::size_t k : kept) out.push_back(path[k]);
  }
  return out;
}

void Taken::add(const Path& path) {
  for (std::size_t k = 0; k < path.size(); ++k) {
    const Pixel a = path[k == 0 ? 0 : k - 1], b = path[k];
    const int parts = std::clamp(static_cast<int>(std::hypot(b.x - a.x, b.y - a.y) / 3) + 1, 1, 1000);
    for (int i = 1; i <= parts; ++i) put({a.x + (b.x - a.x) * i / parts, a.y + (b.y - a.y) * i / parts});
  }
}

void Taken::add(const Box& box) {
  for (double x = box.left; x <= box.left + box.width; x += 3)
    for (double y = box.top; y <= box.top + box.height; y += 3) put({x, y});
}

bool Taken::any_in(const Box& box) const {
  return std::any_of(points_.begin(), points_.end(), [&](Pixel p) { return box.holds(p); });
}

double Taken::distance(Pixel p) const {
  double least = std::numeric_limits<double>::infinity();
  for (const Pixel& q : points_) least = std::min(least, std::hypot(q.x - p.x, q.y - p.y));
  return least;
}

}  // namespace polhode
