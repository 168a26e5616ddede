// The exponential map of SO(3). T and T⁻¹ are one formula, I + f p~ + g p~p~, with different f(|p|) and g(|p|).
#include <polhode/lie/so3.hpp>

#include <polhode/lie/series.hpp>

namespace polhode::so3 {
namespace {

/// A function of phi = |p| with its first and second derivatives f° and f°° with respect to phi²/2.
struct Radial {
  double f, f1 = 0, f2 = 0;
};

/// p~p~ = p pᵀ - |p|² I
Mat3 square(const Vec3& p) {
  Mat3 S = p * p.transpose();
  S.diagonal().array() -= p.squaredNorm();
  return S;
}

/// u~v~ + v~u~ = u vᵀ + v uᵀ - 2 (u·v) I
Mat3 product(const Vec3& u, const Vec3& v) {
  Mat3 S = u * v.transpose();
  S += S.transpose().eval();
  S.diagonal().array() -= 2 * u.dot(v);
  return S;
}

/// I + f p~ + g p~p~
Mat3 form(const Vec3& p, const Radial& f, const Radial& g) { return Mat3::Identity() + f.f * hat(p) + g.f * square(p); }

/// Its derivative along u: f u~ + f° (p·u) p~ + g (u~p~ + p~u~) + g° (p·u) p~p~
Mat3 form_derivative(const Vec3& p, const Vec3& u, const Radial& f, const Radial& g) {
  const double pu = p.dot(u);
  return hat(f.f * u + f.f1 * pu * p) + g.f * product(u, p) + g.f1 * pu * square(p);
}

/// Its second derivative along u and v: the line above, differentiated once more
Mat3 form_second_derivative(const Vec3& p, const Vec3& u, const Vec3& v, const Radial& f, const Radial& g) {
  const double pu = p.dot(u), pv = p.dot(v), uv = u.dot(v);
  return hat(f.f1 * (pv * u + pu * v + uv * p) + f.f2 * pu * pv * p) + g.f * product(u, v) +
         g.f1 * (pv * product(u, p) + pu * product(v, p) + uv * square(p)) + g.f2 * pu * pv * square(p);
}

/// The matrix of u -> form_derivative(p, u) v:
///   -f v~ + f° (p x v) pᵀ - g ((p x v)~ + p~v~) + g° (p x (p x v)) pᵀ,  with p~v~ = v pᵀ - (p·v) I
Mat3 form_jacobian(const Vec3& p, const Vec3& v, const Radial& f, const Radial& g) {
  const Vec3 pv = p.cross(v);
  Mat3 J = (f.f1 * pv + g.f1 * p.cross(pv) - g.f * v) * p.transpose() - hat(f.f * v + g.f * pv);
  J.diagonal().array() += g.f * p.dot(v);
  return J;
}

}  // namespace

Quaternion exp(const Vec3& p) {
  const double half = 0.5 * p.norm();
  const Vec3 xyz = 0.5 * series::sinc(half) * p;
  return Quaternion(std::cos(half), xyz.x(), xyz.y(), xyz.z());
}

Mat3 exp_matrix(const Vec3& p) { return exp(p).toRotationMatrix(); }

Vec3 log(const Quaternion& q) {
  const double sign = std::signbit(q.w()) ? -1 : 1;  // the representative with w >= 0 turns by at most pi
  const double w = sign * q.w(), n = q.vec().norm();
  const double angle_over_n = n == 0 ? 2 / w : 2 * std::atan2(n, w) / n;  // cancels nothing
  return sign * angle_over_n * q.vec();
}

Vec3 log(const Mat3& R) { return log(Quaternion(R)); }

Quaternion between(const Vec3& from, const Vec3& to) {
  const Vec3 a = from.normalized(), b = to.normalized();
  if (a.dot(b) <
      0) {  // to the opposite, then a half turn: the middle of directions that are nearly opposite is not known well
    const Vec3 across = a.cross(b).norm() > 1e-12 ? Vec3(a.cross(b).normalized()) : b.unitOrthogonal();
    const Vec3 n = (across - across.dot(b) * b).normalized();
    return Quaternion(0, n.x(), n.y(), n.z()) * between(a, -b);
  }
  const Vec3 middle = (a + b).normalized(), axis = a.cross(middle);
  return Quaternion(a.dot(middle), axis.x(), axis.y(), axis.z()).normalized();
}

Mat3 tangent(const Vec3& p) {
  const double phi = p.norm();
  return form(p, {-series::a2(phi)}, {series::a3(phi)});
}

Mat3 tangent_derivative(const Vec3& p, const Vec3& u) {
  const double phi = p.norm();
  return form_derivative(p, u, {-series::a2(phi), -series::b2(phi)}, {series::a3(phi), series::b3(phi)});
}

Mat3 tangent_second_derivative(const Vec3& p, const Vec3& u, const Vec3& v) {
  const double phi = p.norm();
  return form_second_derivative(p, u, v, {-series::a2(phi), -series::b2(phi), -series::e2(phi)},
                                {series::a3(phi), series::b3(phi), series::e3(phi)});
}

Mat3 tangent_jacobian(const Vec3& p, const Vec3& v) {
  const double phi = p.norm();
  return form_jacobian(p, v, {-series::a2(phi), -series::b2(phi)}, {series::a3(phi), series::b3(phi)});
}

Mat3 tangent_inverse(const Vec3& p) { return form(p, {0.5}, {series::c(p.norm())}); }

Mat3 tangent_inverse_derivative(const Vec3& p, const Vec3& u) {
  const double phi = p.norm();
  return form_derivative(p, u, {0.5}, {series::c(phi), series::c1(phi)});
}

Mat3 tangent_inverse_second_derivative(const Vec3& p, const Vec3& u, const Vec3& v) {
  const double phi = p.norm();
  return form_second_derivative(p, u, v, {0.5}, {series::c(phi), series::c1(phi), series::c2(phi)});
}

Mat3 tangent_inverse_jacobian(const Vec3& p, const Vec3& v) {
  const double phi = p.norm();
  return form_jacobian(p, v, {0.5}, {series::c(phi), series::c1(phi)});
}

}  // namespace polhode::so3
