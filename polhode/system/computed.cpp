#include <polhode/system/computed.hpp>

#include <polhode/lie/so3.hpp>

namespace polhode {

ComputedLoad::Motion motion_at(const Frame& frame, const Vec6& V, double t, const Vec3& X) {
  const Vec3 arm = frame.d * X, omega = V.tail<3>();
  return {t, frame.x + arm, Quaternion(frame.d).normalized(), V.head<3>() + omega.cross(arm), frame.d.transpose() * omega};
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
  return load.load->wrench(s.pointwise ? motion_at(s.end[i], s.V[i], t, load.X) : motion_between(s.start[i], s.end[i], s.t0, s.t1, load.X));
}

double work_between(const Vec6& wrench, const Vec3& X, const Frame& start, const Frame& end) {
  const Vec3 force = wrench.head<3>(), torque = wrench.tail<3>();
  double work = force.dot(end.x + end.d * X - start.x - start.d * X);
  if (!torque.isZero()) work += torque.dot(so3::cay_inverse(Mat3(end.d * start.d.transpose())));
  return work;
}

}  // namespace polhode
