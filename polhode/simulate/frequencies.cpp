#include <polhode/simulate/frequencies.hpp>

#include <cmath>

namespace polhode {

Frequencies estimate_frequencies(const CompiledModel& model, const State& state) {
  const System& system = model.system;
  Frequencies out;
  std::vector<Frame> q;
  system.frames(state, q);
  const auto mobility = [&](int i, const Vec6& b) {  // b M^-1 b^T of one node, in its own unknowns
    if (i == system.ground()) return 0.0;
    return system.inertia[i].inverse_square(q[i].d, b);
  };
  std::vector<Rows<6>> Y(system.law_count());
  system.strain_rows(q, Y);
  system.elements.for_each_law([&](const LawArray& laws, int e) {
    const LawProperties law = laws.properties(e);
    const auto& [a, b] = laws.element(e).pair;
    const Rows<6>& rows = Y[laws.first + e];
    for (int k = 0; k < law.size; ++k) {
      const double compliance =
          mobility(a.node, rows.a.row(k).transpose()) + mobility(b.node, rows.b.row(k).transpose());
      const double omega = std::sqrt(std::max(0.0, law.stiffness(k, k) * compliance));
      if (omega > out.spring) {
        out.spring = omega;
        out.spring_name = model.force_names[law.force];
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
