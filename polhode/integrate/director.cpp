#include <polhode/integrate/director.hpp>

#include <cmath>

#include <Eigen/LU>

#include <polhode/integrate/newton.hpp>
#include <polhode/system/natural.hpp>

namespace polhode {
namespace {

using Vec9 = Eigen::Matrix<double, 9, 1>;
using Mat9 = Eigen::Matrix<double, 9, 9>;
using Mat39 = Eigen::Matrix<double, 3, 9>;
using Mat69 = Eigen::Matrix<double, 6, 9>;
using Mat24 = Eigen::Matrix<double, 24, 24>;

// ---- The paper's matrices of the nine numbers q1, q2, q3: of its G and C the part that acts on directors

/// (8) with the factor of (7): Omega = G(q) dq/dt for orthonormal q. G(q) p = -G(p) q.
Mat39 G(const Vec9& q) {
  const auto q1 = q.segment<3>(0).transpose(), q2 = q.segment<3>(3).transpose(), q3 = q.segment<3>(6).transpose();
  Mat39 g = Mat39::Zero();
  g.block<1, 3>(0, 3) = 0.5 * q3, g.block<1, 3>(0, 6) = -0.5 * q2;
  g.block<1, 3>(1, 0) = -0.5 * q3, g.block<1, 3>(1, 6) = 0.5 * q1;
  g.block<1, 3>(2, 0) = 0.5 * q2, g.block<1, 3>(2, 3) = -0.5 * q1;
  return g;
}

/// (5): the gradient of e, the strains of (3). C(q) p = C(p) q.
Mat69 C(const Vec9& q) {
  const auto q1 = q.segment<3>(0).transpose(), q2 = q.segment<3>(3).transpose(), q3 = q.segment<3>(6).transpose();
  Mat69 c = Mat69::Zero();
  c.block<1, 3>(0, 0) = q1;
  c.block<1, 3>(1, 3) = q2;
  c.block<1, 3>(2, 6) = q3;
  c.block<1, 3>(3, 3) = q3, c.block<1, 3>(3, 6) = q2;
  c.block<1, 3>(4, 0) = q3, c.block<1, 3>(4, 6) = q1;
  c.block<1, 3>(5, 0) = q2, c.block<1, 3>(5, 3) = q1;
  return c;
}

/// The matrices with G(q)^T a = G_transposed(a) q and C(q)^T gamma = C_transposed(gamma) q.
Mat9 G_transposed(const Vec3& a) { return on_vectors<3>(0.5 * hat(a).transpose()); }
Mat9 C_transposed(const Vec6& gamma) {
  Mat3 symmetric;
  symmetric << gamma[0], gamma[5], gamma[4], gamma[5], gamma[1], gamma[3], gamma[4], gamma[3], gamma[2];
  return on_vectors<3>(symmetric);
}

/// What a node can do: the inverse inertia of (13), and which forces move it. All bodies of the paper are free.
struct NaturalInertia {
  Mat3 M_inverse = Mat3::Zero(), J4_inverse = Mat3::Zero();  ///< 1/M and 4 J^-1
  Mat3 translates = Mat3::Zero();                            ///< projector on the directions in which it can move
  bool rotates = false;

  NaturalInertia(const Node& node, const BodyInertia& body) : rotates(node.rotates()) {
    if (node.kind == Node::Kind::sliding)
      translates = node.axis * node.axis.transpose();
    else if (node.translates())
      translates.setIdentity();
    if (node.translates()) M_inverse = translates / body.moved;
    J4_inverse = 4 * body.inverse().bottomRightCorner<3, 3>();
  }
};

/// A body at the end of the step, its equations and their tangents. Time is counted in half steps, so that h is 2:
/// momenta are multiplied by h/2, multipliers and forces by h^2/2, and all blocks are of order 1.
struct Body {
  Vec12 q0, p0, q, p;
  Vec12 r_q, r_p;
  Mat12 projector;  ///< on what forces can do to p
  Mat24 K;          ///< derivatives of (r_q, r_p) by (q, p) at constant f

  /// f: dV* + (dPhi*)^T lambda.
  void equations(const NaturalInertia& inertia, const Vec12& f) {
    constexpr double h = 2;
    const Vec9 q_mean = 0.5 * (q0 + q).tail<9>(), p_mean = 0.5 * (p0 + p).tail<9>();
    const Vec9 q1 = q.tail<9>(), p1 = p.tail<9>(), f_q = inertia.rotates ? Vec9(f.tail<9>()) : Vec9::Zero();
    const Mat39 G_q = G(q_mean), G_p = G(p_mean);
    const Mat69 C_q = C(q_mean), C_p = C(p_mean);
    const Mat6 CC_inverse = (C_q * C_q.transpose()).inverse();
    const Mat9 Pi = Mat9::Identity() - C_q.transpose() * CC_inverse * C_q;
    // the mean of the products; that of G(p) q is -Gq_p
    const Vec3 Gq_p = 0.5 * (G(q0.tail<9>()) * p0.tail<9>() + G(q1) * p1);
    const Vec3 a = inertia.J4_inverse * Gq_p;  // if q is orthonormal: twice the mean of Omega

    // (23)  dq = h G(q_mean)^T J^-1 mean(G(q) p)
    const Vec9 u = G_q.transpose() * a;
    r_q.head<3>() = (q - q0).head<3>() - 0.5 * h * (inertia.M_inverse * (p0 + p).head<3>());
    r_q.tail<9>() = (q - q0).tail<9>() - h * u;
    // (28)  gamma0 = (C C^T)^-1 [C(q_mean) G(p_mean)^T + C(p_mean) G(q_mean)^T] J0^-1 mean(G(p) q)
    const Vec9 v = G_p.transpose() * a;
    const Vec6 gamma0 = -h * (CC_inverse * (C_q * v + C_p * u));
    // (27)  dp = -h G(p_mean)^T J0^-1 mean(G(p) q) + h C(q_mean)^T gamma0 - h Pi [dV* + (dPhi*)^T lambda]
    r_p.head<3>() = (p - p0).head<3>() + inertia.translates * f.head<3>();
    r_p.tail<9>() = (p - p0).tail<9>() - h * v - C_q.transpose() * gamma0 + Pi * f_q;
    projector.setZero();
    projector.topLeftCorner<3, 3>() = inertia.translates;
    if (inertia.rotates) projector.bottomRightCorner<9, 9>() = Pi;

    // Tangents. All of gamma is gamma0 and what the projection takes away: r_p = dp - h v + f - C^T gamma
    const Vec6 gamma = gamma0 + CC_inverse * (C_q * f_q);
    const Vec9 rest = f_q - h * v - C_q.transpose() * gamma;
    const Mat39 a_q = -0.5 * inertia.J4_inverse * G(p1), a_p = 0.5 * inertia.J4_inverse * G(q1);
    const Mat9 half_turn = 0.5 * G_transposed(a);
    const Mat9 u_q = half_turn + G_q.transpose() * a_q, u_p = G_q.transpose() * a_p;
    const Mat9 v_q = G_p.transpose() * a_q, v_p = half_turn + G_p.transpose() * a_p;
    const auto CC_C = (C_q.transpose() * CC_inverse).eval();
    K.setIdentity();
    K.block<3, 3>(0, 12) = -0.5 * h * inertia.M_inverse;
    K.block<9, 9>(3, 3) -= h * u_q;
    K.block<9, 9>(3, 15) = -h * u_p;
    K.block<9, 9>(15, 3) = -Pi * (h * v_q + 0.5 * C_transposed(gamma)) - CC_C * (0.5 * C(rest) - h * C_p * u_q);
    K.block<9, 9>(15, 15) += -h * Pi * v_p + h * CC_C * (0.5 * C(u) + C_p * u_p);
  }
};

// ---- Table 1

class Director final : public Integrator {
 public:
  Director(const System& system, const NewtonOptions& newton, const Resources& resources)
      : system_(system),
        newton_(newton),
        resources_(resources),
        lu_(pattern(system), system.division(resources.pool.get())) {
    const std::size_t n = system.nodes.size();
    for (std::size_t i = 0; i < n; ++i) inertia_.emplace_back(system.nodes[i], system.inertia.bodies[i]);
    bodies_.resize(n);
    for (auto* frames : {&start_, &end_}) frames->resize(n + 1);
    f_.resize(n + 1);
    phi_ = VecX::Zero(system.row_count);
    rhs_ = VecX::Zero(lu_.matrix().rows());
  }

  bool multipliers_at_end() const override { return false; }

  /// The memory is q and p of each body, 24 numbers: (12)  p = G^T J G dq/dt.
  void start(State& state, double) override {
    state.memory.resize(24 * system_.node_count());
    for (int i = 0; i < system_.node_count(); ++i) {
      const NodeState& s = state.nodes[i];
      const BodyInertia& body = system_.inertia[static_cast<int>(i)];
      const Vec12 q = natural(frame(s));
      Vec12 p;
      p << body.moved * s.v, G(q.tail<9>()).transpose() * body.spin(s.Omega);
      state.memory.segment<24>(24 * i) << q, p;
    }
  }

  StepReport step(State& state, double h) override {
    const int n = system_.node_count();
    const double scale = 0.5 * h * h, t1 = state.t + h;
    // prediction: all unknowns as they were
    for (int i = 0; i < n; ++i) {
      Body& body = bodies_[i];
      body.q = body.q0 = state.memory.segment<12>(24 * i);
      body.p = body.p0 = 0.5 * h * state.memory.segment<12>(24 * i + 12);
      start_[i] = frame(body.q0);
    }
    start_[n] = end_[n] = Frame{};
    lambda_ = scale * state.lambda;

    const Stage stage{.start = start_,
                      .end = end_,
                      .t0 = state.t,
                      .t1 = t1,
                      .scale = scale,
                      .lambda = span(lambda_),
                      .given = &state};
    NewtonTest stagnation =
        NewtonTest({.tolerance = 0, .max_iterations = newton_.max_iterations}).with_rounding_at(system_, state);
    StepReport report;
    while (!report.converged && report.iterations < newton_.max_iterations) {
      ++report.iterations;
      const double r = assemble(h, stage);
      const double phi = phi_.size() > 0 ? phi_.cwiseAbs().maxCoeff() / std::max(1.0, system_.length) : 0.0;
      if (lu_.closes()) {
        lu_.expect_error(std::sqrt(phi));
        if (report.iterations == 1) ask_for_multipliers(system_, lu_.matrix(), lambda_, rhs_);
      }
      if (!solve(h, stage)) break;
      report.error = correct();  // the update comes before the test
      if (stagnation.diverges(report.error)) break;
      report.converged = stagnation.accepts(report.error, phi) || r <= newton_.tolerance;
    }
    if (!report.converged) {
      name_the_worst(system_, phi_, report);
      return report;
    }

    move();
    lambda_ /= scale;
    add_work(system_, {.start = start_, .end = end_, .t0 = state.t, .t1 = t1, .lambda = span(lambda_), .given = &state},
             state.work);
    for (int i = 0; i < n; ++i) {
      NodeState& s = state.nodes[i];
      const Node& node = system_.nodes[i];
      const Vec12 &q = bodies_[i].q, p = (2 / h) * bodies_[i].p;
      state.memory.segment<24>(24 * i) << q, p;
      s.x = q.head<3>();
      s.v = inertia_[i].M_inverse * p.head<3>();
      if (!node.rotates()) continue;
      const Quaternion turned = Quaternion(end_[i].d).normalized();
      s.q = turned.dot(s.q) < 0 ? Quaternion(-turned.coeffs()) : turned;
      s.Omega = 0.5 * (inertia_[i].J4_inverse * (G(q.tail<9>()) * p.tail<9>()));  // G p = J Omega / 2
    }
    state.t = t1;
    state.lambda = lambda_;
    system_.update_angles(end_, state.angles);
    return report;
  }

 private:
  /// 24 unknowns (q, p) a body, and the multipliers.
  static BlockPattern pattern(const System& system) {
    BlockPattern out = system.plan(1).pattern;
    for (int i = 0; i < system.node_count(); ++i) out.groups[i].size = 24;
    return out;
  }

  void move() {
    for (int i = 0; i < system_.node_count(); ++i) end_[i] = frame(bodies_[i].q);
  }

  /// Fills the matrix and the right-hand side; the norm of the residual (30), as in the paper: all units as one.
  double assemble(double h, const Stage& stage) {
    const int n = system_.node_count();
    BlockMatrix& A = lu_.matrix();
    A.set_zero();
    move();
    std::fill(f_.begin(), f_.end(), Vec12::Zero());
    evaluate_natural(system_, stage, f_, span(phi_), {&A, 12, 0});
    double square = phi_.squaredNorm();
    for (int i = 0; i < n; ++i) {
      Body& body = bodies_[i];
      body.equations(inertia_[i], f_[i]);
      rhs_.segment<24>(24 * i) << -body.r_q, -body.r_p;
      square += body.r_q.squaredNorm() + 4 / (h * h) * body.r_p.squaredNorm();
    }
    rhs_.tail(system_.row_count) = -phi_;
    // the matrix holds how f varies; p feels its projection
    A.for_each_block([&](int i, int j, Slot slot) {
      if (i >= n) return;
      for (int k = 0; k < A.size(j); ++k) {
        Eigen::Map<Vec12> column(A.values().data() + slot + 24 * k + 12);
        column = (bodies_[i].projector * column).eval();
      }
    });
    for (int i = 0; i < n; ++i) Eigen::Map<Mat24>(A.values().data() + A.find(i, i)) += bodies_[i].K;
    return std::sqrt(square);
  }

  bool solve(double h, const Stage& stage) {
    if (lu_.factor()) {
      lu_.solve(rhs_);
    } else {
      assemble(h, stage);
      if (!solve_sparse(system_, lu_, rhs_)) return false;
    }
    return rhs_.allFinite();
  }

  /// u = u + du; the size of the correction: lengths relative to the size of the model, and directors.
  double correct() {
    double length = 0, director = 0;
    for (int i = 0; i < system_.node_count(); ++i) {
      const Vec12 dq = rhs_.segment<12>(24 * i);
      bodies_[i].q += dq;
      bodies_[i].p += rhs_.segment<12>(24 * i + 12);
      length = std::max(length, dq.head<3>().norm());
      director = std::max(director, dq.tail<9>().norm());
    }
    lambda_ += rhs_.tail(system_.row_count);
    return std::max(length / system_.length, director);
  }

  const System& system_;
  NewtonOptions newton_;
  Resources resources_;
  BlockLU lu_;
  std::vector<NaturalInertia> inertia_;
  std::vector<Body> bodies_;
  std::vector<Frame> start_, end_;
  std::vector<Vec12> f_;
  VecX phi_, rhs_, lambda_;
};

}  // namespace

std::unique_ptr<Integrator> make_director(const System& system, const NewtonOptions& newton,
                                          const Resources& resources) {
  return std::make_unique<Director>(system, newton, resources);
}

Method director_method() {
  return MethodOf<NoOptions>{
      .name = "director",
      .summary = "Nielsen and Krenk's scheme as published, in 12 directors and 12 momenta a body",
      .order = "2",
      .conserves =
          "energy, linear and angular momentum, constraints at position level, orthonormal directors; all to "
          "round-off",
      .use =
          "reproducing the paper, and checking energy-momentum, which is the same motion from 6 unknowns a body "
          "instead of 24. newton.tolerance is the paper's bound on the norm of the residual",
      .source = "Nielsen & Krenk 2013",
      .why_not = [](const System& system, const NoOptions&) { return why_not_tied("director", system); },
      .make = [](const System& system, const NewtonOptions& newton, const NoOptions&,
                 const Resources& resources) { return make_director(system, newton, resources); }};
}

}  // namespace polhode
