// Steiner's theorem: about a point p of the body frame, J_p = J_c + m S(p - c) with S(d) = |d|^2 I - d d^T.
#include <polhode/model/inertia.hpp>

namespace polhode {
namespace {

Mat3 steiner(const Vec3& d) { return d.squaredNorm() * Mat3::Identity() - d * d.transpose(); }

Mat3 in_body_axes(const Body& body) {
  if (body.inertia_frame.coeffs() == Quaternion::Identity().coeffs()) return body.inertia;
  const Mat3 R = body.inertia_frame.toRotationMatrix();
  return R * body.inertia * R.transpose();
}

}  // namespace

Mat3 inertia_at_centre_of_mass(const Body& body) {
  const Mat3 J = in_body_axes(body);
  return body.inertia_about ? Mat3(J - body.mass * steiner(*body.inertia_about - body.centre_of_mass)) : J;
}

Vec3 pivot_in_body(const Body& body) { return body.orientation.conjugate() * (body.pivot - body.position); }

Mat3 inertia_at_pivot(const Body& body) {
  const Mat3 J = in_body_axes(body);
  const Vec3 pivot = pivot_in_body(body);
  const Vec3 given = body.inertia_about.value_or(body.centre_of_mass);
  if (given == pivot) return J;  // nothing taken off and put on again: the user's digits
  return J + body.mass * (steiner(pivot - body.centre_of_mass) - steiner(given - body.centre_of_mass));
}

}  // namespace polhode
