// Energy and work between two configurations: the discrete forces do exactly the work by which the energies change, and
// add_work accounts for the rest.
#include <polhode/system/quantities.hpp>

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include "configurations.hpp"

namespace polhode::work_test {
namespace {

/// A step u between two configurations that need not be on the joints, and the work that the forces do on it.
struct Step {
  CompiledModel model;
  const System& system = model.system;
  Random random;
  std::vector<Frame> start, end;
  std::vector<Vec6> u;
  State given;  ///< angles at the start, and what is applied
  VecX lambda;
  double t0 = 0.3, t1 = 0.41;

  Step(unsigned seed, RandomModelOptions options, double size)
      : model(compile(random_model(seed, options))), random(seed) {
    u = random_motion(system, random, size);
    start = moved(frames_of(system, model.start), random_motion(system, random, 0.2));
    end = moved(start, u);
    given = options.loads ? pushed(model.start, random) : model.start;
    system.update_angles(start, given.angles);
    lambda = VecX::Zero(system.row_count);
  }

  /// Sum of (forces) . u, of which positive is taken from the motion, and the sum of its terms' sizes.
  std::pair<double, double> work_of_forces() const {
    std::vector<Vec6> force(system.node_count() + 1, Vec6::Zero());
    VecX phi(system.row_count);
    system.evaluate({.start = start, .end = end, .t0 = t0, .t1 = t1, .lambda = span_of(lambda), .given = &given}, force,
                    span_of(phi));
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      sum += force[i].dot(u[i]);
      size += force[i].cwiseAbs().dot(u[i].cwiseAbs());
    }
    return {sum, size};
  }
  Energy energy_at(const std::vector<Frame>& q) const {
    State state = model.start;
    state.angles = given.angles;
    system.update_angles(q, state.angles);
    return energy(system, state, q);
  }
  VecX residual(const std::vector<Frame>& q, double t) const {
    VecX phi(system.row_count);
    system.residual(q, given.angles, t, span_of(phi));
    return phi;
  }
};

class DiscreteWork : public ::testing::TestWithParam<std::tuple<unsigned, double>> {
 protected:
  Step step(RandomModelOptions options) const {
    options.bodies = 5;
    options.loops = 2;
    return Step(std::get<0>(GetParam()), options, std::get<1>(GetParam()));
  }
};
INSTANTIATE_TEST_SUITE_P(Random, DiscreteWork,
                         ::testing::Combine(::testing::Range(0u, 12u), ::testing::Values(1e-3, 0.1, 0.6)));

TEST_P(DiscreteWork, OfSpringsIsTheChangeOfStrainEnergy) {
  const Step s = step({.dampers = false, .drives = false, .loads = false, .gravity = false});
  const double E0 = s.energy_at(s.start).strain, E1 = s.energy_at(s.end).strain;
  ASSERT_GT(std::abs(E1 - E0), 1e-8);
  EXPECT_NEAR(s.work_of_forces().first, E1 - E0, 1e-13 * (E0 + E1 + s.work_of_forces().second));
}

TEST_P(DiscreteWork, OfGravityIsTheChangeOfItsEnergy) {
  const Step s = step({.springs = false, .dampers = false, .drives = false, .loads = false});
  const double E0 = s.energy_at(s.start).gravitational, E1 = s.energy_at(s.end).gravitational;
  ASSERT_GT(std::abs(E1 - E0), 1e-8);
  EXPECT_NEAR(s.work_of_forces().first, E1 - E0, 1e-13 * (std::abs(E0) + std::abs(E1) + s.work_of_forces().second));
}

TEST_P(DiscreteWork, OfJointsIsLambdaTimesTheChangeOfTheResidual) {
  Step s = step({.springs = false, .dampers = false, .loads = false, .gravity = false});
  s.lambda = s.random.vector_x(s.system.row_count);
  // at one time: what a drive's motion adds is its work, accounted for below
  const VecX change = s.residual(s.end, s.t0) - s.residual(s.start, s.t0);
  EXPECT_NEAR(s.work_of_forces().first, s.lambda.dot(change), 1e-13 * (1 + s.work_of_forces().second));
}

// forces . u = change of energy + lambda . change of residual + what dampers take - what drives and loads give
TEST_P(DiscreteWork, BalanceClosesWithEverything) {
  Step s = step({});
  s.lambda = s.random.vector_x(s.system.row_count);
  Work work(s.model.drive_names.size(), s.model.force_names.size());
  add_work(s.system,
           {.start = s.start, .end = s.end, .t0 = s.t0, .t1 = s.t1, .lambda = span_of(s.lambda), .given = &s.given},
           work);
  EXPECT_NE(work.applied(), 0);
  const double energies = s.energy_at(s.end).total() - s.energy_at(s.start).total();
  const double residuals = s.lambda.dot(s.residual(s.end, s.t1) - s.residual(s.start, s.t0));
  const auto [sum, size] = s.work_of_forces();
  EXPECT_GT(work.dampers.minCoeff(), -1e-15);
  EXPECT_GT(work.dissipated(), 0);
  EXPECT_GT(work.forces.cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_NEAR(
      sum, energies + residuals + work.dissipated() - work.done(),
      1e-13 * (1 + size + std::abs(s.energy_at(s.end).gravitational) + s.energy_at(s.end).strain + work.dissipated()));
}

// Kinetic energy and momentum by their definitions: as sums over the body's own points.
TEST(Quantities, AreThoseOfTheMassPoints) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    const CompiledModel model = compile(random_model(seed));
    const auto q = frames_of(model.system, model.start);
    double kinetic = 0, potential = 0;
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
    for (int i = 0; i < model.system.node_count(); ++i) {
      const BodyInertia& body = model.system.inertia[static_cast<int>(i)];
      const NodeState& s = model.start.nodes[i];
      const auto add = [&](double m, const Vec3& X) {
        const Vec3 x = q[i].x + q[i].d * X, v = s.v + q[i].d * s.Omega.cross(X);
        kinetic += 0.5 * m * v.squaredNorm();
        potential -= m * model.system.gravity.dot(x);
        linear += m * v;
        angular += m * x.cross(v);
      };
      if (!body.rotates) {
        add(body.mass, Vec3::Zero());
        continue;
      }
      // six points of m/6 on the principal axes have the inertia about the centre of mass
      const Mat3 about_centre = body.J + body.mass * hat(body.X) * hat(body.X);
      const Eigen::SelfAdjointEigenSolver<Mat3> principal(about_centre);
      const Vec3 I = principal.eigenvalues();
      for (int k = 0; k < 3; ++k) {
        const double square = 3 / body.mass * (0.5 * I.sum() - I[k]);  // 2 (m/6) a_k^2 = sum I / 2 - I_k
        const Vec3 arm = std::sqrt(square) * principal.eigenvectors().col(k);
        add(body.mass / 6, body.X + arm);
        add(body.mass / 6, body.X - arm);
      }
    }
    const Energy e = energy(model.system, model.start, q);
    const Momentum p = momentum(model.system, model.start, q);
    EXPECT_NEAR(e.kinetic, kinetic, 1e-12 * kinetic) << seed;
    EXPECT_NEAR(e.gravitational, potential, 1e-12 * (1 + std::abs(potential))) << seed;
    EXPECT_LE(error(p.linear, linear), 1e-12) << seed;
    EXPECT_LE(error(p.angular, angular), 1e-12) << seed;
  }
}

}  // namespace
}  // namespace polhode::work_test
