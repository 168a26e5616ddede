#include <polhode/integrate/predictor.hpp>

#include <algorithm>
#include <cmath>

namespace polhode {

void Predictor::predict(double h, std::vector<Vec3>& dx, std::vector<Vec3>& theta, const Division& division) {
  // sizes that differ by the rounding of the time count as equal
  if (std::abs(h - h_) > 1e-9 * std::abs(h) || nodes_.size() != dx.size()) forget();
  h_ = h;
  nodes_.resize(dx.size());
  division.for_each(static_cast<int>(dx.size()), [&](int i) {
    nodes_[i].plain << dx[i], theta[i];
    if (points_ == 0) return;
    Vec6 sum = nodes_[i].difference[0];
    for (int k = 1; k < points_; ++k) sum += nodes_[i].difference[k];
    dx[i] = sum.head<3>();
    theta[i] = sum.tail<3>();
  });
}

void Predictor::record(const std::vector<Vec3>& dx, const std::vector<Vec3>& theta, const Division& division) {
  using Errors = std::array<double, depth + 1>;  // of each guess, squared and the largest of all nodes; index: points
  const auto note = [&](Errors& error, int i) {
    auto& [plain, difference] = nodes_[i];
    Vec6 next;
    next << dx[i], theta[i];
    error[0] = std::max(error[0], (plain - next).squaredNorm());
    for (int k = 0; k < depth; ++k) {
      const Vec6 missed = next - difference[k];  // by the polynomial through k + 1 increments
      difference[k] = next;
      if (k >= known_) break;
      error[k + 1] = std::max(error[k + 1], missed.squaredNorm());
      next = missed;
    }
  };
  const Errors error = division.reduce(static_cast<int>(dx.size()), Errors{}, note, [](Errors& all, const Errors& part) {
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = std::max(all[k], part[k]);
  });
  points_ = static_cast<int>(std::min_element(error.begin(), error.begin() + known_ + 1) - error.begin());
  known_ = std::min(known_ + 1, depth);
}

}  // namespace polhode
