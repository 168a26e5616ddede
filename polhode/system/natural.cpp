#include <polhode/system/natural_elements.hpp>

#include <Eigen/LU>

#include <polhode/system/computed.hpp>

namespace polhode {

void add_joint_in_natural(const InvariantChoice& choice, const Element& e, const RowPlace& place, double weight,
                          const double* reference, const Stage& s, std::span<double> phi, const NaturalWriter& out) {
  const NaturalStage at(choice, e.pair, s);
  NaturalInvariants::Z sigma(choice.size());
  for (int k = 0; k < choice.size(); ++k) {
    phi[place.first + k] = weight * (at.z1[k] - reference[k]);
    sigma[k] = weight * s.lambda[place.first + k];
  }
  out.add_force(e.pair, at.sum(at.mid, sigma));
  if (!out.tangents()) return;
  out.add_stiffness(e.pair, at.tangent(sigma));
  out.add_rows(e.pair, place, weight * at.mid, weight * at.end);
}

namespace {

/// A force F at the point x + X_j d_j: g = -(F, X_j F). One that follows is F = f_j d_j.
void add_point_load(int i, const Vec3& X, const Vec3& value, bool follower, const Stage& s, const NaturalWriter& out) {
  const Vec3 F = s.scale * (follower ? Vec3(s.mid(i).d * value) : value);
  const Eigen::Vector4d arms(1, X[0], X[1], X[2]);
  for (int j = 0; j < 4; ++j) out.g[i].segment<3>(3 * j) -= arms[j] * F;
  if (!out.tangents() || !follower) return;
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  A.rightCols<3>() = -0.5 * s.scale * arms * value.transpose();
  out.add(i, i, out.to.row, out.to.column, on_vectors<4>(A));
}

/// A torque T: the g_j = w x d_j whose moment sum d_j x g_j is -T, also of directors that are not orthonormal:
///   A w = -T,  A = tr(S) 1 - S,  S = sum d_j d_j^T.
void add_torque(int i, const Vec3& value, bool follower, const Stage& s, const NaturalWriter& out) {
  const Mat3 d = s.mid(i).d;
  const Mat3 S = d * d.transpose();
  const Mat3 A_inverse = (S.trace() * Mat3::Identity() - S).inverse();
  const Vec3 T = s.scale * (follower ? Vec3(d * value) : value), w = -(A_inverse * T);
  for (int j = 0; j < 3; ++j) out.g[i].segment<3>(3 + 3 * j) += w.cross(d.col(j));
  if (!out.tangents()) return;
  Mat12 K = Mat12::Zero();
  for (int k = 0; k < 9; ++k) {
    Mat3 dd = Mat3::Zero();  // of the mean, by number k of the directors at the end
    dd.data()[k] = 0.5;
    const Mat3 dS = dd * d.transpose() + d * dd.transpose();
    const Vec3 dT = follower ? Vec3(s.scale * (dd * value)) : Vec3::Zero();
    const Vec3 dw = -(A_inverse * (dT + (dS.trace() * Mat3::Identity() - dS) * w));
    for (int j = 0; j < 3; ++j) K.block<3, 1>(3 + 3 * j, 3 + k) = dw.cross(d.col(j)) + w.cross(dd.col(j));
  }
  out.add(i, i, out.to.row, out.to.column, K);
}

}  // namespace

void evaluate_natural(const System& system, const Stage& s, std::span<Vec12> g, std::span<double> phi,
                      const NaturalTangents& tangents) {
  const NaturalWriter out{system, g, tangents};
  system.start_residual(s.t1, phi);
  for (const auto& rows : system.elements.rows) rows->evaluate_natural(s, phi, out);
  system.left_out.apply(phi);
  for (const auto& laws : system.elements.laws) laws->evaluate_natural(s, out);
  for (const Load& load : system.loads) {
    const Vec3 value = system.load_value(load, s.t0, s.t1);
    if (load.torque)
      add_torque(load.node, value, load.follower, s, out);
    else
      add_point_load(load.node, load.X, value, load.follower, s, out);
  }
  for (const Applied& load : s.given->applied) {
    if (!load.force.isZero(0)) add_point_load(load.node, load.X, load.force, false, s, out);
    if (!load.torque.isZero(0)) add_torque(load.node, load.torque, false, s, out);
  }
  for (const ComputedWrench& load : system.wrenches) {
    const Vec6 value = wrench_in(load, s);
    add_point_load(load.node, load.X, value.head<3>(), false, s, out);
    if (!value.tail<3>().isZero()) add_torque(load.node, value.tail<3>(), false, s, out);
  }
  if (!system.gravity.isZero())
    for (int i = 0; i < system.node_count(); ++i)
      add_point_load(i, system.inertia[i].X, system.inertia[i].mass * system.gravity, false, s, out);
}

}  // namespace polhode
