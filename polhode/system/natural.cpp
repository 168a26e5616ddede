#include <polhode/system/natural.hpp>

#include <optional>

#include <Eigen/LU>

#include <polhode/lie/products.hpp>
#include <polhode/system/computed.hpp>

namespace polhode {
namespace {

using Vec24 = Eigen::Matrix<double, 24, 1>;
using Mat24 = Eigen::Matrix<double, 24, 24>;

/// The invariants of an element as functions of U. Which ones they are is known when it runs, not when it is compiled: their gradients are
/// columns of 24 numbers, as many as there are.
class NaturalInvariants {
 public:
  static constexpr int most = BushingMeasure::Z::size;
  using Z = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most, 1>;
  using Gradients = Eigen::Matrix<double, 24, Eigen::Dynamic, 0, 24, most>;
  using Vec8 = Eigen::Matrix<double, 8, 1>;
  using Mat8 = Eigen::Matrix<double, 8, 8>;
  using U = Eigen::Matrix<double, 3, 8>;

  NaturalInvariants(const InvariantChoice& choice, const Pair& pair) : choice_(choice), size_(choice.size()) {
    r_ << -1, -pair.a.X, 1, pair.b.X;
    a_.setZero(), b_.setZero();
    a_.middleRows<3>(1) = pair.a.E;
    b_.middleRows<3>(5) = pair.b.E;
  }

  static U stack(const Frame& a, const Frame& b) { return (U() << a.x, a.d, b.x, b.d).finished(); }

  Z z(const U& q) const {
    Z out(size_);
    if (choice_.point) out.head<3>() = times(q, r_);
    for_each_product([&](int k, const Vec8& u, const Vec8& w) { out[k] = times(q, u).dot(times(q, w)); });
    return out;
  }

  Gradients gradients(const U& q) const {
    Gradients out(24, size_);
    if (choice_.point)
      for (int i = 0; i < 8; ++i) out.block<3, 3>(3 * i, 0) = r_[i] * Mat3::Identity();
    for_each_product([&](int k, const Vec8& u, const Vec8& w) {
      const Vec3 Uu = times(q, u), Uw = times(q, w);
      for (int i = 0; i < 8; ++i) out.col(k).segment<3>(3 * i) = u[i] * Uw + w[i] * Uu;
    });
    return out;
  }

  /// S with sum sigma_k d2 z_k = S (x) 1_3.
  Mat8 hessian(const Z& sigma) const {
    Mat8 S = Mat8::Zero();
    for_each_product([&](int k, const Vec8& u, const Vec8& w) {
      for (int j = 0; j < 8; ++j)
        for (int i = 0; i < 8; ++i) S(i, j) += sigma[k] * (u[i] * w[j] + w[i] * u[j]);
    });
    return S;
  }

 private:
  /// f(k, u, w) for each invariant z_k = (U u) . (U w), in the order of InvariantChoice.
  template <class F>
  void for_each_product(F&& f) const {
    int k = choice_.point ? 3 : 0;
    for (int i = 0; i < 3; ++i)
      if (choice_.along_a & bit(i)) f(k++, r_, a_.col(i));
    for (int i = 0; i < 3; ++i)
      if (choice_.along_b & bit(i)) f(k++, r_, b_.col(i));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (choice_.cosine & bit(i, j)) f(k++, a_.col(i), b_.col(j));
    if (choice_.square) f(k, r_, r_);
  }

  InvariantChoice choice_;
  int size_;
  Vec8 r_;                             ///< r = U r_
  Eigen::Matrix<double, 8, 3> a_, b_;  ///< a_i = U a_.col(i), b_j likewise
};

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
    Eigen::Map<MatX, 0, Eigen::OuterStride<>>(first, part.rows(), part.cols(), Eigen::OuterStride<>(A.size(i))) += part;
  }

  void add_force(const Pair& pair, const Vec24& both) const {
    g[pair.a.node] += both.head<12>();
    g[pair.b.node] += both.tail<12>();
  }

  void add_stiffness(const Pair& pair, const Mat24& K) const {
    const int nodes[2] = {pair.a.node, pair.b.node};
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        if (nodes[i] != system.ground() && nodes[j] != system.ground() && !K.block<12, 12>(12 * i, 12 * j).isZero(0))
          add(nodes[i], nodes[j], to.row, to.column, K.block<12, 12>(12 * i, 12 * j));
  }

  /// Force columns F and, by their columns, the rows B of an element's part of a constraint block.
  void add_rows(const Pair& pair, const RowPlace& place, const NaturalInvariants::Gradients& F, const NaturalInvariants::Gradients& B) const {
    const int group = system.node_count() + place.block;
    const int nodes[2] = {pair.a.node, pair.b.node};
    for (int i = 0; i < 2; ++i) {
      if (nodes[i] == system.ground()) continue;
      add(nodes[i], group, to.row, place.row, F.middleRows<12>(12 * i));
      add(group, nodes[i], place.row, to.column, B.middleRows<12>(12 * i).transpose());
    }
  }
};

/// An element's invariants at both ends, and their gradients in the middle and at the end.
struct NaturalStage {
  using N = NaturalInvariants;
  N invariants;
  N::Z z0, z1;
  N::Gradients mid, end;

  NaturalStage(const InvariantChoice& choice, const Pair& pair, const Stage& s) : invariants(choice, pair) {
    const int a = pair.a.node, b = pair.b.node;
    const N::U end_at = N::stack(s.end[a], s.end[b]);
    z0 = invariants.z(N::stack(s.start[a], s.start[b]));
    z1 = invariants.z(end_at);
    mid = invariants.gradients(N::stack(s.mid(a), s.mid(b)));
    end = invariants.gradients(end_at);
  }

  static Vec24 sum(const N::Gradients& gradients, const N::Z& sigma) {
    Vec24 out = Vec24::Zero();
    for (int k = 0; k < sigma.size(); ++k) out += sigma[k] * gradients.col(k);
    return out;
  }
  /// The derivative of mid^T sigma by q1 at constant sigma: qm moves by half of q1.
  Mat24 tangent(const N::Z& sigma) const { return 0.5 * on_vectors<8>(invariants.hessian(sigma)); }
  /// And where sigma changes by `middle` dz1.
  template <int m>
  Mat24 tangent(const N::Z& sigma, const Eigen::Matrix<double, m, m>& middle) const {
    Mat24 K = tangent(sigma);
    for (int k = 0; k < m; ++k) {
      const Vec24 to_end = sum(end, middle.row(k).transpose());
      for (int j = 0; j < 24; ++j) K.col(j) += to_end[j] * mid.col(k);
    }
    return K;
  }
};

/// `reference`: one number for each invariant.
void add_joint(const InvariantChoice& choice, const Element& e, const RowPlace& place, double weight, const double* reference, const Stage& s,
               std::span<double> phi, const NaturalWriter& out) {
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

template <class C>
void add_coordinate_row(const CoordinateRow<C>& e, const Stage& s, std::span<double> phi, const NaturalWriter& out) {
  const NaturalStage at(C::Z::choice, e.pair, s);
  const auto y = C::secant(at.z0, at.z1, C::counted ? s.given->angles[e.angle] : 0);
  const int row = e.place.first;
  phi[row] += e.factor * y.y1;
  const double lambda = e.factor * s.lambda[row];
  const typename C::Z::Z sigma = lambda * y.g;
  out.add_force(e.pair, at.sum(at.mid, sigma));
  if (!out.tangents()) return;
  const decltype(y.dg) middle = lambda * y.dg;
  out.add_stiffness(e.pair, at.tangent(sigma, middle));
  out.add_rows(e.pair, e.place, e.factor * at.sum(at.mid, y.g), e.factor * at.sum(at.end, y.g1));
}

template <class M>
void add_elastic(const System& system, const Elastic<M>& e, const Stage& s, const NaturalWriter& out) {
  using Y = typename Elastic<M>::Y;
  const double h = s.t1 - s.t0;
  const NaturalStage at(M::Z::choice, e.pair, s);
  const auto y = M::secant(at.z0, at.z1, M::counted ? s.given->angles[e.angle] : 0);
  Y stress = e.stiffness.cwiseProduct(0.5 * (y.y0 + y.y1) - e.reference) + e.damping.cwiseProduct((y.y1 - y.y0) / h);
  if (e.function >= 0) stress[0] -= system.functions[e.function].mean(s.t0, s.t1);
  if (e.load) stress[0] -= e.load->on_coordinate(0.5 * (s.t0 + s.t1), 0.5 * (y.y0[0] + y.y1[0]), (y.y1[0] - y.y0[0]) / h);
  std::optional<PotentialStress<M::size>> W;
  if (e.potential) stress += W.emplace(*e.potential, y.y0, y.y1, false, out.tangents(), system.length).stress;
  stress *= s.scale;
  const typename M::Z::Z sigma = transposed_times(y.g, stress);
  out.add_force(e.pair, at.sum(at.mid, sigma));
  if (!out.tangents()) return;
  Eigen::Matrix<double, M::size, M::size> law = Y(s.scale * (0.5 * e.stiffness + e.damping / h)).asDiagonal();
  if (W) law += s.scale * W->tangent;
  auto middle = y.derivative(stress);
  add_transposed_times(y.g, times(law, y.g1), middle);
  out.add_stiffness(e.pair, at.tangent(sigma, middle));
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
  for_each_element(system.joints, [&](const auto& e) {
    add_joint(std::decay_t<decltype(e)>::Z::choice, e, e.place, e.weight, e.reference.data(), s, phi, out);
  });
  for_each_element(system.coordinate_rows, [&](const auto& e) { add_coordinate_row(e, s, phi, out); });
  for_each_element(system.elastic, [&](const auto& e) { add_elastic(system, e, s, out); });
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
      add_point_load(i, system.nodes[i].X, system.nodes[i].mass * system.gravity, false, s, out);
}

}  // namespace polhode
