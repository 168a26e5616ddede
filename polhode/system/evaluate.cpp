// Forces, constraint residuals and tangents of a system, for any integrator: at a configuration, or between two.
#include <algorithm>
#include <array>

#include <polhode/system/computed.hpp>
#include <polhode/system/writer.hpp>

namespace polhode {
namespace {

/// A given force at X (or torque) on a node: adds -scale (F, rho x F) and its tangent.
void evaluate_load(const Node& node, int i, const Vec3& X, const Vec3& value, bool torque, bool follower,
                   const Stage& s, const Writer& out) {
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

void System::evaluate_after(const NodeWork& work, const Stage& stage, std::span<Vec6> force, std::span<double> phi,
                            const AssemblyPlan* plan, BlockMatrix* matrix, ThreadPool* pool) const {
  double* const values = matrix ? matrix->values().data() : nullptr;
  Vec6 unasked = Vec6::Zero();
  Vec6& on_the_ground = force.size() > nodes.size() ? force[ground()] : unasked;
  const Writer out{*this, force.data(), plan, values, on_the_ground};
  start_residual(stage.t1, phi);
  const auto evaluate_task = [&](const ElementSet& set, int task, const Writer& to) {
    for (const auto& rows : set.rows) rows->evaluate(task, stage, phi, to);
    for (const auto& laws : set.laws) laws->evaluate(task, stage, to);
  };
  // a divided set by its tasks; `before`: what is done first to the nodes of a task
  const auto evaluate_tasks = [&](const ElementSet& set, const NodeWork& before) {
    const ElementTasks& tasks = set.tasks;
    for (std::size_t k = 0; k + 1 < tasks.phases.size(); ++k) {
      const int first = tasks.phases[k], count = tasks.phases[k + 1] - first;
      std::array<Vec6, Division::most> on_ground;
      division(pool).run(count, [&](int l) {
        Vec6 own = Vec6::Zero();
        const Writer to{*this, force.data(), plan, values, own};
        for (int task = tasks.lines[first + l]; task < tasks.lines[first + l + 1]; ++task) {
          if (before) before(tasks.nodes_of(task));
          evaluate_task(set, task, to);
        }
        on_ground[l] = own;
      });
      for (int l = 0; l < count; ++l) on_the_ground += on_ground[l];
    }
  };
  if (elements.tasks.empty())
    evaluate_task(elements, ElementTasks::all, out);
  else
    evaluate_tasks(elements, work);
  if (left_out.any()) left_out.apply(phi);
  if (const ElementSet* const extra = stage.variant->extra) {
    if (extra->tasks.empty())
      evaluate_task(*extra, ElementTasks::all, out);
    else
      evaluate_tasks(*extra, {});
  }
  for (const Load& load : loads)
    evaluate_load(nodes[load.node], load.node, load.X, load_value(load, stage.t0, stage.t1), load.torque, load.follower,
                  stage, out);
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
        evaluate_load(nodes[i], i, inertia[i].X, inertia[i].mass * gravity, false, false, stage, out);
      else
        force[i].head<3>() -= stage.scale * inertia[i].mass * gravity;
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

void System::add_block(int row_node, int column_node, Mat6 block, BlockMatrix& matrix) const {
  reduce_rows(nodes[row_node], block);
  reduce_columns(nodes[column_node], block);
  Eigen::Map<Mat6>(matrix.values().data() + matrix.find(row_node, column_node)) += block;
}

void System::clear(BlockMatrix& matrix, ThreadPool* pool) const {
  const bool sums =
      std::any_of(elements.rows.begin(), elements.rows.end(), [](const auto& rows) { return rows->adds_to_rows(); });
  if (sums)
    matrix.set_zero(division(pool));
  else
    matrix.set_rest_to_zero(division(pool));
}

void System::set_part_block(int i, double mass, const Mat3& turn, const AssemblyPlan& plan, BlockMatrix& matrix) const {
  Mat6 K = Mat6::Zero();
  K.topLeftCorner<3, 3>() = mass * Mat3::Identity();
  K.bottomRightCorner<3, 3>() = turn;
  Eigen::Map<Mat6>(matrix.values().data() + plan.node_diagonal[i]).setZero();
  add_node_block(i, K, plan, matrix);
}

}  // namespace polhode
