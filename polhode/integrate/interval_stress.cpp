#include <polhode/integrate/interval_stress.hpp>

namespace polhode {

IntervalStress::IntervalStress(const System& system, double alpha)
    : added_g(system.law_count(), Vec6::Zero()),
      added_h(added_g),
      strain_g(added_g.size()),
      strain_h(added_g.size()),
      system_(system),
      alpha_(alpha),
      by_rate_(added_g.size(), Mat6::Zero()),
      by_jump_(by_rate_) {}

void IntervalStress::at(std::span<const Frame> start, std::span<const Frame> jump, std::span<const Frame> end,
                        std::span<const double> angles, double h) {
  jump_energy_ = 0;
  system_.elements.for_each_law([&](const LawArray& laws, int e) {
    const int k = laws.first + e;
    const Mat6 damping = laws.properties(e).damping / h;
    const StressDifference jumped = laws.difference(e, system_, start, jump, angles);
    const Vec6 change = jumped.change + laws.difference(e, system_, jump, end, angles).change;
    jump_energy_ += 0.5 * jumped.s.dot(jumped.change);
    by_rate_[k] = damping;
    by_jump_[k] = 0.5 * alpha_ * jumped.by_end;
    added_g[k] = damping * change;
    added_h[k] = added_g[k] + 0.5 * alpha_ * jumped.s;
  });
}

void IntervalStress::add_tangents(double scale, const AssemblyPlan& plan, BlockMatrix& g_by_end, BlockMatrix& h_by_end,
                                  BlockMatrix& h_by_jump) const {
  system_.elements.for_each_law([&](const LawArray& laws, int e) {
    const ElementSlots& slots = plan.elements[laws.element(e).index];
    const int k = laws.first + e;
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
