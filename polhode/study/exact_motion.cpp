#include <polhode/study/exact_motion.hpp>

#include <algorithm>
#include <cmath>

#include <polhode/lie/so3.hpp>
#include <polhode/model/error.hpp>

namespace polhode {
namespace {

constexpr int most_columns = 10;      // 2, 4, ..., 20 substeps: order 20
constexpr int per_node = 12;          // of a node: x, theta, v, Omega
constexpr double most_turn = 1.4;     // of a body in a step [rad]: relative angles are then counted safely
constexpr double least_step = 1e-12;  // relative to the time covered

}  // namespace

ExactMotion::ExactMotion(const CompiledModel& model, const State& start, double tolerance, double first_step)
    : model_(model),
      system_(model.system),
      mass_(model.system),
      state_(start),
      tolerance_(tolerance),
      first_step_(first_step),
      kinks_(model.system) {
  for (const Function& function : system_.functions)
    for (const double time : function.breaks()) breaks_.push_back(time);
  std::sort(breaks_.begin(), breaks_.end());
}

State ExactMotion::state_at(const VecX& y, double t) const {
  State s = state_;
  s.t = t;
  for (int i = 0; i < system_.node_count(); ++i) {
    const auto part = y.segment<per_node>(per_node * i);
    NodeState& node = s.nodes[i];
    node.x = part.segment<3>(0);
    node.q = (state_.nodes[i].q * so3::exp(part.segment<3>(3))).normalized();
    node.v = part.segment<3>(6);
    node.Omega = part.segment<3>(9);
  }
  return s;
}

/// x' = v,  theta' = T(theta)^-1 Omega,  v' and Omega' from the equations of motion
void ExactMotion::rates(const VecX& y, double t, VecX& dy) {
  ++evaluations_;
  const State s = state_at(y, t);
  const Accelerations a = accelerations(system_, s, mass_);
  for (int i = 0; i < system_.node_count(); ++i) {
    const auto part = y.segment<per_node>(per_node * i);
    const Vec6 u_dot = system_.spread(i, a.u_dot.segment<6>(6 * i));
    dy.segment<per_node>(per_node * i) << s.nodes[i].v, so3::tangent_inverse(part.segment<3>(3)) * s.nodes[i].Omega,
        u_dot.head<3>(), s.nodes[i].q.conjugate() * Vec3(u_dot.tail<3>());
  }
}

VecX ExactMotion::multipliers() { return accelerations(system_, state_, mass_).lambda; }

/// One step H: the explicit midpoint rule with n = 2, 4, 6, ... substeps has an error in even powers of H/n, which the
/// table of
/// Aitken and Neville removes one by one, until two columns agree. `columns` returns how many were needed.
bool ExactMotion::step(double H, int& columns) {
  const int n = system_.node_count();
  VecX y0(per_node * n), f0(per_node * n), f(per_node * n);
  double speed = 0, spin = 0;
  for (int i = 0; i < n; ++i) {
    const NodeState& s = state_.nodes[i];
    y0.segment<per_node>(per_node * i) << s.x, Vec3::Zero(), s.v, s.Omega;
    speed = std::max(speed, s.v.norm());
    spin = std::max(spin, s.Omega.norm());
  }
  rates(y0, state_.t, f0);
  for (int i = 0; i < n; ++i) {  // at rest, what the step will bring counts
    speed = std::max(speed, H * f0.segment<3>(per_node * i + 6).norm());
    spin = std::max(spin, H * f0.segment<3>(per_node * i + 9).norm());
  }
  const double length = system_.length, v_scale = std::max(speed, spin * length),
               w_scale = std::max(spin, speed / length);
  const auto measure = [&](const VecX& e) {
    double largest = 0;
    for (int i = 0; i < n; ++i) {
      const auto part = e.segment<per_node>(per_node * i).cwiseAbs();
      largest = std::max({largest, part.segment<3>(0).maxCoeff() / length, part.segment<3>(3).maxCoeff()});
      if (v_scale > 0)
        largest = std::max({largest, part.segment<3>(6).maxCoeff() / v_scale, part.segment<3>(9).maxCoeff() / w_scale});
    }
    return std::isfinite(largest) && e.allFinite() ? largest : std::numeric_limits<double>::infinity();
  };

  std::vector<VecX> row, previous;
  double error_before = std::numeric_limits<double>::infinity();
  for (columns = 1; columns <= most_columns; ++columns) {
    const int substeps = 2 * columns;
    const double h = H / substeps;
    VecX before = y0, y = y0 + h * f0;
    for (int k = 1; k < substeps; ++k) {
      rates(y, state_.t + k * h, f);
      before += 2 * h * f;
      std::swap(before, y);
    }
    row.assign(1, y);
    for (int k = 1; k < columns; ++k) {
      const double ratio = static_cast<double>(columns) / (columns - k);
      row.push_back(row[k - 1] + (row[k - 1] - previous[k - 1]) / (ratio * ratio - 1));
    }
    if (columns > 1) {
      const double error = measure(row.back() - row[columns - 2]);
      if (!std::isfinite(error)) return false;
      // rounding is reached when another column no longer helps
      const bool stagnates = columns > 5 && error < 100 * tolerance_ && error > 0.5 * error_before;
      if (columns > 3 && (error <= tolerance_ || stagnates)) {
        for (int i = 0; i < n; ++i)
          if (row.back().segment<3>(per_node * i + 3).norm() > most_turn) return false;
        state_ = state_at(row.back(), state_.t + H);
        return true;
      }
      error_before = error;
    }
    std::swap(row, previous);
  }
  return false;
}

bool ExactMotion::advance(double time) {
  if (kinks_.at(state_.t)) kinks_.pass(state_);
  for (const double b : breaks_) {
    if (b <= state_.t || b >= time) continue;
    if (!advance_smoothly(b)) return false;
    if (kinks_.at(b)) kinks_.pass(state_);
  }
  return advance_smoothly(time);
}

bool ExactMotion::advance_smoothly(double time) {
  std::vector<Frame> frames;
  double fastest = 0;
  for (const NodeState& s : state_.nodes) fastest = std::max({fastest, s.Omega.norm(), s.v.norm() / system_.length});
  if (H_ <= 0) H_ = first_step_ * std::min(0.1, 0.5 / std::max(fastest, 1e-9));
  const double span = std::abs(time) + H_;
  bool split = first_step_ < 1;  // a short way, too, is taken in two
  while (state_.t < time) {
    const double left = time - state_.t;
    const bool whole = left < 1.01 * H_ && !split;
    split = false;
    const double H = whole ? left : std::min(H_, 0.6 * left);
    State before = state_;
    int columns = 0;
    if (!step(H, columns)) {
      state_ = std::move(before);
      H_ = 0.5 * H;
      if (H_ < least_step * span) return false;
      continue;
    }
    if (H == left) state_.t = time;
    system_.frames(state_, frames);
    system_.update_angles(frames, state_.angles);
    if (system_.row_count > 0) {
      project_positions(model_, state_);
      project_velocities(system_, mass_, {}, state_);
    }
    if (columns <= 6) H_ = std::max(H_, 1.5 * H);
    if (columns >= 9) H_ = std::min(H_, 0.8 * H);
  }
  return true;
}

}  // namespace polhode
