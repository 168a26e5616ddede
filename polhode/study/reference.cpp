#include <polhode/study/reference.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <polhode/lie/so3.hpp>
#include <polhode/model/error.hpp>
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
    const Certificate::BodyState& b = moment.bodies[static_cast<std::size_t>(place)];
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
  for_common_moments(run, reference, [&](const Moment& m, const ReferenceMoment& r) { largest.include(errors_at(m, r, run.bodies)); });
  return largest;
}

Errors errors_at_end(const Trajectory& run, const Reference& reference) {
  Errors last;
  for_common_moments(run, reference, [&](const Moment& m, const ReferenceMoment& r) { last = errors_at(m, r, run.bodies); });
  return last;
}

Reference compute_reference(const Model& model, const std::vector<double>& times, double tolerance) {
  const CompiledModel compiled = compile(model);
  State start = compiled.start;
  const StartReport report = consistent_start(compiled, model.simulation.assembly, start);
  Reactions reactions(compiled, start, !report.redundancies.empty());
  std::vector<std::string> names;
  for (const BodyPlace& body : compiled.bodies) names.push_back(body.name);

  const auto follow = [&](double accuracy) {
    ExactMotion motion(compiled, start, accuracy);
    std::vector<Moment> moments;
    for (const double t : times) {
      if (!motion.advance(t))
        throw ModelError(fmt::format("no reference: the equations of motion cannot be followed past t = {:g} s; they are singular there "
                                     "or too stiff. Give --reference FILE, or a smaller --end-time", motion.state().t));
      Moment m = moment_of(compiled, motion.state());
      VecX lambda = motion.multipliers();
      const auto wrenches = reactions.evaluate(motion.state(), lambda);
      m.reactions.assign(wrenches.begin(), wrenches.end());
      moments.push_back(std::move(m));
    }
    return moments;
  };

  Reference out;
  Errors difference;
  const std::vector<Moment> fine = follow(tolerance), coarse = follow(100 * tolerance);
  for (std::size_t k = 0; k < fine.size(); ++k) {
    ReferenceMoment r{fine[k].time, {}, fine[k].reactions};
    for (std::size_t b = 0; b < names.size(); ++b) {
      const Certificate::BodyState& s = fine[k].bodies[b];
      r.bodies.push_back({names[b], Vec3::Zero(), s.position, s.velocity, s.angular_velocity, {}, s.orientation});
    }
    difference.include(errors_at(coarse[k], r, names));
    out.moments.push_back(std::move(r));
  }
  out.source = fmt::format("equations of motion solved by extrapolation of orders to 20, relative tolerance {:.0e} a step", tolerance);
  out.position_error = std::max(difference.position, std::isnan(difference.angle) ? 0.0 : difference.angle);
  out.error = fmt::format("below {:.1e} m, {:.1e} rad, from a second solution with a tolerance 100 times as large", difference.position,
                          difference.angle);
  return out;
}

}  // namespace polhode
