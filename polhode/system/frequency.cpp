#include <polhode/system/frequency.hpp>

#include <cmath>

namespace polhode {

double highest_frequency(const System& system, const State& state) {
  const int n = system.node_count();
  AssemblyPlan plan = system.plan(1);
  BlockMatrix K(plan.pattern);
  K.allocate();
  system.find_slots(plan, K);
  std::vector<Frame> q;
  system.frames(state, q);
  const std::vector<Vec6> V(n + 1, Vec6::Zero());
  const std::vector<Mat6> dV(n + 1, Mat6::Zero());
  std::vector<Vec6> force(n + 1, Vec6::Zero());
  const VecX none = VecX::Zero(system.row_count);
  VecX phi(system.row_count);
  const Stage stage{.start = q,
                    .end = q,
                    .t0 = state.t,
                    .t1 = state.t,
                    .lambda = {none.data(), static_cast<std::size_t>(none.size())},
                    .given = &state,
                    .pointwise = true,
                    .V = V,
                    .dV = dV};
  system.evaluate(stage, force, {phi.data(), static_cast<std::size_t>(phi.size())}, &plan, &K);

  std::vector<Mat6> M_inverse(n);
  for (int i = 0; i < n; ++i) M_inverse[i] = system.inertia[i].inverse(q[i].d);
  VecX x(6 * n), y(6 * n);
  for (int k = 0; k < 6 * n; ++k) x[k] = std::sin(1.0 + k);  // no special direction
  double eigenvalue = 0;
  for (int round = 0; round < 200; ++round) {
    y.setZero();
    K.for_each_block([&](int i, int j, Slot slot) {
      if (i < n && j < n) y.segment<6>(6 * i) += Eigen::Map<const Mat6>(K.values().data() + slot) * x.segment<6>(6 * j);
    });
    for (int i = 0; i < n; ++i) y.segment<6>(6 * i) = (M_inverse[i] * y.segment<6>(6 * i)).eval();
    const double size = y.norm(), before = eigenvalue;
    if (!(size > 0)) return 0;
    eigenvalue = size / x.norm();
    x = y / size;
    if (round > 20 && std::abs(eigenvalue - before) < 1e-3 * eigenvalue) break;
  }
  return std::sqrt(eigenvalue);
}

}  // namespace polhode
