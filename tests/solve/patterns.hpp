// Block patterns of mechanisms, and numbers to fill them with: chains, stars, rings, ladders, random graphs.
#pragma once

#include <Eigen/QR>

#include <polhode/solve/block_matrix.hpp>

#include "system/random_models.hpp"

namespace polhode::patterns {

constexpr int ground = -1;

/// Bodies first, then joints: what a System's plan looks like.
class Builder {
 public:
  explicit Builder(int bodies) {
    for (int i = 0; i < bodies; ++i) pattern_.groups.push_back({6, false, false, {}, false});
  }
  Builder& joint(int a, int b, int rows) {
    BlockPattern::Group group{rows, true, false, {}, a == ground || b == ground};
    for (int i : {a, b})
      if (i != ground) group.tied.push_back(i);
    pattern_.groups.push_back(group);
    return *this;
  }
  Builder& link(int a, int b) {
    pattern_.links.emplace_back(std::min(a, b), std::max(a, b));
    return *this;
  }
  operator BlockPattern() const { return pattern_; }

 private:
  BlockPattern pattern_;
};

/// n bodies in a row, hanging on the ground, each coupled with the next through the joint and directly.
inline BlockPattern chain(int n, int rows = 5) {
  Builder b(n);
  for (int i = 0; i < n; ++i) {
    b.joint(i - 1, i, rows);
    if (i > 0) b.link(i - 1, i);
  }
  return b;
}

/// n bodies around one.
inline BlockPattern star(int n) {
  Builder b(n + 1);
  b.joint(ground, 0, 3);
  for (int i = 1; i <= n; ++i) b.joint(0, i, 5).link(0, i);
  return b;
}

/// A chain whose last body is tied to the ground again.
inline BlockPattern ring(int n) {
  Builder b(n);
  for (int i = 0; i < n; ++i) b.joint(i - 1, i, 4);
  b.joint(n - 1, ground, 3);
  return b;
}

/// Two chains of n bodies, tied to each other at every step.
inline BlockPattern ladder(int n) {
  Builder b(2 * n);
  for (int i = 0; i < n; ++i) {
    b.joint(i == 0 ? ground : 2 * i - 2, 2 * i, 3).joint(i == 0 ? ground : 2 * i - 1, 2 * i + 1, 3);
    b.joint(2 * i, 2 * i + 1, 1);
  }
  return b;
}

/// n + 1 posts on the ground, and a beam from each to the next.
inline BlockPattern arches(int n) {
  Builder b(2 * n + 1);
  for (int i = 0; i <= n; ++i) b.joint(ground, 2 * i, 5);
  for (int i = 0; i < n; ++i) b.joint(2 * i, 2 * i + 1, 5).joint(2 * i + 1, 2 * i + 2, 2);
  return b;
}

/// A random forest, some of it not on the ground, with loops of few rows and direct couplings.
inline BlockPattern random(unsigned seed) {
  Random random(seed);
  const int n = 2 + random.below(12);
  Builder b(n);
  for (int i = 0; i < n; ++i) {
    if (random.chance(0.1)) continue;  // floats
    b.joint(i == 0 || random.chance(0.2) ? ground : random.below(i), i, 1 + random.below(4));
  }
  for (int k = random.below(4); k > 0; --k) {
    const int i = random.below(n), j = random.chance(0.3) ? ground : random.below(n);
    if (i != j) b.joint(i, j, 1);
  }
  for (int k = random.below(4); k > 0; --k) {
    const int i = random.below(n), j = random.below(n);
    if (i != j) b.link(i, j);
  }
  return b;
}

/// Numbers like those of a step: inertias on the diagonal, rows of joints of order 1, neither quite symmetric.
inline void fill(const BlockPattern& pattern, Random& random, BlockMatrix& matrix) {
  matrix.set_zero();
  const auto numbers = [&](int rows, int columns) {
    return MatX(MatX::NullaryExpr(rows, columns, [&] { return random.number(); }));
  };
  const auto block = [&](int i, int j) {
    return Eigen::Map<MatX>(matrix.values().data() + matrix.find(i, j), matrix.size(i), matrix.size(j));
  };
  for (const auto& [i, j] : pattern.links) {
    block(i, j) = 0.1 * numbers(matrix.size(i), matrix.size(j));
    block(j, i) = 0.1 * numbers(matrix.size(j), matrix.size(i));
  }
  for (int i = 0; i < matrix.groups(); ++i) {
    if (!pattern.groups[i].bound) {
      const MatX A = numbers(6, 6);
      block(i, i) = MatX::Identity(6, 6) + A * A.transpose() + 0.1 * numbers(6, 6);
      continue;
    }
    for (int j : pattern.groups[i].tied) {
      // rows far from dependent: part of an orthogonal matrix
      const MatX Q = numbers(6, 6).householderQr().householderQ();
      block(i, j) = Q.topRows(matrix.size(i));
      block(j, i) = block(i, j).transpose() + 0.05 * numbers(6, matrix.size(i));
    }
  }
}

}  // namespace polhode::patterns
