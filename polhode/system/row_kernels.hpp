// What equations compute: forces, residuals, tangents, Jacobians and their rates, for joints and for terms of
// coordinates.
#pragma once

#include <polhode/solve/huge_pages.hpp>
#include <polhode/system/elements.hpp>
#include <polhode/system/flatten.hpp>
#include <polhode/system/natural_elements.hpp>
#include <polhode/system/pair_stage.hpp>
#include <polhode/system/velocity_kernels.hpp>
#include <polhode/system/writer.hpp>

namespace polhode {

// ---- in a stage

template <Side side, InvariantChoice choice>
void put_joint_rows(const JointRows<choice>& e, const PairStage<Invariants<choice>>& at, const Stage& s,
                    const Writer& out) {
  using Z = Invariants<choice>;
  const ElementSlots& slots = out.plan->elements[e.index];
  const auto [F_slot, B_slot] = side == Side::a ? std::pair(slots.F_a, slots.B_a) : std::pair(slots.F_b, slots.B_b);
  if (F_slot < 0) return;
  auto F = at.with_arm(e.pair, s, [&](const PairAt& arm) { return Z::template rows_on<side>(at.mid, arm); });
  auto B = Z::template rows_on<side>(at.end, at.end);
  if (e.weight != 1) F *= e.weight, B *= e.weight;
  out.put_rows<true>(F_slot, B_slot, slots.stride, (side == Side::a ? e.pair.a : e.pair.b).node, F, B);
}

/// Flattened: passing small matrices between functions through memory took a sixth of a step of the heavy top.
template <InvariantChoice choice>
POLHODE_FLATTEN inline void evaluate_joint(const JointRows<choice>& e, const Stage& s, std::span<double> phi,
                                           const Writer& out) {
  using Z = Invariants<choice>;
  const PairStage<Z> at(e.pair, s);
  Eigen::Map<typename Z::Z> residual(&phi[e.place.first]);
  residual = e.weight * (Z::z(at.end) - e.reference);
  const typename Z::Z sigma = e.weight * Eigen::Map<const typename Z::Z>(&s.lambda[e.place.first]);
  out.add_force(e, at.wrenches(e.pair, s, sigma));
  if (!out.tangents()) return;
  std::conditional_t<Z::turns_only, TurnBlocks, PairBlocks> K;
  Z::add_geometry(sigma, at.mid, at.end, s.c(), K);
  out.add_pair<Z::couples>(e, K);
  put_joint_rows<Side::a>(e, at, s, out);
  put_joint_rows<Side::b>(e, at, s, out);
}

template <InvariantChoice choice>
void JointArray<choice>::evaluate(int task, const Stage& stage, std::span<double> phi, const Writer& out) const {
  this->for_each(elements, task, [&](const auto& e, int) { evaluate_joint(e, stage, phi, out); });
}

template <class C>
void CoordinateArray<C>::evaluate(int task, const Stage& s, std::span<double> phi, const Writer& out) const {
  this->for_each(elements, task, [&](const auto& e, int) {
    const PairStage<Z> at(e.pair, s);
    const double last = C::counted ? s.given->angles[e.angle] : 0;
    const auto y = C::secant(Z::z(at.start), Z::z(at.end), last);
    const int row = e.place.first;
    phi[row] += e.factor * y.y1;
    const double lambda = e.factor * s.lambda[row];
    const typename Z::Z sigma = lambda * y.g;
    out.add_force(e, at.wrenches(e.pair, s, sigma));
    if (!out.tangents()) return;
    const auto F = at.forces(e.pair, s), B = Z::rows(at.end);
    PairBlocks K;
    Z::add_geometry(sigma, at.mid, at.end, s.c(), K);
    add_product<Z::size>(F, lambda * (s.pointwise ? 2 : 1) * y.dg, B, K);
    out.add_pair(e, K);
    const typename Z::Z g = e.factor * y.g, g1 = e.factor * y.g1;
    out.add_rows<1>(e, {transposed_times(g, F.a), transposed_times(g, F.b)},
                    {transposed_times(g1, B.a), transposed_times(g1, B.b)});
  });
}

template <InvariantChoice choice>
void JointArray<choice>::evaluate_natural(const Stage& stage, std::span<double> phi, const NaturalWriter& out) const {
  for (const auto& e : elements)
    add_joint_in_natural(choice, e, e.place, e.weight, e.reference.data(), stage, phi, out);
}

template <class C>
void CoordinateArray<C>::evaluate_natural(const Stage& s, std::span<double> phi, const NaturalWriter& out) const {
  for (const auto& e : elements) {
    const NaturalStage at(Z::choice, e.pair, s);
    const auto y = C::secant(at.z0, at.z1, C::counted ? s.given->angles[e.angle] : 0);
    const int row = e.place.first;
    phi[row] += e.factor * y.y1;
    const double lambda = e.factor * s.lambda[row];
    const typename Z::Z sigma = lambda * y.g;
    out.add_force(e.pair, at.sum(at.mid, sigma));
    if (!out.tangents()) continue;
    const decltype(y.dg) middle = lambda * y.dg;
    out.add_stiffness(e.pair, at.tangent(sigma, middle));
    out.add_rows(e.pair, e.place, e.factor * at.sum(at.mid, y.g), e.factor * at.sum(at.end, y.g1));
  }
}

// ---- at a configuration

/// The markers of an element.
inline PairAt pair_at(const Element& e, std::span<const Frame> q) {
  return PairAt(e.pair, q[e.pair.a.node], q[e.pair.b.node]);
}

/// A term of coordinates at a configuration: its invariants and their rows, and its gradient by the invariants.
template <class C>
struct TermAt {
  using Z = typename C::Z;
  PairAt at;
  typename Z::Z z;
  Rows<Z::size> rows;
  CoordinateSecant<Z::size> y;
  typename Z::Z g;  ///< of factor * y

  TermAt(const CoordinateRow<C>& e, std::span<const Frame> q)
      : at(pair_at(e, q)), z(Z::z(at)), rows(Z::rows(at)), y(C::secant(z, z, 0)), g(e.factor * y.g1) {}
  Rows<1> row() const { return {transposed_times(g, rows.a), transposed_times(g, rows.b)}; }
};

template <InvariantChoice choice>
void JointArray<choice>::residual(int task, std::span<const Frame> q, std::span<const double>,
                                  std::span<double> phi) const {
  this->for_each(elements, task, [&](const auto& e, int) {
    const PairAt at = Z::at(e.pair, q[e.pair.a.node], q[e.pair.b.node]);
    Eigen::Map<typename Z::Z> own(&phi[e.place.first]);
    own = e.weight * (Z::z(at) - e.reference);
  });
}

template <class C>
void CoordinateArray<C>::residual(int task, std::span<const Frame> q, std::span<const double> angles,
                                  std::span<double> phi) const {
  this->for_each(elements, task, [&](const auto& e, int) {
    phi[e.place.first] += e.factor * C::value(Z::z(pair_at(e, q)), C::counted ? angles[e.angle] : 0);
  });
}

template <InvariantChoice choice>
void JointArray<choice>::jacobian(int task, const System& system, std::span<const Frame> q,
                                  ConstraintJacobian& B) const {
  this->for_each(elements, task, [&](const auto& e, int) {
    auto rows = Z::rows(pair_at(e, q));
    rows.a *= e.weight, rows.b *= e.weight;
    add_to_jacobian(system, e, e.place, rows, B);
  });
}

template <class C>
void CoordinateArray<C>::jacobian(int task, const System& system, std::span<const Frame> q,
                                  ConstraintJacobian& B) const {
  this->for_each(elements, task,
                 [&](const auto& e, int) { add_to_jacobian<1>(system, e, e.place, TermAt<C>(e, q).row(), B); });
}

/// V^T G, a row of the derivative of B V.
inline Rows<1> rate_row(const Element& e, std::span<const Vec6> V, const PairBlocks& G) {
  const Vec6 &Va = V[e.pair.a.node], &Vb = V[e.pair.b.node];
  Rows<1> sum{transposed_times(Va, G.aa), transposed_times(Va, G.ab)};
  add_transposed_times(Vb, G.ba, sum.a), add_transposed_times(Vb, G.bb, sum.b);
  return sum;
}

template <InvariantChoice choice>
void JointArray<choice>::jacobian_rate(int task, const System& system, std::span<const Frame> q,
                                       std::span<const Vec6> V, ConstraintJacobian& D) const {
  this->for_each(elements, task, [&](const auto& e, int) {
    const PairAt at = pair_at(e, q);
    for (int i = 0; i < Z::size; ++i) {
      PairBlocks G;
      Z::add_geometry(e.weight * Z::Z::Unit(i), at, at, 1, G);
      RowPlace place = e.place;
      place.row += i;
      add_to_jacobian<1>(system, e, place, rate_row(e, V, G), D);
    }
  });
}

template <class C>
void CoordinateArray<C>::jacobian_rate(int task, const System& system, std::span<const Frame> q,
                                       std::span<const Vec6> V, ConstraintJacobian& D) const {
  this->for_each(elements, task, [&](const auto& e, int) {
    const TermAt<C> term(e, q);
    const typename Z::Z z_rate = times(term.rows.a, V[e.pair.a.node]) + times(term.rows.b, V[e.pair.b.node]);
    PairBlocks G;
    Z::add_geometry(term.g, term.at, term.at, 1, G);
    const typename Z::Z bend = 2 * e.factor * times(term.y.dg, z_rate);  // the Hessian is symmetric
    Rows<1> total = rate_row(e, V, G);
    add_transposed_times(bend, term.rows.a, total.a);
    add_transposed_times(bend, term.rows.b, total.b);
    add_to_jacobian<1>(system, e, e.place, total, D);
  });
}

/// dz/dt of the invariants of a pair of markers. The point of a marker moves with v + omega x rho, its axes with omega
/// x e; so
///   d(r)/dt = r',   d(r.a_i)/dt = r'.a_i + omega_a.(a_i x r),   d(a_i.b_j)/dt = (omega_b - omega_a).(b_j x a_i),   d(r.r)/dt = 2 r.r'.
template <class Z>
typename Z::Z invariant_rates(const PairAt& q, const Vec6& Va, const Vec6& Vb) {
  constexpr InvariantChoice choice = Z::choice;
  const Vec3 omega_a = Va.tail<3>(), omega_b = Vb.tail<3>();
  const Vec3 r_rate = Vb.head<3>() + omega_b.cross(q.b.rho) - Va.head<3>() - omega_a.cross(q.a.rho);
  typename Z::Z rates;
  int k = 0;
  if constexpr (choice.point) {
    rates.template head<3>() = r_rate;
    k = 3;
  }
  for (int i = 0; i < 3; ++i)
    if (choice.along_a & bit(i)) rates[k++] = r_rate.dot(q.a.e.col(i)) + omega_a.dot(q.a.e.col(i).cross(q.r));
  for (int i = 0; i < 3; ++i)
    if (choice.along_b & bit(i)) rates[k++] = r_rate.dot(q.b.e.col(i)) + omega_b.dot(q.b.e.col(i).cross(q.r));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (choice.cosine & bit(i, j)) rates[k++] = (omega_b - omega_a).dot(q.b.e.col(j).cross(q.a.e.col(i)));
  if constexpr (choice.square) rates[k] = 2 * q.r.dot(r_rate);
  return rates;
}

template <InvariantChoice choice>
void JointArray<choice>::add_rates(int task, std::span<const Frame> q, std::span<const Vec6> V,
                                   std::span<double> rate) const {
  this->for_each(elements, task, [&](const auto& e, int) {
    const int a = e.pair.a.node, b = e.pair.b.node;
    Eigen::Map<typename Z::Z>(&rate[e.place.first]) +=
        e.weight * invariant_rates<Z>(Z::at(e.pair, q[a], q[b]), V[a], V[b]);
  });
}

template <class C>
void CoordinateArray<C>::add_rates(int task, std::span<const Frame> q, std::span<const Vec6> V,
                                   std::span<double> rate) const {
  this->for_each(elements, task, [&](const auto& e, int) {
    const PairAt at = pair_at(e, q);
    const typename Z::Z z = Z::z(at);
    rate[e.place.first] +=
        e.factor * C::secant(z, z, 0).g1.dot(invariant_rates<Z>(at, V[e.pair.a.node], V[e.pair.b.node]));
  });
}

template <InvariantChoice choice>
Wrenches JointArray<choice>::wrenches(int k, std::span<const Frame> q, std::span<const double> lambda) const {
  const auto& e = elements[k];
  const PairAt at = pair_at(e, q);
  return Z::wrenches(e.weight * Eigen::Map<const typename Z::Z>(&lambda[e.place.first]), at, at);
}

template <class C>
Wrenches CoordinateArray<C>::wrenches(int k, std::span<const Frame> q, std::span<const double> lambda) const {
  const TermAt<C> term(elements[k], q);
  return Z::wrenches(lambda[elements[k].place.first] * term.g, term.at, term.at);
}

// ---- the ground, angles, room

/// Of the rows of an element, those of the ground.
template <int m>
const Eigen::Matrix<double, m, 6>& on_ground(const Element& e, int ground, const Rows<m>& rows) {
  return e.pair.a.node == ground ? rows.a : rows.b;
}
inline bool touches(const Element& e, int ground) { return e.pair.a.node == ground || e.pair.b.node == ground; }

template <InvariantChoice choice>
void JointArray<choice>::add_ground_rows(std::span<const Frame> q, int ground, std::vector<GroundRow>& found,
                                         std::span<GroundRow>) const {
  for (const auto& e : elements) {
    if (!touches(e, ground)) continue;
    const auto rows = Z::rows(pair_at(e, q));
    for (int k = 0; k < Z::size; ++k) found.push_back(on_ground(e, ground, rows).row(k));
  }
}

template <class C>
void CoordinateArray<C>::add_ground_rows(std::span<const Frame> q, int ground, std::vector<GroundRow>&,
                                         std::span<GroundRow> ties) const {
  for (const auto& e : elements) {
    if (!touches(e, ground)) continue;
    const TermAt<C> term(e, q);
    add_transposed_times(term.g, on_ground(e, ground, term.rows), ties[e.place.first]);
  }
}

template <class C>
void CoordinateArray<C>::update_angles(std::span<const Frame> q, std::span<double> angles) const {
  if constexpr (C::counted)
    for (const auto& e : elements) angles[e.angle] = C::value(Z::z(pair_at(e, q)), angles[e.angle]);
}

template <InvariantChoice choice>
void JointArray<choice>::settle() {
  settle_huge(elements);
}
template <class C>
void CoordinateArray<C>::settle() {
  settle_huge(elements);
}

}  // namespace polhode
