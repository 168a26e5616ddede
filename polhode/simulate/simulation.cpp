#include <polhode/simulate/simulation.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include <polhode/model/error.hpp>

namespace polhode {
namespace {

std::string describe(const Method& method, const MethodOptions& options) {
  std::string text = method.name;
  for (const auto& [name, value] : options.all())
    text += std::holds_alternative<double>(value) ? fmt::format(", {} {:g}", name, std::get<double>(value))
                                                  : fmt::format(", {} {}", name, std::get<std::string>(value));
  return text;
}

/// Puts a vector into an array of numbers.
void put(std::vector<double>& array, std::size_t first, const Vec3& v) { std::copy(v.data(), v.data() + 3, &array[first]); }

}  // namespace

Simulation::Simulation(const Model& model) : model_(model), compiled_(compile(model)), state_(compiled_.start) {
  const SimulationOptions& options = model.simulation;
  const Method& method = find_method(options.integrator.name);
  const MethodOptions method_options = complete_options(method, options.integrator);
  integrator_text_ = describe(method, method_options);
  if (const auto reason = why_not(compiled_.system, options.integrator)) throw ModelError(*reason);
  start_ = consistent_start(compiled_, options.assembly, state_);
  conserved_ = conserved_momenta(compiled_, state_);
  resources_ = Resources::of(options.threads, compiled_.system.parts);
  integrator_ = method.make(compiled_.system, options.newton, method_options, resources_);

  // the last step is shorter if the end is not a multiple of the step; a remainder of rounding is none
  steps_ = static_cast<long>(std::ceil(options.end_time / options.step * (1 - 1e-12) - 1e-9));
  const double output = options.output_step.value_or(options.step * std::ceil(static_cast<double>(steps_) / 1000.0));
  stride_ = std::max(1L, std::lround(output / options.step));
  if (options.output_step && std::abs(static_cast<double>(stride_) * options.step - output) > 1e-9 * output)
    throw ModelError(fmt::format("simulation.output_step: {:g} s is not a multiple of the step {:g} s; try {:g} s", output,
                                 options.step, static_cast<double>(stride_) * options.step));

  const System& system = compiled_.system;
  residual_ = VecX::Zero(system.row_count);
  largest_reactions_.resize(compiled_.connections.size());
  reactions_ = std::make_unique<Reactions>(compiled_, state_, !start_.redundancies.empty());
  const auto n = compiled_.bodies.size();
  positions_.resize(3 * n);
  quaternions_.resize(4 * n);
  velocities_.resize(3 * n);
  angular_velocities_.resize(3 * n);
  system.frames(state_, frames_, resources_.pool.get());
  energy0_ = energy(system, state_, frames_, resources_.pool.get());
  momentum0_ = momentum(system, state_, frames_, resources_.pool.get());
  if (const auto reason = integrator_->why_not(state_, options.step)) throw ModelError(*reason);
  integrator_->start(state_, options.step);
  account();
}

std::size_t Simulation::sample_count() const {
  return static_cast<std::size_t>(steps_ / stride_ + 1 + (steps_ % stride_ != 0));
}

ResultLayout Simulation::layout(const std::string& version) const {
  ResultLayout layout;
  layout.version = version;
  layout.samples = sample_count();
  layout.rows = compiled_.row_labels;
  for (const auto& body : compiled_.bodies) layout.bodies.push_back(body.name);
  for (const auto& connection : compiled_.connections) layout.joints.push_back(connection.name);
  return layout;
}

bool Simulation::step() {
  const double h = model_.simulation.step;
  const double end = step_ + 1 == steps_ ? model_.simulation.end_time : static_cast<double>(step_ + 1) * h;
  if (!advance(end - state_.t, 0)) return false;
  state_.t = end;
  ++step_;
  account();
  return true;
}

void Simulation::apply(std::size_t body, const Vec3& force, const Vec3& torque, const Vec3& at) {
  const BodyPlace& place = compiled_.bodies.at(body);
  auto& all = state_.applied;
  const auto found = std::lower_bound(all.begin(), all.end(), place.node, [](const Applied& a, int node) { return a.node < node; });
  const bool present = found != all.end() && found->node == place.node, wanted = !force.isZero(0) || !torque.isZero(0);
  const Applied now{.node = place.node, .X = place.origin + at, .force = force, .torque = torque};
  if (present ? *found == now : !wanted) return;
  if (!present) all.insert(found, now);
  else if (wanted) *found = now;
  else all.erase(found);
  conserved_ = {};
  integrator_->restart(state_, model_.simulation.step);
}

void Simulation::set_velocities(const std::vector<Velocity>& velocities) {
  const System& system = compiled_.system;
  for (const Velocity& one : velocities) {
    const BodyPlace& place = compiled_.bodies.at(one.body);
    const Node& node = system.nodes[place.node];
    NodeState& s = state_.nodes[place.node];
    const Vec3 at_origin = one.velocity.value_or(s.v + s.q * s.Omega.cross(place.origin));
    if (one.angular_velocity && node.rotates()) s.Omega = *one.angular_velocity;
    Vec6 u = Vec6::Zero();
    u.head<3>() = at_origin - s.q * s.Omega.cross(place.origin);
    if (node.translates()) s.v = system.spread(place.node, system.gather(place.node, u)).head<3>();
  }
  if (system.row_count > 0) {
    ConstrainedMass mass(system);
    project_velocities(system, mass, {}, state_);
    state_.lambda = accelerations(system, state_, mass).lambda;
  }
  conserved_ = {};
  integrator_->start(state_, model_.simulation.step);
  const double before = energy_.total();
  system.frames(state_, frames_, resources_.pool.get());
  state_.work.applied() += energy(system, state_, frames_, resources_.pool.get()).total() - before;
  account();
}

Simulation::Checkpoint Simulation::checkpoint() const {
  Checkpoint out{state_, {}, step_};
  integrator_->save(out.method);
  return out;
}

void Simulation::restore(const Checkpoint& checkpoint) {
  integrator_->restore(checkpoint.method);
  state_ = checkpoint.state;
  step_ = checkpoint.step;
  failure_.clear();
  account();
}

/// A step of h; if it does not converge, two of h/2, and so on to h/256.
bool Simulation::advance(double h, int depth) {
  const StepReport report = integrator_->step(state_, h);
  newton_.iterations += report.iterations;
  newton_.fallbacks += report.fallbacks;
  iterations_since_sample_ += report.iterations;
  if (report.converged) return true;
  if (depth < 8) {
    if (depth == 0) ++newton_.halved_steps;
    return advance(0.5 * h, depth + 1) && advance(0.5 * h, depth + 1);
  }
  if (!report.reason.empty()) {
    failure_ = fmt::format("t = {:.6g} s, step {}: {}", state_.t, step_ + 1, report.reason);
    return false;
  }
  const std::string where =
      report.worst_block >= 0
          ? fmt::format(", worst in joint \"{}\" with a residual of {:.1e}", compiled_.connections[report.worst_block].name, report.worst_residual)
          : "";
  failure_ = fmt::format("t = {:.6g} s, step {}: Newton does not converge, also with the step halved 8 times to {:.3g} s: relative error {:.1e} "
                         "after {} iterations{}; try a smaller step than {:g} s, or a dissipative integrator",
                         state_.t, step_ + 1, h, report.error, report.iterations, where, model_.simulation.step);
  return false;
}

/// What errors of energy are measured against.
double Simulation::energy_scale() const {
  return std::max({std::abs(energy0_.total()), kinetic_max_, potential_swing_, strain_max_});
}

/// Brings the running figures up to the present state.
void Simulation::account() {
  const System& system = compiled_.system;
  system.frames(state_, frames_, resources_.pool.get());
  energy_ = energy(system, state_, frames_, resources_.pool.get());
  const double change = energy_.total() - energy0_.total();
  energy_error_ = std::max(energy_error_, std::abs(change));
  const Work& work = state_.work;
  const double lost = work.done() - work.dissipated() - change;
  balance_error_ = std::max(balance_error_, std::abs(lost));
  identity_error_ = std::max(identity_error_, std::abs(lost - work.algorithmic));
  kinetic_max_ = std::max(kinetic_max_, energy_.kinetic);
  potential_swing_ = std::max(potential_swing_, std::abs(energy_.gravitational - energy0_.gravitational));
  strain_max_ = std::max(strain_max_, energy_.strain);
  const double gain = lost_ - lost;
  largest_gain_ = std::max(largest_gain_, gain);
  if (gain > 1e-12 * energy_scale()) ++gaining_steps_;
  lost_ = lost;

  momentum_ = momentum(system, state_, frames_, resources_.pool.get());
  linear_size_ = std::max(linear_size_, momentum_.linear_size);
  angular_size_ = std::max(angular_size_, momentum_.angular_size);
  const Vec3 dP = momentum_.linear - momentum0_.linear, dL = momentum_.angular - momentum0_.angular;
  for (const Generator& g : conserved_.linear) linear_error_ = std::max(linear_error_, std::abs(dP.dot(g.t)));
  for (const Generator& g : conserved_.angular) angular_error_ = std::max(angular_error_, std::abs(dP.dot(g.t) + dL.dot(g.w)));
  if (system.row_count > 0) {
    system.residual(frames_, state_.angles, state_.t, {residual_.data(), static_cast<std::size_t>(residual_.size())}, resources_.pool.get());
    position_residual_ = std::max(position_residual_, residual_.cwiseAbs().maxCoeff());
  }
}

const Sample& Simulation::sample() {
  const System& system = compiled_.system;
  spatial_velocities(system, state_, V_);
  for (std::size_t k = 0; k < compiled_.bodies.size(); ++k) {
    const BodyPlace& body = compiled_.bodies[k];
    const NodeState& s = state_.nodes[body.node];
    const Vec3 arm = s.q * body.origin, omega = V_[body.node].tail<3>();
    put(positions_, 3 * k, s.x + arm);
    Eigen::Map<Eigen::Vector4d>(&quaternions_[4 * k]) << s.q.w(), s.q.x(), s.q.y(), s.q.z();
    put(velocities_, 3 * k, s.v + omega.cross(arm));
    put(angular_velocities_, 3 * k, s.Omega);
  }
  lambda_ = state_.lambda;
  double velocity_residual = 0;
  std::span<const double> wrenches;
  if (system.row_count > 0) {
    system.jacobian(frames_, state_.angles, B_, resources_.pool.get());
    system.velocity_residual(B_, V_, state_.t, {residual_.data(), static_cast<std::size_t>(residual_.size())});
    velocity_residual = residual_.cwiseAbs().maxCoeff();
    wrenches = reactions_->evaluate(frames_, B_, lambda_);
    for (std::size_t k = 0; k < compiled_.connections.size(); ++k) {
      const Vec6 wrench = Eigen::Map<const Vec6>(wrenches.data() + 6 * k);
      largest_reactions_[k].force = std::max(largest_reactions_[k].force, wrench.head<3>().norm());
      largest_reactions_[k].moment = std::max(largest_reactions_[k].moment, wrench.tail<3>().norm());
    }
  }
  velocity_residual_ = std::max(velocity_residual_, velocity_residual);
  const double work = state_.work.done(), dissipated = state_.work.dissipated();
  sample_ = {.time = state_.t,
             .positions = positions_,
             .quaternions = quaternions_,
             .velocities = velocities_,
             .angular_velocities = angular_velocities_,
             .reactions = wrenches,
             .multipliers = {lambda_.data(), static_cast<std::size_t>(lambda_.size())},
             .energy = {energy_.kinetic, energy_.gravitational, energy_.strain, work, dissipated,
                        energy0_.total() + work - dissipated - energy_.total()},
             .linear_momentum = momentum_.linear,
             .angular_momentum = momentum_.angular,
             .position_residual = 0,
             .velocity_residual = velocity_residual,
             .newton_iterations = iterations_since_sample_};
  if (system.row_count > 0) {
    system.residual(frames_, state_.angles, state_.t, {residual_.data(), static_cast<std::size_t>(residual_.size())}, resources_.pool.get());
    sample_.position_residual = residual_.cwiseAbs().maxCoeff();
  }
  iterations_since_sample_ = 0;
  return sample_;
}

Certificate Simulation::run(const std::function<void(const Sample&)>& on_sample, const std::function<bool()>& progress) {
  const auto began = std::chrono::steady_clock::now();
  const auto take = [&] {
    const Sample& s = sample();
    if (on_sample) on_sample(s);
  };
  status_.clear();
  if (step_ == 0) take();
  while (!done() && status_.empty()) {
    if (!step()) break;
    if (step_ % stride_ == 0 || step_ == steps_) take();
    if (progress && !progress()) status_ = fmt::format("interrupted at t = {:g} s", state_.t);
  }
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return certificate();
}

Certificate Simulation::certificate() const {
  Certificate c;
  c.model = model_.name;
  c.integrator = integrator_text_;
  c.status = !failure_.empty() ? failure_ : !status_.empty() ? status_ : step_ >= steps_ ? "complete" : "running";
  c.step = model_.simulation.step;
  c.end_time = model_.simulation.end_time;
  c.time = state_.t;
  c.steps = step_;
  c.seconds = seconds_;
  c.threads = resources_.pool ? resources_.pool->threads() : 1;
  c.newton = newton_;

  const double scale = energy_scale();
  const auto relative = [](double error, double size) { return error > 0 ? (size > 0 ? error / size : error) : 0.0; };
  c.energy = {energy0_.total(), energy_.total(), scale, relative(energy_error_, scale), relative(balance_error_, scale),
              lost_, relative(identity_error_, scale), relative(largest_gain_, scale), gaining_steps_, state_.work.done() - state_.work.dissipated()};
  for (std::size_t k = 0; k < compiled_.drive_names.size(); ++k) c.drive_work[compiled_.drive_names[k]] = state_.work.drives[static_cast<long>(k)];
  if (const double work = state_.work.applied(); work != 0) c.load_work[applied] = work;
  for (std::size_t k = 0; k < compiled_.force_names.size(); ++k) {
    const Force& force = model_.forces[k];
    const bool load = force.type == Force::Type::force || force.type == Force::Type::torque || force.type == Force::Type::joint_force ||
                      force.type == Force::Type::computed_load;
    if (load) c.load_work[force.name] = state_.work.forces[static_cast<long>(k)];
    if (!load && (force.damping != 0 || !force.dampings.isZero())) c.dissipated[force.name] = state_.work.dampers[static_cast<long>(k)];
  }
  c.momentum = {relative(linear_error_, linear_size_), relative(angular_error_, angular_size_),
                static_cast<int>(conserved_.linear.size()), static_cast<int>(conserved_.angular.size())};
  c.constraints = {position_residual_, velocity_residual_, start_.equations, static_cast<int>(start_.redundancies.size()),
                   start_.freedoms, {}};
  for (const Redundancy& r : start_.redundancies)
    c.constraints.redundancies.push_back(fmt::format("redundant in joint \"{}\": {}", r.connection, r.direction()));
  for (std::size_t k = 0; k < compiled_.connections.size(); ++k) {
    auto& reaction = c.reactions[compiled_.connections[k].name] = largest_reactions_[k];
    reaction.unique = reactions_->unique(k);
  }
  for (const BodyPlace& body : compiled_.bodies) {
    const NodeState& s = state_.nodes[body.node];
    const Vec3 arm = s.q * body.origin;
    c.bodies.emplace_back(body.name, Certificate::BodyState{s.x + arm, s.v + (s.q * s.Omega).cross(arm), s.Omega, s.q});
  }
  return c;
}

}  // namespace polhode
