#include <polhode/integrate/force_map.hpp>

#include <cmath>

#include <polhode/lie/so3.hpp>

namespace polhode {
namespace {

double cosine(const Vec3& e) { return std::sqrt(1 - e.squaredNorm()); }

/// F = (T - b x T/2)/(1 + a.b/4), the same in both balances: with c the Cayley vector from the jump to the end, c = (1
/// + b~/2)(a - b)/(1 + a.b/4).
void transport(const Vec3& a, const Vec3& b, const Vec3& T, ForceMap& F) {
  const double s = 1 + 0.25 * a.dot(b);
  const Mat3 map = (Mat3::Identity() - 0.5 * hat(b)) / s;
  const Vec3 torque = map * T;
  F.a.bottomRightCorner<3, 3>() = map;
  F.da[at_end].bottomRightCorner<3, 3>() = -torque * (b.transpose() / (4 * s)) * so3::cay_spatial_tangent_inverse(a);
  F.da[at_jump].bottomRightCorner<3, 3>() =
      (0.5 * hat(T) - 0.25 * torque * a.transpose()) / s * so3::cay_spatial_tangent_inverse(b);
  F.b = F.a;
  F.db = F.da;
}

/// A^T T = (T - a x T/2 + a (a.T)/4)/(1 + a.b/4): in the balance of the jump, whose Cayley vector obeys c = a - A b.
void carry_back(const Vec3& a, const Vec3& b, const Vec3& T, ForceMap& F) {
  const double s = 1 + 0.25 * a.dot(b);
  const Mat3 map = so3::cay_spatial_tangent_inverse(a) / s;
  const Vec3 torque = map * T;
  F.b.bottomRightCorner<3, 3>() = map;
  F.db[at_end].bottomRightCorner<3, 3>() =
      (0.5 * hat(T) + 0.25 * (a.dot(T) * Mat3::Identity() + a * T.transpose()) - 0.25 * torque * b.transpose()) / s *
      so3::cay_spatial_tangent_inverse(a);
  F.db[at_jump].bottomRightCorner<3, 3>() = -torque * (a.transpose() / (4 * s)) * so3::cay_spatial_tangent_inverse(b);
}

/// F_g = (f, xg x f + T), F_g' = (f', xh x f' + A^T T), f' = f - a x f/2, F_h = (f_h, xh x f_h + T_h), with the pole at
/// the node's starting point: xg = (dx1 + dxj)/2 and xh = dxj/2.
void about_pole(const NodeStep& step, const Vec6& g_g, const Vec6& g_h, ForceMap& F) {
  const Vec3 &a = step.r[at_end], f = g_g.head<3>(), f_h = g_h.head<3>();
  const Vec3 xg = 0.5 * (step.dx[at_end] + step.dx[at_jump]), xh = 0.5 * step.dx[at_jump];
  const Mat3 turn = Mat3::Identity() - 0.5 * hat(a), turn_by_end = 0.5 * hat(f) * so3::cay_spatial_tangent_inverse(a);
  const Vec3 f_back = turn * f;
  F.a.bottomLeftCorner<3, 3>() = hat(xg);
  F.da[at_end].bottomLeftCorner<3, 3>() = F.da[at_jump].bottomLeftCorner<3, 3>() = -0.5 * hat(f);
  F.b.topLeftCorner<3, 3>() = turn;
  F.b.bottomLeftCorner<3, 3>() = hat(xh) * turn;
  F.db[at_end].topRightCorner<3, 3>() += turn_by_end;
  F.db[at_end].bottomRightCorner<3, 3>() += hat(xh) * turn_by_end;
  F.db[at_jump].bottomLeftCorner<3, 3>() = -0.5 * hat(f_back);
  F.h.bottomLeftCorner<3, 3>() = hat(xh);
  F.dh.bottomLeftCorner<3, 3>() = -0.5 * hat(f_h);
}

/// F = (b0 + eb eb^T/b0 - ej~) T with the means eb and b0 of e = r/2 and of its cosine, the same in both balances.
void half_rotation(const Vec3& e1, const Vec3& ej, const Vec3& T, ForceMap& F) {
  const Vec3 eb = 0.5 * (e1 + ej);
  const double c1 = cosine(e1), cj = cosine(ej), b0 = 0.5 * (c1 + cj), along = eb.dot(T);
  const Vec3 by_b0 = T - along / (b0 * b0) * eb;
  const Mat3 by_eb = (along * Mat3::Identity() + eb * T.transpose()) / b0;
  F.a.bottomRightCorner<3, 3>() = b0 * Mat3::Identity() + eb * eb.transpose() / b0 - hat(ej);
  F.da[at_end].bottomRightCorner<3, 3>() =
      0.25 * (by_eb - by_b0 * e1.transpose() / c1) * rotation_rate(Torque::half_rotation, 2 * e1);
  F.da[at_jump].bottomRightCorner<3, 3>() =
      (0.25 * (by_eb - by_b0 * ej.transpose() / cj) + 0.5 * hat(T)) * rotation_rate(Torque::half_rotation, 2 * ej);
  F.b = F.a;
  F.db = F.da;
}

}  // namespace

Quaternion rotation_of(Torque torque, const Vec3& r) {
  if (torque != Torque::half_rotation) return so3::cay(r);
  const Vec3 e = 0.5 * r;
  return {cosine(e), e.x(), e.y(), e.z()};
}

Mat3 rotation_rate(Torque torque, const Vec3& r) {
  if (torque != Torque::half_rotation) return so3::cay_spatial_tangent_inverse(r);
  return cosine(0.5 * r) * Mat3::Identity() - 0.5 * hat(r);
}

Quaternion half_way(const Vec3& r_a, const Vec3& r_b) {
  const Vec3 e = 0.25 * (r_a + r_b);
  return Quaternion(0.5 * (cosine(0.5 * r_a) + cosine(0.5 * r_b)), e.x(), e.y(), e.z()).normalized();
}

ForceMap::ForceMap(Torque torque, const Node& node, const NodeStep& step, const Vec6& g_g, const Vec6& g_h) {
  if (!node.rotates()) return;
  const Vec3 &r1 = step.r[at_end], &rj = step.r[at_jump], T = g_g.tail<3>();
  switch (torque) {
    case Torque::transported: transport(r1, rj, T, *this); break;
    case Torque::half_rotation: half_rotation(0.5 * r1, 0.5 * rj, T, *this); break;
    case Torque::fixed_pole:
      carry_back(r1, rj, T, *this);
      if (moves_about_pole(torque, node)) about_pole(step, g_g, g_h, *this);
  }
}

}  // namespace polhode
