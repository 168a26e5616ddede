// What laws compute: strains, stresses and tangents, energy and work. A law's numbers come from one place, Response.
#pragma once

#include <optional>
#include <type_traits>

#include <polhode/solve/huge_pages.hpp>
#include <polhode/system/computed.hpp>
#include <polhode/system/elements.hpp>
#include <polhode/system/natural_elements.hpp>
#include <polhode/system/pair_stage.hpp>
#include <polhode/system/quantities.hpp>
#include <polhode/system/writer.hpp>

namespace polhode {

/// stress = K (y - reference) + C dy/dt + W'(y) - Q, at the mean of the ends (or beyond it, by the stage's lead) or at
/// the point, times the stage's scale; and its derivative by y1 at given rates (pointwise) or with them (dy/dt = (y1 -
/// y0)/h).
template <class M>
struct Response {
  using Y = typename Elastic<M>::Y;
  using Square = typename Elastic<M>::Square;
  Y stress;
  Square tangent = Square::Zero();

  /// `place`: of the element among all laws.
  Response(const System& system, const Elastic<M>& e, const typename M::Secant& y, const Y& rate, const Stage& s,
           int place, bool with_tangent) {
    const Variant& variant = *s.variant;
    stress = times(e.stiffness, Y(0.5 * (y.y0 + y.y1) + variant.lead * (y.y1 - y.y0) - e.reference));
    if (variant.dampers) stress += times(e.damping, rate);
    if (!variant.added_stress.empty()) stress += variant.added_stress[place].template head<M::size>();
    if (e.function >= 0) stress[0] -= system.functions[e.function].mean(s.t0, s.t1);
    if (e.load) stress[0] -= e.load->on_coordinate(0.5 * (s.t0 + s.t1), 0.5 * (y.y0[0] + y.y1[0]), rate[0]);
    std::optional<PotentialStress<M::size>> W;
    if (e.potential) stress += W.emplace(*e.potential, y.y0, y.y1, s.pointwise, with_tangent, system.length).stress;
    stress *= s.scale;
    if (!with_tangent) return;
    tangent = e.stiffness;
    if (!s.pointwise) tangent *= 0.5 + variant.lead;
    if (!s.pointwise && variant.dampers) tangent += e.damping / (s.t1 - s.t0);
    tangent *= s.scale;
    if (W) tangent += s.scale * W->tangent;
  }

  static double energy(const Elastic<M>& e, const Y& y) {
    const Y stretch = y - e.reference;
    const double elastic = 0.5 * stretch.dot(times(e.stiffness, stretch));
    return e.potential ? elastic + PotentialStress<M::size>::energy(*e.potential, y) : elastic;
  }
};

/// The strains of an element between two configurations.
template <class M>
typename M::Secant secant_of(const Elastic<M>& e, std::span<const Frame> q0, std::span<const Frame> q1,
                             std::span<const double> angles) {
  const int a = e.pair.a.node, b = e.pair.b.node;
  return M::secant(M::Z::z(PairAt(e.pair, q0[a], q0[b])), M::Z::z(PairAt(e.pair, q1[a], q1[b])),
                   M::counted ? angles[e.angle] : 0);
}

template <class M>
void evaluate_elastic(const Elastic<M>& e, const Stage& s, int place, const Writer& out) {
  using Z = typename M::Z;
  using Y = typename Elastic<M>::Y;
  const System& system = out.system;
  const PairStage<Z> at(e.pair, s);
  const int a = e.pair.a.node, b = e.pair.b.node;
  const auto y = M::secant(Z::z(at.start), Z::z(at.end), M::counted ? s.given->angles[e.angle] : 0);
  const auto F = at.forces(e.pair, s);
  const auto B = s.pointwise ? F : Z::rows(at.end);
  typename Z::Z z_rate = Z::Z::Zero();
  Y rate;
  if (s.pointwise) {
    z_rate = times(B.a, s.V[a]) + times(B.b, s.V[b]);
    rate = times(y.g1, z_rate);
  } else {
    rate = (y.y1 - y.y0) / (s.t1 - s.t0);
  }
  const Response<M> response(system, e, y, rate, s, place, out.tangents());
  const typename Z::Z sigma = transposed_times(y.g, response.stress);
  out.add_force(e, at.wrenches(e.pair, s, sigma));
  if (!s.variant->strain.empty()) {
    Strain& strain = s.variant->strain[place];
    set_strain_rows<M::size, Z::size>(system, e, y.g, F, strain.mean);
    set_strain_rows<M::size, Z::size>(system, e, y.g1, B, strain.end);
    strain.change.template head<M::size>() = y.y1 - y.y0;
  }
  if (!out.tangents()) return;

  PairBlocks K;
  Z::add_geometry(sigma, at.mid, at.end, s.c(), K);
  Eigen::Matrix<double, Z::size, Z::size> middle = (s.pointwise ? 2 : 1) * y.derivative(response.stress);
  add_transposed_times(y.g, times(response.tangent, y.g1), middle);
  add_product(F, middle, B, K);
  if (s.pointwise && s.variant->dampers && !e.damping.isZero()) {
    // d(dy/dt) = g1 (B dV + dB V) + dg1 B V, row by row
    for (int i = 0; i < M::size; ++i) {
      if (e.damping.col(i).isZero(0)) continue;
      PairBlocks G;
      const typename Z::Z g1 = y.g1.row(i).transpose(), bend = 2 * times(y.derivative(Y::Unit(i)), z_rate);
      Z::add_geometry(g1, at.end, at.end, 1, G);
      Rows<1> of_rate{transposed_times(bend, B.a), transposed_times(bend, B.b)};
      add_transposed_times(s.V[a], G.aa, of_rate.a), add_transposed_times(s.V[b], G.ba, of_rate.a);
      add_transposed_times(s.V[a], G.ab, of_rate.b), add_transposed_times(s.V[b], G.bb, of_rate.b);
      const Vec6 b_a = transposed_times(B.a, g1), b_b = transposed_times(B.b, g1);
      add_transposed_times(b_a, s.dV[a], of_rate.a), add_transposed_times(b_b, s.dV[b], of_rate.b);
      const typename Z::Z f = transposed_times(y.g1, Y(s.scale * e.damping.col(i)));
      add_rate(transposed_times(F.a, f), transposed_times(F.b, f), of_rate, K);
    }
  }
  out.add_pair(e, K);
}

template <class M>
void ElasticArray<M>::evaluate(int task, const Stage& stage, const Writer& out) const {
  this->for_each(elements, task, [&](const auto& e, int k) { evaluate_elastic(e, stage, first + k, out); });
}

template <class M>
void ElasticArray<M>::evaluate_natural(const Stage& s, const NaturalWriter& out) const {
  using Y = typename Elastic<M>::Y;
  for (int k = 0; k < size(); ++k) {
    const Elastic<M>& e = elements[k];
    const NaturalStage at(M::Z::choice, e.pair, s);
    const auto y = M::secant(at.z0, at.z1, M::counted ? s.given->angles[e.angle] : 0);
    const Response<M> response(out.system, e, y, Y((y.y1 - y.y0) / (s.t1 - s.t0)), s, first + k, out.tangents());
    const typename M::Z::Z sigma = transposed_times(y.g, response.stress);
    out.add_force(e.pair, at.sum(at.mid, sigma));
    if (!out.tangents()) continue;
    auto middle = y.derivative(response.stress);
    add_transposed_times(y.g, times(response.tangent, y.g1), middle);
    out.add_stiffness(e.pair, at.tangent(sigma, middle));
  }
}

template <class M>
void ElasticArray<M>::add_energy(std::span<const Frame> q, std::span<const double> angles, double& sum) const {
  for (const auto& e : elements) sum += Response<M>::energy(e, secant_of(e, q, q, angles).y1);
}

template <class M>
void ElasticArray<M>::add_work(const System& system, const WorkInterval& interval, Work& work) const {
  const double t0 = interval.t0, t1 = interval.t1;
  for (const auto& e : elements) {
    const bool damps = interval.dampers && !e.damping.isZero();
    if (!damps && e.function < 0 && !e.load) continue;
    const auto y = secant_of(e, interval.start, interval.end, interval.given->angles);
    const typename Elastic<M>::Y dy = y.y1 - y.y0;
    if (damps) work.dampers[e.force] += dy.dot(times(e.damping, dy)) / (t1 - t0);
    if (e.function >= 0) work.forces[e.force] += system.functions[e.function].mean(t0, t1) * dy[0];
    if (e.load)
      work.forces[e.force] +=
          e.load->on_coordinate(0.5 * (t0 + t1), 0.5 * (y.y0[0] + y.y1[0]), dy[0] / (t1 - t0)) * dy[0];
  }
}

template <class M>
void ElasticArray<M>::strain_rows(const System& system, std::span<const Frame> q, std::span<Rows<6>> Y) const {
  for (int k = 0; k < size(); ++k) {
    const Elastic<M>& e = elements[k];
    const PairAt at(e.pair, q[e.pair.a.node], q[e.pair.b.node]);
    const auto z = M::Z::z(at);
    set_strain_rows<M::size, M::Z::size>(system, e, M::secant(z, z, 0).g1, M::Z::rows(at), Y[first + k]);
  }
}

/// In general K (y1 - y0); for a spring of natural length L, W(z) = k (sqrt z - L)^2/2 of z = y^2, times the mean of
/// L/y: convex, also under compression. Of a program's own energy W'(y1) - W'(y0).
template <class M>
StressDifference ElasticArray<M>::difference(int k, const System& system, std::span<const Frame> start,
                                             std::span<const Frame> end, std::span<const double> angles) const {
  using Law = PotentialStress<M::size>;
  const Elastic<M>& e = elements[k];
  const auto y = secant_of(e, start, end, angles);
  const typename Elastic<M>::Y dy = y.y1 - y.y0;
  typename Elastic<M>::Y s = times(e.stiffness, dy);
  typename Elastic<M>::Square by_end = e.stiffness;
  if constexpr (std::is_same_v<M, ScalarMeasure<LengthCoordinate>>) {
    const double half = 0.5 * e.reference[0];
    s *= half * (1 / y.y0[0] + 1 / y.y1[0]);
    by_end *= half * (1 / y.y0[0] + y.y0[0] / (y.y1[0] * y.y1[0]));
  }
  if (e.potential) {
    s += Law::gradient(*e.potential, y.y1) - Law::gradient(*e.potential, y.y0);
    by_end += Law::hessian(*e.potential, y.y1, system.length);
  }
  StressDifference out;
  out.s.template head<M::size>() = s;
  out.change.template head<M::size>() = dy;
  out.by_end.template topLeftCorner<M::size, M::size>() = by_end;
  return out;
}

template <class M>
LawOutput ElasticArray<M>::output(int k, const Stage& point, const System& system) const {
  const Elastic<M>& e = elements[k];
  const int a = e.pair.a.node, b = e.pair.b.node;
  const PairAt at(e.pair, point.end[a], point.end[b]);
  const auto z = M::Z::z(at);
  const auto rows = M::Z::rows(at);
  const auto y = M::secant(z, z, M::counted ? point.given->angles[e.angle] : 0);
  const typename Elastic<M>::Y rate =
      times(y.g1, typename M::Z::Z(times(rows.a, point.V[a]) + times(rows.b, point.V[b])));
  LawOutput out;
  out.size = M::size;
  out.y.template head<M::size>() = y.y1;
  out.rate.template head<M::size>() = rate;
  out.stress.template head<M::size>() = Response<M>(system, e, y, rate, point, first + k, false).stress;
  return out;
}

template <class M>
LawProperties ElasticArray<M>::properties(int k) const {
  const Elastic<M>& e = elements[k];
  LawProperties out;
  out.size = M::size;
  out.stiffness.template topLeftCorner<M::size, M::size>() = e.stiffness;
  out.damping.template topLeftCorner<M::size, M::size>() = e.damping;
  out.computed = e.potential || e.load;
  out.follows_rate = !e.damping.isZero() || e.load;
  out.loaded = e.function >= 0 || e.load;
  out.force = e.force;
  return out;
}

template <class M>
void ElasticArray<M>::update_angles(std::span<const Frame> q, std::span<double> angles) const {
  if constexpr (M::counted)
    for (const auto& e : elements) angles[e.angle] = secant_of(e, q, q, angles).y1[0];
}

template <class M>
void ElasticArray<M>::settle() {
  settle_huge(elements);
}

}  // namespace polhode
