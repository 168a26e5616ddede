#include <polhode/system/computed.hpp>

#include <limits>

#include <polhode/lie/so3.hpp>

namespace polhode {

template <int n>
PotentialStress<n>::PotentialStress(const ComputedPotential& law, const Y& y0, const Y& y1, bool pointwise,
                                    bool with_tangent, double length) {
  if (pointwise) {
    stress = gradient(law, y1);
    if (with_tangent) tangent = hessian(law, y1, length);
    return;
  }
  const Y dy = y1 - y0, ym = 0.5 * (y0 + y1), g = gradient(law, ym);
  Y D = Y::Ones();
  if constexpr (n == 6) D.template tail<3>().setConstant(length * length);
  const Y Ddy = D.cwiseProduct(dy);
  const double W0 = energy(law, y0), W1 = energy(law, y1), size = dy.dot(Ddy), missing = W1 - W0 - g.dot(dy);
  const bool corrected =
      std::abs(missing) > 4 * std::numeric_limits<double>::epsilon() * (std::abs(W0) + std::abs(W1)) && size > 0;
  const double alpha = corrected ? missing / size : 0;
  stress = g + alpha * Ddy;
  if (!with_tangent) return;
  const Hessian H = hessian(law, ym, length);
  tangent = 0.5 * H;
  if (!corrected) return;
  tangent += alpha * Hessian(D.asDiagonal());
  tangent += Ddy * ((gradient(law, y1) - g - 0.5 * (H * dy) - 2 * alpha * Ddy) / size).transpose();
}

template <int n>
double PotentialStress<n>::energy(const ComputedPotential& law, const Y& y) {
  return law.energy({y.data(), n});
}

template <int n>
auto PotentialStress<n>::gradient(const ComputedPotential& law, const Y& y) -> Y {
  Y g;
  law.gradient({y.data(), n}, {g.data(), n});
  return g;
}

template <int n>
auto PotentialStress<n>::hessian(const ComputedPotential& law, const Y& y, double length) -> Hessian {
  Hessian H;
  if (law.hessian) {
    law.hessian({y.data(), n}, {H.data(), n * n});
    return H;
  }
  for (int k = 0; k < n; ++k) {  // central differences of the gradient: right to about 1e-9, enough for Newton
    const double step = 1e-5 * (n == 6 && k >= 3 ? 1.0 : std::max(length, std::abs(y[k])));
    H.col(k) = (gradient(law, y + step * Y::Unit(k)) - gradient(law, y - step * Y::Unit(k))) / (2 * step);
  }
  return 0.5 * (H + H.transpose());
}

template struct PotentialStress<1>;
template struct PotentialStress<3>;
template struct PotentialStress<6>;

ComputedLoad::Motion motion_at(const Frame& frame, const Vec6& V, double t, const Vec3& X) {
  const Vec3 arm = frame.d * X, omega = V.tail<3>();
  return {t, frame.x + arm, Quaternion(frame.d).normalized(), V.head<3>() + omega.cross(arm),
          frame.d.transpose() * omega};
}

ComputedLoad::Motion motion_between(const Frame& start, const Frame& end, double t0, double t1, const Vec3& X) {
  const Quaternion q0(start.d), q1(end.d), middle = q0.slerp(0.5, q1).normalized();
  const double h = t1 - t0;
  const Vec3 p0 = start.x + start.d * X, p1 = end.x + end.d * X;
  return {0.5 * (t0 + t1), 0.5 * (p0 + p1), middle, (p1 - p0) / h, so3::cay_inverse(q0.conjugate() * q1) / h};
}

Vec6 wrench_in(const ComputedWrench& load, const Stage& s) {
  const int i = load.node;
  const double t = 0.5 * (s.t0 + s.t1);
  return load.load->wrench(s.pointwise ? motion_at(s.end[i], s.V[i], t, load.X)
                                       : motion_between(s.start[i], s.end[i], s.t0, s.t1, load.X));
}

double work_between(const Vec6& wrench, const Vec3& X, const Frame& start, const Frame& end) {
  const Vec3 force = wrench.head<3>(), torque = wrench.tail<3>();
  double work = force.dot(end.x + end.d * X - start.x - start.d * X);
  if (!torque.isZero()) work += torque.dot(so3::cay_inverse(Mat3(end.d * start.d.transpose())));
  return work;
}

}  // namespace polhode
