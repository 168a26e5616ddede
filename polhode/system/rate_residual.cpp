#include <polhode/system/rate_residual.hpp>

#include <algorithm>

namespace polhode {
namespace {

/// dz/dt of the invariants of a pair of markers. The point of a marker moves with v + omega x rho, its axes with omega x e; so
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

}  // namespace

void rate_residual(const System& system, std::span<const Frame> frames, std::span<const Vec6> V, double t, std::span<double> rate,
                   ThreadPool* pool) {
  std::fill(rate.begin(), rate.end(), 0.0);
  for (const GivenRow& given : system.given_rows) rate[given.row] = -system.functions[given.function].derivative(t);
  system.in_tasks(pool, [&](int task) {
    ElementTasks::for_each(system.joints, system.tasks.joints, task, [&](const auto& e, int) {
      using Z = typename std::decay_t<decltype(e)>::Z;
      const int a = e.pair.a.node, b = e.pair.b.node;
      Eigen::Map<typename Z::Z> own(&rate[e.place.first]);
      own = e.weight * invariant_rates<Z>(Z::at(e.pair, frames[a], frames[b]), V[a], V[b]);
    });
    ElementTasks::for_each(system.coordinate_rows, system.tasks.coordinate_rows, task, [&](const auto& e, int) {
      using C = typename std::decay_t<decltype(e)>::Coordinate;
      const int a = e.pair.a.node, b = e.pair.b.node;
      const PairAt at(e.pair, frames[a], frames[b]);
      const auto z = C::Z::z(at);
      rate[e.place.first] += e.factor * C::secant(z, z, 0).g1.dot(invariant_rates<typename C::Z>(at, V[a], V[b]));
    });
  });
}

}  // namespace polhode
