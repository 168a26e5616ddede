#include <polhode/integrate/augmented_decay.hpp>

#include <polhode/integrate/cayley_motion.hpp>
#include <polhode/integrate/end_velocity.hpp>

namespace polhode {
namespace {

class AugmentedDecay final : public Integrator {
 public:
  AugmentedDecay(const System& system, const NewtonOptions& newton, double rho, const Resources& resources)
      : system_(system),
        newton_(newton),
        beta_(0.25 * square((1 - rho) / (1 + rho))),
        gamma_((1 - rho) / (4 * (1 + rho))),
        kappa_((1 - rho) * (1 - rho) / (2 * (1 + rho) * (3 - rho))),
        metric_(system),
        elastic_(!metric_.empty()),
        w_(system, 1, resources),
        end_(system, w_.pool()),
        filter_(system, nullptr, w_.pool()),
        strain_(metric_.parts.size()),
        stress_(metric_.parts.size(), Vec6::Zero()),
        W_(stress_) {
    u_ = f_ = VecX::Zero(6 * system.node_count());
    mu_ = impulse_ = VecX::Zero(system.row_count);
  }

  /// Memory: the step that the last rates belong to, 0 if none, and psi.
  void start(State& state, double) override {
    state.memory = VecX::Zero(2);
    restore({});
  }
  bool multipliers_at_end() const override { return false; }
  void save(std::vector<double>& numbers) const override {
    numbers.insert(numbers.end(), guess_.data(), guess_.data() + guess_.size());
  }
  void restore(std::span<const double> numbers) override {
    guess_ = Eigen::Map<const VecX>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
  }

  /// W0 = h Y0 v0, the strains foreseen for the step;
  /// A   the energy-momentum rule with the stress kappa C (y1 - y0 - W0) added;  W~ = W0 + (kappa/beta)(y1 - y0 - W0)
  /// B   (M1 + beta h^2 Y1^T C Y1) v1 + B1^T nu = M1 v~ + beta h Y1^T C W~,  B1 v1 = f'(t1).
  /// With psi = (beta/2)|W|_C^2, W1 = h Y1 v1, the sum E + psi changes by the work done less
  ///     D = (kappa^2/gamma)|y1 - y0 - W0|_C^2 + T(v1 - v~) + (beta/2)|W1 - W~|_C^2.
  /// The impulse of B belongs to the joints: they act with lambda + nu/h in the mean of the step.
  StepReport step(State& state, double h) override {
    const double scale = 0.5 * h * h, t1 = state.t + h;
    motion_.begin_and_go_on(state, h, w_);
    lambda_ = scale * (guess_.size() == system_.row_count ? guess_ : state.lambda);
    const Variant variant = elastic_ ? Variant{.lead = kappa_, .added_stress = stress_, .strain = strain_} : Variant{};
    const Stage stage{.start = w_.start,
                      .end = w_.end,
                      .t0 = state.t,
                      .t1 = t1,
                      .scale = scale,
                      .lambda = span(lambda_),
                      .given = &state,
                      .variant = &variant};
    if (elastic_ && !foresee(state, h)) return {};
    StepReport report = newton(
        w_, NewtonTest(newton_).with_rounding_at(system_, state), newton_.max_iterations,
        [&] { return motion_.move(state, w_), true; }, [&] { assemble(state, h, stage); }, [&] { return correct(); });
    if (report.converged) report.converged = end_.at(w_.end, state.angles, t1);
    if (report.converged && elastic_) {
      metric_.at(w_.end);
      report.converged = filter_.factor(w_.end, metric_, beta_ * h * h, end_.B());
    }
    if (!report.converged) return report;
    lambda_ /= scale;
    Work& work = state.work;
    add_work(system_,
             {.start = w_.start, .end = w_.end, .t0 = state.t, .t1 = t1, .lambda = span(lambda_), .given = &state},
             work);
    for (int i = 0; i < system_.node_count(); ++i)
      u_.segment<6>(6 * i) = system_.gather(i, motion_.velocity(i, state, h, w_));
    guess_ = lambda_;
    if (elastic_) {
      const double psi0 = psi(), D = damp(h, work);
      work.algorithmic += D + psi() - psi0;
      state.memory.resize(2);
      state.memory << h, psi();
      lambda_ += mu_ / h;
    } else {
      impulse_.setZero();
      work.algorithmic += end_.project(u_, work, impulse_);
      lambda_ += impulse_ / h;
    }
    motion_.finish(u_, w_, state);
    state.t = t1;
    state.lambda = lambda_;
    system_.update_angles(w_.end, state.angles);
    return report;
  }

 private:
  static double square(double x) { return x * x; }

  double psi() const {
    double sum = 0;
    for (std::size_t k = 0; k < W_.size(); ++k) sum += 0.5 * beta_ * metric_.parts[k].square(W_[k]);
    return sum;
  }

  /// W0 and the stress -kappa C W0. psi depends on h: for a longer step than the last, and for the first one, W0 comes
  /// from the velocity
  /// x that is nearest to v0 with its own psi counted,  (M + beta h^2 Y^T C Y) x + B^T nu = M v0,  B x = f'. For a shorter one psi falls.
  bool foresee(const State& state, double h) {
    for (int i = 0; i < system_.node_count(); ++i)
      u_.segment<6>(6 * i) = system_.gather(i, spatial_velocity(state.nodes[i]));
    metric_.at(w_.start);
    if (state.memory.size() < 1 || h > state.memory[0] * (1 + 1e-9)) {
      if (!end_.at(w_.start, state.angles, state.t, Limit::right) ||
          !filter_.factor(w_.start, metric_, beta_ * h * h, end_.B()))
        return false;
      for (std::size_t k = 0; k < W_.size(); ++k) W_[k].setZero();
      correct_velocity(h);
    }
    for (std::size_t k = 0; k < W_.size(); ++k) {
      W_[k] = h * metric_.strain(static_cast<int>(k), u_);
      stress_[k] = -kappa_ * metric_.parts[k].stress(W_[k]);
    }
    return true;
  }

  /// u := v1 of B, for W~ in W_; written for d = v1 - v~, so that what is small is computed as such.
  void correct_velocity(double h) {
    f_.setZero();
    for (std::size_t k = 0; k < W_.size(); ++k)
      if (metric_.parts[k].stiff)
        metric_.add_force(static_cast<int>(k),
                          beta_ * h * metric_.parts[k].stress(W_[k] - h * metric_.strain(static_cast<int>(k), u_)), f_);
    end_.missing(u_, mu_);
    filter_.solve(f_, mu_);
    u_ += f_;
  }

  /// B; returns D.
  double damp(double h, Work& work) {
    double D = 0;
    for (std::size_t k = 0; k < W_.size(); ++k) {
      const auto& part = metric_.parts[k];
      Vec6 change = strain_[k].change;  // before the last correction of the configuration, which is small
      if (part.a < system_.ground()) change += strain_[k].end.a * w_.rhs.segment<6>(6 * part.a);
      if (part.b < system_.ground()) change += strain_[k].end.b * w_.rhs.segment<6>(6 * part.b);
      const Vec6 e = change - W_[k];
      D += square(kappa_) / gamma_ * part.square(e);
      W_[k] += kappa_ / beta_ * e;
    }
    correct_velocity(h);
    end_.add_drive_work(1, mu_, work);
    D += 0.5 * inertial_square(system_, w_.end, f_);
    for (std::size_t k = 0; k < W_.size(); ++k) {
      const Vec6 W1 = h * metric_.strain(static_cast<int>(k), u_);
      D += 0.5 * beta_ * metric_.parts[k].square(W1 - W_[k]);
      W_[k] = W1;
    }
    return D;
  }

  void assemble(const State& state, double h, const Stage& stage) {
    w_.lu.matrix().set_zero(w_.division);
    motion_.set_inertia_and_tangent(state, h, w_);
    w_.evaluate(stage);
    w_.set_rhs();
  }

  double correct() {
    lambda_ += w_.rhs.tail(system_.row_count);
    return w_.rhs.allFinite() ? motion_.correct(w_, w_.rhs) : std::numeric_limits<double>::infinity();
  }

  const System& system_;
  NewtonOptions newton_;
  double beta_, gamma_, kappa_;
  StrainMetric metric_;
  bool elastic_;
  Workspace w_;
  EndVelocity end_;
  StrainMass filter_;
  CayleyMotion motion_{system_};
  std::vector<Strain> strain_;
  std::vector<Vec6> stress_, W_;
  VecX lambda_, u_, f_, mu_;
  VecX impulse_;  ///< multipliers of the impulses at the end
  VecX guess_;    ///< lambda of the last step's motion, without them; empty at the start
};

}  // namespace

std::unique_ptr<Integrator> make_augmented_decay(const System& system, const NewtonOptions& newton, double rho_inf,
                                                 const Resources& resources) {
  return std::make_unique<AugmentedDecay>(system, newton, rho_inf, resources);
}

}  // namespace polhode
