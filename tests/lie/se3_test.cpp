// SE(3): group laws, exp and cay against 4x4 matrices, every tangent operator against the derivative that it is.
#include <polhode/lie/se3.hpp>

#include <numbers>

#include <gtest/gtest.h>

#include "reference.hpp"

namespace polhode::se3::se3_test {
namespace {

using reference::epsilon;
using reference::error;
using reference::Map;
using Vec6L = reference::Matrix<6, 1>;
using Mat6L = reference::Matrix<6>;
using Mat4L = reference::Matrix<4>;
using Mat4 = Eigen::Matrix4d;

Mat4 matrix(const Pose& X) {
  Mat4 m = Mat4::Identity();
  m.topLeftCorner<3, 3>() = X.R.toRotationMatrix();
  m.topRightCorner<3, 1>() = X.x;
  return m;
}

Mat4L hat4(const Vec6& xi) { return reference::hat(Vec6L(xi.cast<long double>())); }

/// A twist with the given angle and a translation of order 1.
Vec6 twist(double angle, reference::Vectors& vectors) {
  Vec6 xi;
  xi << vectors.next(), angle * vectors.direction();
  return xi;
}

Mat6L exact_tangent(const Vec6L& xi, Map map) { return reference::tangent<6>(xi, map); }

template <class F>
Mat6L along(const Vec6& xi, const Vec6& eta, F f) {
  const Vec6L xiL = xi.cast<long double>(), etaL = eta.cast<long double>();
  return reference::derivative([&](long double t) { return Mat6L(f(Vec6L(xiL + t * etaL))); });
}

TEST(Pose, GroupLaws) {
  reference::Vectors vectors;
  for (int i = 0; i < 20; ++i) {
    const Pose A = exp(vectors.next6()), B = exp(vectors.next6()), C = exp(vectors.next6());
    const Vec3 y = vectors.next();
    EXPECT_LE(error(matrix(A * B), matrix(A) * matrix(B)), 8 * epsilon);
    EXPECT_LE(error(matrix(compose(A, B)), matrix(A * B)), 0);
    EXPECT_LE(error(matrix((A * B) * C), matrix(A * (B * C))), 8 * epsilon);
    EXPECT_LE(error(matrix(A * inverse(A)), Mat4::Identity()), 8 * epsilon);
    EXPECT_LE(error(matrix(inverse(A) * A), Mat4::Identity()), 8 * epsilon);
    EXPECT_LE(error((A * B) * y, A * (B * y)), 8 * epsilon);
  }
}

TEST(Pose, AdjointConjugatesAndRespectsTheBracket) {
  reference::Vectors vectors;
  for (int i = 0; i < 20; ++i) {
    const Pose A = exp(vectors.next6()), B = exp(vectors.next6());
    const Vec6 v = vectors.next6(), z = vectors.next6();
    const Mat4L conjugate = matrix(A).cast<long double>() * hat4(v) * matrix(A).cast<long double>().inverse();
    EXPECT_LE(error(hat4(adjoint(A) * v), conjugate), 16 * epsilon);
    EXPECT_LE(error(adjoint(A * B), adjoint(A) * adjoint(B)), 16 * epsilon);
    EXPECT_LE(error(adjoint(A) * bracket(v, z), bracket(adjoint(A) * v, adjoint(A) * z)), 32 * epsilon);
    EXPECT_LE(error(hat4(bracket(v, z)), Mat4L(hat4(v) * hat4(z) - hat4(z) * hat4(v))), 4 * epsilon);
    EXPECT_LE(error(algebra_adjoint(v) * z, bracket(v, z)), 4 * epsilon);
  }
}

TEST(Pose, ExpIsTheMatrixExponential) {
  reference::Vectors vectors;
  for (double angle : reference::angles) {
    const Vec6 xi = twist(angle, vectors);
    EXPECT_LE(error(matrix(exp(xi)), reference::exponential<4>(hat4(xi))), 8 * epsilon) << angle;
  }
}

TEST(Pose, LogInvertsExp) {
  reference::Vectors vectors;
  const double pi = std::numbers::pi;
  for (double angle : {0.0, 1e-12, 1e-9, 1e-6, 1e-3, 0.1, 1.0, 2.0, 2.9, 3.05, pi - 1e-6, pi - 1e-9}) {
    const Vec6 xi = twist(angle, vectors), back = log(exp(xi));
    EXPECT_LE((back - xi).head<3>().norm(), 16 * epsilon * xi.norm()) << angle;
    EXPECT_LE((back - xi).tail<3>().norm(), 4 * epsilon * angle) << angle;
  }
}

TEST(Pose, CayIsTheMatrixCayleyTransform) {
  reference::Vectors vectors;
  for (double angle : reference::angles) {
    const Vec6 xi = twist(angle, vectors);
    EXPECT_LE(error(matrix(cay(xi)), reference::cayley<4>(hat4(xi))), 8 * epsilon) << angle;
    EXPECT_LE(error(cay_inverse(cay(xi)), xi), 16 * epsilon) << angle;
  }
}

TEST(Pose, ATurnAboutAFixedPointStaysOne) {
  // X X_0 = X_0 for every motion with u = -w x X_0: the subgroup of turns about X_0, in exp as in cay
  reference::Vectors vectors;
  for (double angle : reference::angles) {
    const Vec3 X0 = vectors.next(), w = angle * vectors.direction();
    Vec6 xi;
    xi << -w.cross(X0), w;
    EXPECT_LE(error(exp(xi) * X0, X0), 8 * epsilon) << angle;
    EXPECT_LE(error(cay(xi) * X0, X0), 8 * epsilon) << angle;
    EXPECT_LE(error(cay(xi).x, so3::cay_spatial_tangent(w) * xi.head<3>()), 8 * epsilon) << angle;
  }
}

TEST(PoseTangent, IsTheBodyDerivative) {
  reference::Vectors vectors;
  for (double angle : reference::angles) {
    const Vec6 xi = twist(angle, vectors);
    const Vec6L xiL = xi.cast<long double>();
    EXPECT_LE(error(tangent(xi), exact_tangent(xiL, Map::exp)), 8 * epsilon) << angle;
    EXPECT_LE(error(cay_tangent(xi), exact_tangent(xiL, Map::cay)), 8 * epsilon) << angle;
  }
}

TEST(PoseTangent, InverseInverts) {
  reference::Vectors vectors;
  for (double angle : reference::angles) {
    const Vec6 xi = twist(angle, vectors);
    const Vec6L xiL = xi.cast<long double>();
    const Mat6L exact = exact_tangent(xiL, Map::exp).inverse(), cay_exact = exact_tangent(xiL, Map::cay).inverse();
    EXPECT_LE(error(tangent_inverse(xi), exact), 16 * epsilon) << angle;
    EXPECT_LE(error(cay_tangent_inverse(xi), cay_exact), 8 * epsilon) << angle;
  }
}

TEST(PoseTangent, ReversesWithTheAdjoint) {
  // exp(-xi) = exp(xi)⁻¹, hence T(-xi) = Ad(exp xi) T(xi); the same for cay
  reference::Vectors vectors;
  for (double angle : reference::angles) {
    const Vec6 xi = twist(angle, vectors);
    EXPECT_LE(error(adjoint(exp(xi)) * tangent(xi), tangent(-xi)), 32 * epsilon) << angle;
    EXPECT_LE(error(adjoint(cay(xi)) * cay_tangent(xi), cay_tangent(-xi)), 32 * epsilon) << angle;
  }
}

TEST(PoseTangent, Derivatives) {
  reference::Vectors vectors;
  for (double angle : reference::angles) {
    const Vec6 xi = twist(angle, vectors), eta = vectors.next6();
    const auto T = [](const Vec6L& z) { return exact_tangent(z, Map::exp); };
    const auto T_inv = [](const Vec6L& z) { return Mat6L(exact_tangent(z, Map::exp).inverse()); };
    const auto cay_T = [](const Vec6L& z) { return exact_tangent(z, Map::cay); };
    const auto cay_T_inv = [](const Vec6L& z) { return Mat6L(exact_tangent(z, Map::cay).inverse()); };
    // differences of functions rounded at 1e-19 to 1e-18, divided by the step 1e-3
    EXPECT_LE(error(tangent_derivative(xi, eta), along(xi, eta, T)), 1e-14) << angle;
    EXPECT_LE(error(cay_tangent_derivative(xi, eta), along(xi, eta, cay_T)), 1e-14) << angle;
    EXPECT_LE(error(tangent_inverse_derivative(xi, eta), along(xi, eta, T_inv)), 1e-13) << angle;
    EXPECT_LE(error(cay_tangent_inverse_derivative(xi, eta), along(xi, eta, cay_T_inv)), 1e-14) << angle;
  }
}

}  // namespace
}  // namespace polhode::se3::se3_test
