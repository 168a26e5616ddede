// Configurations to try a system at, and derivatives to compare with: what the tests of system/ and solve/ share.
#pragma once

#include <limits>

#include <polhode/solve/block_matrix.hpp>

#include "random_models.hpp"

namespace polhode {

constexpr double round_off = std::numeric_limits<double>::epsilon();

inline std::span<double> span_of(VecX& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }
inline std::span<const double> span_of(const VecX& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

/// The derivative of f at 0, by central differences of order 6. With h = 1e-3 the truncation is 1e-18 f⁽⁷⁾/140,
/// rounding is 2e-13 of the size of f: below 1e-8 for all that is differentiated here.
template <class F>
auto derivative(F f, double h = 1e-3) {
  const auto difference = [&](double t) { return (f(t) - f(-t)).eval(); };
  return ((45 * difference(h) - 9 * difference(2 * h) + difference(3 * h)) / (60 * h)).eval();
}

/// The second derivative of f at 0, of order 6 as well.
template <class F>
auto second_derivative(F f, double h) {
  const auto sum = [&](double t) { return (f(t) + f(-t)).eval(); };
  return ((270 * sum(h) - 27 * sum(2 * h) + 2 * sum(3 * h) - 490 * f(0.0)) / (180 * h * h)).eval();
}

/// A frame after the step u = (dx, theta), theta the Cayley vector of its turn in space.
inline Frame moved(const Frame& q, const Vec6& u) { return {q.x + u.head<3>(), so3::cay_matrix(u.tail<3>()) * q.d}; }

/// A step of every node that its kind allows, in spatial components.
inline std::vector<Vec6> random_motion(const System& system, Random& random, double size) {
  std::vector<Vec6> u;
  for (int i = 0; i < system.node_count(); ++i) u.push_back(system.spread(i, random.vector6(size)));
  u.push_back(Vec6::Zero());
  return u;
}

inline std::vector<Frame> moved(std::span<const Frame> q, std::span<const Vec6> u, double t = 1) {
  std::vector<Frame> out;
  for (std::size_t i = 0; i < q.size(); ++i) out.push_back(moved(q[i], t * u[i]));
  return out;
}

inline std::vector<Frame> frames_of(const System& system, const State& state) {
  std::vector<Frame> q;
  system.frames(state, q);
  return q;
}

/// A state with wrenches applied to every second node.
inline State pushed(State state, Random& random) {
  for (int i = 0; i < static_cast<int>(state.nodes.size()); i += 2)
    state.applied.push_back({.node = i, .X = random.vector(), .force = random.vector(), .torque = random.vector()});
  return state;
}

inline MatX dense(const BlockMatrix& matrix) {
  MatX out = MatX::Zero(matrix.rows(), matrix.rows());
  matrix.for_each_block([&](int i, int j, Slot slot) {
    out.block(matrix.offset(i), matrix.offset(j), matrix.size(i), matrix.size(j)) =
        Eigen::Map<const MatX>(matrix.values().data() + slot, matrix.size(i), matrix.size(j));
  });
  return out;
}

inline double size_of(const MatX& m) { return m.size() ? m.cwiseAbs().maxCoeff() : 0; }

/// max |a - b| / max(1, max |b|)
inline double error(const MatX& a, const MatX& b) { return size_of(a - b) / std::max(1.0, size_of(b)); }

}  // namespace polhode
