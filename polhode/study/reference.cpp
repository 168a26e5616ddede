#include <polhode/study/reference.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include <polhode/lie/so3.hpp>
#include <polhode/model/error.hpp>
#include <polhode/simulate/loops.hpp>
#include <polhode/study/exact_motion.hpp>

namespace polhode {
namespace {

void take_larger(double& a, double b) {
  if (std::isnan(a) || b > a) a = std::isnan(b) ? a : b;
}

}  // namespace

void Errors::include(const Errors& other) {
  take_larger(position, other.position);
  take_larger(angle, other.angle);
  take_larger(velocity, other.velocity);
  take_larger(angular_velocity, other.angular_velocity);
  take_larger(force, other.force);
  take_larger(moment, other.moment);
}

Errors errors_at(const Moment& moment, const ReferenceMoment& reference, const std::vector<std::string>& bodies) {
  Errors e;
  for (const KnownMotion& known : reference.bodies) {
    const auto place = std::find(bodies.begin(), bodies.end(), known.body) - bodies.begin();
    if (place == static_cast<long>(bodies.size()))
      throw ModelError(fmt::format("the reference tells of a body \"{}\", which the model does not have", known.body));
    const BodyState& b = moment.bodies[static_cast<std::size_t>(place)];
    const Vec3 arm = b.orientation * known.point, position = b.position + arm;
    if (known.position) take_larger(e.position, (position - *known.position).norm());
    if (known.height) take_larger(e.position, std::abs(position.z() - *known.height));
    if (known.orientation) take_larger(e.angle, so3::log(b.orientation.conjugate() * *known.orientation).norm());
    if (known.velocity) {
      const Vec3 velocity = b.velocity + b.orientation * b.angular_velocity.cross(known.point);
      take_larger(e.velocity, (velocity - *known.velocity).norm());
    }
    if (known.angular_velocity) take_larger(e.angular_velocity, (b.angular_velocity - *known.angular_velocity).norm());
  }
  if (!moment.reactions.empty() && reference.reactions.size() == moment.reactions.size())
    for (std::size_t k = 0; k + 6 <= moment.reactions.size(); k += 6) {
      const Vec6 d = Eigen::Map<const Vec6>(&moment.reactions[k]) - Eigen::Map<const Vec6>(&reference.reactions[k]);
      take_larger(e.force, d.head<3>().norm());
      take_larger(e.moment, d.tail<3>().norm());
    }
  return e;
}

namespace {

template <class Use>
void for_common_moments(const Trajectory& run, const Reference& reference, Use&& use) {
  for (const ReferenceMoment& r : reference.moments)
    for (const Moment& m : run.moments)
      if (std::abs(m.time - r.time) <= 1e-9 * (1e-3 + r.time)) use(m, r);
}

}  // namespace

Errors largest_errors(const Trajectory& run, const Reference& reference) {
  Errors largest;
  for_common_moments(run, reference,
                     [&](const Moment& m, const ReferenceMoment& r) { largest.include(errors_at(m, r, run.bodies)); });
  return largest;
}

Errors errors_at_end(const Trajectory& run, const Reference& reference) {
  Errors last;
  for_common_moments(run, reference,
                     [&](const Moment& m, const ReferenceMoment& r) { last = errors_at(m, r, run.bodies); });
  return last;
}

namespace {

/// The exact motion at some times, for the tolerance of each step.
class Follower {
 public:
  explicit Follower(const Model& model) : compiled_(compile(model)), start_(compiled_.start) {
    const StartReport report = settled_start(compiled_, model.simulation, start_);
    reactions_ = std::make_unique<Reactions>(compiled_, start_, !report.redundancies.empty());
    for (const BodyPlace& body : compiled_.bodies) names_.push_back(body.name);
  }

  const std::vector<std::string>& names() const { return names_; }

  std::vector<Moment> follow(const std::vector<double>& times, double tolerance, double first_step,
                             const ReferenceProgress& progress, double begun, double share) {
    ExactMotion motion(compiled_, start_, tolerance, first_step);
    std::vector<Moment> moments;
    for (const double t : times) {
      if (progress && !progress(begun + share * t / times.back(), t)) throw std::runtime_error("interrupted");
      if (!motion.advance(t))
        throw ModelError(fmt::format(
            "no reference: the equations of motion cannot be followed past t = {:g} s; they are singular there "
            "or too stiff. Give --reference FILE, or a smaller --end-time",
            motion.state().t));
      Moment m = moment_of(compiled_, motion.state());
      m.reactions = reactions_->evaluate(motion.state(), motion.multipliers());
      moments.push_back(std::move(m));
    }
    return moments;
  }

 private:
  CompiledModel compiled_;
  State start_;
  std::unique_ptr<Reactions> reactions_;
  std::vector<std::string> names_;
};

ReferenceMoment known_of(const Moment& moment, const std::vector<std::string>& names) {
  ReferenceMoment out{moment.time, {}, moment.reactions};
  for (std::size_t b = 0; b < names.size(); ++b) {
    const BodyState& s = moment.bodies[b];
    out.bodies.push_back({names[b], Vec3::Zero(), s.position, s.velocity, s.angular_velocity, {}, s.orientation});
  }
  return out;
}

}  // namespace

Reference compute_reference(const Model& model, const std::vector<double>& times, double tolerance,
                            const ReferenceProgress& progress) {
  Follower follower(model);
  const std::vector<Moment> fine = follower.follow(times, tolerance, 1, progress, 0, 0.6),
                            coarse = follower.follow(times, 100 * tolerance, 0.77, progress, 0.6, 0.4);
  Reference out;
  Errors difference;
  for (std::size_t k = 0; k < fine.size(); ++k) {
    out.moments.push_back(known_of(fine[k], follower.names()));
    difference.include(errors_at(coarse[k], out.moments.back(), follower.names()));
  }
  out.source = fmt::format(
      "equations of motion solved by extrapolation of orders to 20, relative tolerance {:.0e} a step", tolerance);
  out.position_error = std::max(difference.position, difference.angle);
  out.error = fmt::format(
      "below {:.1e} m, {:.1e} rad, from a second solution with other steps and a tolerance 100 times as large",
      difference.position, difference.angle);
  return out;
}

Reference completed(Reference table, const Model& model, const ReferenceProgress& progress) try {
  std::vector<double> times;
  for (const ReferenceMoment& m : table.moments) times.push_back(m.time);
  Follower follower(model);
  const std::vector<Moment> computed = follower.follow(times, 1e-12, 1, progress, 0, 1);
  Errors difference;
  for (std::size_t k = 0; k < computed.size(); ++k)
    difference.include(errors_at(computed[k], table.moments[k], follower.names()));
  const double apart = std::isnan(difference.position) ? difference.angle : difference.position;
  if (!(apart < 1e-6)) return table;
  for (std::size_t k = 0; k < computed.size(); ++k) {
    ReferenceMoment rest = known_of(computed[k], follower.names());
    for (KnownMotion& body : rest.bodies) {
      body.position.reset();
      table.moments[k].bodies.push_back(std::move(body));
    }
    table.moments[k].reactions = std::move(rest.reactions);
  }
  table.source +=
      fmt::format("; what it does not tell: equations of motion solved by extrapolation, {:.1e} from the table", apart);
  return table;
} catch (const ModelError&) {
  return table;
}

}  // namespace polhode
