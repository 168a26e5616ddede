#include <polhode/integrate/energy_decaying.hpp>

#include <algorithm>
#include <utility>

#include <polhode/integrate/augmented_decay.hpp>
#include <polhode/integrate/cayley_motion.hpp>
#include <polhode/integrate/end_velocity.hpp>
#include <polhode/integrate/energy_momentum.hpp>
#include <polhode/integrate/tension_metric.hpp>

namespace polhode {
namespace {

/// The unknowns (u, lambda | y, nu): those of the energy-momentum rule, and the same again for the auxiliary
/// displacement y, which elastic elements couple with u.
AssemblyPlan doubled_plan(const System& system, const ElementSet* extra, const StrainMetric& metric) {
  AssemblyPlan plan = system.plan(1, extra);
  BlockPattern& pattern = plan.pattern;
  const int groups = static_cast<int>(pattern.groups.size());
  for (int g = 0; g < groups; ++g) {
    BlockPattern::Group copy = pattern.groups[g];
    for (int& i : copy.tied) i += groups;
    pattern.groups.push_back(std::move(copy));
  }
  for (const auto& part : metric.parts) {
    if (!part.stiff) continue;
    const auto link = [&](int i, int j) {
      if (i < system.ground() && j < system.ground()) pattern.links.emplace_back(i, groups + j);
    };
    link(part.a, part.a), link(part.a, part.b), link(part.b, part.a), link(part.b, part.b);
    if (part.a < system.ground() && part.b < system.ground() && part.a != part.b)
      pattern.links.emplace_back(groups + part.a, groups + part.b);
  }
  return plan;
}

StrainMetric metric_of(const System& system, const TensionMetric* tension) {
  StrainMetric metric(system, tension ? tension->extra() : nullptr);
  if (tension) tension->weigh(std::vector<Frame>(system.nodes.size() + 1), VecX::Zero(system.row_count), metric);
  return metric;
}

/// Energy that decays is the physical one: the scheme P(rho) of docs/methods/energy-decaying.md.
class PhysicalDecay final : public Integrator {
 public:
  PhysicalDecay(const System& system, std::unique_ptr<TensionMetric> tension, const NewtonOptions& newton, double rho,
                const Resources& resources)
      : tension_(std::move(tension)),
        extra_(tension_ ? tension_->extra() : nullptr),
        system_(system),
        newton_(newton),
        rho_(rho),
        kappa_((1 - rho) / (2 * (1 + rho))),
        b_((1 - rho) / 10),
        metric_(metric_of(system_, tension_.get())),
        w_(system_, doubled_plan(system_, extra_, metric_), resources, extra_),
        end_(system_, w_.pool()),
        filter_(system_, extra_, w_.pool()),
        strain_(metric_.parts.size()),
        stress_(metric_.parts.size(), Vec6::Zero()) {
    const int n = system_.node_count();
    first_y_ = n + static_cast<int>(system_.blocks.size());
    y_plan_ = w_.plan;
    for (int i = 0; i < n; ++i) y_plan_.node_diagonal[i] = w_.lu.matrix().find(first_y_ + i, first_y_ + i);
    for (const auto& part : metric_.parts) slots_.push_back(find_slots(part));
    y_ = e_ = e2_ = u_ = VecX::Zero(6 * n);
    nu_ = mu_ = impulse_ = VecX::Zero(system_.row_count);
  }

  void start(State&, double) override { restore({}); }
  bool multipliers_at_end() const override { return false; }
  void save(std::vector<double>& numbers) const override {
    numbers.insert(numbers.end(), guess_.data(), guess_.data() + guess_.size());
  }
  void restore(std::span<const double> numbers) override {
    guess_ = Eigen::Map<const VecX>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
  }

  /// A   m (v~ - v0) + h [P(qm)^T g]_x = 0,  R1 J Omega~ - R0 J Omega0 + h [P(qm)^T g]_theta = 0,  Phi(q1, t1) = 0
  ///     as in the energy-momentum rule, with the stress s = kappa C Y0 y added to the elastic elements, where
  ///       (M0 + b h^2 Y0^T C Y0) y + B0^T nu = b h^2 Y0^T C (y1 - y0),  B0 y = 0,
  ///     Y0 the strain rates and B0 the constraints at q0.
  /// B   v^ = v~ projected on B1 v = f'(t1);  then twice the strain filter
  ///       (M1 + b h^2 Y1^T C Y1) e + B1^T nu = b h^2 Y1^T C Y1 v,  B1 e = 0
  ///     of v = v^ gives e, of v = e gives e2, and v1 = v^ - (1 - rho) e2.
  /// Energy changes by the work done less
  ///     D = s . (y1 - y0) + T(v~ - v^) + (1 - rho)(|e|_M^2 - (1 - rho)/2 |e2|_M^2).
  /// The impulses of B belong to the joints: with mu those of the projection and nu2 those of e2, joints and drives act
  /// with lambda + mu/h - (1 - rho) nu2/h in the mean of the step.
  StepReport step(State& state, double h) override {
    const double scale = 0.5 * h * h, t1 = state.t + h;
    motion_.begin_and_go_on(state, h, w_);
    lambda_ = scale * (guess_.size() == system_.row_count ? guess_ : state.lambda);
    y_.setZero();
    nu_.setZero();
    if (tension_) {
      tension_->weigh(w_.start, state.lambda, metric_);
      tension_->align(w_.start);
    }
    metric_.at(w_.start);
    if (system_.row_count > 0) system_.jacobian(w_.start, state.angles, B_start_, w_.pool());

    const Variant variant{.added_stress = stress_, .strain = strain_, .extra = extra_};
    const Stage stage{.start = w_.start,
                      .end = w_.end,
                      .t0 = state.t,
                      .t1 = t1,
                      .scale = scale,
                      .lambda = span(lambda_),
                      .given = &state,
                      .variant = &variant};
    const StepReport report = newton(
        w_, NewtonTest(for_stiffness(h)).with_rounding_at(system_, state), newton_.max_iterations,
        [&] { return motion_.move(state, w_), true; }, [&] { assemble(state, h, stage); }, [&] { return correct(); });
    if (!report.converged || !end_.at(w_.end, state.angles, t1)) return failed(report);
    // s . (y1 - y0) = kappa/(b h^2) y . (M0 + b h^2 Y0^T C Y0) y, by the equation of y
    double D = kappa_ * (inertial_square(system_, w_.start, y_) / (b_ * h * h) + metric_.square(y_));

    if (tension_) tension_->align(w_.end);
    metric_.at(w_.end);
    if (!filter_.factor(w_.end, metric_, b_ * h * h, end_.B())) return failed(report);
    lambda_ /= scale;
    Work& work = state.work;
    add_work(system_,
             {.start = w_.start, .end = w_.end, .t0 = state.t, .t1 = t1, .lambda = span(lambda_), .given = &state},
             work);
    for (int i = 0; i < system_.node_count(); ++i)
      u_.segment<6>(6 * i) = system_.gather(i, motion_.velocity(i, state, h, w_));
    guess_ = lambda_;
    impulse_.setZero();
    D += end_.project(u_, work, impulse_);
    strained_part(u_, h, e_);
    strained_part(e_, h, e2_);
    end_.add_drive_work(rho_ - 1, mu_, work);
    impulse_ -= (1 - rho_) * mu_;
    u_ -= (1 - rho_) * e2_;
    D += (1 - rho_) * (inertial_square(system_, w_.end, e_) - 0.5 * (1 - rho_) * inertial_square(system_, w_.end, e2_));
    work.algorithmic += D;

    motion_.finish(u_, w_, state);
    state.t = t1;
    state.lambda = lambda_ + impulse_ / h;
    system_.update_angles(w_.end, state.angles);
    return report;
  }

 private:
  /// Blocks of an element: u with y (uy), y with u (yu), y with y (yy).
  struct Slots {
    std::array<Slot, 4> uy, yu, yy;  ///< aa, ab, ba, bb; -1 where one is the ground
  };

  Slots find_slots(const StrainMetric::Part& part) const {
    const auto find = [&](int rows, int columns) {
      std::array<Slot, 4> out;
      int k = 0;
      for (int i : {part.a, part.b})
        for (int j : {part.a, part.b})
          out[k++] = i < system_.ground() && j < system_.ground() ? w_.lu.matrix().find(rows + i, columns + j) : -1;
      return out;
    };
    return {find(0, first_y_), find(first_y_, 0), find(first_y_, first_y_)};
  }

  /// A correction e leaves a stress C e: with springs that the step does not resolve, errors are (omega h)^2 times those
  /// of inertia, and the energy that should fall by less would grow.
  NewtonOptions for_stiffness(double h) const {
    NewtonOptions options = newton_;
    options.tolerance /= std::max(1.0, h * h * metric_.largest_square_frequency(w_.start));
    return options;
  }

  static StepReport failed(StepReport report) {
    report.converged = false;
    return report;
  }

  /// The equations of y are multiplied by kappa/(2 b). Those of u and y are then coupled by c Y^T C Y and its opposite,
  /// c = kappa h^2/2: the matrix is positive, up to O(h), and so is every pivot block of its elimination.
  void assemble(const State& state, double h, const Stage& stage) {
    BlockMatrix& A = w_.lu.matrix();
    A.set_zero(w_.division);
    const int n = system_.node_count(), rows = 6 * n + system_.row_count;
    const double c = 0.5 * kappa_ * h * h, weight = kappa_ / (2 * b_);
    auto y_balance = w_.rhs.segment(rows, 6 * n);
    u_.setZero();
    add_momentum(system_, w_.start, weight, y_, u_);
    for (std::size_t k = 0; k < metric_.parts.size(); ++k)
      if (metric_.parts[k].stiff)
        stress_[k] = kappa_ * metric_.parts[k].stress(metric_.strain(static_cast<int>(k), y_));

    motion_.set_inertia_and_tangent(state, h, w_);
    w_.evaluate(stage);
    for (int i = 0; i < n; ++i)
      system_.add_node_block(i, weight * system_.inertia[i].matrix(w_.start[i].d), y_plan_, A);
    for (std::size_t k = 0; k < metric_.parts.size(); ++k) {
      const auto& part = metric_.parts[k];
      if (!part.stiff) continue;
      const Rows<6>& Y = metric_.Y[k];
      add(part, slots_[k].uy, c, strain_[k].mean, Y, A);
      add(part, slots_[k].yu, -c, Y, strain_[k].end, A);
      add(part, slots_[k].yy, c, Y, Y, A);
      metric_.add_force(static_cast<int>(k), 0.5 * h * h * (stress_[k] - kappa_ * part.stress(strain_[k].change)), u_);
    }
    y_balance = -u_;
    if (system_.row_count > 0) add_auxiliary_constraints(A);
    w_.set_rhs();
  }

  static void add(const StrainMetric::Part& part, const std::array<Slot, 4>& slots, double c, const Rows<6>& left,
                  const Rows<6>& right, BlockMatrix& A) {
    for (int k = 0; k < 4; ++k)
      if (slots[k] >= 0)
        Eigen::Map<Mat6>(A.values().data() + slots[k]) +=
            c * StrainMetric::product(part, k < 2 ? left.a : left.b, k % 2 == 0 ? right.a : right.b);
  }

  /// B0 y = 0 and its forces B0^T nu.
  void add_auxiliary_constraints(BlockMatrix& A) {
    const int n = system_.node_count(), rows = 6 * n + system_.row_count;
    set_constraints(B_start_, B_start_, first_y_, first_y_ + n, A);
    auto residual = w_.rhs.tail(system_.row_count);
    residual.setZero();
    B_start_.add_times(-1, y_, residual);
    B_start_.add_transposed_times(-1, nu_, w_.rhs.segment(rows, 6 * n));
  }

  double correct() {
    const int n = system_.node_count(), m = system_.row_count;
    lambda_ += w_.rhs.segment(6 * n, m);
    y_ += w_.rhs.segment(6 * n + m, 6 * n);
    nu_ += w_.rhs.tail(m);
    return w_.rhs.allFinite() ? motion_.correct(w_, w_.rhs) : std::numeric_limits<double>::infinity();
  }

  /// The part e of a velocity that the strain filter takes, with its multipliers mu_.
  void strained_part(const VecX& v, double h, VecX& e) {
    e.setZero();
    for (std::size_t k = 0; k < metric_.parts.size(); ++k)
      if (metric_.parts[k].stiff)
        metric_.add_force(static_cast<int>(k),
                          b_ * h * h * metric_.parts[k].stress(metric_.strain(static_cast<int>(k), v)), e);
    mu_.setZero();
    filter_.solve(e, mu_);
  }

  std::unique_ptr<TensionMetric> tension_;  ///< null if light bodies are not asked for
  const ElementSet* extra_;
  const System& system_;
  NewtonOptions newton_;
  double rho_, kappa_, b_;
  StrainMetric metric_;
  Workspace w_;
  EndVelocity end_;
  StrainMass filter_;
  CayleyMotion motion_{system_};
  AssemblyPlan y_plan_;
  std::vector<Slots> slots_;
  std::vector<Strain> strain_;
  std::vector<Vec6> stress_;
  int first_y_ = 0;
  ConstraintJacobian B_start_;
  VecX lambda_, y_, nu_, u_, e_, e2_, mu_;
  VecX impulse_;  ///< multipliers of the impulses at the end
  VecX guess_;    ///< lambda of the last step's motion, without them; empty at the start
};

}  // namespace

std::unique_ptr<Integrator> make_energy_decaying(const System& system, const NewtonOptions& newton,
                                                 const EnergyDecayingOptions& options, const Resources& resources) {
  if (options.rho_inf == 1) return make_energy_momentum(system, newton, {}, resources);
  const bool augmented = options.energy == EnergyDecayingOptions::Energy::augmented,
             damped = options.light_bodies == EnergyDecayingOptions::LightBodies::damped;
  std::unique_ptr<TensionMetric> tension = damped ? std::make_unique<TensionMetric>(system) : nullptr;
  if (augmented || (!tension && StrainMetric(system).empty()))
    return make_augmented_decay(system, newton, options.rho_inf, resources);
  return std::make_unique<PhysicalDecay>(system, std::move(tension), newton, options.rho_inf, resources);
}

Method energy_decaying_method() {
  using Options = EnergyDecayingOptions;
  return MethodOf<Options>{
      .name = "energy-decaying",
      .summary = "energy-momentum with numerical damping: energy never grows, momentum is exact",
      .order = "2",
      .conserves =
          "linear and angular momentum, constraints at position and velocity level, to round-off. Energy falls "
          "in every step, by an amount that the method tells (energy augmented: with a term of order h^2 added "
          "to it)",
      .use =
          "stiff models, and long runs of them: damping is proved for any model and any step. rho_inf 1 is "
          "energy-momentum",
      .source = "docs/methods/energy-decaying.md; relatives: Armero & Romero 2001, Bauchau & Theron 1996",
      .why_not = [](const System& system, const Options& options) -> std::optional<std::string> {
        if (options.energy == Options::Energy::physical)
          return why_not_tied("energy-decaying with energy physical", system);
        if (options.light_bodies == Options::LightBodies::damped)
          return "simulation.integrator: light_bodies damped needs energy physical: its stiffness changes from step to "
                 "step";
        return std::nullopt;
      },
      .make = make_energy_decaying};
}

}  // namespace polhode
