#include <polhode/integrate/interval_stress.hpp>

#include <type_traits>

#include <polhode/system/computed.hpp>

namespace polhode {
namespace {

/// s with s . (yj - yn) = (zj - zn).(W'(zj) - W'(zn)), and its derivative by yj. In general k (yj - yn); for a spring of natural length L,
/// W(z) = k (sqrt z - L)^2/2 of z = y^2, times the mean of L/y: convex, also under compression. Of a program's own energy W'(yj) - W'(yn).
template <class M>
struct StressJump {
  using Y = typename Elastic<M>::Y;
  using Law = PotentialStress<M::size>;
  Y s;
  typename Law::Hessian by_end;

  StressJump(const Elastic<M>& e, const Y& y0, const Y& y1, double length) : s(e.stiffness.cwiseProduct(y1 - y0)), by_end(e.stiffness.asDiagonal()) {
    if constexpr (std::is_same_v<M, ScalarMeasure<LengthCoordinate>>) {
      const double half = 0.5 * e.reference[0];
      s *= half * (1 / y0[0] + 1 / y1[0]);
      by_end *= half * (1 / y0[0] + y0[0] / (y1[0] * y1[0]));
    }
    if (!e.potential) return;
    s += Law::gradient(*e.potential, y1) - Law::gradient(*e.potential, y0);
    by_end += Law::hessian(*e.potential, y1, length);
  }
};

}  // namespace

IntervalStress::IntervalStress(const System& system, double alpha)
    : added_g(system.elastic_count(), Vec6::Zero()), added_h(added_g), strain_g(added_g.size()), strain_h(added_g.size()),
      system_(system), alpha_(alpha), by_rate_(added_g.size(), Mat6::Zero()), by_jump_(by_rate_) {}

void IntervalStress::at(std::span<const Frame> start, std::span<const Frame> jump, std::span<const Frame> end,
                        std::span<const double> angles, double h) {
  int place = 0;
  jump_energy_ = 0;
  for_each_element(system_.elastic, [&](const auto& e) {
    using M = typename std::decay_t<decltype(e)>::Measure;
    const int a = e.pair.a.node, b = e.pair.b.node, k = place++;
    const double last = M::counted ? angles[e.angle] : 0;
    const auto z_n = M::Z::z(PairAt(e.pair, start[a], start[b])), z_j = M::Z::z(PairAt(e.pair, jump[a], jump[b])),
               z_1 = M::Z::z(PairAt(e.pair, end[a], end[b]));
    const auto to_jump = M::secant(z_n, z_j, last), to_end = M::secant(z_j, z_1, last);
    const auto dy = (to_jump.y1 - to_jump.y0).eval();
    const StressJump<M> jumped(e, to_jump.y0, to_jump.y1, system_.length);
    jump_energy_ += 0.5 * jumped.s.dot(dy);
    by_rate_[k].diagonal().template head<M::size>() = e.damping / h;
    by_jump_[k].template topLeftCorner<M::size, M::size>() = 0.5 * alpha_ * jumped.by_end;
    added_g[k].template head<M::size>() = e.damping.cwiseProduct(dy + to_end.y1 - to_end.y0) / h;
    added_h[k] = added_g[k];
    added_h[k].template head<M::size>() += 0.5 * alpha_ * jumped.s;
  });
}

void IntervalStress::add_tangents(double scale, const AssemblyPlan& plan, BlockMatrix& g_by_end, BlockMatrix& h_by_end,
                                  BlockMatrix& h_by_jump) const {
  int place = 0;
  for_each_element(system_.elastic, [&](const auto& e) {
    const ElementSlots& slots = plan.elements[e.index];
    const int k = place++;
    const auto add = [&](const Rows<6>& force, const Mat6& stiffness, const Rows<6>& strain, BlockMatrix& A) {
      if (stiffness.isZero()) return;
      const auto block = [&](Slot slot, const Mat6& left, const Mat6& right) {
        if (slot >= 0) Eigen::Map<Mat6>(A.values().data() + slot) += scale * (left.transpose() * stiffness * right);
      };
      block(slots.aa, force.a, strain.a);
      block(slots.ab, force.a, strain.b);
      block(slots.ba, force.b, strain.a);
      block(slots.bb, force.b, strain.b);
    };
    add(strain_g[k].mean, by_rate_[k], strain_g[k].end, g_by_end);
    add(strain_h[k].mean, by_rate_[k], strain_g[k].end, h_by_end);
    add(strain_h[k].mean, by_jump_[k], strain_h[k].end, h_by_jump);
  });
}

}  // namespace polhode
