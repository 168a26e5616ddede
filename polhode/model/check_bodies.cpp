// The checks of bodies (mass, inertia) and of functions of time.
#include <Eigen/Eigenvalues>

#include <polhode/model/checks.hpp>
#include <polhode/model/inertia.hpp>

namespace polhode::checks {
namespace {

constexpr double rounding = 1e-9;  // by how much, relative, typed digits may miss symmetry or the triangle inequality

Vec3 principal_values(const Mat3& J) {
  return Eigen::SelfAdjointEigenSolver<Mat3>(0.5 * (J + J.transpose()), Eigen::EigenvaluesOnly).eigenvalues();
}

// Of the principal moments of a body of positive density none is negative or larger than the sum of the others.
void inertia(const Body& body, Reporter& report) {
  if (!body.inertia.allFinite()) return report.error("inertia holds a number that is not finite");
  const double asymmetry = (body.inertia - body.inertia.transpose()).cwiseAbs().maxCoeff();
  if (asymmetry > rounding * body.inertia.cwiseAbs().maxCoeff())
    return report.error("inertia is not symmetric, by {:.3g} kg m^2", asymmetry);

  const bool turns_about_pivot = body.type == Body::Type::fixed_point;
  const Vec3 at_centre = principal_values(inertia_at_centre_of_mass(body));
  const Vec3 counted = turns_about_pivot ? principal_values(inertia_at_pivot(body)) : at_centre;
  if (counted[0] <= 0)
    return report.error("inertia about the {} has the principal values {}; all must be > 0",
                        turns_about_pivot ? "pivot" : "centre of mass", text(counted));
  if (at_centre[0] < -rounding * counted[2])
    report.warning("inertia about the centre of mass has the principal values {}; no real body has a negative one",
                   text(at_centre));
  else if (at_centre[0] + at_centre[1] < at_centre[2] * (1 - rounding))
    report.warning("inertia about the centre of mass has the principal values {}; in a real body the largest is at most "
                   "the sum of the others",
                   text(at_centre));
}

bool is_color(const std::string& text) {
  return text.size() == 7 && text[0] == '#' && text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
}

void mesh(const Shape& shape, const std::string& key, Reporter& report) {
  const int count = static_cast<int>(shape.vertices.size());
  if (count < 3 || shape.faces.empty())
    return report.error("{} has {} vertices and {} faces; a mesh takes three of them and one face at least", key, count, shape.faces.size());
  for (std::size_t k = 0; k < shape.vertices.size(); ++k)
    if (!report.finite(fmt::format("{}.vertices[{}]", key, k), shape.vertices[k])) return;
  for (std::size_t k = 0; k < shape.faces.size(); ++k)
    for (const int index : shape.faces[k])
      if (index < 0 || index >= count)
        return report.error("{}.faces[{}] names the vertex {}; there are 0 to {}", key, k, index, count - 1);
}

void shape(const Shape& shape, const std::string& key, Reporter& report) {
  using Type = Shape::Type;
  report.finite(key + ".at", shape.at);
  report.rotation(key + ".frame", shape.frame);
  if (!shape.color.empty() && !is_color(shape.color))
    report.error("{}.color is \"{}\"; give red, green and blue such as \"#2563c9\"", key, shape.color);
  const auto positive = [&](const char* name, double value) {
    if (!(value > 0 && std::isfinite(value))) report.error("{}.{} is {}; give a length > 0 m", key, name, value);
  };
  if (shape.type == Type::mesh) return mesh(shape, key, report);
  if (shape.type == Type::box) {
    for (const double edge : shape.size) positive("size", edge);
    return;
  }
  positive("radius", shape.radius);
  if (shape.type != Type::sphere) positive("length", shape.length);
}

void body(const Body& body, Reporter& report) {
  bool finite = report.finite("mass", body.mass) && report.finite("position", body.position);
  if (finite && body.mass <= 0) {
    report.error("mass is {}; give a mass > 0 kg", body.mass);
    finite = false;
  }
  report.finite("velocity", body.velocity);
  report.finite("angular_velocity", body.angular_velocity);
  for (std::size_t k = 0; k < body.shapes.size(); ++k) shape(body.shapes[k], fmt::format("shapes[{}]", k), report);

  switch (body.type) {
    case Body::Type::rigid:
    case Body::Type::fixed_point:
      finite &= report.finite("centre_of_mass", body.centre_of_mass);
      finite &= report.finite("inertia_about", body.inertia_about);
      finite &= report.rotation("orientation", body.orientation);
      finite &= report.rotation("inertia_frame", body.inertia_frame);
      if (body.type == Body::Type::fixed_point) {
        finite &= report.finite("pivot", body.pivot);
        if (body.velocity) report.error("velocity is not used by a fixed-point body; give angular_velocity");
      }
      if (finite) inertia(body, report);
      break;
    case Body::Type::particle:
      if (body.angular_velocity) report.error("angular_velocity is not used by a particle, which does not turn");
      break;
    case Body::Type::scalar:
      report.direction("axis", body.axis);
      report.finite("coordinate", body.coordinate);
      report.finite("rate", body.rate);
      if (body.velocity || body.angular_velocity) report.error("a scalar's velocity is given by rate");
      break;
  }
}

bool all_finite(const std::vector<double>& numbers, const std::string& key, Reporter& report) {
  for (std::size_t k = 0; k < numbers.size(); ++k)
    if (!report.finite(fmt::format("{}[{}]", key, k), numbers[k])) return false;
  return true;
}

void increasing(const std::vector<double>& times, const std::string& key, Reporter& report) {
  if (!all_finite(times, key, report)) return;
  for (std::size_t k = 1; k < times.size(); ++k)
    if (times[k] <= times[k - 1])
      return report.error("{0}[{1}] is {2} after {3}; times must increase", key, k, times[k], times[k - 1]);
}

void one_each(std::size_t times, std::size_t others, const std::string& key, const char* word, Reporter& report) {
  if (times != others)
    report.error("{}.times has {} entries and {} has {}; give as many", key, times, word, others);
  else if (times == 0)
    report.error("{}.times is empty; give at least one", key);
}

}  // namespace

void bodies(Context& context) {
  for (std::size_t i = 0; i < context.model.bodies.size(); ++i) {
    const Body& one = context.model.bodies[i];
    const std::string where = place("bodies", i, one.name);
    Reporter report(context.findings, where);
    context.bodies.add(one.name, i, where, report);
    body(one, report);
  }
}

void function(const Function& f, const std::string& key, Reporter& report) {
  using Type = Function::Type;
  switch (f.type) {
    case Type::constant: report.finite(key, f.value); break;
    case Type::polynomial:
      if (f.coefficients.empty()) report.error("{}.coefficients is empty; give at least one", key);
      all_finite(f.coefficients, key + ".coefficients", report);
      break;
    case Type::harmonic:
      report.finite(key + ".amplitude", f.amplitude);
      report.finite(key + ".angular_frequency", f.angular_frequency);
      report.finite(key + ".phase", f.phase);
      report.finite(key + ".offset", f.offset);
      break;
    case Type::ramp:
      report.finite(key + ".from", f.from);
      report.finite(key + ".to", f.to);
      if (report.finite(key + ".start", f.start) && report.finite(key + ".end", f.end) && f.end <= f.start)
        report.error("{}.end is {} and start is {}; a ramp takes time (for a jump use piecewise)", key, f.end, f.start);
      break;
    case Type::table:
      one_each(f.times.size(), f.values.size(), key, "values", report);
      increasing(f.times, key + ".times", report);
      all_finite(f.values, key + ".values", report);
      if (f.interpolation == Function::Interpolation::cubic && f.times.size() == f.values.size() &&
          f.curvatures.size() != f.times.size())
        report.error("{} is a cubic table that was not prepared; call Function::prepare()", key);
      break;
    case Type::piecewise:
    case Type::sum:
      if (f.type == Type::piecewise) {
        one_each(f.times.size(), f.terms.size(), key, "functions", report);
        increasing(f.times, key + ".times", report);
      } else if (f.terms.empty()) {
        report.error("{}.functions is empty; give at least one", key);
      }
      for (std::size_t k = 0; k < f.terms.size(); ++k)
        function(f.terms[k], fmt::format("{}.functions[{}]", key, k), report);
      break;
  }
}

}  // namespace polhode::checks
