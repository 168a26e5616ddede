#include <polhode/system/quantities.hpp>

#include <polhode/lie/so3.hpp>
#include <polhode/system/computed.hpp>
#include <polhode/system/constrained_mass.hpp>

namespace polhode {

Energy energy(const System& system, const State& state, std::span<const Frame> q, ThreadPool* pool) {
  const auto add_node = [&](Energy& e, int i) {
    const BodyInertia& body = system.inertia[i];
    const NodeState& s = state.nodes[i];
    e.kinetic += body.energy_of_translation(s.v);
    e.kinetic += body.energy_of_rotation(s.Omega);
    e.gravitational -= body.mass * system.gravity.dot(body.centre(q[i]));
  };
  Energy e = system.division(pool).reduce(system.node_count(), Energy{}, add_node, [](Energy& all, const Energy& part) {
    all.kinetic += part.kinetic;
    all.gravitational += part.gravitational;
  });
  if (!system.inertia.ties.empty()) {
    std::vector<Vec6> V;
    spatial_velocities(system, state, V);
    for (const auto& tie : system.inertia.ties) e.kinetic += tie->kinetic_energy(q, V);
  }
  for (const auto& laws : system.elements.laws) laws->add_energy(q, state.angles, e.strain);
  return e;
}

Momentum momentum(const System& system, const State& state, std::span<const Frame> q, ThreadPool* pool) {
  const auto add_node = [&](Momentum& m, int i) {
    const BodyInertia& body = system.inertia[i];
    const NodeState& s = state.nodes[i];
    const Vec3 p = body.mass * (system.nodes[i].translates() ? s.v : Vec3(q[i].d * s.Omega.cross(body.X)));
    const Vec3 x = q[i].x, spin = q[i].d * body.spin(s.Omega);
    m.linear += p;
    m.angular += x.cross(p) + spin;
    m.linear_size += p.norm();
    m.angular_size += x.cross(p).norm() + spin.norm();
  };
  Momentum m =
      system.division(pool).reduce(system.node_count(), Momentum{}, add_node, [](Momentum& all, const Momentum& part) {
        all.linear += part.linear;
        all.angular += part.angular;
        all.linear_size += part.linear_size;
        all.angular_size += part.angular_size;
      });
  if (system.inertia.ties.empty()) return m;
  std::vector<Vec6> V, p(system.nodes.size() + 1, Vec6::Zero());
  spatial_velocities(system, state, V);
  for (const auto& tie : system.inertia.ties) tie->add_momentum(q, V, p);
  for (int i = 0; i < system.node_count(); ++i) {
    const Vec3 linear = p[i].head<3>(), angular = q[i].x.cross(linear) + p[i].tail<3>();
    m.linear += linear;
    m.angular += angular;
    m.linear_size += linear.norm();
    m.angular_size += angular.norm();
  }
  return m;
}

bool may_work(const System& system, const State& state) {
  return !state.applied.empty() || !system.given_rows.empty() || !system.loads.empty() || !system.wrenches.empty() ||
         system.law_count() > 0;
}

void add_work(const System& system, const WorkInterval& interval, Work& work) {
  const std::span<const Frame> start = interval.start, end = interval.end;
  const double t0 = interval.t0, t1 = interval.t1;
  for (const GivenRow& given : system.given_rows)
    if (given.drive >= 0) {
      const Function& f = system.functions[given.function];
      work.drives[given.drive] -= interval.lambda[given.row] * (f(t1) - f(t0));
    }
  for (const auto& laws : system.elements.laws) laws->add_work(system, interval, work);
  for (const Load& load : system.loads) {
    const int i = load.node;
    Vec3 value = system.load_value(load, t0, t1);
    if (load.follower) value = mean(start[i], end[i]).d * value;
    if (load.torque)
      work.forces[load.force] += value.dot(so3::cay_inverse(Mat3(end[i].d * start[i].d.transpose())));
    else
      work.forces[load.force] += value.dot(end[i].x + end[i].d * load.X - start[i].x - start[i].d * load.X);
  }
  for (const Applied& load : interval.given->applied) {
    const Frame &q0 = start[load.node], &q1 = end[load.node];
    if (!load.force.isZero(0)) work.applied() += load.force.dot(q1.x + q1.d * load.X - q0.x - q0.d * load.X);
    if (!load.torque.isZero(0)) work.applied() += load.torque.dot(so3::cay_inverse(Mat3(q1.d * q0.d.transpose())));
  }
  for (const ComputedWrench& load : system.wrenches) {
    const Frame &q0 = start[load.node], &q1 = end[load.node];
    const Vec6 value = load.load->wrench(motion_between(q0, q1, t0, t1, load.X));
    work.forces[load.force] += work_between(value, load.X, q0, q1);
  }
}

}  // namespace polhode
