// SO(3): the maps invert each other, and every tangent operator is the derivative that it claims to be.
#include <polhode/lie/so3.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "reference.hpp"

namespace polhode::so3::so3_test {
namespace {

using reference::epsilon;
using reference::error;
using reference::Map;
using Vec3L = reference::Matrix<3, 1>;
using Mat3L = reference::Matrix<3>;

constexpr double pi = std::numbers::pi;

Mat3L exact_tangent(const Vec3L& p, Map map = Map::exp) { return reference::tangent<3>(p, map); }

/// Derivative along u of a function of p, in long double.
template <class F>
Mat3L along(const Vec3L& p, const Vec3& u, F f) {
  return reference::derivative([&](long double t) { return Mat3L(f(Vec3L(p + t * u.cast<long double>()))); });
}

// ---- exp and log ----

TEST(Rotation, BetweenTwoDirectionsIsTheSmallest) {
  reference::Vectors vectors;
  for (int k = 0; k < 100; ++k) {
    const Vec3 a = vectors.direction(), across = a.cross(vectors.direction()).normalized();
    const double angle = k < 50 ? pi * k / 50 : pi * (1 - std::pow(10.0, -0.3 * (k - 49)));  // and nearly opposite ones
    const Vec3 b = std::cos(angle) * a + std::sin(angle) * across;
    const Quaternion q = between(2 * a, 3 * b);
    EXPECT_NEAR(q.norm(), 1, 2 * epsilon);
    EXPECT_LE((q * a - b).norm(), 8 * epsilon) << angle;
    EXPECT_NEAR(log(q).norm(), std::acos(std::clamp(a.dot(b), -1.0, 1.0)), 1e-7) << angle;
  }
  EXPECT_LE((between(Vec3::UnitZ(), -Vec3::UnitZ()) * Vec3::UnitZ() + Vec3::UnitZ()).norm(), 4 * epsilon);
}

TEST(Rotation, ExpIsTheMatrixExponential) {
  reference::Vectors vectors;
  for (double angle : reference::angles) {
    const Vec3 p = angle * vectors.direction();
    const Mat3L exact = reference::exponential<3>(reference::hat(Vec3L(p.cast<long double>())));
    EXPECT_LE(error(exp_matrix(p), exact), 4 * epsilon) << angle;
    EXPECT_LE(error(exp(p).toRotationMatrix(), exact), 4 * epsilon) << angle;
    EXPECT_NEAR(exp(p).norm(), 1, 2 * epsilon) << angle;
  }
}

TEST(Rotation, LogInvertsExp) {
  reference::Vectors vectors;
  std::vector<double> angles = {pi - 1e-3, pi - 1e-6, pi - 1e-9};
  for (double angle = 1e-12; angle < 3; angle *= 1.7) angles.push_back(angle);
  for (double angle : angles) {
    const Vec3 p = angle * vectors.direction();
    const Quaternion q = exp(p), minus_q(Eigen::Vector4d(-q.coeffs())), long_q(Eigen::Vector4d(3 * q.coeffs()));
    EXPECT_LE((log(q) - p).norm(), 4 * epsilon * angle) << angle;
    EXPECT_EQ(log(minus_q), log(q)) << angle;
    EXPECT_LE((log(long_q) - p).norm(), 4 * epsilon * angle) << angle;
    EXPECT_LE((log(exp_matrix(p)) - p).norm(), 8 * epsilon * angle) << angle;
  }
  EXPECT_EQ(log(exp(Vec3::Zero())), Vec3::Zero());
  EXPECT_EQ(log(exp(Vec3(1e-200, 0, 0))), Vec3(1e-200, 0, 0));  // where the square underflows
}

TEST(Rotation, LogTakesTheShorterWay) {
  reference::Vectors vectors;
  for (double angle : {pi + 1e-9, 3.5, 5.0, 6.0, 2 * pi - 1e-6}) {
    const Vec3 axis = vectors.direction();
    EXPECT_LE((log(exp(Vec3(angle * axis))) + (2 * pi - angle) * axis).norm(), 8 * epsilon) << angle;
  }
  for (const Vec3& axis : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(0.6, 0, -0.8)})
    for (double sign : {0.0, -0.0}) {
      const Vec3 p = log(Quaternion(sign, axis.x(), axis.y(), axis.z()));  // a half turn: p or -p
      EXPECT_LE(std::min((p - pi * axis).norm(), (p + pi * axis).norm()), 4 * epsilon);
    }
}

TEST(Rotation, OneParameterSubgroup) {
  reference::Vectors vectors;
  for (double angle : reference::angles) {
    const Vec3 p = angle * vectors.direction();
    EXPECT_LE(error(exp_matrix(0.25 * p) * exp_matrix(0.75 * p), exp_matrix(p)), 16 * epsilon);
    EXPECT_LE(error(exp_matrix(-p), exp_matrix(p).transpose()), 0);
  }
}

// ---- the tangent operator of exp ----

TEST(Tangent, IsTheBodyDerivativeOfExp) {
  reference::Vectors vectors;
  for (double angle : reference::angles) {
    const Vec3 p = angle * vectors.direction();
    EXPECT_LE(error(tangent(p), exact_tangent(p.cast<long double>())), 4 * epsilon) << angle;
  }
}

TEST(Tangent, TransposeIsTheSpatialOne) {
  reference::Vectors vectors;
  for (double angle : reference::angles) {
    const Vec3 p = angle * vectors.direction();
    EXPECT_EQ(tangent(p).transpose(), tangent(-p));
    EXPECT_EQ(spatial_tangent(p), tangent(-p));
    EXPECT_LE(error(exp_matrix(p) * tangent(p), tangent(p).transpose()), 8 * epsilon) << angle;
    EXPECT_EQ(spatial_tangent_inverse(p), tangent_inverse(-p));
  }
}

TEST(Tangent, InverseInverts) {
  reference::Vectors vectors;
  for (double angle : reference::angles) {
    const Vec3 p = angle * vectors.direction();
    const Mat3L exact = exact_tangent(p.cast<long double>()).inverse();
    EXPECT_LE(error(tangent_inverse(p), exact), 8 * epsilon) << angle;
    // cond(T) = 50 at 6
    EXPECT_LE(error(tangent(p) * tangent_inverse(p), Mat3::Identity()), 200 * epsilon) << angle;
  }
}

TEST(Tangent, Derivatives) {
  reference::Vectors vectors;
  for (double angle : reference::angles) {
    const Vec3 p = angle * vectors.direction(), u = vectors.next(), v = vectors.next();
    const Vec3L pL = p.cast<long double>();
    const auto T = [](const Vec3L& q) { return exact_tangent(q); };
    const auto T_inv = [](const Vec3L& q) { return Mat3L(exact_tangent(q).inverse()); };
    // a function rounded at 1e-19 to 1e-18: differences give the first derivative to 1e-15, the second to 1e-12
    EXPECT_LE(error(tangent_derivative(p, u), along(pL, u, T)), 1e-14) << angle;
    EXPECT_LE(error(tangent_inverse_derivative(p, u), along(pL, u, T_inv)), 1e-13) << angle;
    const auto DT = [&](const Vec3L& q) { return along(q, u, T); };
    const auto DT_inv = [&](const Vec3L& q) { return along(q, u, T_inv); };
    EXPECT_LE(error(tangent_inverse_second_derivative(p, u, v), along(pL, v, DT_inv)), 1e-10) << angle;
    const Mat3 D2T = tangent_second_derivative(p, u, v);
    EXPECT_LE(error(D2T, along(pL, v, DT)), 1e-11) << angle;
    EXPECT_LE(error(D2T, tangent_second_derivative(p, v, u)), 8 * epsilon) << angle;
  }
}

TEST(Tangent, DerivativeOfTheInverseFollowsFromThatOfT) {
  reference::Vectors vectors;
  for (double angle : reference::angles) {
    const Vec3 p = angle * vectors.direction(), u = vectors.next();
    const Mat3 T_inv = tangent_inverse(p), expected = -T_inv * tangent_derivative(p, u) * T_inv;
    EXPECT_LE(error(tangent_inverse_derivative(p, u), expected), 500 * epsilon) << angle;  // cond(T)² = 2500 at 6
  }
}

TEST(Tangent, JacobianActsAsTheDerivative) {
  reference::Vectors vectors;
  for (double angle : reference::angles) {
    const Vec3 p = angle * vectors.direction(), u = vectors.next(), v = vectors.next();
    EXPECT_LE(error(tangent_jacobian(p, v) * u, tangent_derivative(p, u) * v), 16 * epsilon) << angle;
    const Vec3 inverse_along_u = tangent_inverse_derivative(p, u) * v;
    EXPECT_LE(error(tangent_inverse_jacobian(p, v) * u, inverse_along_u), 16 * epsilon) << angle;
  }
}

// ---- the Cayley map ----

TEST(Cayley, MatrixAndQuaternionAreTheCayleyTransform) {
  reference::Vectors vectors;
  for (double length : {0.0, 1e-12, 1e-6, 1e-3, 0.1, 1.0, 2.0, 5.0, 100.0, 1e3}) {
    const Vec3 p = length * vectors.direction();
    const Mat3L exact = reference::cayley<3>(reference::hat(Vec3L(p.cast<long double>())));
    EXPECT_LE(error(cay_matrix(p), exact), 4 * epsilon) << length;
    EXPECT_LE(error(cay(p).toRotationMatrix(), exact), 4 * epsilon) << length;
    EXPECT_LE((cay_inverse(cay(p)) - p).norm(), 4 * epsilon * length) << length;
    // the matrix gives w = 1/sqrt(1 + |p|²/4) to epsilon in absolute terms, hence p to epsilon |p| (1 + |p|)
    EXPECT_LE((cay_inverse(cay_matrix(p)) - p).norm(), 8 * epsilon * length * (1 + length)) << length;
  }
}

// The length is set right by a Newton step: an error e of it becomes 3/2 e².
TEST(Cayley, TimesAQuaternionKeepsItsLength) {
  reference::Vectors vectors;
  for (double length : {0.0, 1e-6, 0.1, 2.0, 50.0}) {
    const Vec3 p = length * vectors.direction();
    const Quaternion q = exp(2 * vectors.direction()), product = cay(p) * q;
    EXPECT_LE((cay_times(p, q).coeffs() - product.coeffs()).norm(), 4 * epsilon) << length;
    for (double e : {1e-3, 1e-6, 1e-9, -1e-5}) {
      Quaternion off = q;
      off.coeffs() *= 1 + e;
      EXPECT_LE(std::abs(cay_times(p, off).norm() - 1), 1.6 * e * e + 4 * epsilon) << length << " " << e;
    }
    Quaternion turned = q;
    for (int k = 0; k < 10000; ++k) turned = cay_times(p, turned);
    EXPECT_LE(std::abs(turned.norm() - 1), 4 * epsilon) << length;
  }
}

TEST(Cayley, TurnsByTwiceTheArcTangentOfTheHalf) {
  reference::Vectors vectors;
  for (double length : {1e-9, 1e-3, 0.5, 3.0, 50.0}) {
    const Vec3 axis = vectors.direction();
    EXPECT_LE((log(cay(length * axis)) - 2 * std::atan(length / 2) * axis).norm(), 4 * epsilon * length);
  }
}

TEST(Cayley, TangentIsTheBodyDerivative) {
  reference::Vectors vectors;
  for (double length : reference::angles) {
    const Vec3 p = length * vectors.direction(), v = vectors.next();
    const Mat3 T = cay_tangent(p), T_inv = cay_tangent_inverse(p);
    EXPECT_LE(error(T, exact_tangent(p.cast<long double>(), Map::cay)), 4 * epsilon) << length;
    EXPECT_LE(error(T * T_inv, Mat3::Identity()), 16 * epsilon) << length;
    EXPECT_LE(error(cay_matrix(p) * T, T.transpose()), 8 * epsilon) << length;
    EXPECT_LE(error(cay_tangent(p, v), T * v), 4 * epsilon) << length;
    EXPECT_EQ(cay_spatial_tangent(p), T.transpose());
    EXPECT_EQ(cay_spatial_tangent_inverse(p), T_inv.transpose());
  }
}

TEST(Cayley, Derivatives) {
  reference::Vectors vectors;
  for (double length : reference::angles) {
    const Vec3 p = length * vectors.direction(), u = vectors.next(), v = vectors.next();
    const Vec3L pL = p.cast<long double>();
    const auto T = [](const Vec3L& q) { return exact_tangent(q, Map::cay); };
    const auto T_inv = [](const Vec3L& q) { return Mat3L(exact_tangent(q, Map::cay).inverse()); };
    EXPECT_LE(error(cay_tangent_derivative(p, u), along(pL, u, T)), 1e-14) << length;
    EXPECT_LE(error(cay_tangent_inverse_derivative(p, u), along(pL, u, T_inv)), 1e-13) << length;
    EXPECT_LE(error(cay_tangent_jacobian(p, v) * u, cay_tangent_derivative(p, u) * v), 8 * epsilon) << length;
    const Vec3 inverse_along_u = cay_tangent_inverse_derivative(p, u) * v;
    EXPECT_LE(error(cay_tangent_inverse_jacobian(p, v) * u, inverse_along_u), 8 * epsilon) << length;
  }
}

}  // namespace
}  // namespace polhode::so3::so3_test
