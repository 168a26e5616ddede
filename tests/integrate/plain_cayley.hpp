// A Cayley midpoint step as a textbook solves it: constant velocities as guess, a new tangent for every correction, and
// nothing that saves work. It has the functions of FastCayley and is its oracle.
#pragma once

#include <polhode/integrate/step_equations.hpp>
#include <polhode/system/mass_matrix.hpp>
#include <polhode/system/midpoint.hpp>

namespace polhode {

class PlainCayley {
 public:
  PlainCayley(const System& system, const NewtonOptions& newton, int /*substeps*/, const Resources& resources)
      : newton_(newton), eq_(system, resources), dx_(system.nodes.size()), theta_(system.nodes.size()) {}

  template <class SetInertia>
  StepReport solve(const State& state, double h, int /*substep*/, SetInertia&& set_inertia) {
    const double scale = 0.5 * h * h;
    Workspace& w = eq_.w;
    eq_.guess(state, h, scale);
    stage_ = {.start = w.start,
              .end = w.end,
              .t0 = state.t,
              .t1 = state.t + h,
              .scale = scale,
              .lambda = span(eq_.lambda),
              .given = &state};
    motion_ = {.state = &state, .h = h, .start = w.start, .end = w.end, .dx = dx_, .theta = theta_};
    return newton(
        w, NewtonTest(newton_), newton_.max_iterations, [&] { return eq_.move(state); },
        [&] {
          w.lu.matrix().set_zero();
          read_increments();
          for (int i = 0; i < w.system.node_count(); ++i)
            set_inertia(i, motion_, NodeOut{w.force[i], w.plan, &w.lu.matrix()});
          add_tied_midpoint(w.system, motion_, w.force, &w.lu.matrix());
          eq_.add_model(stage_);
        },
        [&] { return eq_.correct(); });
  }

  template <class Update>
  void finish(State& state, Update&& update) {
    const Workspace& w = eq_.w;
    state.lambda = eq_.lambda / stage_.scale;
    add_work(w.system,
             {.start = w.start,
              .end = w.end,
              .t0 = stage_.t0,
              .t1 = stage_.t1,
              .lambda = span(state.lambda),
              .given = &state},
             state.work);
    read_increments();
    for (int i = 0; i < w.system.node_count(); ++i) update(i, motion_, state.nodes[i]);
    state.t = stage_.t1;
    w.system.update_angles(w.end, state.angles);
  }

 private:
  void read_increments() {
    for (std::size_t i = 0; i < dx_.size(); ++i) dx_[i] = eq_.x[i].head<3>(), theta_[i] = eq_.x[i].tail<3>();
  }

  NewtonOptions newton_;
  StepEquations<CayleyMap> eq_;
  std::vector<Vec3> dx_, theta_;
  Stage stage_;
  MidpointMotion motion_;
};

}  // namespace polhode
