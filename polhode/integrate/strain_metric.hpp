// The elastic elements as a decaying method sees them: strain rates Y V at a configuration, weighed with a stiffness C;
// and the equations of M + c Y^T C Y with the constraints, which tell motions that strain much in a step from those
// that do not.
#pragma once

#include <vector>

#include <polhode/lie/products.hpp>
#include <polhode/solve/block_lu.hpp>
#include <polhode/system/mass_matrix.hpp>

namespace polhode {

class StrainMetric {
 public:
  /// The elastic elements of a system, then those that a method adds.
  explicit StrainMetric(const System& system, const ElementSet* extra = nullptr);

  /// An element: its nodes (the ground is the one after the last), how many strains it has, and what they weigh.
  struct Part {
    int a, b, size;
    Mat6 C;
    bool stiff;  ///< may C be other than 0?
    Vec6 stress(const Vec6& y) const { return times(C, y); }
    double square(const Vec6& y) const { return y.dot(stress(y)); }
  };
  std::vector<Part> parts;
  std::vector<Rows<6>> Y;  ///< at the configuration of the last call of at()
  bool empty() const;      ///< nothing weighs anything

  void at(std::span<const Frame> q) { system_.strain_rows(q, Y, extra_); }

  /// Y u of an element, and f += Y^T stress; vectors hold 6 numbers for each node.
  Vec6 strain(int k, const VecX& u) const;
  void add_force(int k, const Vec6& stress, VecX& f) const;
  /// The largest square of a frequency that one element has with its nodes free, tr(C Y M^-1 Y^T), at the
  /// configuration of the last call of at().
  double largest_square_frequency(std::span<const Frame> q) const;
  /// |Y u|^2 in the metric C.
  double square(const VecX& u) const;

  /// The block left^T C right, of two elements' rows at one node each.
  static Mat6 product(const Part& part, const Mat6& left, const Mat6& right);

 private:
  const System& system_;
  const ElementSet* extra_;
};

/// (M + c Y^T C Y) u + B^T mu = f, B u = b at a configuration.
class StrainMass {
 public:
  explicit StrainMass(const System& system, const ElementSet* extra = nullptr, ThreadPool* pool = nullptr);

  bool factor(std::span<const Frame> q, const StrainMetric& metric, double c, const ConstraintJacobian& B);
  /// On entry u holds f and mu holds b; on return the solution.
  void solve(VecX& u, VecX& mu);

 private:
  const System& system_;
  const ElementSet* extra_;
  AssemblyPlan plan_;
  BlockLU lu_;
  VecX work_;
};

}  // namespace polhode
