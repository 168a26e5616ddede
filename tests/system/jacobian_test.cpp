// The constraints at position, velocity and acceleration level: each is the derivative of the one before, and the rows
// of every joint are independent wherever it is closed.
#include <polhode/system/constrained_mass.hpp>
#include <polhode/system/quantities.hpp>

#include <gtest/gtest.h>

#include <polhode/solve/svd.hpp>

#include "configurations.hpp"
#include "types.hpp"

namespace polhode::jacobian_test {
namespace {

class Constraints : public ::testing::TestWithParam<unsigned> {
 protected:
  static RandomModelOptions options() { return {.bodies = 5, .loops = 2}; }
  CompiledModel model = compile(random_model(GetParam(), options()));
  const System& system = model.system;
  const int columns = 6 * system.node_count();
  Random random{GetParam() + 1000};

  /// Frames after the turn exp(theta) in space: what the columns of B are derivatives by.
  std::vector<Frame> varied(std::span<const Frame> q, const VecX& w) const {
    std::vector<Frame> out(q.begin(), q.end());
    for (int i = 0; i < system.node_count(); ++i) {
      const Vec6 u = system.spread(i, w.segment<6>(6 * i));
      out[i] = {q[i].x + u.head<3>(), so3::exp_matrix(u.tail<3>()) * q[i].d};
    }
    return out;
  }
  VecX residual(std::span<const Frame> q, std::span<const double> angles, double t) const {
    VecX phi(system.row_count);
    system.residual(q, angles, t, span_of(phi));
    return phi;
  }
  MatX jacobian(std::span<const Frame> q, std::span<const double> angles) const {
    ConstraintJacobian B;
    system.jacobian(q, angles, B);
    return dense_jacobian(system, B);
  }
  VecX gathered(std::span<const Vec6> V) const {
    VecX u(columns);
    for (int i = 0; i < system.node_count(); ++i) u.segment<6>(6 * i) = system.gather(i, V[i]);
    return u;
  }
  /// Some configuration near the model pose, off the joints, and its angles.
  std::vector<Frame> somewhere(std::vector<double>& angles) {
    const auto q = moved(frames_of(system, model.start), random_motion(system, random, 0.4));
    angles = model.start.angles;
    system.update_angles(q, angles);
    return q;
  }
  /// The motion with the velocities of the start and given accelerations, to second order in t.
  State at(double t, const VecX& u_dot) const {
    State state = model.start;
    state.t = t;
    for (int i = 0; i < system.node_count(); ++i) {
      const NodeState& s0 = model.start.nodes[i];
      NodeState& s = state.nodes[i];
      const Vec6 a = system.spread(i, u_dot.segment<6>(6 * i));
      const Vec3 acceleration = a.head<3>(), alpha = a.tail<3>(), omega = s0.q * s0.Omega;
      s.x = s0.x + t * s0.v + 0.5 * t * t * acceleration;
      s.v = s0.v + t * acceleration;
      s.q = so3::exp(t * omega + 0.5 * t * t * alpha) * s0.q;
      s.Omega = s.q.conjugate() * Vec3(omega + t * alpha);
    }
    return state;
  }
};
INSTANTIATE_TEST_SUITE_P(Random, Constraints, ::testing::Range(0u, 15u));

TEST_P(Constraints, JacobianIsTheDerivativeOfTheResidual) {
  std::vector<double> angles;
  const auto q = somewhere(angles);
  const MatX B = jacobian(q, angles);
  for (int k = 0; k < columns; ++k) {
    const auto phi = [&](double t) { return residual(varied(q, t * VecX::Unit(columns, k)), angles, 0.3); };
    EXPECT_LE(error(B.col(k), derivative(phi)), 1e-8) << k;
  }
}

TEST_P(Constraints, JacobianRateIsTheDerivativeOfTheJacobian) {
  std::vector<double> angles;
  const auto q = somewhere(angles);
  const auto V = random_motion(system, random, 1);
  ConstraintJacobian D;
  system.jacobian_rate(q, angles, V, D);
  const MatX rate = dense_jacobian(system, D);
  const VecX u = gathered(V);
  for (int k = 0; k < columns; ++k) {
    const auto BV = [&](double t) { return (jacobian(varied(q, t * VecX::Unit(columns, k)), angles) * u).eval(); };
    EXPECT_LE(error(rate.col(k), derivative(BV)), 1e-8) << k;
  }
}

TEST_P(Constraints, VelocityResidualIsTheRateOfTheResidual) {
  std::vector<double> angles;
  const auto q = somewhere(angles);
  const auto V = random_motion(system, random, 1);
  ConstraintJacobian B;
  system.jacobian(q, angles, B);
  VecX rate(system.row_count);
  system.velocity_residual(B, V, 0.3, span_of(rate));
  const VecX u = gathered(V);
  EXPECT_LE(error(rate, derivative([&](double t) { return residual(varied(q, t * u), angles, 0.3 + t); })), 1e-8);
}

// Differences of order 6 with h = 0.003: rounding is 1e-10; truncation 1e-15 times an eighth derivative, in which the
// accelerations appear to the fourth power, measured 2e-9.
TEST_P(Constraints, AccelerationsKeepTheConstraintsToSecondOrder) {
  ConstrainedMass mass(system);
  const VecX u_dot = accelerations(system, model.start, mass).u_dot;
  const auto phi = [&](double t) { return residual(frames_of(system, at(t, u_dot)), model.start.angles, t); };
  const double size = 1 + u_dot.cwiseAbs().maxCoeff();
  EXPECT_LE(size_of(phi(0)), 1e-14);
  EXPECT_LE(size_of(derivative(phi)), 1e-10);
  EXPECT_LE(size_of(second_derivative(phi, 0.003)), 1e-8 * size);
  EXPECT_GE(size_of(second_derivative(
                [&](double t) { return residual(frames_of(system, at(t, 0 * u_dot)), model.start.angles, t); }, 0.003)),
            1e-3);  // without them they are not kept: the test could fail
}

// Newton and Euler: M du/dt + omega x J omega + forces + B^T lambda = 0 on every freedom of every node.
TEST_P(Constraints, AccelerationsBalanceTheForces) {
  ConstrainedMass mass(system);
  const auto [u_dot, lambda] = accelerations(system, model.start, mass);
  const auto q = frames_of(system, model.start);
  std::vector<Vec6> V, force(system.node_count() + 1, Vec6::Zero());
  spatial_velocities(system, model.start, V);
  VecX phi(system.row_count);
  system.evaluate({.start = q, .end = q, .lambda = span_of(lambda), .given = &model.start, .pointwise = true, .V = V},
                  force, span_of(phi));
  for (int i = 0; i < system.node_count(); ++i) {
    const Mat3 J = q[i].d * system.inertia[i].J * q[i].d.transpose();
    const Vec3 omega = V[i].tail<3>();
    const Vec6 a = system.spread(i, u_dot.segment<6>(6 * i));
    Vec6 inertia;
    inertia << system.inertia[i].mass * a.head<3>(), J * a.tail<3>() + omega.cross(J * omega);
    EXPECT_LE(system.gather(i, inertia + force[i]).norm(), 1e-11 * (1 + force[i].norm() + inertia.norm())) << i;
  }
}

// Without drives, dampers and loads the accelerations keep the energy, of which evaluate() knows nothing.
TEST_P(Constraints, AccelerationsKeepTheEnergy) {
  RandomModelOptions conservative = options();
  conservative.drives = conservative.dampers = conservative.loads = false;
  model = compile(random_model(GetParam(), conservative));
  ConstrainedMass mass(system);
  const VecX u_dot = accelerations(system, model.start, mass).u_dot;
  double power = 0;  // of gravity alone, to compare with
  for (int i = 0; i < system.node_count(); ++i)
    power += system.inertia[i].mass * system.gravity.norm() * model.start.nodes[i].v.norm();
  const auto E = [&](double t) {
    const State state = at(t, u_dot);
    return Eigen::Matrix<double, 1, 1>(energy(system, state, frames_of(system, state)).total());
  };
  EXPECT_LE(std::abs(derivative(E)[0]), 1e-9 * (1 + power));
}

// ---- the rank of each joint ----

template <class Z>
class JointRank : public ::testing::Test {};
TYPED_TEST_SUITE(JointRank, JointInvariantsAnd<>);

/// Z as a matrix of rows by 12: the two bodies of a joint.
template <class Z>
MatX rows_of(const PairAt& at) {
  const auto rows = Z::rows(at);
  return (MatX(Z::size, 12) << rows.a, rows.b).finished();
}

// Newton's method from anywhere closes the joint, and where it is closed its rows are independent: measured 0.9 to 1.9.
TYPED_TEST(JointRank, IsFullAtEveryClosedConfiguration) {
  using Z = TypeParam;
  constexpr bool rod = std::is_same_v<Z, Invariants<rod_rows>>;
  const double weight = rod ? 0.5 : 1, reference = rod ? 1 : 0;  // a rod of length 1
  Random random(12);
  double smallest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 60; ++k) {
    const auto marker = [&] { return Marker{0, random.vector(0.5), random.rotation_matrix()}; };
    const Pair pair{marker(), marker()};
    Frame a{random.vector(), random.rotation_matrix()}, b{random.vector(), random.rotation_matrix()};
    const auto phi = [&] { return VecX(weight * (Z::z(PairAt(pair, a, b)).array() - reference)); };
    for (int iteration = 0; iteration < 60 && phi().norm() > 1e-13; ++iteration) {
      const Eigen::JacobiSVD<MatX> svd(weight * rows_of<Z>(PairAt(pair, a, b)),
                                       Eigen::ComputeThinU | Eigen::ComputeThinV);
      VecX u = -svd.solve(phi());
      u *= std::min(1.0, 0.5 / u.norm());
      a = moved(a, u.head<6>());
      b = moved(b, u.tail<6>());
    }
    ASSERT_LE(phi().norm(), 1e-13) << "not closed from start " << k;
    const Eigen::JacobiSVD<MatX> svd(weight * rows_of<Z>(PairAt(pair, a, b)));
    smallest = std::min(smallest, svd.singularValues().minCoeff());
  }
  EXPECT_GT(smallest, 0.5);
}

}  // namespace
}  // namespace polhode::jacobian_test
