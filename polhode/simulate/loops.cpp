#include <polhode/simulate/loops.hpp>

#include <algorithm>
#include <cmath>
#include <queue>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include <polhode/solve/svd.hpp>
#include <polhode/system/mass_matrix.hpp>
#include <polhode/system/quantities.hpp>

namespace polhode {
namespace {

constexpr double rounding_of_data = 1e-11;  // rows that open by less are redundant to rounding
constexpr double shown_above = 10;          // tolerances: equations that count are reported up to this
constexpr double opens_above = 100;         // tolerances: rows that open further were not redundant
constexpr double least_of_rank = 1e-6;      // squared singular values of rows that are kept
constexpr double poor = 0.3;                // independence of rows in whose place others are looked for

/// How well some rows can be left out: 1 if the null vectors live on them alone, 0 if those that stay are dependent.
double independence(const MatX& null_vectors, const std::vector<int>& out) {
  MatX part(out.size(), null_vectors.cols());
  for (std::size_t k = 0; k < out.size(); ++k) part.row(static_cast<Eigen::Index>(k)) = null_vectors.row(out[k]);
  return Eigen::JacobiSVD<MatX>(part).singularValues().minCoeff();
}

/// The rows that null vectors live on: as many as there are of these.
std::vector<int> best_rows(const MatX& null_vectors) {
  const Eigen::ColPivHouseholderQR<MatX> qr(null_vectors.transpose());
  std::vector<int> rows(static_cast<std::size_t>(null_vectors.cols()));
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = qr.colsPermutation().indices()[static_cast<Eigen::Index>(k)];
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// Rows of an angle have no part that a translation feels.
bool is_angle(const System& system, const ConstraintJacobian& B, int block, int row) {
  double by_translation = 0;
  for (std::size_t k = 0; k < system.blocks[block].nodes.size(); ++k)
    by_translation += system.block(B, block, static_cast<int>(k)).row(row).head<3>().norm();
  return by_translation < 1e-9;
}

/// A loop under examination: the block that closes it, and the rows that may be left out.
struct Candidate {
  int block;
  ClosingRank closing;
  std::vector<int> rows;
  double length = 0, angle = 0;
};

/// What may be left out opens by how much when the mechanism moves along its freedoms and drives, in three moves of a
/// tenth of a radian or of the size of the model. False if it cannot move, or not so far.
bool open_by_moving(const CompiledModel& model, State state, std::vector<Candidate>& candidates) {
  const System& system = model.system;
  const int n6 = 6 * system.node_count();
  ConstrainedMass mass(system);
  std::vector<Frame> q;
  ConstraintJacobian B;
  VecX some(n6), raw(system.row_count);
  for (int k = 0; k < n6; ++k) some[k] = std::sin(1.0 + k) * (k % 6 < 3 ? system.length : 1);
  for (int move = 0; move < 3; ++move) {
    system.frames(state, q);
    system.jacobian(q, state.angles, B);
    if (!mass.factor(q, B)) return false;
    VecX u = VecX::Zero(n6), mu = VecX::Zero(system.row_count);
    add_momentum(system, q, 1, some, u);
    for (const GivenRow& given : system.given_rows) mu[given.row] = 1;
    mass.solve(u, mu);
    double largest = 0;
    for (int i = 0; i < system.node_count(); ++i) {
      const Vec6 d = system.spread(i, u.segment<6>(6 * i));
      largest = std::max({largest, d.head<3>().norm() / system.length, d.tail<3>().norm()});
    }
    if (!(largest > 1e-9) || !std::isfinite(largest)) return false;
    displace(system, u, 0.1 / largest, state);
    close_joints(system, state, Drives::free);
    system.frames(state, q);
    if (!(imposed_residual(system, q, state, Drives::free).cwiseAbs().maxCoeff() < 1e-9 * system.length)) return false;
    system.residual(q, state.angles, state.t, {raw.data(), static_cast<std::size_t>(raw.size())});
    for (Candidate& one : candidates)
      for (const int row : one.rows) {
        double& open = is_angle(system, B, one.block, row) ? one.angle : one.length;
        open = std::max(open, std::abs(raw[system.blocks[one.block].first_row + row]));
      }
  }
  return true;
}

void leave_out(System& system, const std::vector<Candidate>& candidates) {
  LeftOut& out = system.left_out;
  out.rows.assign(candidates.empty() ? 0 : system.row_count, 0);
  out.gap = VecX::Zero(static_cast<Eigen::Index>(out.rows.size()));
  for (const Candidate& one : candidates)
    for (const int row : one.rows) out.rows[system.blocks[one.block].first_row + row] = 1;
}

/// The smallest singular value that is not zero to rounding, and its equation: from the velocities u that rows which
/// are left out give to a system that keeps the others; squared singular values would drown below 1e-8.
void find_part(const CompiledModel& model, const State& state, const Candidate& one, NearLoop& loop) {
  const System& system = model.system;
  const ConstraintBlock& block = system.blocks[one.block];
  const int n6 = 6 * system.node_count(), count = static_cast<int>(one.rows.size());
  std::vector<Frame> q;
  ConstraintJacobian B;
  system.frames(state, q);
  system.jacobian(q, state.angles, B);
  ConstrainedMass mass(system);
  if (!mass.factor(q, B)) return;
  MatX U(n6, count), MU(n6, count), multipliers = MatX::Zero(block.rows, count);
  for (int k = 0; k < count; ++k) {
    VecX unit = VecX::Zero(system.row_count), u = VecX::Zero(n6), mu = VecX::Zero(system.row_count);
    unit[block.first_row + one.rows[k]] = 1;
    B.add_transposed_times(-1, unit, u);
    mass.solve(u, mu);
    const double scale = one.closing.scale[one.rows[k]];
    VecX Mu = VecX::Zero(n6);
    add_momentum(system, q, 1, u, Mu);
    U.col(k) = scale * u;
    MU.col(k) = scale * Mu;
    multipliers.col(k) = scale * (unit + mu).segment(block.first_row, block.rows);
  }
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(U.transpose() * MU);
  loop.part = std::sqrt(std::max(0.0, eigen.eigenvalues()[count - 1]));
  const Vec6 wrench = wrench_on_b(model, q, B, one.block, multipliers * eigen.eigenvectors().col(count - 1));
  loop.equation = {model.connections[one.block].name, wrench.head<3>(), wrench.tail<3>()};
}

}  // namespace

std::vector<std::string> loop_through(const CompiledModel& model, int connection) {
  const auto& all = model.connections;
  const int from = all[connection].pair.a.node, to = all[connection].pair.b.node;
  std::vector<int> by(model.system.nodes.size() + 1, -1), before(by);
  std::queue<int> front;
  front.push(from);
  while (!front.empty() && by[to] < 0) {
    const int node = front.front();
    front.pop();
    for (int k = 0; k < static_cast<int>(all.size()); ++k) {
      const int a = all[k].pair.a.node, b = all[k].pair.b.node;
      if (k == connection || (a != node && b != node)) continue;
      const int other = a == node ? b : a;
      if (other == from || by[other] >= 0) continue;
      by[other] = k;
      before[other] = node;
      front.push(other);
    }
  }
  std::vector<std::string> joints{all[connection].name};
  for (int node = to; node != from && by[node] >= 0; node = before[node]) joints.push_back(all[by[node]].name);
  return joints;
}

std::string NearLoop::path() const {
  std::string text;
  for (const std::string& joint : joints) text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", joint);
  return text;
}

std::string NearLoop::text() const {
  const std::string loop = fmt::format(
      "the loop of joints {} is nearly redundant: an equation of \"{}\" ({}) follows from the others but for a part of "
      "{:.2g}; ",
      path(), equation.connection, equation.direction(), part);
  if (left_out == 0)
    return loop + fmt::format(
                      "that is above loop_tolerance {:g}, and it counts: if it comes from rounded data, give "
                      "them more digits or set loop_tolerance above it",
                      tolerance);
  return loop + fmt::format(
                    "{} equation{} of this joint {} left out for the whole run, and open{} by about {:.2g} m, "
                    "{:.2g} rad as the mechanism moves (loop_tolerance {:g})",
                    left_out, left_out == 1 ? "" : "s", left_out == 1 ? "is" : "are", left_out == 1 ? "s" : "", length,
                    angle, tolerance);
}

std::vector<NearLoop> settle_loops(CompiledModel& model, const State& start, double tolerance) {
  System& system = model.system;
  leave_out(system, {});
  system.left_out.rank_tolerance = std::min(BlockPattern::usual_rank_tolerance, tolerance * tolerance);
  if (system.row_count == 0) return {};
  State state = start;
  std::vector<Frame> q;
  ConstraintJacobian B;
  system.frames(state, q);
  system.update_angles(q, state.angles);
  ConstrainedMass mass(system);
  if (!mass.lu().closes()) return {};
  mass.reveal_rank(tolerance * tolerance);
  close_joints(system, state);
  system.frames(state, q);
  system.jacobian(q, state.angles, B);
  if (!mass.factor(q, B)) return {};

  std::vector<Candidate> candidates;
  std::vector<NearLoop> found;
  for (const ClosingRank& closing : mass.lu().closings()) {
    const int block = closing.group - system.node_count(), out = closing.size - closing.rank;
    const double least = closing.rank > 0 ? std::sqrt(closing.singular_values[closing.rank - 1]) : 1;
    if (least < shown_above * tolerance) {  // it counts, but only just
      const VecX multipliers = closing.scale.cwiseProduct(closing.vectors.col(closing.rank - 1));
      const Vec6 wrench = wrench_on_b(model, q, B, block, multipliers);
      found.push_back({.equation = {model.connections[block].name, wrench.head<3>(), wrench.tail<3>()},
                       .joints = loop_through(model, block),
                       .part = least,
                       .tolerance = tolerance});
    }
    if (out > 0) candidates.push_back({block, closing, best_rows(closing.vectors.rightCols(out))});
  }
  leave_out(system, candidates);
  const bool moved = !candidates.empty() && open_by_moving(model, state, candidates);
  std::erase_if(candidates, [&](const Candidate& one) {
    const double open = std::max(one.length / system.length, one.angle);
    return !moved || open < rounding_of_data || open > opens_above * tolerance;
  });
  leave_out(system, candidates);
  for (const Candidate& one : candidates) {
    NearLoop loop{.equation = {},
                  .joints = loop_through(model, one.block),
                  .tolerance = tolerance,
                  .left_out = static_cast<int>(one.rows.size()),
                  .length = one.length,
                  .angle = one.angle};
    find_part(model, state, one, loop);
    found.push_back(std::move(loop));
  }
  return found;
}

StartReport settled_start(CompiledModel& model, const SimulationOptions& options, State& state) {
  std::vector<NearLoop> loops = settle_loops(model, state, options.loop_tolerance);
  StartReport report = consistent_start(model, options.assembly, state);
  report.near_loops = std::move(loops);
  return report;
}

LoopWatch::LoopWatch(CompiledModel& model, double tolerance)
    : model_(model), tolerance_(tolerance), all_rows_(std::make_unique<ConstrainedMass>(model.system)) {
  all_rows_->reveal_rank(tolerance * tolerance);
}

std::optional<std::string> LoopWatch::contradiction(const State& state) {
  const System& system = model_.system;
  system.frames(state, q_);
  raw_.resize(system.row_count);
  system.residual(q_, state.angles, state.t, {raw_.data(), static_cast<std::size_t>(raw_.size())});
  for (int b = 0; b < static_cast<int>(system.blocks.size()); ++b) {
    const ConstraintBlock& block = system.blocks[b];
    for (int row = block.first_row; row < block.first_row + block.rows; ++row)
      if (const double open = std::abs(raw_[row]);
          system.left_out.rows[row] && open > opens_above * tolerance_ * std::max(1.0, system.length))
        return fmt::format(
            "the loop of joints {} opens by {:.2g} m or rad in \"{}\": equations that were redundant at "
            "the start, but for loop_tolerance {:g}, are not any more; correct the data of these joints, "
            "or set a smaller loop_tolerance",
            NearLoop{.equation = {}, .joints = loop_through(model_, b)}.path(), open, model_.connections[b].name,
            tolerance_);
  }
  return std::nullopt;
}

bool LoopWatch::choose_again(State& state) {
  System& system = model_.system;
  system.frames(state, q_);
  system.jacobian(q_, state.angles, B_);
  if (!all_rows_->factor(q_, B_)) return false;
  bool changed = false;
  for (const ClosingRank& closing : all_rows_->lu().closings()) {
    const ConstraintBlock& block = system.blocks[closing.group - system.node_count()];
    std::vector<int> out;
    for (int row = 0; row < block.rows; ++row)
      if (system.left_out.rows[block.first_row + row]) out.push_back(row);
    const int count = static_cast<int>(out.size()), rank = closing.size - count;
    if (count == 0) continue;
    // in a singular position there are more null vectors for a moment, and none tells which rows to keep
    if (rank > 0 && closing.singular_values[rank - 1] < least_of_rank) continue;
    const MatX null_vectors = closing.vectors.rightCols(count);
    const double now = independence(null_vectors, out);
    if (now >= poor) continue;
    const std::vector<int> best = best_rows(null_vectors);
    if (independence(null_vectors, best) < 1.5 * now) continue;
    if (!changed) {
      raw_.resize(system.row_count);
      system.residual(q_, state.angles, state.t, {raw_.data(), static_cast<std::size_t>(raw_.size())});
    }
    changed = true;
    // the misfit: what no motion could close; the rest of the residual is due to the rows that were chosen before
    const VecX scaled = closing.scale.cwiseProduct(raw_.segment(block.first_row, block.rows));
    system.left_out.gap.segment(block.first_row, block.rows) =
        (null_vectors * (null_vectors.transpose() * scaled)).cwiseQuotient(closing.scale);
    for (int row = 0; row < block.rows; ++row) system.left_out.rows[block.first_row + row] = 0;
    for (const int row : best) system.left_out.rows[block.first_row + row] = 1;
  }
  if (!changed) return false;
  const double before = energy(system, state, q_).total();
  close_joints(system, state);
  ConstrainedMass mass(system);
  project_velocities(system, mass, {}, state);
  state.lambda = accelerations(system, state, mass).lambda;
  system.frames(state, q_);
  system.update_angles(q_, state.angles);
  state.work.algorithmic -= energy(system, state, q_).total() - before;
  return true;
}

}  // namespace polhode
