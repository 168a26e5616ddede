#include <polhode/simulate/start.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/QR>

#include <polhode/lie/so3.hpp>
#include <polhode/model/error.hpp>
#include <polhode/model/heap.hpp>
#include <polhode/solve/svd.hpp>

namespace polhode {
namespace {

struct Worst {
  double size = 0;
  int connection = -1;
};

/// The largest residual and the connection that it belongs to.
Worst worst(const CompiledModel& model, const VecX& residual) {
  Worst out;
  for (std::size_t k = 0; k < model.connections.size(); ++k) {
    const auto& block = model.system.blocks[model.connections[k].block];
    const double size = block.rows ? residual.segment(block.first_row, block.rows).cwiseAbs().maxCoeff() : 0;
    if (!(size <= out.size)) out = {size, static_cast<int>(k)};
  }
  return out;
}

std::string named(const CompiledModel& model, int k) {
  return fmt::format("{} \"{}\"", model.connections[k].path, model.connections[k].name);
}

VecX velocity_rates(const System& system, const State& state) {
  std::vector<Frame> q;
  std::vector<Vec6> V;
  ConstraintJacobian B;
  VecX rate(system.row_count);
  system.frames(state, q);
  spatial_velocities(system, state, V);
  system.jacobian(q, state.angles, B);
  system.velocity_residual(B, V, state.t, {rate.data(), static_cast<std::size_t>(rate.size())});
  return rate;
}

/// Velocities that were given stay, the others follow: with a weight of 1e6 on the given ones, each round reduces what
/// they would have to change by that factor. If the given ones contradict the joints, a residual remains.
void complete_velocities(const CompiledModel& model, ConstrainedMass& mass, State& state) {
  const System& system = model.system;
  std::vector<ConstrainedMass::Weight> weights(system.nodes.size());
  for (const BodyPlace& body : model.bodies) {
    if (body.velocity_given) weights[body.node].translation = 1e6;
    if (body.angular_velocity_given) weights[body.node].rotation = 1e6;
  }
  const State given = state;
  for (int round = 0; round < 4; ++round) {
    project_velocities(system, mass, weights, state);
    for (const BodyPlace& body : model.bodies) {
      if (body.angular_velocity_given) state.nodes[body.node].Omega = given.nodes[body.node].Omega;
      if (!body.velocity_given) continue;
      // the velocity of the body frame's origin was given, not that of the centre of mass
      const NodeState& g = given.nodes[body.node];
      NodeState& s = state.nodes[body.node];
      s.v = g.v + s.q * ((g.Omega - s.Omega).cross(body.origin));
    }
  }
}

std::string vector_text(const Vec3& v) {
  const auto clean = [](double x) { return std::abs(x) < 5e-7 ? 0.0 : x; };
  return fmt::format("[{:.4g}, {:.4g}, {:.4g}]", clean(v.x()), clean(v.y()), clean(v.z()));
}

/// A basis of the space of some wrenches that reads well: pure moments first, then forces without those moments; each
/// along the axes of space as far as possible.
std::vector<Vec6> telling_basis(MatX W, double length) {
  W.bottomRows<3>() /= length;
  // the space as a projector; what is left of it is searched for the wrench nearest to (0, e_k), then to (e_k, 0)
  std::vector<Vec6> basis;
  const Eigen::ColPivHouseholderQR<MatX> qr(W);
  const int rank = static_cast<int>(qr.rank());
  if (rank == 0) return {};
  const MatX Q = qr.householderQ() * MatX::Identity(6, rank);
  const Eigen::JacobiSVD<MatX> forces(Q.topRows<3>(), Eigen::ComputeFullV);
  int with_force = 0;
  for (int k = 0; k < forces.singularValues().size(); ++k) with_force += forces.singularValues()[k] > 1e-9;
  const MatX moments = Q * forces.matrixV().rightCols(rank - with_force),
             rest = Q * forces.matrixV().leftCols(with_force);
  for (MatX part : {moments, rest}) {
    const int rows = static_cast<int>(basis.size()) < moments.cols() ? 3 : 0;
    while (part.cols() > 0) {
      // the unit vector that the space comes nearest to, and the rest of the space normal to what it gives
      Vec6 best = Vec6::Zero();
      for (int e = rows; e < rows + 3; ++e) {
        const Vec6 shadow = part * part.row(e).transpose();
        if (shadow.norm() > best.norm() + 1e-6) best = shadow;
      }
      if (best.norm() < 1e-9) best = part.col(0);
      best.normalize();
      basis.push_back(best);
      basis.back().tail<3>() *= length;
      const Eigen::JacobiSVD<MatX> svd(best.transpose() * part, Eigen::ComputeFullV);
      part = (part * svd.matrixV().rightCols(part.cols() - 1)).eval();
    }
  }
  return basis;
}

}  // namespace

Vec6 wrench_on_b(const CompiledModel& model, std::span<const Frame> q, const ConstraintJacobian& B, int connection,
                 const Eigen::Ref<const VecX>& multipliers) {
  const System& system = model.system;
  const Pair& pair = model.connections[connection].pair;
  const bool on_b = pair.b.node < system.ground();
  const int node = on_b ? pair.b.node : pair.a.node;
  const auto& nodes = system.blocks[connection].nodes;
  const int k = static_cast<int>(std::find(nodes.begin(), nodes.end(), node) - nodes.begin());
  const Vec3 arm = PairAt(pair, q[pair.a.node], q[pair.b.node]).b.p - q[node].x;
  Vec6 wrench = system.spread(node, system.block(B, connection, k).transpose() * multipliers) * (on_b ? 1 : -1);
  wrench.tail<3>() -= arm.cross(wrench.head<3>());
  return wrench;
}

void project_velocities(const System& system, ConstrainedMass& mass, std::span<const ConstrainedMass::Weight> weights,
                        State& state) {
  std::vector<Frame> q;
  std::vector<Vec6> V;
  ConstraintJacobian B;
  system.frames(state, q);
  spatial_velocities(system, state, V);
  system.jacobian(q, state.angles, B);
  VecX rate(system.row_count), u = VecX::Zero(6 * system.node_count());
  system.velocity_residual(B, V, state.t, {rate.data(), static_cast<std::size_t>(rate.size())});
  if (!mass.factor(q, B, weights)) return;
  rate = -rate;
  mass.solve(u, rate);
  for (int i = 0; i < system.node_count(); ++i) {
    const Vec6 d = system.spread(i, u.segment<6>(6 * i));
    state.nodes[i].v += d.head<3>();
    state.nodes[i].Omega += q[i].d.transpose() * d.tail<3>();
  }
}

void close_joints(const System& system, State& state, Drives drives) {
  ConstrainedMass mass(system);
  std::vector<Frame> q;
  ConstraintJacobian B;
  VecX u;
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 50; ++k) {
    system.frames(state, q);
    const VecX phi = imposed_residual(system, q, state, drives);
    const double size = phi.size() ? phi.cwiseAbs().maxCoeff() : 0;
    if (size <= 1e-15 * system.length || (size < 1e-9 * system.length && size >= 0.5 * before)) return;
    before = size;
    system.jacobian(q, state.angles, B);
    if (!mass.factor(q, B)) return;
    u = VecX::Zero(6 * system.node_count());
    VecX mu = -phi;
    mass.solve(u, mu);
    double largest = 0;
    for (int i = 0; i < system.node_count(); ++i) {
      const Vec6 d = system.spread(i, u.segment<6>(6 * i));
      largest = std::max({largest, d.head<3>().norm() / system.length, d.tail<3>().norm()});
    }
    // no body turns by more than half a radian at once
    displace(system, u, largest > 0.5 ? 0.5 / largest : 1, state);
  }
}

void displace(const System& system, const VecX& u, double factor, State& state) {
  for (int i = 0; i < system.node_count(); ++i) {
    const Vec6 d = factor * system.spread(i, u.segment<6>(6 * i));
    state.nodes[i].x += d.head<3>();
    if (system.nodes[i].rotates()) state.nodes[i].q = (so3::exp(d.tail<3>()) * state.nodes[i].q).normalized();
  }
}

VecX imposed_residual(const System& system, std::span<const Frame> q, const State& state, Drives drives) {
  VecX phi(system.row_count);
  const std::span<double> rows(phi.data(), static_cast<std::size_t>(phi.size()));
  system.residual(q, state.angles, state.t, rows);
  system.left_out.apply(rows);
  if (drives == Drives::free)
    for (const GivenRow& given : system.given_rows) phi[given.row] = 0;
  return phi;
}

void project_positions(const CompiledModel& model, State& state) {
  const System& system = model.system;
  close_joints(system, state);
  std::vector<Frame> q;
  system.frames(state, q);
  const Worst w = worst(model, imposed_residual(system, q, state));
  if (!(w.size < 1e-9 * system.length))
    throw ModelError(
        fmt::format("{}: the bodies cannot be assembled: {:.3g} is left open after 50 corrections; "
                    "check the anchors and lengths of this joint and of those in its loop",
                    named(model, std::max(w.connection, 0)), w.size));
}

std::string Redundancy::direction() const {
  const double f = force.norm(), m = moment.norm(), all = std::max(f, m);
  if (all == 0) return "no force: it holds by itself";
  if (f < 1e-6 * all) return "moment about " + vector_text(moment / m);
  if (m < 1e-6 * all) return "force along " + vector_text(force / f);
  return fmt::format("force {} N with moment {} N m", vector_text(force / all), vector_text(moment / all));
}

std::vector<Redundancy> find_redundancies(const CompiledModel& model, const State& state) {
  const System& system = model.system;
  std::vector<Redundancy> found;
  std::vector<Frame> q;
  system.frames(state, q);
  ConstraintJacobian B;
  system.jacobian(q, state.angles, B);
  ConstrainedMass mass(system);
  mass.factor(q, B);
  for (const ClosingRank& closing : mass.lu().deficient()) {
    const int block = closing.group - system.node_count(), count = static_cast<int>(closing.null_space.cols());
    const std::string& name = model.connections[block].name;
    MatX wrenches(6, count);  // of each null vector
    for (int j = 0; j < count; ++j) wrenches.col(j) = wrench_on_b(model, q, B, block, closing.null_space.col(j));
    const std::vector<Vec6> basis = telling_basis(wrenches, system.length);
    for (const Vec6& wrench : basis) found.push_back({name, wrench.head<3>(), wrench.tail<3>()});
    // what nothing feels: a joint that acts on what is fixed anyway, or twice the same row
    found.insert(found.end(), count - basis.size(), {.connection = name});
  }
  return found;
}

StartReport consistent_start(const CompiledModel& model, SimulationOptions::Assembly assembly, State& state) {
  const System& system = model.system;
  const bool strict = assembly == SimulationOptions::Assembly::strict;
  StartReport report;
  std::vector<Frame> q;
  VecX phi(system.row_count);
  const std::span<double> phi_span(phi.data(), static_cast<std::size_t>(phi.size()));

  // positions
  system.frames(state, q);
  system.update_angles(q, state.angles);
  system.residual(q, state.angles, state.t, phi_span);
  Worst w = worst(model, phi);
  report.position_residual = w.size;
  if (strict && !(w.size <= 1e-8 * system.length))
    throw ModelError(fmt::format(
        "{}: the position of the bodies does not meet this joint: off by {:.3g} (length in m, or sine of an "
        "angle); correct position, orientation or anchors, or set \"assembly\": \"project\"",
        named(model, w.connection), w.size));
  if (system.row_count > 0) {
    const std::vector<NodeState> given = state.nodes;
    project_positions(model, state);
    for (int i = 0; i < system.node_count(); ++i) {
      report.moved = std::max(report.moved, (state.nodes[i].x - given[i].x).norm());
      report.turned = std::max(report.turned, so3::log(given[i].q.conjugate() * state.nodes[i].q).norm());
    }
  }
  // orthogonality rows cannot tell an axis from its opposite
  system.frames(state, q);
  for (std::size_t k = 0; k < model.connections.size(); ++k) {
    const auto& connection = model.connections[k];
    const PairAt at(connection.pair, q[connection.pair.a.node], q[connection.pair.b.node]);
    const double cosine = at.a.e.col(2).dot(at.b.e.col(2));
    if (connection.oriented && cosine < 0)
      throw ModelError(
          fmt::format("{}: the axis of b points against that of a (cosine {:.3f}); turn one of the bodies or one "
                      "of axis_a, axis_b around",
                      named(model, static_cast<int>(k)), cosine));
  }

  // velocities
  if (system.row_count > 0) {
    ConstrainedMass mass(system);
    complete_velocities(model, mass, state);
    const VecX rate = velocity_rates(system, state);
    w = worst(model, rate);
    report.velocity_residual = w.size;
    double speed = 0;
    for (const NodeState& s : state.nodes) speed = std::max({speed, s.v.norm(), s.Omega.norm() * system.length});
    if (!(w.size <= 1e-8 * std::max(speed, 1e-3 * system.length))) {
      if (strict)
        throw ModelError(fmt::format(
            "{}: the velocities given contradict this joint: off by {:.3g} m/s (or rad/s); leave out a velocity "
            "and it is made consistent, or set \"assembly\": \"project\"",
            named(model, w.connection), w.size));
      const State before = state;
      project_velocities(system, mass, {}, state);
      for (int i = 0; i < system.node_count(); ++i)
        report.velocity_change = std::max({report.velocity_change, (state.nodes[i].v - before.nodes[i].v).norm(),
                                           (state.nodes[i].Omega - before.nodes[i].Omega).norm() * system.length});
    }
    project_velocities(system, mass, {}, state);
    state.lambda = accelerations(system, state, mass).lambda;
  }

  report.redundancies = find_redundancies(model, state);
  report.equations = system.row_count;
  report.rank = report.equations - static_cast<int>(report.redundancies.size());
  report.freedoms = system.freedoms() - report.rank;
  if (system.node_count() > 1000) give_back_freed_memory();
  return report;
}

}  // namespace polhode
