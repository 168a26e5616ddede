// Forces, constraint residuals and tangents of all elements, for any integrator: at a configuration, or between two.
#include <array>
#include <optional>

#include <polhode/lie/products.hpp>
#include <polhode/system/computed.hpp>
#include <polhode/system/flatten.hpp>
#include <polhode/system/own_rows.hpp>

namespace polhode {
namespace {

/// Puts an element's contributions where they belong.
struct Writer {
  const System& system;
  Vec6* force;
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
template <int m>
void add_product(const Rows<m>& left, const Eigen::Matrix<double, m, m>& middle, const Rows<m>& right, PairBlocks& K) {
  const Eigen::Matrix<double, m, 6> to_a = times(middle, right.a), to_b = times(middle, right.b);
  add_transposed_times(left.a, to_a, K.aa);
  add_transposed_times(left.a, to_b, K.ab);
  add_transposed_times(left.b, to_a, K.ba);
  add_transposed_times(left.b, to_b, K.bb);
}

/// f times the row (by_a, by_b): how a wrench that follows a rate changes with it.
void add_rate(const Vec6& f_a, const Vec6& f_b, const Rows<1>& rate, PairBlocks& K) {
  add_transposed_times<6, 1, 6>(f_a.transpose(), rate.a, K.aa);
  add_transposed_times<6, 1, 6>(f_a.transpose(), rate.b, K.ab);
  add_transposed_times<6, 1, 6>(f_b.transpose(), rate.a, K.ba);
  add_transposed_times<6, 1, 6>(f_b.transpose(), rate.b, K.bb);
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
    const std::span<const Frame> arm = s.variant->arm;
    return arm.empty() ? f(mid) : f(PairAt(pair, arm[pair.a.node], arm[pair.b.node]));
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

/// Flattened: passing small matrices between functions through memory took a sixth of a step of the heavy top.
template <InvariantChoice choice>
POLHODE_FLATTEN void evaluate_joint(const JointRows<choice>& e, const Stage& s, std::span<double> phi, const Writer& out) {
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
  const double last = C::counted ? s.given->angles[e.angle] : 0;
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
  add_product<Z::size>(F, lambda * (s.pointwise ? 2 : 1) * y.dg, B, K);
  out.add_pair(e, K);
  const typename Z::Z g = e.factor * y.g, g1 = e.factor * y.g1;
  out.add_rows<1>(e, {transposed_times(g, F.a), transposed_times(g, F.b)}, {transposed_times(g1, B.a), transposed_times(g1, B.b)});
}

/// `place`: among the elastic elements.
template <class M>
void evaluate_elastic(const System& system, const Elastic<M>& e, const Stage& s, int place, const Writer& out) {
  using Z = typename M::Z;
  using Y = typename Elastic<M>::Y;
  const PairStage<Z> at(e.pair, s);
  const int a = e.pair.a.node, b = e.pair.b.node;
  const auto y = M::secant(Z::z(at.start), Z::z(at.end), M::counted ? s.given->angles[e.angle] : 0);
  const Variant& variant = *s.variant;
  const Y damping = variant.dampers ? e.damping : Y(Y::Zero());
  const auto F = at.forces(e.pair, s);
  const auto B = s.pointwise ? F : Z::rows(at.end);

  // stress = k (y - reference) + W' + c dy/dt - Q, at the mean of the ends or at the point
  typename Z::Z z_rate = Z::Z::Zero();
  Y rate;
  if (s.pointwise) {
    z_rate = times(B.a, s.V[a]) + times(B.b, s.V[b]);
    rate = times(y.g1, z_rate);
  } else {
    rate = (y.y1 - y.y0) / (s.t1 - s.t0);
  }
  Y stress = e.stiffness.cwiseProduct(0.5 * (y.y0 + y.y1) + variant.lead * (y.y1 - y.y0) - e.reference) + damping.cwiseProduct(rate);
  if (!variant.added_stress.empty()) stress += variant.added_stress[place].template head<M::size>();
  if (e.function >= 0) stress[0] -= system.functions[e.function].mean(s.t0, s.t1);
  if (e.load) stress[0] -= e.load->on_coordinate(0.5 * (s.t0 + s.t1), 0.5 * (y.y0[0] + y.y1[0]), rate[0]);
  std::optional<PotentialStress<M::size>> W;
  if (e.potential) stress += W.emplace(*e.potential, y.y0, y.y1, s.pointwise, out.tangents(), system.length).stress;
  stress *= s.scale;
  const typename Z::Z sigma = transposed_times(y.g, stress);
  out.add_force(e, at.wrenches(e.pair, s, sigma));
  if (!variant.strain.empty()) {
    Strain& strain = variant.strain[place];
    set_strain_rows<M::size, Z::size>(system, e, y.g, F, strain.mean);
    set_strain_rows<M::size, Z::size>(system, e, y.g1, B, strain.end);
    strain.change.template head<M::size>() = y.y1 - y.y0;
  }
  if (!out.tangents()) return;

  PairBlocks K;
  Z::add_geometry(sigma, at.mid, at.end, s.c(), K);
  Y k = e.stiffness;
  if (!s.pointwise) k = (0.5 + variant.lead) * e.stiffness + damping / (s.t1 - s.t0);
  using Square = Eigen::Matrix<double, M::size, M::size>;
  Square law = (s.scale * k).asDiagonal();
  if (W) law += s.scale * W->tangent;
  Eigen::Matrix<double, Z::size, Z::size> middle = (s.pointwise ? 2 : 1) * y.derivative(stress);
  add_transposed_times(y.g, times(law, y.g1), middle);
  add_product(F, middle, B, K);
  if (s.pointwise && !damping.isZero()) {
    // d(dy/dt) = g1 (B dV + dB V) + dg1 B V, row by row
    for (int i = 0; i < M::size; ++i) {
      if (damping[i] == 0) continue;
      PairBlocks G;
      const typename Z::Z g1 = y.g1.row(i).transpose(), bend = 2 * times(y.derivative(Y::Unit(i)), z_rate);
      Z::add_geometry(g1, at.end, at.end, 1, G);
      Rows<1> of_rate{transposed_times(bend, B.a), transposed_times(bend, B.b)};
      add_transposed_times(s.V[a], G.aa, of_rate.a), add_transposed_times(s.V[b], G.ba, of_rate.a);
      add_transposed_times(s.V[a], G.ab, of_rate.b), add_transposed_times(s.V[b], G.bb, of_rate.b);
      const Vec6 b_a = transposed_times(B.a, g1), b_b = transposed_times(B.b, g1);
      add_transposed_times(b_a, s.dV[a], of_rate.a), add_transposed_times(b_b, s.dV[b], of_rate.b);
      const typename Z::Z f = s.scale * damping[i] * g1;
      add_rate(transposed_times(F.a, f), transposed_times(F.b, f), of_rate, K);
    }
  }
  out.add_pair(e, K);
}

/// A given force at X (or torque) on a node: adds -scale (F, rho x F) and its tangent.
void evaluate_load(const Node& node, int i, const Vec3& X, const Vec3& value, bool torque, bool follower, const Stage& s, const Writer& out) {
  const Frame mid = s.mid(i);
  const Vec3 at_mid = follower ? Vec3(mid.d * value) : value, at_end = follower ? Vec3(s.end[i].d * value) : value;
  const Vec3 rho_mid = (s.variant->arm.empty() ? mid : s.variant->arm[i]).d * X, rho_end = s.end[i].d * X;
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

void System::start_residual(double t, std::span<double> phi) const {
  std::fill(phi.begin(), phi.end(), 0.0);
  for (const GivenRow& given : given_rows) phi[given.row] = -functions[given.function](t);
}

void System::evaluate_after(const NodeWork& work, const Stage& stage, std::span<Vec6> force, std::span<double> phi, const AssemblyPlan* plan,
                            BlockMatrix* matrix, ThreadPool* pool) const {
  double* const values = matrix ? matrix->values().data() : nullptr;
  Vec6 unasked = Vec6::Zero();
  Vec6& on_the_ground = force.size() > nodes.size() ? force[ground()] : unasked;
  const Writer out{*this, force.data(), plan, values, on_the_ground};
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
      division(pool).run(count, [&](int l) {
        Vec6 own = Vec6::Zero();
        const Writer to{*this, force.data(), plan, values, own};
        for (int task = tasks.lines[first + l]; task < tasks.lines[first + l + 1]; ++task) {
          if (work) work(tasks.nodes_of(task));
          evaluate_task(task, to);
        }
        on_ground[l] = own;
      });
      for (int l = 0; l < count; ++l) on_the_ground += on_ground[l];
    }
  }
  if (const ExtraElements* const extra = stage.variant->extra) {
    int place = elastic_count();
    for (const auto& e : extra->bushings) evaluate_elastic(*this, e, stage, place++, out);
  }
  for (const Load& load : loads)
    evaluate_load(nodes[load.node], load.node, load.X, load_value(load, stage.t0, stage.t1), load.torque, load.follower, stage, out);
  for (const Applied& load : stage.given->applied) {
    const Node& node = nodes[load.node];
    if (!load.force.isZero(0)) evaluate_load(node, load.node, load.X, load.force, false, false, stage, out);
    if (!load.torque.isZero(0)) evaluate_load(node, load.node, load.X, load.torque, true, false, stage, out);
  }
  for (const ComputedWrench& load : wrenches) {  // its tangent is that of a given wrench: see ComputedLoad
    const Vec6 value = wrench_in(load, stage);
    evaluate_load(nodes[load.node], load.node, load.X, value.head<3>(), false, false, stage, out);
    evaluate_load(nodes[load.node], load.node, load.X, value.tail<3>(), true, false, stage, out);
  }
  if (gravity != Vec3::Zero() && stage.variant->gravity)
    division(pool).for_each(node_count(), [&](int i) {
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

void System::clear(BlockMatrix& matrix, ThreadPool* pool) const {
  const bool sums = std::apply([](const auto&... array) { return (!array.empty() || ...); }, coordinate_rows);  // of several terms in a row
  if (sums) matrix.set_zero(division(pool));
  else matrix.set_rest_to_zero(division(pool));
}

void System::set_part_block(int i, double mass, const Mat3& turn, const AssemblyPlan& plan, BlockMatrix& matrix) const {
  Mat6 K = Mat6::Zero();
  K.topLeftCorner<3, 3>() = mass * Mat3::Identity();
  K.bottomRightCorner<3, 3>() = turn;
  Eigen::Map<Mat6>(matrix.values().data() + plan.node_diagonal[i]).setZero();
  add_node_block(i, K, plan, matrix);
}

}  // namespace polhode
