// What the explicit momentum algorithms share: places, rates and momenta of all nodes, moves, kicks, limits of the
// step.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include <polhode/integrate/explicit_momentum.hpp>
#include <polhode/lie/so3.hpp>

namespace polhode {

/// Symbols of Hulbert 1992, with translations beside the rotations: Theta the increment of a step, W the rates, A their
/// derivatives, P spatial momenta. Functions write into their last argument, so that a step allocates nothing.
class Explicit : public Integrator {
 public:
  Explicit(const System& system, Impulse impulse);
  bool multipliers_at_end() const final { return true; }
  std::optional<std::string> why_not(const State& state, double h) const final;
  StepReport step(State& state, double h) final;

 protected:
  /// Places of all nodes: x, and the rotation Lambda.
  struct Places {
    std::vector<Vec3> x;
    std::vector<Quaternion> Lambda;
  };
  /// A vector for each node: momenta (p, pi) in space, or rates (dx/dt, Omega in the body).
  using Vectors = std::vector<Vec6>;

  /// How far a body may turn in a step about an axis whose inertia is `ratio` times the smallest one across it, and for
  /// whom.
  struct SpinLimit {
    const char* method;
    double (*angle)(double ratio);
  };
  virtual SpinLimit spin_limit() const = 0;
  /// One step: state, memory included, to t + h. The time and the angles are counted on by step().
  virtual void advance(State& state, double h) = 0;

  void read(const State& state, Places& q, Vectors& W) const;
  void put(const Places& q, const Vectors& W, State& state) const;

  /// q1 = q o map(Theta), Theta a function of the node
  template <auto map = so3::exp, class Increment>
  void move(const Places& q, Increment Theta, Places& q1) const {
    q1 = q;
    for (int i = 0; i < n_; ++i) {
      const Vec6 theta = Theta(i);
      if (system_.nodes[i].translates()) q1.x[i] += theta.template head<3>();
      if (system_.nodes[i].rotates()) q1.Lambda[i] = q.Lambda[i] * map(theta.template tail<3>());
    }
  }

  void momenta(const Places& q, const Vectors& W, Vectors& P) const;  ///< P = (m v, Lambda J Omega)
  void rates(const Places& q, const Vectors& P, Vectors& W) const;    ///< and back

  /// Force and torque m in space on every node at q, with rates W; what is given as a function of time, as its mean
  /// over
  /// [t0, t1]: times t1 - t0 it is the exact impulse of a load that jumps.
  void forces(const Places& q, const Vectors& W, double t0, double t1, const State& state, Vectors& m);
  /// P += weight m
  void kick(double weight, const Places& q, const Vectors& W, double t0, double t1, const State& state, Vectors& P);

  /// A = dW/dt at the start.
  void accelerations_at_start(const State& state, Vectors& A) const;

  /// Memory: the step, then vectors one after the other.
  void remember(State& state, double h, std::initializer_list<const Vectors*> parts) const;
  void recall(const State& state, int part, Vectors& out) const;

  const System& system_;
  const Impulse impulse_;
  const int n_;
  std::vector<Mat3> J_inverse_;  ///< of every node; zero if it does not rotate
  bool rates_act_ = false;       ///< some force depends on velocities: a damper, or what a program computes

 private:
  std::vector<Frame> frames_, start_, end_;
  Vectors force_, V_, m_;
  State trial_;
};

std::unique_ptr<Integrator> make_staggered(const System& system, Impulse impulse);
std::unique_ptr<Integrator> make_park_chiou_downer(const System& system);

}  // namespace polhode
