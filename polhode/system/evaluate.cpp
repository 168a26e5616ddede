// Forces, constraint residuals and tangents of all elements, for any integrator: at a configuration, or between two.
#include <array>
#include <optional>

#include <polhode/system/computed.hpp>
#include <polhode/system/one_piece.hpp>

namespace polhode {
namespace {

/// u = P^T of the rows of a node's block, for nodes that do not have all six unknowns.
template <class Block>
void reduce_rows(const Node& node, Block&& K) {
  switch (node.kind) {
    case Node::Kind::rigid: break;
    case Node::Kind::turning: K.template topRows<3>().setZero(); break;
    case Node::Kind::particle: K.template bottomRows<3>().setZero(); break;
    case Node::Kind::sliding:
      K.row(0) = (node.axis.transpose() * K.template topRows<3>()).eval();
      K.template bottomRows<5>().setZero();
  }
}

template <class Block>
void reduce_columns(const Node& node, Block&& K) {
  switch (node.kind) {
    case Node::Kind::rigid: break;
    case Node::Kind::turning: K.template leftCols<3>().setZero(); break;
    case Node::Kind::particle: K.template rightCols<3>().setZero(); break;
    case Node::Kind::sliding:
      K.col(0) = (K.template leftCols<3>() * node.axis).eval();
      K.template rightCols<5>().setZero();
  }
}

/// Adds m x 6 numbers to some rows of a block that is stored column by column, or sets them.
template <bool set, int m>
void put_strided(const Eigen::Matrix<double, m, 6>& part, double* to, int stride) {
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i < m; ++i)
      if constexpr (set)
        to[i + j * stride] = part(i, j);
      else
        to[i + j * stride] += part(i, j);
}

/// Puts an element's contributions where they belong.
struct Writer {
  const System& system;
  std::span<Vec6> force;
  const AssemblyPlan* plan;
  double* values;  ///< of the matrix, null if only forces are wanted
  Vec6& on_ground; ///< its force: many tasks add to it
  int ground = system.ground();

  bool tangents() const { return values != nullptr; }

  void add_block(Slot slot, int row_node, int column_node, Mat6& K) const {
    if (slot < 0) return;
    reduce_rows(system.nodes[row_node], K);
    reduce_columns(system.nodes[column_node], K);
    Eigen::Map<Mat6>(values + slot) += K;
  }
  /// The same for a block of rotations alone.
  void add_block(Slot slot, int row_node, int column_node, const Mat3& K) const {
    if (slot < 0 || !system.nodes[row_node].rotates() || !system.nodes[column_node].rotates()) return;
    double* const to = values + slot + 21;
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) to[i + 6 * j] += K(i, j);
  }

  template <bool couples = true, class Blocks>
  void add_pair(const Element& e, Blocks& K) const {
    const auto& slots = plan->elements[e.index];
    const int a = e.pair.a.node, b = e.pair.b.node;
    add_block(slots.aa, a, a, K.aa);
    add_block(slots.bb, b, b, K.bb);
    if constexpr (couples) {
      add_block(slots.ab, a, b, K.ab);
      add_block(slots.ba, b, a, K.ba);
    }
  }

  /// Force columns F and constraint rows B of one node. Rows of a joint are its own and are `set`; others may be sums of several terms.
  template <bool set, int m>
  void put_rows(Slot column, Slot row, int stride, int node, const Eigen::Matrix<double, m, 6>& F,
                const Eigen::Matrix<double, m, 6>& B) const {
    const auto put = [&](const Eigen::Matrix<double, m, 6>& own_F, const Eigen::Matrix<double, m, 6>& own_B) {
      double* const to = values + column;
      for (int k = 0; k < m; ++k)
        for (int i = 0; i < 6; ++i) to[i + 6 * k] = set ? own_F(k, i) : to[i + 6 * k] + own_F(k, i);
      put_strided<set>(own_B, values + row, stride);
    };
    if (system.nodes[node].kind == Node::Kind::rigid) return put(F, B);
    Eigen::Matrix<double, m, 6> own_F = F, own_B = B;
    reduce_columns(system.nodes[node], own_F);
    reduce_columns(system.nodes[node], own_B);
    put(own_F, own_B);
  }

  template <int m>
  void add_rows(const Element& e, const Rows<m>& F, const Rows<m>& B) const {
    const auto& slots = plan->elements[e.index];
    if (slots.F_a >= 0) put_rows<false>(slots.F_a, slots.B_a, slots.stride, e.pair.a.node, F.a, B.a);
    if (slots.F_b >= 0) put_rows<false>(slots.F_b, slots.B_b, slots.stride, e.pair.b.node, F.b, B.b);
  }

  Vec6& force_on(int node) const { return node < ground ? force[node] : on_ground; }

  void add_force(const Element& e, const Wrenches& on) const {
    force_on(e.pair.a.node) += on.a;
    force_on(e.pair.b.node) += on.b;
  }
};

/// K += left^T M right, for each of the four blocks.
template <int m, class M>
void add_product(const Rows<m>& left, const M& middle, const Rows<m>& right, PairBlocks& K) {
  const Eigen::Matrix<double, m, 6> to_a = middle * right.a, to_b = middle * right.b;
  K.aa += left.a.transpose() * to_a;
  K.ab += left.a.transpose() * to_b;
  K.ba += left.b.transpose() * to_a;
  K.bb += left.b.transpose() * to_b;
}

/// The markers of an element at both ends and in the middle of a stage, for invariants Z.
template <class Z>
struct PairStage {
  PairAt start, end, mid;
  PairStage(const Pair& pair, const Stage& s)
      : start(Z::at(pair, s.start[pair.a.node], s.start[pair.b.node])),
        end(Z::at(pair, s.end[pair.a.node], s.end[pair.b.node])),
        mid(Z::at(start, end)) {}

  /// Calls f with the markers that moments take their arms from.
  template <class F>
  auto with_arm(const Pair& pair, const Stage& s, F&& f) const {
    return s.arm.empty() ? f(mid) : f(PairAt(pair, s.arm[pair.a.node], s.arm[pair.b.node]));
  }
  /// The gradient in the middle as wrenches.
  auto forces(const Pair& pair, const Stage& s) const {
    return with_arm(pair, s, [&](const PairAt& arm) { return Z::rows(mid, arm); });
  }
  /// And what stresses sigma make of it.
  Wrenches wrenches(const Pair& pair, const Stage& s, const typename Z::Z& sigma) const {
    return with_arm(pair, s, [&](const PairAt& arm) { return Z::wrenches(sigma, mid, arm); });
  }
};

template <Side side, InvariantChoice choice>
void put_joint_rows(const JointRows<choice>& e, const PairStage<Invariants<choice>>& at, const Stage& s, const Writer& out) {
  using Z = Invariants<choice>;
  const ElementSlots& slots = out.plan->elements[e.index];
  const auto [F_slot, B_slot] = side == Side::a ? std::pair(slots.F_a, slots.B_a) : std::pair(slots.F_b, slots.B_b);
  if (F_slot < 0) return;
  auto F = at.with_arm(e.pair, s, [&](const PairAt& arm) { return Z::template rows_on<side>(at.mid, arm); });
  auto B = Z::template rows_on<side>(at.end, at.end);
  if (e.weight != 1) F *= e.weight, B *= e.weight;
  out.put_rows<true>(F_slot, B_slot, slots.stride, (side == Side::a ? e.pair.a : e.pair.b).node, F, B);
}

/// In one piece: handing small matrices from function to function through memory took a sixth of a step of the heavy top.
template <InvariantChoice choice>
POLHODE_IN_ONE_PIECE void evaluate_joint(const JointRows<choice>& e, const Stage& s, std::span<double> phi, const Writer& out) {
  using Z = Invariants<choice>;
  const PairStage<Z> at(e.pair, s);
  Eigen::Map<typename Z::Z> residual(&phi[e.place.first]);
  residual = e.weight * (Z::z(at.end) - e.reference);
  const typename Z::Z sigma = e.weight * Eigen::Map<const typename Z::Z>(&s.lambda[e.place.first]);
  out.add_force(e, at.wrenches(e.pair, s, sigma));
  if (!out.tangents()) return;
  std::conditional_t<Z::turns_only, TurnBlocks, PairBlocks> K;
  Z::add_geometry(sigma, at.mid, at.end, s.c(), K);
  out.add_pair<Z::couples>(e, K);
  put_joint_rows<Side::a>(e, at, s, out);
  put_joint_rows<Side::b>(e, at, s, out);
}

template <class C>
void evaluate_coordinate_row(const CoordinateRow<C>& e, const Stage& s, std::span<double> phi, const Writer& out) {
  using Z = typename C::Z;
  const PairStage<Z> at(e.pair, s);
  const double last = C::counted ? s.angles[e.angle] : 0;
  const auto y = C::secant(Z::z(at.start), Z::z(at.end), last);
  const int row = e.place.first;
  phi[row] += e.factor * y.y1;
  const double lambda = e.factor * s.lambda[row];
  const typename Z::Z sigma = lambda * y.g;
  out.add_force(e, at.wrenches(e.pair, s, sigma));
  if (!out.tangents()) return;
  const auto F = at.forces(e.pair, s), B = Z::rows(at.end);
  PairBlocks K;
  Z::add_geometry(sigma, at.mid, at.end, s.c(), K);
  add_product(F, (lambda * (s.pointwise ? 2 : 1) * y.dg).eval(), B, K);
  out.add_pair(e, K);
  const Rows<1> F_row{e.factor * y.g.transpose() * F.a, e.factor * y.g.transpose() * F.b};
  const Rows<1> B_row{e.factor * y.g1.transpose() * B.a, e.factor * y.g1.transpose() * B.b};
  out.add_rows(e, F_row, B_row);
}

/// The rows g z' of an element's strains, in the nodes' unknowns.
template <int m, int n>
void set_strain_rows(const System& system, const Element& e, const Eigen::Matrix<double, m, n>& g, const Rows<n>& z, Rows<6>& Y) {
  Y.a.template topRows<m>() = g * z.a;
  Y.b.template topRows<m>() = g * z.b;
  if (e.pair.a.node < system.ground()) reduce_columns(system.nodes[e.pair.a.node], Y.a);
  if (e.pair.b.node < system.ground()) reduce_columns(system.nodes[e.pair.b.node], Y.b);
}

/// `place`: among the elastic elements.
template <class M>
void evaluate_elastic(const System& system, const Elastic<M>& e, const Stage& s, int place, const Writer& out) {
  using Z = typename M::Z;
  using Y = typename Elastic<M>::Y;
  const PairStage<Z> at(e.pair, s);
  const int a = e.pair.a.node, b = e.pair.b.node;
  const auto y = M::secant(Z::z(at.start), Z::z(at.end), M::counted ? s.angles[e.angle] : 0);
  const auto F = at.forces(e.pair, s);
  const auto B = s.pointwise ? F : Z::rows(at.end);

  // stress = k (y - reference) + W' + c dy/dt - Q, at the mean of the ends or at the point
  typename Z::Z z_rate = Z::Z::Zero();
  Y rate;
  if (s.pointwise) {
    z_rate = B.a * s.V[a] + B.b * s.V[b];
    rate = y.g1 * z_rate;
  } else {
    rate = (y.y1 - y.y0) / (s.t1 - s.t0);
  }
  Y stress = e.stiffness.cwiseProduct(0.5 * (y.y0 + y.y1) + s.lead * (y.y1 - y.y0) - e.reference) + e.damping.cwiseProduct(rate);
  if (!s.added_stress.empty()) stress += s.added_stress[place].template head<M::size>();
  if (e.function >= 0) stress[0] -= system.functions[e.function].mean(s.t0, s.t1);
  if (e.load) stress[0] -= e.load->on_coordinate(0.5 * (s.t0 + s.t1), 0.5 * (y.y0[0] + y.y1[0]), rate[0]);
  std::optional<PotentialStress<M::size>> W;
  if (e.potential) stress += W.emplace(*e.potential, y.y0, y.y1, s.pointwise, out.tangents(), system.length).stress;
  stress *= s.scale;
  const typename Z::Z sigma = y.g.transpose() * stress;
  out.add_force(e, at.wrenches(e.pair, s, sigma));
  if (!s.strain.empty()) {
    Strain& strain = s.strain[place];
    set_strain_rows<M::size, Z::size>(system, e, y.g, F, strain.mean);
    set_strain_rows<M::size, Z::size>(system, e, y.g1, B, strain.end);
    strain.change.template head<M::size>() = y.y1 - y.y0;
  }
  if (!out.tangents()) return;

  PairBlocks K;
  Z::add_geometry(sigma, at.mid, at.end, s.c(), K);
  Y k = e.stiffness;
  if (!s.pointwise) k = (0.5 + s.lead) * e.stiffness + e.damping / (s.t1 - s.t0);
  add_product(F, ((s.pointwise ? 2 : 1) * y.derivative(stress) + y.g.transpose() * (s.scale * k).asDiagonal() * y.g1).eval(), B, K);
  if (W) add_product(F, (s.scale * y.g.transpose() * W->tangent * y.g1).eval(), B, K);
  if (s.pointwise && !e.damping.isZero()) {
    // d(dy/dt) = g1 (B dV + dB V) + dg1 B V, row by row
    for (int i = 0; i < M::size; ++i) {
      if (e.damping[i] == 0) continue;
      PairBlocks G;
      const typename Z::Z g1 = y.g1.row(i).transpose();
      Z::add_geometry(g1, at.end, at.end, 1, G);
      const typename Z::Z bend = 2 * y.derivative(Y::Unit(i)) * z_rate;
      const Eigen::Matrix<double, 1, 6> to_a =
          g1.transpose() * B.a * s.dV[a] + s.V[a].transpose() * G.aa + s.V[b].transpose() * G.ba + bend.transpose() * B.a;
      const Eigen::Matrix<double, 1, 6> to_b =
          g1.transpose() * B.b * s.dV[b] + s.V[a].transpose() * G.ab + s.V[b].transpose() * G.bb + bend.transpose() * B.b;
      const Vec6 f_a = s.scale * e.damping[i] * (F.a.transpose() * g1), f_b = s.scale * e.damping[i] * (F.b.transpose() * g1);
      K.aa += f_a * to_a;
      K.ab += f_a * to_b;
      K.ba += f_b * to_a;
      K.bb += f_b * to_b;
    }
  }
  out.add_pair(e, K);
}

/// A given force at X (or torque) on a node: adds -scale (F, rho x F) and its tangent.
void evaluate_load(const Node& node, int i, const Vec3& X, const Vec3& value, bool torque, bool follower, const Stage& s, const Writer& out) {
  const Frame mid = s.mid(i);
  const Vec3 at_mid = follower ? Vec3(mid.d * value) : value, at_end = follower ? Vec3(s.end[i].d * value) : value;
  const Vec3 rho_mid = (s.arm.empty() ? mid : s.arm[i]).d * X, rho_end = s.end[i].d * X;
  if (torque)
    out.force[i].tail<3>() -= s.scale * at_mid;
  else
    out.force[i] -= s.scale * (Vec6() << at_mid, rho_mid.cross(at_mid)).finished();
  if (!out.tangents() || !node.rotates()) return;
  Mat6 K = Mat6::Zero();
  const Mat3 turn = follower ? Mat3(-s.c() * hat(at_end)) : Mat3::Zero();  // of the vector, by theta
  if (torque) {
    K.bottomRightCorner<3, 3>() = turn;
  } else {
    K.topRightCorner<3, 3>() = turn;
    K.bottomRightCorner<3, 3>() = s.c() * hat(at_mid) * hat(rho_end) + hat(rho_mid) * turn;
  }
  K *= -s.scale;
  out.add_block(out.plan->node_diagonal[i], i, i, K);
}

}  // namespace

void System::evaluate_after(const NodeWork& work, const Stage& stage, std::span<Vec6> force, std::span<double> phi, const AssemblyPlan* plan,
                            BlockMatrix* matrix) const {
  double* const values = matrix ? matrix->values().data() : nullptr;
  Vec6 unasked = Vec6::Zero();
  Vec6& on_the_ground = force.size() > nodes.size() ? force[ground()] : unasked;
  const Writer out{*this, force, plan, values, on_the_ground};
  start_residual(stage.t1, phi);
  const auto evaluate_task = [&](int task, const Writer& to) {
    ElementTasks::for_each(joints, tasks.joints, task, [&](const auto& e, int) { evaluate_joint(e, stage, phi, to); });
    ElementTasks::for_each(coordinate_rows, tasks.coordinate_rows, task,
                           [&](const auto& e, int) { evaluate_coordinate_row(e, stage, phi, to); });
    ElementTasks::for_each(elastic, tasks.elastic, task, [&](const auto& e, int place) { evaluate_elastic(*this, e, stage, place, to); });
  };
  if (tasks.empty()) {
    evaluate_task(ElementTasks::all, out);
  } else {
    for (std::size_t k = 0; k + 1 < tasks.phases.size(); ++k) {
      const int first = tasks.phases[k], count = tasks.phases[k + 1] - first;
      std::array<Vec6, Division::most> on_ground;
      division.run(count, [&](int l) {
        Vec6 own = Vec6::Zero();
        const Writer to{*this, force, plan, values, own};
        for (int task = tasks.lines[first + l]; task < tasks.lines[first + l + 1]; ++task) {
          if (work) work(tasks.nodes_of(task));
          evaluate_task(task, to);
        }
        on_ground[l] = own;
      });
      for (int l = 0; l < count; ++l) on_the_ground += on_ground[l];
    }
  }
  for (const Load& load : loads)
    evaluate_load(nodes[load.node], load.node, load.X, load_value(load, stage.t0, stage.t1), load.torque, load.follower, stage, out);
  for (const ComputedWrench& load : wrenches) {  // its tangent is that of a given wrench: see ComputedLoad
    const Vec6 value = wrench_in(load, stage);
    evaluate_load(nodes[load.node], load.node, load.X, value.head<3>(), false, false, stage, out);
    evaluate_load(nodes[load.node], load.node, load.X, value.tail<3>(), true, false, stage, out);
  }
  if (gravity != Vec3::Zero() && !stage.weightless)
    division.for_each(node_count(), [&](int i) {
      if (nodes[i].kind == Node::Kind::turning)
        evaluate_load(nodes[i], i, nodes[i].X, nodes[i].mass * gravity, false, false, stage, out);
      else
        force[i].head<3>() -= stage.scale * nodes[i].mass * gravity;
    });
}

Vec3 System::load_value(const Load& load, double t0, double t1) const {
  Vec3 value = load.vector;
  for (int k = 0; k < 3; ++k)
    if (load.functions[k] >= 0) value[k] *= functions[load.functions[k]].mean(t0, t1);
  return value;
}

void System::add_node_block(int i, const Mat6& block, const AssemblyPlan& plan, BlockMatrix& matrix) const {
  Mat6 K = block;
  const Node& node = nodes[i];
  if (node.kind != Node::Kind::rigid) {
    reduce_rows(node, K);
    reduce_columns(node, K);
    const int first = node.kind == Node::Kind::turning ? 0 : node.freedoms();
    for (int k = first; k < first + 6 - node.freedoms(); ++k) K(k, k) += 1;
  }
  Eigen::Map<Mat6>(matrix.values().data() + plan.node_diagonal[i]) += K;
}

void System::clear(BlockMatrix& matrix) const {
  const bool sums = std::apply([](const auto&... array) { return (!array.empty() || ...); }, coordinate_rows);  // of several terms in a row
  if (sums) matrix.set_zero(division);
  else matrix.set_rest_to_zero(division);
}

void System::set_part_block(int i, double mass, const Mat3& turn, const AssemblyPlan& plan, BlockMatrix& matrix) const {
  Mat6 K = Mat6::Zero();
  K.topLeftCorner<3, 3>() = mass * Mat3::Identity();
  K.bottomRightCorner<3, 3>() = turn;
  Eigen::Map<Mat6>(matrix.values().data() + plan.node_diagonal[i]).setZero();
  add_node_block(i, K, plan, matrix);
}

void System::start_residual(double t, std::span<double> phi) const {
  std::fill(phi.begin(), phi.end(), 0.0);
  for (const GivenRow& given : given_rows) phi[given.row] = -functions[given.function](t);
}

void System::residual(std::span<const Frame> frames, std::span<const double> angles, double t, std::span<double> phi) const {
  start_residual(t, phi);
  in_tasks([&](int task) {
    ElementTasks::for_each(joints, tasks.joints, task, [&](const auto& e, int) {
      using Z = typename std::decay_t<decltype(e)>::Z;
      const PairAt at = Z::at(e.pair, frames[e.pair.a.node], frames[e.pair.b.node]);
      Eigen::Map<typename Z::Z> own(&phi[e.place.first]);
      own = e.weight * (Z::z(at) - e.reference);
    });
    ElementTasks::for_each(coordinate_rows, tasks.coordinate_rows, task, [&](const auto& e, int) {
      using C = typename std::decay_t<decltype(e)>::Coordinate;
      const PairAt at(e.pair, frames[e.pair.a.node], frames[e.pair.b.node]);
      phi[e.place.first] += e.factor * C::value(C::Z::z(at), C::counted ? angles[e.angle] : 0);
    });
  });
}

namespace {

/// Adds the rows of an element to the m x 6 blocks of its constraint block.
template <int m>
void add_to_jacobian(const System& system, const Element& e, const RowPlace& place, Rows<m> rows, ConstraintJacobian& B) {
  const ConstraintBlock& block = system.blocks[place.block];
  const auto add = [&](int k, int node, Eigen::Matrix<double, m, 6>& part) {
    if (k < 0) return;
    reduce_columns(system.nodes[node], part);
    double* const to = B.values.data() + system.block_of_jacobian[block.first_block + k] + place.row;
    put_strided<false>(part, to, block.rows);
  };
  add(place.node_a, e.pair.a.node, rows.a);
  add(place.node_b, e.pair.b.node, rows.b);
}

}  // namespace

void System::jacobian(std::span<const Frame> frames, std::span<const double>, ConstraintJacobian& B) const {
  B.values.assign(jacobian_size, 0.0);
  in_tasks([&](int task) {
    ElementTasks::for_each(joints, tasks.joints, task, [&](const auto& e, int) {
      using Z = typename std::decay_t<decltype(e)>::Z;
      auto rows = Z::rows(PairAt(e.pair, frames[e.pair.a.node], frames[e.pair.b.node]));
      rows.a *= e.weight, rows.b *= e.weight;
      add_to_jacobian(*this, e, e.place, rows, B);
    });
    ElementTasks::for_each(coordinate_rows, tasks.coordinate_rows, task, [&](const auto& e, int) {
      using C = typename std::decay_t<decltype(e)>::Coordinate;
      const PairAt at(e.pair, frames[e.pair.a.node], frames[e.pair.b.node]);
      const auto z = C::Z::z(at);
      const auto rows = C::Z::rows(at);
      const auto g = (e.factor * C::secant(z, z, 0).g1.transpose()).eval();
      add_to_jacobian<1>(*this, e, e.place, {g * rows.a, g * rows.b}, B);
    });
  });
}

int System::elastic_count() const {
  return std::apply([](const auto&... array) { return static_cast<int>((array.size() + ...)); }, elastic);
}

void System::strain_rows(std::span<const Frame> frames, std::span<Rows<6>> Y) const {
  int place = 0;
  for_each_element(elastic, [&](const auto& e) {
    using M = typename std::decay_t<decltype(e)>::Measure;
    const PairAt at(e.pair, frames[e.pair.a.node], frames[e.pair.b.node]);
    const auto z = M::Z::z(at);
    set_strain_rows<M::size, M::Z::size>(*this, e, M::secant(z, z, 0).g1, M::Z::rows(at), Y[place++]);
  });
}

void System::jacobian_rate(std::span<const Frame> frames, std::span<const double>, std::span<const Vec6> V,
                           ConstraintJacobian& D) const {
  D.values.assign(jacobian_size, 0.0);
  const auto row = [&](const Element& e, const PairBlocks& G) {
    const Vec6 &Va = V[e.pair.a.node], &Vb = V[e.pair.b.node];
    return Rows<1>{Va.transpose() * G.aa + Vb.transpose() * G.ba, Va.transpose() * G.ab + Vb.transpose() * G.bb};
  };
  in_tasks([&](int task) {
    ElementTasks::for_each(joints, tasks.joints, task, [&](const auto& e, int) {
      using Z = typename std::decay_t<decltype(e)>::Z;
      const PairAt at(e.pair, frames[e.pair.a.node], frames[e.pair.b.node]);
      for (int i = 0; i < Z::size; ++i) {
        PairBlocks G;
        Z::add_geometry(e.weight * Z::Z::Unit(i), at, at, 1, G);
        RowPlace place = e.place;
        place.row += i;
        add_to_jacobian<1>(*this, e, place, row(e, G), D);
      }
    });
    ElementTasks::for_each(coordinate_rows, tasks.coordinate_rows, task, [&](const auto& e, int) {
      using C = typename std::decay_t<decltype(e)>::Coordinate;
      const PairAt at(e.pair, frames[e.pair.a.node], frames[e.pair.b.node]);
      const auto z = C::Z::z(at);
      const auto rows = C::Z::rows(at);
      const auto y = C::secant(z, z, 0);
      const typename C::Z::Z z_rate = rows.a * V[e.pair.a.node] + rows.b * V[e.pair.b.node];
      PairBlocks G;
      C::Z::add_geometry(e.factor * y.g1, at, at, 1, G);
      const auto bend = (2 * e.factor * (y.dg * z_rate).transpose()).eval();  // the Hessian is symmetric
      Rows<1> total = row(e, G);
      total.a += bend * rows.a;
      total.b += bend * rows.b;
      add_to_jacobian<1>(*this, e, e.place, total, D);
    });
  });
}

void System::velocity_residual(const ConstraintJacobian& B, std::span<const Vec6> V, double t, std::span<double> rate) const {
  std::fill(rate.begin(), rate.end(), 0.0);
  for (const GivenRow& given : given_rows) rate[given.row] = -functions[given.function].derivative(t);
  division.for_each(static_cast<int>(blocks.size()), [&](int b) {
    const ConstraintBlock& c = blocks[b];
    Eigen::Map<VecX> r(&rate[c.first_row], c.rows);
    for (std::size_t k = 0; k < c.nodes.size(); ++k)
      r.noalias() += block(B, b, static_cast<int>(k)) * gather(c.nodes[k], V[c.nodes[k]]);
  });
}

}  // namespace polhode
