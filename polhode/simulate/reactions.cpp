#include <polhode/simulate/reactions.hpp>

#include <algorithm>
#include <cmath>

namespace polhode {

Reactions::Reactions(const CompiledModel& model, const State& state, bool redundant)
    : model_(model), unique_(model.connections.size(), true) {
  if (!redundant) return;
  // a reaction is not unique if multipliers of no force have a part in it: what minimising takes from any others
  const System& system = model.system;
  unit_mass_ = std::make_unique<ConstrainedMass>(system);
  VecX any(system.row_count);
  for (int k = 0; k < system.row_count; ++k) any[k] = std::sin(1.0 + k);
  std::vector<Frame> frames;
  ConstraintJacobian B;
  system.frames(state, frames);
  system.jacobian(frames, state.angles, B);
  VecX least = any;
  minimise(B, least);
  for (std::size_t k = 0; k < unique_.size(); ++k) {
    const ConstraintBlock& block = system.blocks[model.connections[k].block];
    unique_[k] = (least - any).segment(block.first_row, block.rows).norm() < 1e-6;
  }
}

/// The smallest multipliers mu with the same forces, B^T mu = B^T lambda: each round adds (B B^T + eps)^-1 B r, r the
/// forces that
/// are missing, from  w + B^T dmu = r,  B w = eps dmu.  What is of no force is never added.
void Reactions::minimise(const ConstraintJacobian& B, VecX& lambda) const {
  const System& system = model_.system;
  constexpr double epsilon = 1e-6;
  if (!unit_mass_->factor_unit(B, epsilon)) return;
  VecX mu = VecX::Zero(system.row_count), dmu(system.row_count), r(6 * system.node_count());
  for (int round = 0; round < 4; ++round) {
    r.setZero();
    for (int b = 0; b < static_cast<int>(system.blocks.size()); ++b) {
      const auto& c = system.blocks[b];
      for (std::size_t k = 0; k < c.nodes.size(); ++k)
        r.segment<6>(6 * c.nodes[k]) +=
            system.block(B, b, static_cast<int>(k)).transpose() * (lambda - mu).segment(c.first_row, c.rows);
    }
    dmu.setZero();
    unit_mass_->solve(r, dmu);
    mu += dmu;
  }
  lambda = mu;
}

void Reactions::evaluate(std::span<const Frame> frames, const ConstraintJacobian& B, VecX& lambda,
                         std::vector<double>& wrenches) const {
  const System& system = model_.system;
  wrenches.resize(6 * model_.connections.size());
  if (unit_mass_) minimise(B, lambda);
  for (std::size_t k = 0; k < model_.connections.size(); ++k) {
    // the force on b at its anchor is the opposite of B^T lambda there, or what a gets
    const ConnectionPlace& connection = model_.connections[k];
    const ConstraintBlock& block = system.blocks[connection.block];
    const bool on_b = connection.pair.b.node < system.ground();
    const int node = on_b ? connection.pair.b.node : connection.pair.a.node;
    const int place = static_cast<int>(std::find(block.nodes.begin(), block.nodes.end(), node) - block.nodes.begin());
    Vec6 wrench = system.block(B, connection.block, place).transpose() * lambda.segment(block.first_row, block.rows);
    wrench = (on_b ? -1 : 1) * system.spread(node, wrench);
    const PairAt at(connection.pair, frames[connection.pair.a.node], frames[connection.pair.b.node]);
    const Vec3 force = wrench.head<3>(), moment = wrench.tail<3>() - (at.b.p - frames[node].x).cross(force);
    Eigen::Map<Vec6>(&wrenches[6 * k]) << at.a.e.transpose() * force, at.a.e.transpose() * moment;
  }
}

std::vector<double> Reactions::evaluate(const State& state, VecX lambda) const {
  std::vector<double> wrenches(6 * model_.connections.size());
  if (model_.system.row_count == 0) return wrenches;
  std::vector<Frame> frames;
  ConstraintJacobian B;
  model_.system.frames(state, frames);
  model_.system.jacobian(frames, state.angles, B);
  evaluate(frames, B, lambda, wrenches);
  return wrenches;
}

}  // namespace polhode
