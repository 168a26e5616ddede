#include <polhode/system/natural.hpp>

#include <optional>

#include <Eigen/LU>

#include <polhode/system/computed.hpp>

namespace polhode {
namespace {

using Mat24 = Eigen::Matrix<double, 24, 24>;

struct NaturalWriter {
  const System& system;
  std::span<Vec12> g;
  const NaturalTangents& to;

  bool tangents() const { return to.matrix != nullptr; }

  /// Adds to a block of the matrix, at a place in it.
  template <class Part>
  void add(int i, int j, int row, int column, const Part& part) const {
    BlockMatrix& A = *to.matrix;
    double* const first = A.values().data() + A.find(i, j) + row + column * A.size(i);
    Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>(first, part.rows(), part.cols(), Eigen::OuterStride<>(A.size(i))) += part;
  }

  template <class Sum>
  void add_force(const Pair& pair, const Sum& both) const {
    g[pair.a.node] += both.template head<12>();
    g[pair.b.node] += both.template tail<12>();
  }

  void add_stiffness(const Pair& pair, const Mat24& K) const {
    const int nodes[2] = {pair.a.node, pair.b.node};
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        if (nodes[i] != system.ground() && nodes[j] != system.ground() && !K.block<12, 12>(12 * i, 12 * j).isZero(0))
          add(nodes[i], nodes[j], to.row, to.column, K.block<12, 12>(12 * i, 12 * j));
  }

  /// Force columns F and rows B of an element's part of a constraint block.
  template <class Rows>
  void add_rows(const Pair& pair, const RowPlace& place, const Rows& F, const Rows& B) const {
    const int group = system.node_count() + place.block;
    const int nodes[2] = {pair.a.node, pair.b.node};
    for (int i = 0; i < 2; ++i) {
      if (nodes[i] == system.ground()) continue;
      add(nodes[i], group, to.row, place.row, F.template middleCols<12>(12 * i).transpose());
      add(group, nodes[i], place.row, to.column, B.template middleCols<12>(12 * i));
    }
  }
};

/// An element's invariants at both ends, and their gradients in the middle and at the end.
template <class Z>
struct NaturalStage;
template <InvariantChoice choice>
struct NaturalStage<Invariants<choice>> {
  using N = NaturalInvariants<choice>;
  N invariants;
  typename N::Z z0, z1;
  typename N::Gradient mid, end;

  NaturalStage(const Pair& pair, const Stage& s) : invariants(pair) {
    const int a = pair.a.node, b = pair.b.node;
    const auto end_at = N::stack(s.end[a], s.end[b]);
    z0 = invariants.z(N::stack(s.start[a], s.start[b]));
    z1 = invariants.z(end_at);
    mid = invariants.gradient(N::stack(s.mid(a), s.mid(b)));
    end = invariants.gradient(end_at);
  }
  /// The derivative of mid^T sigma by q1 at constant sigma: qm moves by half of q1.
  Mat24 bend(const typename N::Z& sigma) const { return 0.5 * on_vectors<8>(invariants.hessian(sigma)); }
};

template <InvariantChoice choice>
void add_joint(const JointRows<choice>& e, const Stage& s, std::span<double> phi, const NaturalWriter& out) {
  using Z = typename Invariants<choice>::Z;
  const NaturalStage<Invariants<choice>> at(e.pair, s);
  const int first = e.place.first;
  Eigen::Map<Z> residual(&phi[first]);
  residual = e.weight * (at.z1 - e.reference);
  const Z sigma = e.weight * Eigen::Map<const Z>(&s.lambda[first]);
  out.add_force(e.pair, (at.mid.transpose() * sigma).eval());
  if (!out.tangents()) return;
  out.add_stiffness(e.pair, at.bend(sigma));
  out.add_rows(e.pair, e.place, (e.weight * at.mid).eval(), (e.weight * at.end).eval());
}

template <class C>
void add_coordinate_row(const CoordinateRow<C>& e, const Stage& s, std::span<double> phi, const NaturalWriter& out) {
  const NaturalStage<typename C::Z> at(e.pair, s);
  const auto y = C::secant(at.z0, at.z1, C::counted ? s.angles[e.angle] : 0);
  const int row = e.place.first;
  phi[row] += e.factor * y.y1;
  const double lambda = e.factor * s.lambda[row];
  const typename C::Z::Z sigma = lambda * y.g;
  out.add_force(e.pair, (at.mid.transpose() * sigma).eval());
  if (!out.tangents()) return;
  out.add_stiffness(e.pair, at.bend(sigma) + at.mid.transpose() * (lambda * y.dg) * at.end);
  using Row = Eigen::Matrix<double, 1, 24>;
  out.add_rows(e.pair, e.place, Row(e.factor * y.g.transpose() * at.mid), Row(e.factor * y.g1.transpose() * at.end));
}

template <class M>
void add_elastic(const System& system, const Elastic<M>& e, const Stage& s, const NaturalWriter& out) {
  using Y = typename Elastic<M>::Y;
  const double h = s.t1 - s.t0;
  const NaturalStage<typename M::Z> at(e.pair, s);
  const auto y = M::secant(at.z0, at.z1, M::counted ? s.angles[e.angle] : 0);
  Y stress = e.stiffness.cwiseProduct(0.5 * (y.y0 + y.y1) - e.reference) + e.damping.cwiseProduct((y.y1 - y.y0) / h);
  if (e.function >= 0) stress[0] -= system.functions[e.function].mean(s.t0, s.t1);
  if (e.load) stress[0] -= e.load->on_coordinate(0.5 * (s.t0 + s.t1), 0.5 * (y.y0[0] + y.y1[0]), (y.y1[0] - y.y0[0]) / h);
  std::optional<PotentialStress<M::size>> W;
  if (e.potential) stress += W.emplace(*e.potential, y.y0, y.y1, false, out.tangents(), system.length).stress;
  stress *= s.scale;
  const typename M::Z::Z sigma = y.g.transpose() * stress;
  out.add_force(e.pair, (at.mid.transpose() * sigma).eval());
  if (!out.tangents()) return;
  const Y k = s.scale * (0.5 * e.stiffness + e.damping / h);
  out.add_stiffness(e.pair, at.bend(sigma) + at.mid.transpose() * (y.derivative(stress) + y.g.transpose() * k.asDiagonal() * y.g1) * at.end);
  if (W) out.add_stiffness(e.pair, at.mid.transpose() * (s.scale * y.g.transpose() * W->tangent * y.g1) * at.end);
}

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

void evaluate_natural(const System& system, const Stage& s, std::span<Vec12> g, std::span<double> phi, const NaturalTangents& tangents) {
  const NaturalWriter out{system, g, tangents};
  system.start_residual(s.t1, phi);
  for_each_element(system.joints, [&](const auto& e) { add_joint(e, s, phi, out); });
  for_each_element(system.coordinate_rows, [&](const auto& e) { add_coordinate_row(e, s, phi, out); });
  for_each_element(system.elastic, [&](const auto& e) { add_elastic(system, e, s, out); });
  for (const Load& load : system.loads) {
    const Vec3 value = system.load_value(load, s.t0, s.t1);
    if (load.torque)
      add_torque(load.node, value, load.follower, s, out);
    else
      add_point_load(load.node, load.X, value, load.follower, s, out);
  }
  for (const ComputedWrench& load : system.wrenches) {
    const Vec6 value = wrench_in(load, s);
    add_point_load(load.node, load.X, value.head<3>(), false, s, out);
    if (!value.tail<3>().isZero()) add_torque(load.node, value.tail<3>(), false, s, out);
  }
  if (!system.gravity.isZero())
    for (int i = 0; i < system.node_count(); ++i)
      add_point_load(i, system.nodes[i].X, system.nodes[i].mass * system.gravity, false, s, out);
}

}  // namespace polhode
