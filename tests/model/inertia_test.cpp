// Inertia against its definition: a cloud of points, J = sum m (|r|^2 I - r r^T) about any point and in any axes.
#include <polhode/model/inertia.hpp>

#include <random>

#include <gtest/gtest.h>

namespace polhode::inertia_test {
namespace {

struct Cloud {
  std::vector<double> masses;
  std::vector<Vec3> points;  // in the body frame

  double mass() const {
    double sum = 0;
    for (double m : masses) sum += m;
    return sum;
  }
  Vec3 centre() const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = 0; k < points.size(); ++k) sum += masses[k] * points[k];
    return sum / mass();
  }
  Mat3 inertia_about(const Vec3& p) const {
    Mat3 J = Mat3::Zero();
    for (std::size_t k = 0; k < points.size(); ++k) {
      const Vec3 r = points[k] - p;
      J += masses[k] * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    }
    return J;
  }
};

struct Random {
  std::mt19937 engine{11};
  std::uniform_real_distribution<double> uniform{-1, 1};
  Vec3 vector() { return Vec3(uniform(engine), uniform(engine), uniform(engine)); }
  Quaternion rotation() {
    const Vec3 phi = 3 * vector();
    return Quaternion(Eigen::AngleAxisd(phi.norm(), phi.normalized()));
  }
};

// Inertias of order 10 and a few dozen roundings.
constexpr double rounding = 1e-14 * 10;

TEST(Inertia, MatchesItsDefinitionHoweverItIsGiven) {
  Random random;
  for (int trial = 0; trial < 50; ++trial) {
    Cloud cloud;
    for (int k = 0; k < 6; ++k)
      cloud.masses.push_back(1.5 + random.vector().x()), cloud.points.push_back(random.vector());

    Body body;
    body.type = Body::Type::fixed_point;
    body.mass = cloud.mass();
    body.centre_of_mass = cloud.centre();
    body.position = random.vector();
    body.orientation = random.rotation();
    body.pivot = random.vector();
    body.inertia_frame = random.rotation();
    const Vec3 pivot_B = body.orientation.toRotationMatrix().transpose() * (body.pivot - body.position);
    EXPECT_LT((pivot_in_body(body) - pivot_B).norm(), 1e-15 * 10);

    const Mat3 R = body.inertia_frame.toRotationMatrix();
    const Vec3 given = trial % 2 ? Vec3(random.vector()) : body.centre_of_mass;
    if (trial % 2) body.inertia_about = given;
    body.inertia = R.transpose() * cloud.inertia_about(given) * R;
    EXPECT_LT((inertia_at_centre_of_mass(body) - cloud.inertia_about(cloud.centre())).norm(), rounding);
    EXPECT_LT((inertia_at_pivot(body) - cloud.inertia_about(pivot_B)).norm(), rounding);
  }
}

TEST(Inertia, GivenWhereItIsWantedKeepsItsDigits) {
  Body body;
  body.mass = 0.1;
  body.inertia = Vec3(0.1, 0.2, 0.3).asDiagonal();
  body.centre_of_mass = Vec3(0.7, 0.3, 0.1);
  EXPECT_EQ(inertia_at_centre_of_mass(body), body.inertia);
  body.inertia_about = Vec3::Zero();  // the pivot, at the origin
  EXPECT_EQ(inertia_at_pivot(body), body.inertia);
}

}  // namespace
}  // namespace polhode::inertia_test
