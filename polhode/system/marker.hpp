// Where an element takes hold of a node: a point and a triad, and a pair of them.
#pragma once

#include <polhode/system/node.hpp>

namespace polhode {

/// A point X and a triad E (columns), fixed in a node's axes. On the ground both are given in space.
struct Marker {
  int node = -1;  ///< index of the node; the ground is the one after the last
  Vec3 X = Vec3::Zero();
  Mat3 E = Mat3::Identity();
};

/// A marker at a Frame. Affine in the natural coordinates: the mean of two is the marker at the mean frame.
struct MarkerAt {
  Vec3 rho;  ///< from the node's origin to the point, d X
  Vec3 p;    ///< the point, x + d X
  Mat3 e;    ///< the triad, d E

  MarkerAt(const Marker& m, const Frame& q) : rho(q.d * m.X), p(q.x + rho), e(q.d * m.E) {}
  struct PointOnly {};  ///< for elements that do not ask for the triad
  MarkerAt(const Marker& m, const Frame& q, PointOnly) : rho(q.d * m.X), p(q.x + rho) {}
  /// In the middle of two.
  MarkerAt(const MarkerAt& m0, const MarkerAt& m1)
      : rho(0.5 * (m0.rho + m1.rho)), p(0.5 * (m0.p + m1.p)), e(0.5 * (m0.e + m1.e)) {}
  MarkerAt(const MarkerAt& m0, const MarkerAt& m1, PointOnly) : rho(0.5 * (m0.rho + m1.rho)), p(0.5 * (m0.p + m1.p)) {}
};

/// The two markers of an element, a and b.
struct Pair {
  Marker a, b;
};

struct PairAt {
  MarkerAt a, b;
  Vec3 r;  ///< from a's point to b's

  PairAt(const Pair& pair, const Frame& qa, const Frame& qb) : a(pair.a, qa), b(pair.b, qb), r(b.p - a.p) {}
  PairAt(const Pair& pair, const Frame& qa, const Frame& qb, MarkerAt::PointOnly)
      : a(pair.a, qa, MarkerAt::PointOnly{}), b(pair.b, qb, MarkerAt::PointOnly{}), r(b.p - a.p) {}
  /// In the middle of two.
  PairAt(const PairAt& q0, const PairAt& q1) : a(q0.a, q1.a), b(q0.b, q1.b), r(b.p - a.p) {}
  PairAt(const PairAt& q0, const PairAt& q1, MarkerAt::PointOnly only)
      : a(q0.a, q1.a, only), b(q0.b, q1.b, only), r(b.p - a.p) {}
};

}  // namespace polhode
