// Vibrations of light bodies under tension: they strain nothing, their stiffness is that of the joints' forces. Here
// relative rotations of jointed bodies get a weight, so that a decaying method can tell such vibrations from slow
// motion.
#pragma once

#include <polhode/integrate/strain_metric.hpp>
#include <polhode/system/elements.hpp>

namespace polhode {

/// For every joint between two bodies that turn, a set of its own has a bushing without stiffness, which measures the
/// rotation vector of one body to the other since the start of the step. It weighs k = |F| l_a l_b/(l_a + l_b), F the
/// joint's force and l how far it is to the body's origin or to the farthest of its other joints: a hinge between two
/// rods that are pulled with F has that stiffness.
class TensionMetric {
 public:
  explicit TensionMetric(const System& system);
  const ElementSet* extra() const { return &extra_; }

  /// The weights of these bushings, from the multipliers of the last step.
  void weigh(std::span<const Frame> q, const VecX& lambda, StrainMetric& metric) const;
  /// Starts measuring at a configuration.
  void align(std::span<const Frame> q);

 private:
  const System& system_;
  ElementSet extra_;
  ElasticArray<BushingMeasure>* bushings_ = nullptr;  ///< all that is in it
  std::vector<double> arms_;                          ///< l_a l_b/(l_a + l_b) of each bushing
};

}  // namespace polhode
