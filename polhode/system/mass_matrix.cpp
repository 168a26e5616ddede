#include <polhode/system/mass_matrix.hpp>

namespace polhode {
namespace {

/// Vectors of the nodes' unknowns as spatial ones, and zero for the ground.
std::vector<Vec6> spread_all(const System& system, const VecX& u) {
  std::vector<Vec6> V(system.nodes.size() + 1, Vec6::Zero());
  for (int i = 0; i < system.node_count(); ++i) V[i] = system.spread(i, u.segment<6>(6 * i));
  return V;
}

}  // namespace

void add_mass_matrix(const System& system, std::span<const Frame> q, double factor, const AssemblyPlan& plan,
                     BlockMatrix& A) {
  for (int i = 0; i < system.node_count(); ++i)
    system.add_node_block(i, factor * system.inertia[i].matrix(q[i].d), plan, A);
  for (const auto& tie : system.inertia.ties) tie->add_matrix(system, q, factor, A);
}

void add_momentum(const System& system, std::span<const Frame> q, double factor, const VecX& u, VecX& f) {
  for (int i = 0; i < system.node_count(); ++i) {
    const BodyInertia& body = system.inertia[i];
    const Vec6 V = system.spread(i, u.segment<6>(6 * i));
    Vec6 p;
    p << body.moved * V.head<3>(), q[i].d * body.spin(q[i].d.transpose() * V.tail<3>());
    f.segment<6>(6 * i) += factor * system.gather(i, p);
  }
  if (system.inertia.ties.empty()) return;
  std::vector<Vec6> p(system.nodes.size() + 1, Vec6::Zero());
  const std::vector<Vec6> V = spread_all(system, u);
  for (const auto& tie : system.inertia.ties) tie->add_momentum(q, V, p);
  for (int i = 0; i < system.node_count(); ++i) f.segment<6>(6 * i) += factor * system.gather(i, p[i]);
}

double inertial_square(const System& system, std::span<const Frame> q, const VecX& u) {
  double sum = 0;
  for (int i = 0; i < system.node_count(); ++i) {
    const BodyInertia& body = system.inertia[i];
    const Vec6 V = system.spread(i, u.segment<6>(6 * i));
    const Vec3 Omega = q[i].d.transpose() * V.tail<3>();
    sum += body.moved * V.head<3>().squaredNorm() + Omega.dot(body.spin(Omega));
  }
  if (system.inertia.ties.empty()) return sum;
  const std::vector<Vec6> V = spread_all(system, u);
  for (const auto& tie : system.inertia.ties) sum += 2 * tie->kinetic_energy(q, V);
  return sum;
}

void add_tied_midpoint(const System& system, const MidpointMotion& motion, std::span<Vec6> force, BlockMatrix* A) {
  for (const auto& tie : system.inertia.ties) tie->add_midpoint(system, motion, force, A);
}

}  // namespace polhode
