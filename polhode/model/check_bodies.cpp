// The checks of bodies: mass and inertia that a body can have.
#include <Eigen/Eigenvalues>

#include <fmt/format.h>

#include <polhode/describe/object.hpp>
#include <polhode/model/checks.hpp>
#include <polhode/model/inertia.hpp>

namespace polhode::checks {
namespace {

constexpr double rounding = 1e-9;  // by how much, relative, typed digits may miss symmetry or the triangle inequality

Vec3 principal_values(const Mat3& J) {
  return Eigen::SelfAdjointEigenSolver<Mat3>(0.5 * (J + J.transpose()), Eigen::EigenvaluesOnly).eigenvalues();
}

// Of the principal moments of a body of positive density none is negative or larger than the sum of the others.
void inertia(const Body& body, Check& check) {
  const double asymmetry = (body.inertia - body.inertia.transpose()).cwiseAbs().maxCoeff();
  if (asymmetry > rounding * body.inertia.cwiseAbs().maxCoeff())
    return check.error("inertia", fmt::format("inertia is not symmetric, by {:.3g} kg m^2", asymmetry));

  const bool turns_about_pivot = body.type == Body::Type::fixed_point;
  const Vec3 at_centre = principal_values(inertia_at_centre_of_mass(body));
  const Vec3 counted = turns_about_pivot ? principal_values(inertia_at_pivot(body)) : at_centre;
  if (counted[0] <= 0)
    return check.error("inertia", fmt::format("inertia about the {} has the principal values {}; all must be > 0",
                                              turns_about_pivot ? "pivot" : "centre of mass", to_text(counted)));
  if (at_centre[0] < -rounding * counted[2])
    check.warning(
        "inertia",
        fmt::format("inertia about the centre of mass has the principal values {}; no real body has a negative one",
                    to_text(at_centre)));
  else if (at_centre[0] + at_centre[1] < at_centre[2] * (1 - rounding))
    check.warning(
        "inertia",
        fmt::format(
            "inertia about the centre of mass has the principal values {}; in a real body the largest is at most "
            "the sum of the others",
            to_text(at_centre)));
}

void check_body(const Body& body, Check& check) {
  const std::size_t before = check.count();
  check_object(*body_types()[static_cast<std::size_t>(body.type)], &body, check);
  if (has_orientation(&body) && !body.inertia.allFinite())
    check.error("inertia", "inertia holds a number that is not finite");
  if (body.type == Body::Type::fixed_point && body.velocity)
    check.error("velocity", "velocity is not used by a fixed-point body; give angular_velocity");
  if (body.type == Body::Type::particle && body.angular_velocity)
    check.error("angular_velocity", "angular_velocity is not used by a particle, which does not turn");
  if (body.type == Body::Type::scalar && (body.velocity || body.angular_velocity))
    check.error("velocity", "a scalar's velocity is given by rate");
  if (has_orientation(&body) && check.count() == before) inertia(body, check);
}

}  // namespace

void bodies(Context& context) {
  for (std::size_t k = 0; k < context.model.bodies.size(); ++k) {
    const Body& body = context.model.bodies[k];
    Check check = context.check({"bodies", k, body.name});
    context.names.bodies.add(body.name, k, check);
    check_body(body, check);
  }
}

}  // namespace polhode::checks
