// What Lens and Cardona's schemes add to the stresses of elastic elements in their two intervals: dampers, which must
// see the rate of the whole step in both of them, and the difference of the stresses at the jump and at the start,
// which makes energy decay.
#pragma once

#include <vector>

#include <polhode/system/system.hpp>

namespace polhode {

class IntervalStress {
 public:
  /// With the dampings of the elements: the intervals are evaluated without dampers.
  IntervalStress(const System& system, double alpha);

  /// For the configurations at the start, the jump and the end of a step h.
  void at(std::span<const Frame> start, std::span<const Frame> jump, std::span<const Frame> end,
          std::span<const double> angles, double h);

  /// To be added in the interval from the jump to the end, and in that from the start to the jump; and the strains of
  /// the two to be filled on the way.
  std::vector<Vec6> added_g, added_h;
  std::vector<Strain> strain_g, strain_h;

  /// Adds the derivatives of what was added to those of the two intervals' forces, by the states at the end and at the
  /// jump.
  void add_tangents(double scale, const AssemblyPlan& plan, BlockMatrix& g_by_end, BlockMatrix& h_by_end,
                    BlockMatrix& h_by_jump) const;

  /// V_nj = (zj - zn).(W'(zj) - W'(zn))/2 [J].
  double jump_energy() const { return jump_energy_; }

 private:
  const System& system_;
  double alpha_, jump_energy_ = 0;
  std::vector<Mat6> by_rate_, by_jump_;  ///< derivatives of what was added by the strains at the end and at the jump
};

}  // namespace polhode
