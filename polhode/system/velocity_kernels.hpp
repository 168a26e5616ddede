// What equations compute at velocity level, for a rule that meets Phi = 0 and dPhi/dt = 0 at the end of a step
// (docs/methods/energy-momentum.md). With z0, z1 the invariants at both ends, qm the mean of the configurations, ym the
// one of the rates, and gamma the multipliers of dPhi/dt:
//   Cm = (Phi'(z0) + Phi'(z1))/2,
//   N  = the discrete gradient of z -> Phi'(z) . zdm between z0 and z1, zdm the mean of dz/dt at both ends.
#pragma once

#include <polhode/system/elements.hpp>
#include <polhode/system/velocity_stage.hpp>
#include <polhode/system/writer.hpp>

namespace polhode {

/// dz/dt at q with the rates d of its markers: bilinear in both.
template <class Z>
typename Z::Z rate_of(const PairAt& q, const PairAt& d) {
  constexpr InvariantChoice choice = Z::choice;
  typename Z::Z z;
  int k = 0;
  if constexpr (choice.point) {
    z.template head<3>() = d.r;
    k = 3;
  }
  for (int i = 0; i < 3; ++i)
    if (choice.along_a & bit(i)) z[k++] = d.r.dot(q.a.e.col(i)) + q.r.dot(d.a.e.col(i));
  for (int i = 0; i < 3; ++i)
    if (choice.along_b & bit(i)) z[k++] = d.r.dot(q.b.e.col(i)) + q.r.dot(d.b.e.col(i));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (choice.cosine & bit(i, j)) z[k++] = d.a.e.col(i).dot(q.b.e.col(j)) + q.a.e.col(i).dot(d.b.e.col(j));
  if constexpr (choice.square) z[k] = 2 * q.r.dot(d.r);
  return z;
}

/// The wrenches of sigma = Cm^T gamma, differentiated along the mean rates d: (dP(qm)^T G/dq) ym of G = dz(qm)^T sigma.
template <class Z>
Wrenches rate_wrenches(const typename Z::Z& sigma, const PairAt& mid, const PairAt& d) {
  typename Z::Z quadratic = sigma;  // what is linear in q has no second derivatives
  if constexpr (Z::choice.point) quadratic.template head<3>().setZero();
  Wrenches on = Z::wrenches(quadratic, d, mid);
  const Wrenches turned = Z::wrenches(sigma, mid, d);
  on.a.template tail<3>() += turned.a.template tail<3>();
  on.b.template tail<3>() += turned.b.template tail<3>();
  return on;
}

/// An element between the ends of a step.
template <class Z>
struct PairStep {
  PairAt start, end, mid;
  PairStep(const Element& e, const VelocityStage& s)
      : start(Z::at(e.pair, s.start[e.pair.a.node], s.start[e.pair.b.node])),
        end(Z::at(e.pair, s.end[e.pair.a.node], s.end[e.pair.b.node])),
        mid(Z::at(start, end)) {}
};
template <class Z>
PairAt rates_at(const Element& e, std::span<const Frame> rates) {
  return Z::at(e.pair, rates[e.pair.a.node], rates[e.pair.b.node]);
}

/// The last entry, of the ground, is nobody's: parts of the work may run side by side.
inline void add_to_nodes(const Element& e, const Wrenches& on, std::span<Vec6> to) {
  const int ground = static_cast<int>(to.size()) - 1;
  if (e.pair.a.node < ground) to[e.pair.a.node] += on.a;
  if (e.pair.b.node < ground) to[e.pair.b.node] += on.b;
}

/// Cm of a coordinate.
template <class C>
typename C::Z::Z mean_gradient(const typename C::Z::Z& z0, const typename C::Z::Z& z1) {
  return 0.5 * (C::secant(z0, z0, 0).g1 + C::secant(z1, z1, 0).g1);
}

// Each kernel is flattened, as those of the plain rule are: small matrices then stay in registers.

template <InvariantChoice choice>
POLHODE_FLATTEN inline void mean_wrenches_of(const JointRows<choice>& e, const VelocityStage& s, std::span<Vec6> W) {
  using Z = Invariants<choice>;
  const PairStep<Z> at(e, s);
  const typename Z::Z sigma = e.weight * Eigen::Map<const typename Z::Z>(&s.gamma[e.place.first]);
  add_to_nodes(e, Z::wrenches(sigma, at.mid, at.mid), W);
}

template <InvariantChoice choice>
void JointArray<choice>::add_mean_wrenches(int task, const VelocityStage& s, std::span<Vec6> W) const {
  this->for_each(elements, task, [&](const auto& e, int) { mean_wrenches_of(e, s, W); });
}

template <class C>
void CoordinateArray<C>::add_mean_wrenches(int task, const VelocityStage& s, std::span<Vec6> W) const {
  this->for_each(elements, task, [&](const auto& e, int) {
    const PairStep<Z> at(e, s);
    const double gamma = e.factor * s.gamma[e.place.first];
    add_to_nodes(e, Z::wrenches(gamma * mean_gradient<C>(Z::z(at.start), Z::z(at.end)), at.mid, at.mid), W);
  });
}

template <InvariantChoice choice>
POLHODE_FLATTEN inline void rate_wrenches_of(const JointRows<choice>& e, const VelocityStage& s,
                                             std::span<Vec6> force) {
  using Z = Invariants<choice>;
  const PairStep<Z> at(e, s);
  const PairAt d = Z::at(rates_at<Z>(e, s.start_rates), rates_at<Z>(e, s.end_rates));
  const typename Z::Z sigma = e.weight * Eigen::Map<const typename Z::Z>(&s.gamma[e.place.first]);
  add_to_nodes(e, rate_wrenches<Z>(sigma, at.mid, d), force);  // Phi is linear in z: N = 0
}

template <InvariantChoice choice>
void JointArray<choice>::add_rate_wrenches(int task, const VelocityStage& s, std::span<Vec6> force) const {
  this->for_each(elements, task, [&](const auto& e, int) { rate_wrenches_of(e, s, force); });
}

template <class C>
void CoordinateArray<C>::add_rate_wrenches(int task, const VelocityStage& s, std::span<Vec6> force) const {
  this->for_each(elements, task, [&](const auto& e, int) {
    const PairStep<Z> at(e, s);
    const PairAt d0 = rates_at<Z>(e, s.start_rates), d1 = rates_at<Z>(e, s.end_rates);
    const typename Z::Z z0 = Z::z(at.start), z1 = Z::z(at.end);
    const typename Z::Z z_rate = 0.5 * (rate_of<Z>(at.start, d0) + rate_of<Z>(at.end, d1));
    const double gamma = e.factor * s.gamma[e.place.first];
    add_to_nodes(e, rate_wrenches<Z>(gamma * mean_gradient<C>(z0, z1), at.mid, Z::at(d0, d1)), force);
    add_to_nodes(e, Z::wrenches(gamma * C::rate_secant(z0, z1, z_rate), at.mid, at.mid), force);
  });
}

template <class C>
void CoordinateArray<C>::add_mean_columns(const VelocityStage& s, const Writer& out) const {
  for (const auto& e : elements) {
    const PairStep<Z> at(e, s);
    const typename Z::Z z0 = Z::z(at.start), z1 = Z::z(at.end);
    const typename Z::Z by = e.factor * (mean_gradient<C>(z0, z1) - C::secant(z0, z1, 0).g);
    const Rows<Z::size> rows = Z::rows(at.mid);
    const Rows<1> none{GroundRow::Zero(), GroundRow::Zero()};
    out.template add_rows<1>(e, {transposed_times(by, rows.a), transposed_times(by, rows.b)}, none);
  }
}

}  // namespace polhode
