#include <polhode/integrate/geradin.hpp>

#include <cmath>
#include <utility>

#include <Eigen/LU>

#include <polhode/integrate/newton.hpp>

namespace polhode {
namespace {

/// The conformal rotation vector a of Euler parameters e: e = a/(4 - a0), a0 = 2 - |a|^2/8.
Vec3 euler_of(const Vec3& a) { return a / (2 + a.squaredNorm() / 8); }
Mat3 euler_by_conformal(const Vec3& a) {
  const double d = 2 + a.squaredNorm() / 8;
  return Mat3::Identity() / d - a * a.transpose() / (4 * d * d);
}
Vec3 conformal_of(const Vec3& e) {  // tan(phi/4) = |a|/4
  return 4 / (1 + std::sqrt(1 - e.squaredNorm())) * e;
}

/// e in space, the axis times sin(phi/2), of the rotation of the step: R1 = G(e)^2 R0, Rm = G(e) R0. With u = (dx, 2 e)
/// the 12 natural coordinates change by P(qh) u exactly, qh = (mean x, Rm), so that forces P(qh)^T dz(qm)^T sigma* keep
/// energy.
///   corrected:  R1 J Om1 - R0 J Om0 + h M = 0,   Om1 = (4/h) R0^T e - Om0
///   published:  2 Rm J R0^T e - h pi0 + (h^2/2) M = 0,   pi1 = (4/h) Rm J R0^T e - pi0   (M: moments of the forces)
class Geradin final : public Integrator {
 public:
  Geradin(const System& system, const NewtonOptions& newton, const GeradinOptions& options, const Resources& resources)
      : system_(system),
        newton_(newton),
        published_(options.variant == GeradinOptions::Variant::published),
        conformal_(options.parameters == GeradinOptions::Parameters::conformal),
        w_(system, 1, resources),
        arm_(system.nodes.size() + 1) {
    dx_.resize(system.nodes.size());
    e_.resize(system.nodes.size());
    variant_.arm = arm_;
  }

  void start(State&, double) override {}
  bool multipliers_at_end() const override { return false; }

  StepReport step(State& state, double h) override {
    const int n = system_.node_count();
    const double scale = 0.5 * h * h, t1 = state.t + h;
    system_.frames(state, w_.start);
    w_.end.back() = arm_.back() = Frame{};
    for (int i = 0; i < n; ++i) {
      dx_[i] = h * state.nodes[i].v;
      e_[i] = 0.5 * h * (w_.start[i].d * state.nodes[i].Omega);
      if (e_[i].norm() > 0.9) e_[i] *= 0.9 / e_[i].norm();
    }
    lambda_ = scale * state.lambda;
    first_ = true;
    const Stage stage{.start = w_.start,
                      .end = w_.end,
                      .t0 = state.t,
                      .t1 = t1,
                      .scale = scale,
                      .lambda = span(lambda_),
                      .given = &state,
                      .variant = &variant_};
    // The tangent leaves out how the half rotation varies: convergence is linear, and the ratio of the first two
    // corrections, of which one is quadratic, promises too much
    const NewtonOptions stricter{
        .tolerance = NewtonConstants::stricter_after_quadratic_start * newton_.tolerance,
        .max_iterations = NewtonConstants::iterations_of_linear_convergence * newton_.max_iterations};
    const StepReport report = newton(
        w_, NewtonTest(stricter, false).with_rounding_at(system_, state), stricter.max_iterations,
        [&] { return move(state); }, [&] { assemble(state, h, stage); }, [&] { return correct(); });
    if (!report.converged) return report;
    lambda_ /= scale;
    add_work(system_,
             {.start = w_.start, .end = w_.end, .t0 = state.t, .t1 = t1, .lambda = span(lambda_), .given = &state},
             state.work);
    for (int i = 0; i < n; ++i) {
      NodeState& s = state.nodes[i];
      const Node& node = system_.nodes[i];
      if (node.rotates()) {
        const BodyInertia& body = system_.inertia[i];
        const Vec3 pi0 = w_.start[i].d * body.spin(s.Omega);
        s.Omega = published_ ? Vec3(body.inverse().bottomRightCorner<3, 3>() *
                                    (w_.end[i].d.transpose() * ((4 / h) * pushed(i, e_[i]) - pi0)))
                             : Vec3((4 / h) * (w_.start[i].d.transpose() * e_[i]) - s.Omega);
      }
      s.v = (2 / h) * dx_[i] - s.v;
      s.x += dx_[i];
      s.q = (rotation(e_[i]) * s.q).normalized();
    }
    state.t = t1;
    state.lambda = lambda_;
    system_.update_angles(w_.end, state.angles);
    return report;
  }

 private:
  static Quaternion rotation(const Vec3& e) { return {std::sqrt(1 - e.squaredNorm()), e.x(), e.y(), e.z()}; }
  /// Rm J R0^T e
  Vec3 pushed(int i, const Vec3& e) const { return arm_[i].d * system_.inertia[i].spin(w_.start[i].d.transpose() * e); }

  /// q1, qm and qh of the present dx and e; false if a body would have to turn by pi or more.
  bool move(const State& state) {
    for (int i = 0; i < system_.node_count(); ++i) {
      const Node& node = system_.nodes[i];
      w_.end[i] = w_.start[i];
      if (node.translates()) w_.end[i].x = state.nodes[i].x + dx_[i];
      arm_[i] = w_.end[i];
      if (node.rotates()) {
        if (!(e_[i].squaredNorm() < 1)) return false;
        const Quaternion turn = rotation(e_[i]);
        w_.end[i].d = (turn * state.nodes[i].q).toRotationMatrix();
        const Quaternion half(1 + turn.w(), turn.x(), turn.y(), turn.z());
        arm_[i].d = (half.normalized() * state.nodes[i].q).toRotationMatrix();
      }
      arm_[i].x = mean(w_.start[i], w_.end[i]).x;
    }
    return true;
  }

  /// theta = D d(2e) at the end of the step, D = e0 + e e^T/e0 + e~
  static Mat3 D(const Vec3& e) {
    const double e0 = std::sqrt(1 - e.squaredNorm());
    return e0 * Mat3::Identity() + e * e.transpose() / e0 + hat(e);
  }

  void assemble(const State& state, double h, const Stage& stage) {
    BlockMatrix& A = w_.lu.matrix();
    A.set_zero(w_.division);
    const int n = system_.node_count();
    for (int i = 0; i < n; ++i) {
      const BodyInertia& body = system_.inertia[i];
      const Mat3 &R0 = w_.start[i].d, &R1 = w_.end[i].d, &Rm = arm_[i].d;
      Mat6 K = Mat6::Zero();
      w_.force[i].setZero();
      w_.force[i].head<3>() = body.moved * (dx_[i] - h * state.nodes[i].v);
      K.topLeftCorner<3, 3>() = body.moved * Mat3::Identity();
      if (body.rotates) {
        const Mat3 D_inverse = D(e_[i]).inverse();
        const Vec3 half = 0.5 * h * state.nodes[i].Omega;
        if (published_) {
          const Vec3 momentum = 2 * pushed(i, e_[i]);
          w_.force[i].tail<3>() = momentum - 2 * (R0 * body.spin(half));
          K.bottomRightCorner<3, 3>() = body.carried(Rm, R0) * D_inverse - 0.5 * hat(momentum);
        } else {
          const Vec3 pi1 = R1 * body.spin(2 * (R0.transpose() * e_[i]) - half);  // (h/2) R1 J Om1
          w_.force[i].tail<3>() = pi1 - R0 * body.spin(half);
          K.bottomRightCorner<3, 3>() = body.carried(R1, R0) * D_inverse - hat(pi1);
        }
      }
      system_.add_node_block(i, K, w_.plan, A);
    }
    w_.force[n].setZero();
    w_.evaluate(stage);
    w_.set_rhs();
    if (!w_.lu.closes()) return;
    w_.lu.expect_error(std::sqrt(w_.residual()));
    if (std::exchange(first_, false)) ask_for_multipliers(system_, A, lambda_, w_.rhs);
  }

  double correct() {
    Correction size;
    for (int i = 0; i < system_.node_count(); ++i) {
      const Vec6 delta = system_.spread(i, w_.rhs.segment<6>(6 * i));
      dx_[i] += delta.head<3>();
      const Vec3 de = 0.5 * (D(e_[i]).inverse() * delta.tail<3>());
      if (conformal_) {
        const Vec3 a = conformal_of(e_[i]);
        e_[i] = euler_of(a + euler_by_conformal(a).inverse() * de);
      } else {
        e_[i] += de;
      }
      size.add(delta);
    }
    lambda_ += w_.rhs.tail(system_.row_count);
    return size.size(system_.length);
  }

  const System& system_;
  NewtonOptions newton_;
  bool published_, conformal_;
  Workspace w_;
  std::vector<Frame> arm_;
  Variant variant_;
  std::vector<Vec3> dx_, e_;
  VecX lambda_;
  bool first_ = true;  ///< iteration of a step
};

}  // namespace

std::unique_ptr<Integrator> make_geradin(const System& system, const NewtonOptions& newton,
                                         const GeradinOptions& options, const Resources& resources) {
  return std::make_unique<Geradin>(system, newton, options, resources);
}

Method geradin_method() {
  return MethodOf<GeradinOptions>{
      .name = "geradin",
      .summary = "midpoint rule with half rotations, as in Geradin's top",
      .order = "2",
      .conserves =
          "constraints at position level; corrected: energy too; published: energy to second order only. "
          "Angular momentum of models with joints to second order only",
      .use = "reproducing the paper and comparing; energy-momentum conserves more. At most 2 rad a step",
      .source = "Geradin; energy corrected as in docs/methods/geradin.md",
      .why_not = [](const System& system, const GeradinOptions&) { return why_not_tied("geradin", system); },
      .make = make_geradin};
}

}  // namespace polhode
