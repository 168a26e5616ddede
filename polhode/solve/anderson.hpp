// Anderson mixing: speeds up a fixed-point iteration x := g(x) that converges slowly, by a combination of its last
// iterates. Walker & Ni, SIAM J. Numer. Anal. 49 (2011), 1715.
#pragma once

#include <array>
#include <utility>

#include <polhode/lie/algebra.hpp>

namespace polhode {

class AndersonMixing {
 public:
  static constexpr int depth = 3;          ///< how many earlier iterations take part
  static constexpr double largest = 10.0;  ///< coefficient; beyond it the iterates are nearly dependent

  /// Room for iterates and measures of these sizes.
  void resize(Eigen::Index iterate, Eigen::Index measure) {
    for (VecX& step : step_) step.setZero(iterate);
    for (auto* vectors : {&measure_, &q_})
      for (VecX& vector : *vectors) vector.setZero(measure);
    for (VecX* vector : {&x_, &f_, &change_}) vector->setZero(iterate);
    for (VecX* vector : {&d_, &rest_}) vector->setZero(measure);
    restart();
  }
  void restart() { known_ = -1; }

  /// One iteration went from x to y = g(x), and `d` measures its change in the metric that counts. The combination
  /// y - sum c_k (dx_k + df_k), with c the least squares solution of d = sum c_k dd_k, replaces y if `apply`. True if
  /// it does.
  bool mix(const VecX& x, VecX& y, const VecX& d, bool apply) {
    change_ = y - x;
    if (known_ >= 0) {
      const int k = known_ % depth;
      step_[k] = (x - x_) + (change_ - f_);
      measure_[k] = d - d_;
    }
    ++known_;
    x_ = x, f_ = change_, d_ = d;
    return known_ > 0 && apply && combine(d, y);
  }

 private:
  bool combine(const VecX& d, VecX& y) {
    const int n = std::min(known_, depth);
    Eigen::Matrix<double, depth, depth> R = Eigen::Matrix<double, depth, depth>::Zero();
    Eigen::Matrix<double, depth, 1> c = Eigen::Matrix<double, depth, 1>::Zero();
    rest_ = d;
    for (int k = 0; k < n; ++k) {  // modified Gram-Schmidt: least squares without a matrix of its own
      q_[k] = measure_[k];
      for (int i = 0; i < k; ++i) {
        R(i, k) = q_[i].dot(q_[k]);
        q_[k] -= R(i, k) * q_[i];
      }
      R(k, k) = q_[k].norm();
      if (!(R(k, k) > 1e-12 * measure_[k].norm())) return false;
      q_[k] /= R(k, k);
      c[k] = q_[k].dot(rest_);
      rest_ -= c[k] * q_[k];
    }
    for (int k = n - 1; k >= 0; --k) {
      for (int j = k + 1; j < n; ++j) c[k] -= R(k, j) * c[j];
      c[k] /= R(k, k);
    }
    if (!c.allFinite() || !(c.cwiseAbs().maxCoeff() < largest)) return false;
    for (int k = 0; k < n; ++k) y -= c[k] * step_[k];
    return true;
  }

  int known_ = -1;  ///< differences so far
  std::array<VecX, depth> step_, measure_, q_;
  VecX x_, f_, d_, change_, rest_;
};

}  // namespace polhode
