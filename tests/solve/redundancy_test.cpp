// Redundant joints: found by rank, as many as the singular values say, and without influence on the motion.
#include <polhode/system/constrained_mass.hpp>

#include <functional>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <polhode/elements/joints.hpp>
#include <polhode/lie/se3.hpp>
#include <polhode/solve/svd.hpp>

#include "system/configurations.hpp"

namespace polhode::redundancy_test {
namespace {

/// A closed loop of hinges: body k goes from point k to point k + 1, the last link is the ground.
Model loop_of_hinges(const std::vector<Vec3>& points, const std::vector<Vec3>& axes) {
  Model model;
  Random random(5);
  const std::size_t n = points.size();
  const auto link = [&](std::size_t k) {
    return k % n == n - 1 ? std::string("ground") : fmt::format("link {}", k % n);
  };
  for (std::size_t k = 0; k + 1 < n; ++k) {
    Body body;
    body.name = link(k);
    body.mass = random.number(1, 2);
    body.inertia = random.inertia(body.mass);
    body.position = 0.5 * (points[k] + points[k + 1]);
    body.orientation = random.rotation();
    model.bodies.push_back(body);
  }
  for (std::size_t k = 0; k < n; ++k) {
    model.joints.push_back(Revolute{
        .name = fmt::format("hinge {}", k), .between = {link(k + n - 1), link(k)}, .at = points[k], .axis = axes[k]});
  }
  return model;
}

/// All hinges parallel: in space, three equations of the last one say what the others say already.
Model planar_four_bar() {
  const Mat3 Q = Random(6).rotation_matrix();
  std::vector<Vec3> points;
  for (const Vec3& p : {Vec3(0, 0, 0), Vec3(0.3, 0.8, 0), Vec3(1.6, 1.1, 0), Vec3(2, 0, 0)}) points.push_back(Q * p);
  return loop_of_hinges(points, std::vector<Vec3>(4, Q * Vec3::UnitZ()));
}

/// Six links along the edges of a cube, each hinge normal to its two links: Bricard's orthogonal linkage.
Model bricard() {
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {0, 1, 1}, {0, 0, 1}};
  std::vector<Vec3> axes;
  for (int k = 0; k < 6; ++k) axes.push_back((points[k] - points[(k + 5) % 6]).cross(points[(k + 1) % 6] - points[k]));
  return loop_of_hinges(points, axes);
}

/// Bennett (1903): sides a, b, a, b and twists alpha, beta with a sin(beta) = b sin(alpha), and
/// tan(theta/2) tan(phi/2) = sin((beta + alpha)/2) / sin((beta - alpha)/2).
Model bennett() {
  const double a = 1, alpha = 0.6, beta = 1.1, b = a * std::sin(beta) / std::sin(alpha), theta = 1;
  const double phi = 2 * std::atan(std::sin((beta + alpha) / 2) / std::sin((beta - alpha) / 2) / std::tan(theta / 2));
  std::vector<Vec3> points, axes;
  Pose T;
  const auto advance = [&](double angle, double side, double twist) {
    points.push_back(T.x);
    axes.push_back(T.R * Vec3::UnitZ());
    T = T * Pose{Vec3::Zero(), so3::exp(angle * Vec3::UnitZ())} *
        Pose{side * Vec3::UnitX(), so3::exp(twist * Vec3::UnitX())};
  };
  advance(theta, a, alpha), advance(phi, b, beta), advance(-theta, a, alpha), advance(-phi, b, beta);
  EXPECT_LE(T.x.norm() + so3::log(T.R).norm(), 1e-14) << "the linkage does not close";
  return loop_of_hinges(points, axes);
}

/// A door on two hinges with one axis.
Model coaxial_hinges() {
  const Vec3 axis(1, 2, 3);
  Model model = loop_of_hinges({Vec3(0, 0, 0), Vec3(1, 0.5, 0)}, {axis, axis});
  model.joints[1].edit<Revolute>()->at = model.joints[0].get<Revolute>()->at.value() + 0.4 * axis;
  return model;
}

/// A body that turns about a fixed point, and a spherical joint there: given in space, or by the body's own
/// coordinates, when the anchor is at the pivot only up to rounding.
Model pinned_twice(bool in_space) {
  Random random(8);
  Model model;
  Body top;
  top.name = "top";
  top.type = Body::Type::fixed_point;
  top.mass = 2;
  top.inertia = random.inertia(2);
  top.orientation = random.rotation();
  top.position = random.vector();
  top.pivot = random.vector();
  model.bodies = {top};
  Spherical joint{.name = "pin", .between = {"ground", "top"}};
  if (in_space) {
    joint.at = top.pivot;
  } else {
    joint.at_a = top.pivot;
    joint.at_b = top.orientation.conjugate() * (top.pivot - top.position);
  }
  model.joints = {joint};
  return model;
}

/// A body on a chain of two, with a weld beside a weld: everything of the second is redundant.
Model welded_twice() {
  Model model = planar_four_bar();
  model.joints.pop_back();
  for (Joint& joint : model.joints) {
    const Revolute hinge = *joint.get<Revolute>();
    joint = Spherical{.name = hinge.name, .between = hinge.between, .at = hinge.at};
  }
  const Spherical last = *model.joints[2].get<Spherical>();
  model.joints[2] = Weld{.name = last.name, .between = last.between, .at = last.at};
  model.joints.push_back(Weld{.name = "again", .between = last.between, .at = last.at});
  return model;
}

struct Case {
  std::string name;
  std::function<Model()> model;
  int redundant;
};
void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

class Redundant : public ::testing::TestWithParam<Case> {
 protected:
  CompiledModel model = compile(GetParam().model());
  const System& system = model.system;
  std::vector<Frame> q = frames_of(system, model.start);
  ConstraintJacobian B;
  ConstrainedMass mass{system};
  void SetUp() override {
    system.jacobian(q, model.start.angles, B);
    ASSERT_TRUE(mass.factor(q, B));
  }
};
INSTANTIATE_TEST_SUITE_P(Mechanisms, Redundant,
                         ::testing::ValuesIn(std::vector<Case>{
                             {"planar_four_bar", planar_four_bar, 3},
                             {"bricard", bricard, 1},
                             {"bennett", bennett, 3},
                             {"coaxial_hinges", coaxial_hinges, 5},
                             {"pinned_twice", [] { return pinned_twice(true); }, 3},
                             {"pinned_twice_up_to_rounding", [] { return pinned_twice(false); }, 3},
                             {"welded_twice", welded_twice, 6}}),
                         [](const auto& test) { return test.param.name; });

TEST_P(Redundant, IsFoundByRank) {
  const Eigen::JacobiSVD<MatX> svd(dense_jacobian(system, B));  // rows are of order 1: 1e-9 is nothing
  EXPECT_EQ(system.row_count - (svd.singularValues().array() > 1e-9).count(), GetParam().redundant);
  int found = 0;
  for (const ClosingRank& closing : mass.lu().deficient()) {
    EXPECT_EQ(closing.null_space.cols(), closing.size - closing.rank);
    found += closing.size - closing.rank;
  }
  EXPECT_EQ(found, GetParam().redundant);
}

// No motion feels them: B^T y = 0 for y the null vector, completed by multipliers of the other joints.
TEST_P(Redundant, NullSpaceIsOfMultipliersThatNoMotionFeels) {
  const MatX all = dense_jacobian(system, B);
  for (const ClosingRank& closing : mass.lu().deficient()) {
    const ConstraintBlock& block = system.blocks[closing.group - system.node_count()];
    MatX others = all;
    others.middleRows(block.first_row, block.rows).setZero();
    const Eigen::CompleteOrthogonalDecomposition<MatX> solver(others.transpose());
    for (int k = 0; k < closing.null_space.cols(); ++k) {
      const VecX own = all.middleRows(block.first_row, block.rows).transpose() * closing.null_space.col(k);
      const VecX rest = own - others.transpose() * solver.solve(own);
      EXPECT_LE(rest.norm(), 1e-10 * closing.null_space.col(k).norm());
    }
  }
}

// M u + B^T mu = f, B u = b with b possible: u is unique, and the least-squares solution by singular values has the
// same.
TEST_P(Redundant, DoesNotSpoilTheMotion) {
  const int n = 6 * system.node_count(), m = system.row_count;
  Random random(9);
  const MatX J = dense_jacobian(system, B);
  MatX A = MatX::Zero(n + m, n + m);
  VecX wanted(n), f(n);
  for (int i = 0; i < system.node_count(); ++i) {
    const Mat6 M = system.inertia[i].matrix(q[i].d);
    for (int k = 0; k < 6; ++k) A.block<6, 1>(6 * i, 6 * i + k) = system.gather(i, M * system.spread(i, Vec6::Unit(k)));
    f.segment<6>(6 * i) = system.gather(i, random.vector6());
    wanted.segment<6>(6 * i) = system.gather(i, random.vector6());
  }
  A.bottomLeftCorner(m, n) = J;
  A.topRightCorner(n, m) = J.transpose();
  VecX b(n + m);
  b << f, J * wanted;
  Eigen::JacobiSVD<MatX> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(1e-9);
  const VecX exact = svd.solve(b);
  ASSERT_LE(size_of(A * exact - b), 1e-10);

  VecX u = f, mu = J * wanted;
  mass.solve(u, mu);
  EXPECT_LE(error(u, exact.head(n)), 1e-10);
  EXPECT_LE(size_of(J * u - J * wanted), 1e-11);
  EXPECT_LE(size_of(A.topLeftCorner(n, n) * u + J.transpose() * mu - f), 1e-10);
  EXPECT_LE(size_of(mu), 100 * (1 + size_of(exact.tail(m))));  // and its multipliers are no accident of rounding
}

// A mechanism whose equations are independent has none, loops or not.
TEST(Redundancy, IsNotFoundWhereThereIsNone) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const CompiledModel model = compile(random_model(seed, {.bodies = 6, .loops = 3}));
    ConstrainedMass mass(model.system);
    const auto q = frames_of(model.system, model.start);
    ConstraintJacobian B;
    model.system.jacobian(q, model.start.angles, B);
    ASSERT_TRUE(mass.factor(q, B));
    EXPECT_TRUE(mass.lu().deficient().empty()) << seed;
  }
}

}  // namespace
}  // namespace polhode::redundancy_test
