#include <polhode/integrate/local_motion.hpp>

#include <polhode/lie/se3.hpp>
#include <polhode/lie/so3.hpp>

namespace polhode {
namespace {

using Choice = LocalMotionChoice;

/// Only a rigid body has the coupling of SE(3); for the others both groups are the same.
bool on_SE3(const Node& node, const Choice& choice) {
  return choice.group == Choice::Group::SE3 && node.kind == Node::Kind::rigid;
}

Quaternion rotation(const Choice& choice, const Vec3& p) {
  return choice.map == Choice::Map::cayley ? so3::cay(p) : so3::exp(p);
}

/// T^-1 of the group at the increment x: from body variations to variations of x.
Mat6 tangent_inverse(const Node& node, const Choice& choice, const Vec6& x) {
  const bool cayley = choice.map == Choice::Map::cayley;
  if (on_SE3(node, choice)) return cayley ? se3::cay_tangent_inverse(x) : se3::tangent_inverse(x);
  Mat6 T = Mat6::Identity();
  T.bottomRightCorner<3, 3>() = cayley ? so3::cay_tangent_inverse(x.tail<3>()) : so3::tangent_inverse(x.tail<3>());
  return T;
}

}  // namespace

void move_by(const Node& node, const Choice& choice, const Vec6& x, Vec3& x_star, Quaternion& q_star) {
  if (on_SE3(node, choice)) {
    const Pose step = choice.map == Choice::Map::cayley ? se3::cay(x) : se3::exp(x);
    x_star += q_star * step.x;
    q_star = q_star * step.R;
    return;
  }
  if (node.translates()) x_star += x.head<3>();
  if (node.rotates()) q_star = q_star * rotation(choice, x.tail<3>());
}

Vec6 to_space(const Node& node, const Choice& choice, const Mat3& R, const Vec6& v) {
  Vec6 V = v;
  V.tail<3>() = R * v.tail<3>();
  if (on_SE3(node, choice)) V.head<3>() = R * v.head<3>();
  return V;
}

Vec6 from_space(const Node& node, const Choice& choice, const Mat3& R, const Vec6& V) {
  Vec6 v = V;
  v.tail<3>() = R.transpose() * V.tail<3>();
  if (on_SE3(node, choice)) v.head<3>() = R.transpose() * V.head<3>();
  return v;
}

Vec6 group_velocity(const Node& node, const Choice& choice, const NodeState& state) {
  Vec6 v;
  v << (on_SE3(node, choice) ? Vec3(state.q.conjugate() * state.v) : state.v), state.Omega;
  return v;
}

void set_group_velocity(const Node& node, const Choice& choice, const Vec6& v, NodeState& state) {
  state.v = on_SE3(node, choice) ? Vec3(state.q * v.head<3>()) : Vec3(v.head<3>());
  state.Omega = v.tail<3>();
}

Vec6 group_acceleration(const Node& node, const Choice& choice, const NodeState& state, const Vec6& in_space) {
  // R^T d(R Omega)/dt = dOmega/dt, and d(R^T dx/dt)/dt = R^T d2x/dt2 - Omega x U
  Vec6 a = from_space(node, choice, state.q.toRotationMatrix(), in_space);
  if (on_SE3(node, choice)) a.head<3>() -= state.Omega.cross(Vec3(state.q.conjugate() * state.v));
  return a;
}

Vec6 bracket(const Node& node, const Choice& choice, const Vec6& v, const Vec6& z) {
  if (on_SE3(node, choice)) return se3::bracket(v, z);
  Vec6 b = Vec6::Zero();
  b.tail<3>() = v.tail<3>().cross(z.tail<3>());
  return b;
}

LocalMotion::LocalMotion(const Node& node, const BodyInertia& body, const Choice& choice, const Vec3& x_star,
                         const Quaternion& q_star, const Vec6& x, const Vec6& w, const Vec6& c, double gamma, double b)
    : q(q_star), v(w), v_dot(c) {
  frame.x = x_star;
  move_by(node, choice, x, frame.x, q);
  frame.d = q.toRotationMatrix();
  const Mat3& R = frame.d;
  const bool se3 = on_SE3(node, choice);

  // v and dv/dt by x: by the method alone, or also through the chart
  Mat6 v_by_x = gamma * Mat6::Identity(), v_dot_by_x = b * Mat6::Identity();
  if (choice.map == Choice::Map::rotation_vector && node.rotates()) {
    const Vec3 psi = x.tail<3>(), rate = w.tail<3>(), second = c.tail<3>();
    const Mat3 T = so3::tangent(psi), T_rate = so3::tangent_derivative(psi, rate);
    v.tail<3>() = T * rate;                        // Omega = T psi'
    v_dot.tail<3>() = T * second + T_rate * rate;  // Omega' = T psi'' + T' psi'
    Mat3 bend;                                     // d(T' psi')/d psi at constant psi'
    for (int k = 0; k < 3; ++k) bend.col(k) = so3::tangent_second_derivative(psi, rate, Vec3::Unit(k)) * rate;
    const Mat3 by_psi = so3::tangent_jacobian(psi, rate);
    v_by_x.bottomRightCorner<3, 3>() = gamma * T + by_psi;
    v_dot_by_x.bottomRightCorner<3, 3>() =
        b * T + so3::tangent_jacobian(psi, second) + bend + gamma * (by_psi + T_rate);
  }

  const auto [n, n_by_v, n_by_v_dot] = body.acceleration(v, v_dot, se3);

  // all in space: S = diag(1, R) or diag(R, R)
  Mat6 S = Mat6::Identity();
  S.bottomRightCorner<3, 3>() = R;
  if (se3) S.topLeftCorner<3, 3>() = R;
  A = tangent_inverse(node, choice, x) * S.transpose();
  V = S * v;
  balance = S * n / b;
  V_by_x = S * v_by_x;
  balance_by_x = S * (n_by_v_dot * v_dot_by_x + n_by_v * v_by_x) / b;
  V_by_delta = V_by_x * A;
  balance_by_delta = balance_by_x * A;
  // the parts that turn with the body
  V_by_delta.bottomRightCorner<3, 3>() -= hat(V.tail<3>());
  balance_by_delta.bottomRightCorner<3, 3>() -= hat(balance.tail<3>());
  if (se3) {
    V_by_delta.topRightCorner<3, 3>() -= hat(V.head<3>());
    balance_by_delta.topRightCorner<3, 3>() -= hat(balance.head<3>());
  }
}

}  // namespace polhode
