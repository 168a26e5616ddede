// Invariants: unmoved by rigid motions, their rows are their gradients, exactly so between two configurations.
#include <polhode/system/elements.hpp>

#include <gtest/gtest.h>

#include "configurations.hpp"
#include "types.hpp"

namespace polhode::invariants_test {
namespace {

/// The invariants of every joint, and others.
using Types =
    JointInvariantsAnd<Invariants<{.along_b = 7}>, Invariants<{.cosine = 511}>, BushingMeasure::Z,
                       Invariants<{.point = true, .along_a = 7, .along_b = 5, .cosine = 511, .square = true}>>;

template <class Z>
constexpr bool has_point = false;
template <InvariantChoice choice>
constexpr bool has_point<Invariants<choice>> = choice.point;  // its first three rows are components in space

template <class Z>
class InvariantsTest : public ::testing::Test {
 protected:
  static constexpr int size = Z::size;
  using Vector12 = Eigen::Matrix<double, 12, 1>;

  Random random{20240501};
  Pair pair{random_marker(), random_marker()};

  Marker random_marker() { return {0, random.vector(), random.rotation_matrix()}; }
  Frame frame() { return {random.vector(), random.rotation_matrix()}; }
  Frame any_frame() {
    return {random.vector(), random.rotation_matrix() + 0.3 * Mat3::NullaryExpr([&] { return random.number(); })};
  }
  PairAt at(const Frame& a, const Frame& b) const { return PairAt(pair, a, b); }

  /// The frame that P(q) t u leads to: affine in t, so that what is quadratic in q is quadratic in t.
  static Frame along(const Frame& q, const Vec6& u, double t) {
    return {q.x + t * u.head<3>(), q.d + t * hat(Vec3(u.tail<3>())) * q.d};
  }
  static Eigen::Matrix<double, size, 12> matrix(const Rows<size>& rows) {
    return (Eigen::Matrix<double, size, 12>() << rows.a, rows.b).finished();
  }
  Vector12 variation() { return (Vector12() << random.vector6(), random.vector6()).finished(); }
};

TYPED_TEST_SUITE(InvariantsTest, Types);

// A polynomial identity: it holds for any 12 numbers, not only for rotations.
TYPED_TEST(InvariantsTest, DoNotSeeARigidMotionOfEverything) {
  using Z = TypeParam;
  for (int k = 0; k < 20; ++k) {
    const Frame a = this->any_frame(), b = this->any_frame();
    const Mat3 Q = this->random.rotation_matrix();
    const Vec3 c = this->random.vector();
    const auto turn = [&](const Frame& q) { return Frame{c + Q * q.x, Q * q.d}; };
    typename Z::Z expected = Z::z(this->at(a, b));
    if constexpr (has_point<Z>) expected.template head<3>() = (Q * expected.template head<3>()).eval();
    EXPECT_LE(error(Z::z(this->at(turn(a), turn(b))), expected), 40 * round_off);
  }
}

// z is quadratic along P(q) t u, so that the central difference over any t is the derivative.
TYPED_TEST(InvariantsTest, RowsAreTheGradientAlsoOffTheRotations) {
  using Z = TypeParam;
  for (int k = 0; k < 20; ++k) {
    const Frame a = this->any_frame(), b = this->any_frame();
    const auto u = this->variation();
    const auto z = [&](double t) {
      return Z::z(this->at(this->along(a, u.template head<6>(), t), this->along(b, u.template tail<6>(), t)));
    };
    EXPECT_LE(error(this->matrix(Z::rows(this->at(a, b))) * u, 0.5 * (z(1) - z(-1))), 100 * round_off);
  }
}

// z1 - z0 = dz(qm) P(qm) u: what makes the discrete gradient exact, for steps of any size.
TYPED_TEST(InvariantsTest, RowsAtTheMeanAreTheSecant) {
  using Z = TypeParam;
  for (double step : {1e-6, 1e-2, 1.0, 5.0})
    for (int k = 0; k < 20; ++k) {
      const Frame a0 = this->frame(), b0 = this->frame();
      const auto u = (step * this->variation()).eval();
      const Frame a1 = moved(a0, u.template head<6>()), b1 = moved(b0, u.template tail<6>());
      const auto dz = (Z::z(this->at(a1, b1)) - Z::z(this->at(a0, b0))).eval();
      const auto rows = this->matrix(Z::rows(this->at(mean(a0, a1), mean(b0, b1))));
      EXPECT_LE(error(rows * u, dz), 1e-14 * (1 + step)) << "step " << step;
    }
}

// delta x = v + omega x x, theta = omega moves everything rigidly: invariants feel no resultant force, and no moment.
TYPED_TEST(InvariantsTest, RowsAreInEquilibriumAlsoAtTheMean) {
  using Z = TypeParam;
  for (int k = 0; k < 20; ++k) {
    const Frame a = this->any_frame(), b = this->any_frame();
    const Vec3 v = this->random.vector(), omega = this->random.vector();
    typename TestFixture::Vector12 u;
    u << v + omega.cross(a.x), omega, v + omega.cross(b.x), omega;
    const PairAt at = this->at(a, b);
    typename Z::Z expected = Z::Z::Zero();
    if constexpr (has_point<Z>) expected.template head<3>() = omega.cross(at.r);
    EXPECT_LE(error(this->matrix(Z::rows(at)) * u, expected), 100 * round_off);
  }
}

// rows^T sigma is quadratic in q too: central differences are exact again.
TYPED_TEST(InvariantsTest, GeometryIsTheDerivativeOfTheRows) {
  using Z = TypeParam;
  for (const double c : {0.5, 1.0})
    for (int k = 0; k < 20; ++k) {
      const Frame a0 = this->frame(), b0 = this->frame(), a1 = this->frame(), b1 = this->frame();
      const auto u = this->variation();
      const typename Z::Z sigma = Z::Z::NullaryExpr([&] { return this->random.number(); });
      const auto mid = [&](double t) {
        const Frame a = this->along(a1, u.template head<6>(), t), b = this->along(b1, u.template tail<6>(), t);
        return c == 1 ? this->at(a, b) : this->at(mean(a0, a), mean(b0, b));
      };
      const auto wrenches = [&](double t) { return (this->matrix(Z::rows(mid(t))).transpose() * sigma).eval(); };
      PairBlocks K;
      Z::add_geometry(sigma, mid(0), this->at(a1, b1), c, K);
      Eigen::Matrix<double, 12, 12> all;
      all << K.aa, K.ab, K.ba, K.bb;
      EXPECT_LE(error(all * u, 0.5 * (wrenches(1) - wrenches(-1))), 200 * round_off) << "c = " << c;
    }
}

}  // namespace
}  // namespace polhode::invariants_test
