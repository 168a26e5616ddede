#include <polhode/integrate/generalized_alpha.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <polhode/integrate/newton.hpp>
#include <polhode/lie/so3.hpp>
#include <polhode/system/constrained_mass.hpp>

namespace polhode {
namespace {

using Update = GeneralizedAlphaOptions::Update;

/// What the options say of the motion of a step and of its equations.
struct StepForm {
  LocalMotionChoice motion;
  int factors = 1;  ///< 1: q_n o exp(all); 2: q_n o exp(h v_n) o exp(rest); 3: three factors (geom1, geom2, geom3)
  int index = 2;
  bool mass_metric = true;  ///< of index 2: the configuration is shifted by M^-1 B^T eta; false: by B^T eta, as printed
  bool improved_start = true;

  explicit StepForm(const GeneralizedAlphaOptions& options)
      : motion{options.group, options.update == Update::cayley            ? LocalMotionChoice::Map::cayley
                              : options.update == Update::rotation_vector ? LocalMotionChoice::Map::rotation_vector
                                                                          : LocalMotionChoice::Map::exponential},
        factors(options.update == Update::exp2   ? 2
                : options.update == Update::exp3 ? 3
                                                 : 1),
        index(options.index == GeneralizedAlphaOptions::Index::velocity ? 2 : 3),
        mass_metric(options.metric == GeneralizedAlphaOptions::Metric::mass),
        improved_start(options.start == GeneralizedAlphaOptions::Start::improved) {}
};

/// alpha_m, alpha_f, gamma, beta in the convention of Chung & Hulbert 1993.
struct Parameters {
  double alpha_m = 0, alpha_f = 0, gamma = 0.5, beta = 0.25;

  explicit Parameters(const GeneralizedAlphaOptions& options) {
    using Settings = GeneralizedAlphaOptions::Settings;
    const double r = options.rho_inf, alpha = (1 - r) / (1 + r);
    switch (options.settings) {
      case Settings::chung_hulbert:
        alpha_m = (2 * r - 1) / (r + 1);
        alpha_f = r / (r + 1);
        break;
      case Settings::hht: alpha_f = alpha; break;
      case Settings::newmark: gamma = 0.5 + alpha; break;
      case Settings::trapezoidal: break;
    }
    gamma += alpha_f - alpha_m;
    beta = 0.25 * std::pow(gamma + 0.5, 2);
  }
};

/// Symbols of Bruls & Cardona 2010: velocities v on the group, increments x of the configuration, q = q* o exp(x), a
/// the auxiliary accelerations. The memory of a state is (a, dv/dt, h): 6 + 6 numbers a node and 1.
///
/// Newton's unknowns are the spatial variations delta of the configuration at the end of the step, in which all
/// elements give their tangents; the increment follows by delta x = A delta. Balances are multiplied by 1/b' = beta h^2
/// (1 - alpha_f)/(1 - alpha_m), multipliers divided by it: all blocks are of order 1 in h.
class GeneralizedAlpha final : public Integrator {
 public:
  GeneralizedAlpha(const System& system, const NewtonOptions& newton, const GeneralizedAlphaOptions& options,
                   const Resources& resources)
      : system_(system),
        newton_(newton),
        options_(options),
        p_(options),
        w_(system, options_.index == 2 ? 2 : 1, resources),
        mass_(system, w_.pool()) {
    const std::size_t n = system.nodes.size();
    x_.resize(n);
    rate_.resize(n);
    second_.resize(n);
    shift_.resize(n);
    a_plus_.resize(n);
    x_star_.resize(n);
    q_star_.resize(n);
    motion_.resize(n);
    V_.resize(n + 1);
    dV_.resize(n + 1);
    metric_.assign(n, Mat6::Identity());
    sharing_.resize(n);
    for (int i = 0; i < system.node_count(); ++i)
      least_lambda_ = std::max(least_lambda_, NewtonConstants::no_multiplier * system.length *
                                                  std::max(system.inertia[i].moved,
                                                           system.inertia[i].J.norm() / system.length / system.length));
    eta_ = VecX::Zero(system.row_count);
    velocity_residual_ = VecX::Zero(system.row_count);
    for (int c = 0; c < static_cast<int>(system.blocks.size()); ++c)
      for (std::size_t k = 0; k < system.blocks[c].nodes.size(); ++k)
        sharing_[system.blocks[c].nodes[k]].emplace_back(c, k);
    system.elements.for_each_law(
        [&](const LawArray& laws, int k) { damped_ = damped_ || !laws.properties(k).damping.isZero(); });
  }

  bool multipliers_at_end() const override { return true; }

  void start(State& state, double h) override {
    const VecX v_dot = begin(state, h);
    if (options_.improved_start) improve_velocities(state, h, improve_accelerations(state, h, v_dot));
  }
  /// Velocities stay: what start() adds to them is the error of an increment, once.
  void restart(State& state, double h) override {
    const VecX v_dot = begin(state, h);
    if (options_.improved_start) improve_accelerations(state, h, v_dot);
  }

  StepReport step(State& state, double h) override {
    const int n = system_.node_count();
    const double b = (1 - p_.alpha_m) / (p_.beta * h * h * (1 - p_.alpha_f)),
                 g = p_.gamma / (p_.beta * h);  // b', gamma'
    const double t1 = state.t + h;
    system_.frames(state, w_.start, w_.pool());
    w_.end.back() = Frame{};
    V_[n].setZero();
    dV_[n].setZero();
    if (options_.index == 2) {
      system_.jacobian(w_.start, state.angles, B_start_, w_.pool());
      if (options_.mass_metric)
        for (int i = 0; i < n; ++i) metric_[i] = system_.inertia[i].inverse(w_.start[i].d);
    }
    for (int i = 0; i < n; ++i) predict(i, state, h, b, g);
    lambda_ = state.lambda / b;
    eta_.setZero();

    const Stage stage{.start = w_.end,
                      .end = w_.end,
                      .t0 = t1,
                      .t1 = t1,
                      .scale = 1 / b,
                      .lambda = span(lambda_),
                      .given = &state,
                      .pointwise = true,
                      .V = V_,
                      .dV = dV_};
    const bool exact = options_.index == 3 || !damped_;  // see add_velocity_level
    const StepReport report = newton(
        w_, NewtonTest(newton_, exact).with_rounding_at(system_, state), newton_.max_iterations,
        [&] { return move(g, b); }, [&] { assemble(state, h, stage); }, [&] { return correct(b, g); });
    if (!report.converged) return report;
    lambda_ *= b;
    mean_lambda_ = 0.5 * (state.lambda + lambda_);
    add_work(system_,
             {.start = w_.start, .end = w_.end, .t0 = state.t, .t1 = t1, .lambda = span(mean_lambda_), .given = &state},
             state.work);
    for (int i = 0; i < n; ++i) {
      NodeState& s = state.nodes[i];
      const LocalMotion& end = motion_[i];
      s.x = end.frame.x;
      s.q = end.q.normalized();
      set_group_velocity(system_.nodes[i], options_.motion, end.v, s);
      // a_{n+1} = a+ + (1 - alpha_f)/(1 - alpha_m) dv/dt_{n+1}
      Vec6 a = a_plus_[i] + (1 - p_.alpha_f) / (1 - p_.alpha_m) * second_[i];
      if (options_.motion.map == LocalMotionChoice::Map::rotation_vector) recentre(i, a);
      state.memory.segment<6>(6 * i) = a;
      state.memory.segment<6>(6 * (n + i)) = end.v_dot;
    }
    state.memory[12 * n] = h;
    state.t = t1;
    state.lambda = lambda_;
    system_.update_angles(w_.end, state.angles);
    return report;
  }

 private:
  /// dv/dt = 0, a+ = (alpha_f dv/dt_n - alpha_m a_n)/(1 - alpha_m), v and x accordingly; then on to constant
  /// acceleration, which changes no root.
  void predict(int i, const State& state, double h, double b, double g) {
    const int n = system_.node_count();
    const Node& node = system_.nodes[i];
    const Vec6 v_dot_n = state.memory.segment<6>(6 * (n + i));
    // a_n belongs to t_n + (alpha_m - alpha_f) h: with another step it is moved there
    const Vec6 a_n = v_dot_n + h / state.memory[12 * n] * (state.memory.segment<6>(6 * i) - v_dot_n);
    const Vec6 a_plus = (p_.alpha_f * v_dot_n - p_.alpha_m * a_n) / (1 - p_.alpha_m);
    const Vec6 v_n = group_velocity(node, options_.motion, state.nodes[i]);
    const Vec6 by_v = h * v_n, by_a = h * h * (0.5 - p_.beta) * a_n, rest = p_.beta * h * h * a_plus;
    x_star_[i] = state.nodes[i].x;
    q_star_[i] = state.nodes[i].q;
    x_[i] = rest;
    if (options_.factors == 1) {
      x_[i] += by_v + by_a;
    } else {
      move_by(node, options_.motion, by_v, x_star_[i], q_star_[i]);
      if (options_.factors == 2)
        x_[i] += by_a;
      else
        move_by(node, options_.motion, by_a, x_star_[i], q_star_[i]);
    }
    rate_[i] = v_n + h * (1 - p_.gamma) * a_n + h * p_.gamma * a_plus;
    second_[i].setZero();
    shift_[i].setZero();
    a_plus_[i] = a_plus;
    add_increment(i, v_dot_n / b, b, g);
  }

  /// x += dx, v += gamma' dx, dv/dt += b' dx
  void add_increment(int i, const Vec6& dx, double b, double g) {
    x_[i] += dx;
    rate_[i] += g * dx;
    second_[i] += b * dx;
  }

  /// A chart about the end of the step: psi = 0 there, psi' = Omega, psi'' = Omega', and a changes as psi'' does.
  void recentre(int i, Vec6& a) const {
    const Vec3 psi = x_[i].tail<3>() - shift_[i].tail<3>(), psi_rate = rate_[i].tail<3>();
    a.tail<3>() = so3::tangent(psi) * a.tail<3>() + so3::tangent_derivative(psi, psi_rate) * psi_rate;
  }

  /// The configuration q* o exp(x - S eta), its spatial velocities and how they vary with it.
  bool move(double g, double b) {
    for (int i = 0; i < system_.node_count(); ++i) {
      motion_[i] = LocalMotion(system_.nodes[i], system_.inertia[i], options_.motion, x_star_[i], q_star_[i],
                               x_[i] - shift_[i], rate_[i], second_[i], g, b);
      w_.end[i] = motion_[i].frame;
      V_[i] = motion_[i].V;
      dV_[i] = motion_[i].V_by_delta;
    }
    return true;
  }

  void assemble(const State& state, double h, const Stage& stage) {
    BlockMatrix& A = w_.lu.matrix();
    A.set_zero(w_.division);
    const int n = system_.node_count();
    for (int i = 0; i < n; ++i) {
      w_.force[i] = motion_[i].balance;
      system_.add_node_block(i, motion_[i].balance_by_delta, w_.plan, A);
    }
    w_.force[n].setZero();
    w_.evaluate(stage);
    w_.set_rhs();
    if (options_.index == 2) add_velocity_level(state, h, stage.t1);
  }

  /// The rows h (B v - df/dt) = 0 and the columns of eta (times h), by which the configuration is shifted: with
  /// S = M_n^-1 B_n^T, or B_n^T, and delta x = A delta + S d eta,
  ///   balance    + d balance/dx S d eta
  ///   h (B dV + D) delta + h B dV/dx S d eta = -h (B v - df/dt)
  /// The effect of eta on dampers, through the velocities, is left out of the matrix: it changes no root.
  void add_velocity_level(const State& state, double h, double t1) {
    BlockMatrix& A = w_.lu.matrix();
    double* const values = A.values().data();
    const int n = system_.node_count();
    system_.jacobian(w_.end, state.angles, B_, w_.pool());
    system_.jacobian_rate(w_.end, state.angles, V_, D_, w_.pool());
    system_.velocity_residual(B_, V_, t1, span(velocity_residual_), w_.pool());
    const int blocks = static_cast<int>(system_.blocks.size());
    for (int c = 0; c < blocks; ++c) {
      const ConstraintBlock& block = system_.blocks[c];
      const int m = block.rows, group = n + c;
      w_.rhs.segment(A.offset(group), m) = -w_.phi.segment(block.first_row, m);
      w_.rhs.segment(A.offset(group) + m, m) = -h * velocity_residual_.segment(block.first_row, m);
      for (std::size_t k = 0; k < block.nodes.size(); ++k) {
        const int i = block.nodes[k];
        // columns of eta in the balance of node i
        Eigen::Map<Eigen::Matrix<double, 6, Eigen::Dynamic>> column(values + A.find(i, group) + 6 * m, 6, m);
        for (int j = 0; j < m; ++j)
          column.col(j) += system_.gather(i, motion_[i].balance_by_x * shift_column(B_start_, c, k, j));
        // rows of the velocity level: (B dV + D) delta, delta = P u
        const auto B = system_.block(B_, c, static_cast<int>(k)), D = system_.block(D_, c, static_cast<int>(k));
        double* const row = values + A.find(group, i) + m;
        for (int j = 0; j < m; ++j) {
          const Vec6 along = system_.spread(i, B.row(j).transpose());
          const Vec6 both = system_.gather(i, dV_[i].transpose() * along) + D.row(j).transpose();
          for (int l = 0; l < 6; ++l) row[j + 2 * m * l] += h * both[l];
        }
      }
    }
    // eta of one block in the velocity rows of another that shares a node
    for (int c = 0; c < blocks; ++c)
      for (std::size_t k = 0; k < system_.blocks[c].nodes.size(); ++k)
        for (const auto& [c2, k2] : sharing_[system_.blocks[c].nodes[k]]) {
          const int m = system_.blocks[c].rows, m2 = system_.blocks[c2].rows, i = system_.blocks[c].nodes[k];
          double* const S = values + A.find(n + c, n + c2) + m + 2 * m * m2;
          const auto B = system_.block(B_, c, static_cast<int>(k));
          for (int j = 0; j < m2; ++j) {
            const Vec6 shift = system_.gather(i, motion_[i].V_by_x * shift_column(B_start_, c2, k2, j));
            for (int l = 0; l < m; ++l) S[l + 2 * m * j] += h * B.row(l).dot(shift);
          }
        }
  }

  /// The column of S for row j of a Jacobian block at the start, as a vector of the group.
  Vec6 shift_column(const ConstraintJacobian& B, int c, std::size_t k, int j) const {
    const int i = system_.blocks[c].nodes[k];
    const Vec6 row = system_.spread(i, system_.block(B, c, static_cast<int>(k)).row(j).transpose());
    const Vec6 shift = system_.spread(i, system_.gather(i, metric_[i] * row));
    return from_space(system_.nodes[i], options_.motion, w_.start[i].d, shift);
  }

  /// Applies the solution of the linear equations, and measures it.
  double correct(double b, double g) {
    const int n = system_.node_count();
    const BlockMatrix& A = w_.lu.matrix();
    Correction size;
    double dlambda = 0;
    for (int c = 0; c < static_cast<int>(system_.blocks.size()); ++c) {
      const int m = system_.blocks[c].rows, first = system_.blocks[c].first_row;
      const auto change = w_.rhs.segment(A.offset(n + c), m);
      lambda_.segment(first, m) += change;
      dlambda = std::max(dlambda, change.cwiseAbs().maxCoeff());
      if (options_.index == 2) eta_.segment(first, m) += w_.rhs.segment(A.offset(n + c) + m, m);
    }
    for (int i = 0; i < n; ++i) {
      const Vec6 delta = system_.spread(i, w_.rhs.segment<6>(6 * i));
      Vec6 dx = motion_[i].A * delta;
      if (options_.index == 2) {
        Vec6 shift = Vec6::Zero();
        for (const auto& [c, k] : sharing_[i])
          for (int j = 0; j < system_.blocks[c].rows; ++j)
            shift += eta_[system_.blocks[c].first_row + j] * shift_column(B_start_, c, k, j);
        dx += shift - shift_[i];
        shift_[i] = shift;
      }
      add_increment(i, dx, b, g);
      size.add(delta);
    }
    if (system_.row_count == 0) return size.size(system_.length);
    const double lambda = std::max(lambda_.cwiseAbs().maxCoeff(), least_lambda_);
    return std::max(size.size(system_.length), NewtonConstants::weight_of_multipliers * dlambda / lambda);
  }

  /// dv/dt of all nodes on the group, from accelerations in space.
  VecX on_group(const State& state, const VecX& u_dot) const {
    VecX v_dot(u_dot.size());
    for (int i = 0; i < system_.node_count(); ++i)
      v_dot.segment<6>(6 * i) = group_acceleration(system_.nodes[i], options_.motion, state.nodes[i],
                                                   system_.spread(i, u_dot.segment<6>(6 * i)));
    return v_dot;
  }

  /// Memory and multipliers of the accelerations at a state; returns dv/dt.
  VecX begin(State& state, double h) {
    const Accelerations now = accelerations(system_, state, mass_);
    const VecX v_dot = on_group(state, now.u_dot);
    state.lambda = now.lambda;
    state.memory.resize(12 * system_.node_count() + 1);
    state.memory << v_dot, v_dot, h;
    return v_dot;
  }

  /// a_0 = dv/dt + Delta h d2v/dt2, Delta = alpha_m - alpha_f (Arnold, Bruls & Cardona 2015). Returns the defect of the
  /// increment, l = k d2v/dt2 + c [v, dv/dt], k = 1/6 - beta - Delta/2.
  std::vector<Vec6> improve_accelerations(State& state, double h, const VecX& v_dot) {
    const int n = system_.node_count();
    const bool chart = options_.motion.map == LocalMotionChoice::Map::rotation_vector;
    const double Delta = p_.alpha_m - p_.alpha_f;
    const VecX v_ddot = second_derivative(state, h);
    std::vector<Vec6> l(n);
    for (int i = 0; i < n; ++i) {
      const Node& node = system_.nodes[i];
      const Vec6 v = group_velocity(node, options_.motion, state.nodes[i]);
      const Vec6 turn = bracket(node, options_.motion, v, v_dot.segment<6>(6 * i));
      Vec6 third = v_ddot.segment<6>(6 * i);
      if (chart) third += 0.5 * turn;  // the third derivative of the chart
      state.memory.segment<6>(6 * i) += Delta * h * third;
      l[i] = (1.0 / 6 - p_.beta - Delta / 2) * third;
      if (!chart) l[i] += (options_.factors == 1 ? 1.0 / 12 : 1.0 / 12 - 0.25) * turn;
      if (options_.motion.map == LocalMotionChoice::Map::cayley)
        l[i].tail<3>() += v.tail<3>().squaredNorm() / 12 * v.tail<3>();
    }
    return l;
  }

  /// For index 3 a velocity perturbed by h^2 such that the constraints at the end of the first steps do not ring (the
  /// same): v_0 += M^-1 B^T (B M^-1 B^T)^-1 B h^2 l.
  void improve_velocities(State& state, double h, const std::vector<Vec6>& l) {
    if (options_.index != 3 || system_.row_count == 0) return;
    const int n = system_.node_count();
    std::vector<Frame> q;
    system_.frames(state, q);
    ConstraintJacobian B;
    system_.jacobian(q, state.angles, B);
    VecX u = VecX::Zero(6 * n), mu = VecX::Zero(system_.row_count);
    for (int c = 0; c < static_cast<int>(system_.blocks.size()); ++c)
      for (std::size_t k = 0; k < system_.blocks[c].nodes.size(); ++k) {
        const int i = system_.blocks[c].nodes[k];
        mu.segment(system_.blocks[c].first_row, system_.blocks[c].rows) +=
            h * h * system_.block(B, c, static_cast<int>(k)) *
            system_.gather(i, to_space(system_.nodes[i], options_.motion, q[i].d, l[i]));
      }
    mass_.factor(q, B);
    mass_.solve(u, mu);
    for (int i = 0; i < n; ++i) {
      const Vec6 dv = system_.spread(i, u.segment<6>(6 * i));
      state.nodes[i].v += dv.head<3>();
      state.nodes[i].Omega += q[i].d.transpose() * dv.tail<3>();
    }
  }

  /// Whether a drive or load is not smooth near a time.
  bool breaks_within(double apart, double t) const {
    for (const Function& f : system_.functions)
      for (const double b : f.breaks())
        if (std::abs(b - t) <= 1.01 * apart) return true;
    return false;
  }

  /// d2v/dt2 on the group, by a central difference of the accelerations along a flow of second order; where forces
  /// jump, by one to later times. It is taken over a part of the step: that is a time of the motion in any unit.
  VecX second_derivative(const State& state, double h) {
    const VecX u_dot = accelerations(system_, state, mass_).u_dot;
    const double epsilon = 1e-3 * h;
    const auto along = [&](double t) {
      State s = state;
      s.t += t;
      for (int i = 0; i < system_.node_count(); ++i) {
        NodeState& node = s.nodes[i];
        const Vec6 a = system_.spread(i, u_dot.segment<6>(6 * i));
        const Vec3 Omega_dot = node.q.conjugate() * a.tail<3>();
        if (system_.nodes[i].translates()) node.x += t * node.v + 0.5 * t * t * a.head<3>();
        node.q = (node.q * so3::exp(t * node.Omega + 0.5 * t * t * Omega_dot)).normalized();
        node.v += t * a.head<3>();
        node.Omega += t * Omega_dot;
      }
      return on_group(s, accelerations(system_, s, mass_).u_dot);
    };
    if (state.t > 0 && breaks_within(epsilon, state.t)) return (along(epsilon) - along(0)) / epsilon;
    return (along(epsilon) - along(-epsilon)) / (2 * epsilon);
  }

  const System& system_;
  NewtonOptions newton_;
  StepForm options_;
  Parameters p_;
  Workspace w_;
  ConstrainedMass mass_;
  std::vector<Vec6> x_, rate_, second_, shift_, a_plus_, V_;
  std::vector<Vec3> x_star_;
  std::vector<Quaternion> q_star_;
  std::vector<LocalMotion> motion_;
  std::vector<Mat6> dV_, metric_;
  std::vector<std::vector<std::pair<int, std::size_t>>> sharing_;  ///< of each node: (block, its place there)
  VecX lambda_, mean_lambda_, eta_, velocity_residual_;
  double least_lambda_ =
      0;  ///< smaller multipliers, divided by b', are rounding: the model stands still without forces
  ConstraintJacobian B_start_, B_, D_;
  bool damped_ = false;  ///< are there dampers?
};

}  // namespace

std::unique_ptr<Integrator> make_generalized_alpha(const System& system, const NewtonOptions& newton,
                                                   const GeneralizedAlphaOptions& options, const Resources& resources) {
  return std::make_unique<GeneralizedAlpha>(system, newton, options, resources);
}

Method generalized_alpha_method() {
  using Options = GeneralizedAlphaOptions;
  return MethodOf<Options>{
      .name = "generalized-alpha",
      .summary = "Lie group generalized-alpha, with numerical damping; also HHT, Newmark and the trapezoidal rule",
      .order = "2; settings newmark with rho_inf below 1: 1",
      .conserves =
          "constraints at position and velocity level (index 3: position alone); energy and momentum to second order",
      .use =
          "stiff models, fast rotors (exponential map: no phase error of free spin), multipliers at the end of a "
          "step. Damping is proved for linear systems only",
      .source = "Bruls & Cardona 2010; Arnold, Bruls & Cardona 2015",
      .why_not = [](const System& system, const Options& options) -> std::optional<std::string> {
        if (options.update == Update::rotation_vector && options.group == LocalMotionChoice::Group::SE3)
          return "simulation.integrator: update rotation-vector is a chart of rotations alone; use it with group "
                 "R3xSO3";
        if (options.settings == Options::Settings::hht && options.rho_inf < 0.5)
          return "simulation.integrator.rho_inf: HHT reaches 0.5 to 1 only; for more damping use settings "
                 "generalized-alpha";
        return why_not_tied("generalized-alpha", system);
      },
      .make = make_generalized_alpha};
}

}  // namespace polhode
