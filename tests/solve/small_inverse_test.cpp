// Inverses of small blocks against Eigen's LU, and which blocks are left alone.
#include <polhode/solve/small_inverse.hpp>

#include <limits>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "patterns.hpp"

namespace polhode::small_inverse_test {
namespace {

template <int n>
void expect_inverse(Random& random) {
  using Block = Eigen::Matrix<double, n, n>;
  Block A;
  for (int i = 0; i < n * n; ++i) A.data()[i] = random.vector_x(1)[0];
  A = (A * A.transpose() + Block::Identity() + 0.1 * A).eval();  // not symmetric, and no cancellation
  Block X = A;
  ASSERT_TRUE(small::invert<n>(X.data(), 1e-6));
  EXPECT_LE((A * X - Block::Identity()).norm(), 1e-12 * A.norm() * X.norm()) << n;
}

TEST(SmallInverse, IsTheInverseOfBlocksOfEverySize) {
  Random random(7);
  for (int k = 0; k < 50; ++k) {
    expect_inverse<1>(random);
    expect_inverse<2>(random);
    expect_inverse<3>(random);
    expect_inverse<4>(random);
    expect_inverse<5>(random);
    expect_inverse<6>(random);
  }
}

// Translation and rotation of a body at the end of a chain: nothing ties them, or one of them only.
TEST(SmallInverse, IsTheInverseOfBlocksWithoutCoupling) {
  Random random(11);
  for (int ties = 0; ties < 3; ++ties) {
    Mat6 A = Mat6::Zero();
    for (int j = 0; j < 36; ++j) A.data()[j] = 0.2 * random.vector_x(1)[0];
    A += 3 * Mat6::Identity();
    if (ties != 1) A.topRightCorner<3, 3>().setZero();
    if (ties != 2) A.bottomLeftCorner<3, 3>().setZero();
    Mat6 X = A;
    ASSERT_TRUE(small::invert<6>(X.data(), 1e-6));
    EXPECT_LE((A * X - Mat6::Identity()).norm(), 1e-13) << ties;
  }
}

TEST(SmallInverse, OfTheInertiaOfABodyIsThatOfItsParts) {
  Random random(13);
  Mat6 A = Mat6::Zero();
  A.topLeftCorner<3, 3>() = 2.5 * Mat3::Identity();
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) A(3 + i, 3 + j) = (i == j ? 2 : 0) + 0.3 * random.vector_x(1)[0];
  ASSERT_TRUE(small::is_inertia(A.data()));
  Mat6 X = A;
  ASSERT_TRUE(small::invert_inertia(X.data(), 1e-6));
  EXPECT_LE((A * X - Mat6::Identity()).norm(), 1e-14);
  Eigen::Matrix<double, 6, 2> B;
  B << random.vector_x(6), random.vector_x(6);
  Eigen::Matrix<double, 6, 2> Y = B;
  small::multiply_inertia(2, X.data(), Y.data());
  EXPECT_LE((Y - X * B).norm(), 1e-14);
  // any number elsewhere, be it none, and it is not of that kind
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i < 6; ++i) {
      if (i >= 3 && j >= 3) continue;
      for (double wrong : {1e-200, std::numeric_limits<double>::quiet_NaN()}) {
        Mat6 other = A;
        other(i, j) += i == j ? std::max(wrong, 1e-10) : wrong;
        EXPECT_FALSE(small::is_inertia(other.data())) << i << ' ' << j << ' ' << wrong;
      }
    }
  Mat6 flat = A;
  flat.bottomRows<1>().setZero();
  EXPECT_FALSE(small::invert_inertia(flat.data(), 1e-6)) << "singular";
  flat = A;
  flat.topRows<3>().setZero();
  EXPECT_FALSE(small::invert_inertia(flat.data(), 1e-6)) << "no mass";
}

// A stiff spring on a body, with an arm: what is left of its rotation is cancelled almost wholly.
TEST(SmallInverse, LeavesBlocksAloneThatLoseDigits) {
  for (const double k : {1e3, 1e12}) {
    Mat6 A = Mat6::Identity();
    const Mat3 arm = hat(Vec3(0.3, -0.2, 1));
    A.topLeftCorner<3, 3>() += k * Mat3::Identity();
    A.topRightCorner<3, 3>() -= k * arm;
    A.bottomLeftCorner<3, 3>() += k * arm;
    A.bottomRightCorner<3, 3>() -= k * arm * arm;
    Mat6 X = A;
    EXPECT_EQ(small::invert<6>(X.data(), 1e-6), k < 1e6);
    if (k < 1e6)
      EXPECT_LE((A * X - Mat6::Identity()).norm(), 1e-9);
    else
      EXPECT_EQ(X, A);
  }
  Mat3 zero = Mat3::Zero();
  EXPECT_FALSE(small::invert<3>(zero.data(), 1e-6));
}

}  // namespace
}  // namespace polhode::small_inverse_test
