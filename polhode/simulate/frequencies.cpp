#include <polhode/simulate/frequencies.hpp>

#include <cmath>

namespace polhode {

Frequencies estimate_frequencies(const CompiledModel& model, const State& state) {
  const System& system = model.system;
  Frequencies out;
  std::vector<Frame> q;
  system.frames(state, q);
  const auto mobility = [&](int i, const Vec6& row) {  // b M^-1 b^T of one node, in its own unknowns
    if (i == system.ground()) return 0.0;
    return system.inertia[i].inverse_square(q[i].d, system.gather(i, row));
  };
  for_each_element(system.elastic, [&](const auto& e) {
    using M = typename std::decay_t<decltype(e)>::Measure;
    const PairAt at(e.pair, q[e.pair.a.node], q[e.pair.b.node]);
    const auto z = M::Z::z(at);
    const auto rows = M::Z::rows(at);
    const auto g = M::secant(z, z, M::counted ? state.angles[e.angle] : 0).g1;
    for (int k = 0; k < M::size; ++k) {
      const double b = mobility(e.pair.a.node, (g.row(k) * rows.a).transpose()) + mobility(e.pair.b.node, (g.row(k) * rows.b).transpose());
      const double omega = std::sqrt(std::max(0.0, e.stiffness[k] * b));
      if (omega > out.spring) {
        out.spring = omega;
        out.spring_name = model.force_names[e.force];
      }
    }
  });
  for (const BodyPlace& body : model.bodies) {
    const double spin = state.nodes[body.node].Omega.norm();
    if (spin > out.spin) {
      out.spin = spin;
      out.spin_name = body.name;
    }
  }
  return out;
}

}  // namespace polhode
