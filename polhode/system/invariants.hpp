// The invariants z(q) that joints and laws are made of, at most quadratic in the natural coordinates, with their
// gradients (affine) and constant Hessians. Everything that an integrator needs of an element comes from here.
//
// An element joins marker a (point p_a, triad a_1 a_2 a_3) with marker b; r = p_b - p_a. The invariants are
//
//   point        r                three components in space, linear
//   along_a(i)   r . a_i          along_b(i)   r . b_i
//   cosine(i,j)  a_i . b_j
//   square       r . r
//
// Variations are spatial: delta x, and delta d_j = theta x d_j. A row of the gradient is therefore a pair of wrenches
// (force, torque about the node's origin), one on each node: with gradient G_p with respect to a point and G_e with
// respect to a vector e of a node, that wrench is (G_p, rho x G_p + e x G_e). The same formula holds at the mean of two
// configurations, where it gives the discrete gradient, see docs/methods/energy-momentum.md.
#pragma once

#include <array>
#include <bit>

#include <polhode/system/marker.hpp>

namespace polhode {

/// Which invariants an element uses; the order of the rows is point, along_a, along_b, cosine, square.
struct InvariantChoice {
  bool point = false;
  unsigned along_a = 0, along_b = 0;  ///< bit i: component i
  unsigned cosine = 0;                ///< bit 3 i + j: a_i . b_j
  bool square = false;

  constexpr int size() const {
    return 3 * point + std::popcount(along_a) + std::popcount(along_b) + std::popcount(cosine) + square;
  }
};

constexpr unsigned bit(int i) { return 1u << i; }
constexpr unsigned bit(int i, int j) { return 1u << (3 * i + j); }

/// Gradient rows of m invariants: wrenches on a and on b.
template <int m>
struct Rows {
  Eigen::Matrix<double, m, 6> a, b;
};

/// Their sum, each times its stress: one wrench on a and one on b.
struct Wrenches {
  Vec6 a, b;
};

enum class Side { a, b };

/// Derivatives of the two wrenches of an element by the variations (delta x, theta) of its two nodes.
struct PairBlocks {
  Mat6 aa = Mat6::Zero(), ab = Mat6::Zero(), ba = Mat6::Zero(), bb = Mat6::Zero();
};

/// The same where they are only torques that depend on rotations.
struct TurnBlocks {
  Mat3 aa = Mat3::Zero(), ab = Mat3::Zero(), ba = Mat3::Zero(), bb = Mat3::Zero();
};
inline auto turning(Mat6& K) { return K.bottomRightCorner<3, 3>(); }
inline Mat3& turning(Mat3& K) { return K; }

template <InvariantChoice which>
struct Invariants {
  static constexpr InvariantChoice choice = which;
  static constexpr int size = choice.size();
  /// of add_geometry: torques by rotations
  static constexpr bool turns_only = choice.along_a == 0 && choice.along_b == 0 && !choice.square;
  static constexpr bool couples = !turns_only || choice.cosine != 0;  ///< of add_geometry: ab and ba are not zero
  using Z = Eigen::Matrix<double, size, 1>;

  /// The pair as far as these invariants ask for it: of a pair and two frames, or in the middle of two that are at
  /// hand.
  template <class... Of>
  static PairAt at(const Of&... of) {
    constexpr bool triads = choice.along_a != 0 || choice.along_b != 0 || choice.cosine != 0;
    if constexpr (triads)
      return PairAt(of...);
    else
      return PairAt(of..., MarkerAt::PointOnly{});
  }

  static Z z(const PairAt& q) {
    Z z;
    int k = 0;
    if constexpr (choice.point) {
      z.template head<3>() = q.r;
      k = 3;
    }
    for (int i = 0; i < 3; ++i)
      if (choice.along_a & bit(i)) z[k++] = q.r.dot(q.a.e.col(i));
    for (int i = 0; i < 3; ++i)
      if (choice.along_b & bit(i)) z[k++] = q.r.dot(q.b.e.col(i));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (choice.cosine & bit(i, j)) z[k++] = q.a.e.col(i).dot(q.b.e.col(j));
    if constexpr (choice.square) z[k] = q.r.squaredNorm();
    return z;
  }

  /// dz as wrenches, at a configuration or at the mean of two.
  static Rows<size> rows(const PairAt& q) { return rows(q, q); }

  /// The same with the gradient taken at q and its moments taken with the arms and axes of `arm`.
  static Rows<size> rows(const PairAt& q, const PairAt& arm) {
    return {rows_on<Side::a>(q, arm), rows_on<Side::b>(q, arm)};
  }

  /// The wrenches on one side alone.
  template <Side side>
  static Eigen::Matrix<double, size, 6> rows_on(const PairAt& q, const PairAt& arm) {
    constexpr double sign = side == Side::a ? -1 : 1;  // what pulls b pulls a back
    const Vec3& rho = (side == Side::a ? arm.a : arm.b).rho;
    Eigen::Matrix<double, size, 6> rows;
    int k = 0;
    const auto set = [&](const Vec3& force, const Vec3& couple) {
      rows.row(k++) << sign * force.transpose(), (sign * rho.cross(force) + couple).transpose();
    };
    const Vec3 none = Vec3::Zero();
    if constexpr (choice.point) {
      rows.template topLeftCorner<3, 3>() = sign * Mat3::Identity();
      rows.template topRightCorner<3, 3>() = -sign * hat(rho);
      k = 3;
    }
    for (int i = 0; i < 3; ++i)
      if (choice.along_a & bit(i)) set(q.a.e.col(i), side == Side::a ? Vec3(arm.a.e.col(i).cross(q.r)) : none);
    for (int i = 0; i < 3; ++i)
      if (choice.along_b & bit(i)) set(q.b.e.col(i), side == Side::b ? Vec3(arm.b.e.col(i).cross(q.r)) : none);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (choice.cosine & bit(i, j)) {
          const Vec3 couple = side == Side::a ? arm.a.e.col(i).cross(q.b.e.col(j)) : arm.b.e.col(j).cross(q.a.e.col(i));
          rows.row(k++) << 0, 0, 0, couple.transpose();
        }
    if constexpr (choice.square) set(2 * q.r, none);
    return rows;
  }

  /// rows(q, arm)^T sigma, without the rows: the force f on b's point, that on a's, and the couples on the triads.
  static Wrenches wrenches(const Z& sigma, const PairAt& q, const PairAt& arm) {
    Vec3 f = Vec3::Zero(), couple_a = f, couple_b = f;
    int k = 0;
    if constexpr (choice.point) {
      f = sigma.template head<3>();
      k = 3;
    }
    for (int i = 0; i < 3; ++i)
      if (choice.along_a & bit(i)) {
        f += sigma[k] * q.a.e.col(i);
        couple_a += sigma[k++] * arm.a.e.col(i).cross(q.r);
      }
    for (int i = 0; i < 3; ++i)
      if (choice.along_b & bit(i)) {
        f += sigma[k] * q.b.e.col(i);
        couple_b += sigma[k++] * arm.b.e.col(i).cross(q.r);
      }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (choice.cosine & bit(i, j)) {
          couple_a += sigma[k] * arm.a.e.col(i).cross(q.b.e.col(j));
          couple_b += sigma[k++] * arm.b.e.col(j).cross(q.a.e.col(i));
        }
    if constexpr (choice.square) f += 2 * sigma[k] * q.r;
    Wrenches on;
    on.a << -f, couple_a - arm.a.rho.cross(f);
    on.b << f, couple_b + arm.b.rho.cross(f);
    return on;
  }

  /// Adds the derivative of the wrenches rows(mid)^T sigma, at constant sigma, by the variations at `end`, of which
  /// `mid` depends with the factor c: c = 1/2 if mid is the mean of two configurations, 1 if mid and end are the same.
  template <class Blocks>
  static void add_geometry(const Z& sigma, const PairAt& mid, const PairAt& end, double c, Blocks& K) {
    const auto product = [](const Vec3& u, const Vec3& w) -> Mat3 {  // u~ w~
      return w * u.transpose() - u.dot(w) * Mat3::Identity();
    };
    // f, the force on b's point, and its parts along the triads: S_a = sum sigma_i a_i, S_b likewise
    Vec3 f = Vec3::Zero(), Sa_mid = f, Sa_end = f, Sb_mid = f, Sb_end = f;
    double twice_kappa = 0;
    int k = 0;
    if constexpr (choice.point) {
      f += sigma.template head<3>();
      k = 3;
    }
    for (int i = 0; i < 3; ++i)
      if (choice.along_a & bit(i)) {
        Sa_mid += sigma[k] * mid.a.e.col(i);
        Sa_end += sigma[k++] * end.a.e.col(i);
      }
    for (int i = 0; i < 3; ++i)
      if (choice.along_b & bit(i)) {
        Sb_mid += sigma[k] * mid.b.e.col(i);
        Sb_end += sigma[k++] * end.b.e.col(i);
      }
    if constexpr (choice.cosine != 0) {
      // torque T = sum sigma_ij a_i x b_j on a, -T on b; w_i = sum_j sigma_ij b_j, u_j = sum_i sigma_ij a_i
      Mat3 w = Mat3::Zero(), u = Mat3::Zero();
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          if (choice.cosine & bit(i, j)) {
            w.col(i) += sigma[k] * mid.b.e.col(j);
            u.col(j) += sigma[k++] * mid.a.e.col(i);
          }
      Mat3 T_a = Mat3::Zero(), T_b = Mat3::Zero();
      for (int i = 0; i < 3; ++i) {
        if (choice.cosine & (7u << (3 * i))) T_a += c * product(w.col(i), end.a.e.col(i));
        if (choice.cosine & (bit(0, i) | bit(1, i) | bit(2, i))) T_b -= c * product(u.col(i), end.b.e.col(i));
      }
      turning(K.aa) += T_a;
      turning(K.ab) += T_b;
      turning(K.ba) -= T_a;
      turning(K.bb) -= T_b;
    }
    if constexpr (choice.square) {
      twice_kappa = 2 * sigma[k];
      f += twice_kappa * mid.r;
    }
    f += Sa_mid + Sb_mid;

    // torque on b: rho_b x f + S_b x r;  on a: -rho_a x f + S_a x r.  First the lever arms turn,
    turning(K.bb) += c * product(f, end.b.rho);
    turning(K.aa) -= c * product(f, end.a.rho);
    if constexpr (!turns_only) {
      // then f changes, delta f = F (x_b - x_a) + F_a theta_a + F_b theta_b,
      const Mat3 F = c * twice_kappa * Mat3::Identity();
      const Mat3 F_a = c * (twice_kappa * hat(end.a.rho) - hat(Sa_end));
      const Mat3 F_b = -c * (twice_kappa * hat(end.b.rho) + hat(Sb_end));
      const auto add_force = [&](Mat6& K_a, Mat6& K_b, const Mat3& lever, double sign) {
        Eigen::Matrix<double, 6, 3> map;
        map << sign * Mat3::Identity(), sign * lever;
        K_a.leftCols<3>() -= map * F;
        K_b.leftCols<3>() += map * F;
        K_a.rightCols<3>() += map * F_a;
        K_b.rightCols<3>() += map * F_b;
      };
      add_force(K.aa, K.ab, hat(mid.a.rho), -1);
      add_force(K.ba, K.bb, hat(mid.b.rho), 1);
      // and S_a x r and S_b x r: both factors
      const auto add_couple = [&](Mat6& K_a, Mat6& K_b, const Vec3& S) {
        const Mat3 S_hat = c * hat(S);
        K_a.bottomLeftCorner<3, 3>() -= S_hat;
        K_b.bottomLeftCorner<3, 3>() += S_hat;
        K_a.bottomRightCorner<3, 3>() += S_hat * hat(end.a.rho);
        K_b.bottomRightCorner<3, 3>() -= S_hat * hat(end.b.rho);
      };
      if constexpr (choice.along_a != 0) {
        add_couple(K.aa, K.ab, Sa_mid);
        turning(K.aa) += c * product(mid.r, Sa_end);
      }
      if constexpr (choice.along_b != 0) {
        add_couple(K.ba, K.bb, Sb_mid);
        turning(K.bb) += c * product(mid.r, Sb_end);
      }
    }
  }
};

}  // namespace polhode
