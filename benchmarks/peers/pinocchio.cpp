// Pinocchio: its articulated-body algorithm (aba) for trees, constraintDynamics for loops, with integrators around it,
// since it has none: rk4 (fixed step), rkf78 (Boost.Odeint, step control) in quaternions and joint velocities.
//   --set world=1: aba in its world convention.  --set baumgarte=K: pull of loops to their constraint, kp = K^2, kd = 2 K.
#include "scene.hpp"

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/multibody/joint.hpp>

#include <boost/numeric/odeint/external/eigen/eigen.hpp>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>

using namespace peers;
namespace pin = pinocchio;
using Vector = Eigen::VectorXd;
using In = Eigen::Ref<const Vector>;  // what the library is compiled for

namespace {

struct Tree {
  pin::Model model;
  std::vector<pin::JointIndex> joint_of;  // of each body
  std::vector<pin::SE3> body_in_joint;    // the body frame in its joint frame
  Vector q0, v0;
  std::vector<char> kind;  // of each pinocchio joint: r, s, p, f
};

pin::SE3 frame(const Vec3& p, const Quat& q) { return {q.toRotationMatrix(), p}; }

Tree build(const Scene& scene) {
  Tree t;
  t.model.gravity.linear() = scene.gravity;
  const std::size_t n = scene.bodies.size();
  t.joint_of.assign(n, 0);
  t.body_in_joint.assign(n, pin::SE3::Identity());
  t.kind = {'u'};
  std::vector<Vec3> angular{Vec3::Zero()}, linear{Vec3::Zero()};
  std::vector<pin::SE3> pose{pin::SE3::Identity()};  // of free joints
  for (const int b : scene.order) {
    const Body& body = scene.bodies[b];
    pin::JointIndex id;
    if (scene.parent_joint[b] < 0) {
      id = t.model.addJoint(0, pin::JointModelFreeFlyer(), pin::SE3::Identity(), body.name);
      t.kind.push_back('f');
      angular.push_back(body.w);
      linear.push_back(body.q.conjugate() * body.v);
      pose.push_back(frame(body.x, body.q));
    } else {
      const Joint& j = scene.joints[scene.parent_joint[b]];
      const pin::JointIndex parent = j.a < 0 ? 0 : t.joint_of[j.a];
      const pin::SE3 place = (j.a < 0 ? pin::SE3::Identity() : t.body_in_joint[j.a]) * frame(j.pa, j.qa);
      if (j.type == "spherical")
        id = t.model.addJoint(parent, pin::JointModelSpherical(), place, body.name);
      else if (j.type == "revolute")
        id = t.model.addJoint(parent, pin::JointModelRZ(), place, body.name);
      else
        id = t.model.addJoint(parent, pin::JointModelPZ(), place, body.name);
      t.kind.push_back(j.type[0]);
      t.body_in_joint[b] = frame(j.pb, j.qb).inverse();
      const auto [w, v] = scene.rates(j);
      angular.push_back(w);
      linear.push_back(v);
      pose.push_back(pin::SE3::Identity());
    }
    t.joint_of[b] = id;
    t.model.appendBodyToJoint(id, pin::Inertia(body.mass, body.com, body.J), t.body_in_joint[b]);
  }
  t.q0 = pin::neutral(t.model);
  t.v0 = Vector::Zero(t.model.nv);
  for (pin::JointIndex i = 1; i < pin::JointIndex(t.model.njoints); ++i) {
    const int q = t.model.idx_qs[i], v = t.model.idx_vs[i];
    if (t.kind[i] == 'r') t.v0[v] = angular[i].z();
    if (t.kind[i] == 'p') t.v0[v] = linear[i].z();
    if (t.kind[i] == 's') t.v0.segment<3>(v) = angular[i];
    if (t.kind[i] == 'f') {
      t.q0.segment<3>(q) = pose[i].translation();
      t.q0.segment<4>(q + 3) = Quat(pose[i].rotation()).coeffs();
      t.v0.segment<3>(v) = linear[i];
      t.v0.segment<3>(v + 3) = angular[i];
    }
  }
  return t;
}

/// Its Data has matrices of n^3 numbers, 216 GB each for a thousand spherical joints. This is what aba and kinematics
/// need of it.
pin::Data lean_data(const pin::Model& model) {
  if (model.nv < 300) return pin::Data(model);
  pin::Data d{pin::Model()};
  const auto n = std::size_t(model.njoints);
  d.joints.clear();
  for (std::size_t i = 0; i < n; ++i) d.joints.push_back(model.joints[i].createData());
  for (auto* motions : {&d.a, &d.oa, &d.a_gf, &d.oa_gf, &d.v, &d.ov}) motions->assign(n, pin::Motion::Zero());
  for (auto* forces : {&d.f, &d.of, &d.h, &d.oh}) forces->assign(n, pin::Force::Zero());
  for (auto* places : {&d.oMi, &d.liMi}) places->assign(n, pin::SE3::Identity());
  for (auto* inertias : {&d.oinertias, &d.oYcrb}) inertias->assign(n, pin::Inertia::Zero());
  for (auto* matrices : {&d.Yaba, &d.oYaba}) matrices->assign(n, pin::Inertia::Matrix6::Zero());
  for (auto* vectors : {&d.u, &d.ddq, &d.tau}) vectors->setZero(model.nv);
  d.J.setZero(6, model.nv);
  return d;
}

/// The equations of motion, y = (q, v) with quaternions as they are.
class Dynamics {
 public:
  Dynamics(const Scene& scene, const Tree& tree, bool world, double baumgarte)
      : scene_(scene),
        tree_(tree),
        model_(tree.model),
        data_(scene.loops.empty() ? lean_data(model_) : pin::Data(model_)),
        world_(world),
        tau_(Vector::Zero(model_.nv)),
        force_(std::size_t(model_.njoints), pin::Force::Zero()) {
    forces_ = !scene.springs.empty() || !scene.torques.empty();
    for (const int k : scene.loops) {  // a point on the axis; for loops in space a second one, so that the axes agree
      const Joint& j = scene.joints[k];
      for (const double along :
           scene.planar || j.type == "spherical" ? std::vector<double>{0.} : std::vector<double>{-.5, .5}) {
        const auto place = [&](int body, const Vec3& p, const Quat& q) {
          const pin::SE3 at(Mat3::Identity(), p + q * Vec3(0, 0, along));
          return body < 0 ? at : tree.body_in_joint[body] * at;
        };
        const auto id = [&](int body) { return body < 0 ? pin::JointIndex(0) : tree.joint_of[body]; };
        constraints_.emplace_back(pin::CONTACT_3D, model_, id(j.a), place(j.a, j.pa, j.qa), id(j.b),
                                  place(j.b, j.pb, j.qb), pin::LOCAL);
        constraints_.back().baumgarte_corrector_parameters_impl() = {baumgarte * baumgarte, 2 * baumgarte};
      }
    }
    for (const auto& c : constraints_) constraint_data_.emplace_back(c);
    if (!constraints_.empty()) {
      pin::initConstraintDynamics(model_, data_, constraints_, constraint_data_);
      proximal_ = pin::ProximalSettings(1e-12, 1e-10, 10);
    }
  }

  void rates(const Vector& y, Vector& dy) {
    ++evaluations;
    const In q = y.head(model_.nq), v = y.tail(model_.nv), tau = tau_;
    dy.resize(y.size());
    for (pin::JointIndex i = 1; i < pin::JointIndex(model_.njoints); ++i) {
      const int iq = model_.idx_qs[i], iv = model_.idx_vs[i];
      switch (tree_.kind[i]) {
        case 's': turn(y, iq, v.segment<3>(iv), dy); break;
        case 'f':
          turn(y, iq + 3, v.segment<3>(iv + 3), dy);
          dy.segment<3>(iq) = Eigen::Map<const Quat>(y.data() + iq + 3) * Vec3(v.segment<3>(iv));
          break;
        default: dy[iq] = v[iv];
      }
    }
    if (!constraints_.empty()) {
      if (forces_) generalized_forces(q, v);
      q_ = q, v_ = v;
      dy.tail(model_.nv) =
          pin::constraintDynamics(model_, data_, q_, v_, tau_, constraints_, constraint_data_, proximal_);
    } else if (forces_) {
      wrenches(q, v);
      dy.tail(model_.nv) =
          pin::aba(model_, data_, q, v, tau, force_, world_ ? pin::Convention::WORLD : pin::Convention::LOCAL);
    } else {
      dy.tail(model_.nv) = pin::aba(model_, data_, q, v, tau, world_ ? pin::Convention::WORLD : pin::Convention::LOCAL);
    }
  }

  void normalize(Vector& y) const {
    for (pin::JointIndex i = 1; i < pin::JointIndex(model_.njoints); ++i) {
      if (tree_.kind[i] == 's') y.segment<4>(model_.idx_qs[i]).normalize();
      if (tree_.kind[i] == 'f') y.segment<4>(model_.idx_qs[i] + 3).normalize();
    }
  }

  std::vector<BodyState> states(const Vector& y) {
    pin::forwardKinematics(model_, data_, In(y.head(model_.nq)), In(y.tail(model_.nv)));
    std::vector<BodyState> out;
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
      const auto id = tree_.joint_of[b];
      const pin::SE3 M = data_.oMi[id] * tree_.body_in_joint[b];
      const pin::Motion m = tree_.body_in_joint[b].actInv(data_.v[id]);  // in the body frame
      out.push_back({M.translation(), Quat(M.rotation()), M.rotation() * m.linear(), m.angular()});
    }
    return out;
  }

  long evaluations = 0;

 private:
  static void turn(const Vector& y, int at, const Vec3& w, Vector& dy) {  // quaternion as x, y, z, w
    const Quat p(y[at + 3], y[at], y[at + 1], y[at + 2]);
    dy.segment<4>(at) = 0.5 * (p * Quat(0, w.x(), w.y(), w.z())).coeffs();
  }

  /// Forces of springs and torques as wrenches in the joint frames.
  void wrenches(const In& q, const In& v) {
    pin::forwardKinematics(model_, data_, q, v);
    for (auto& f : force_) f.setZero();
    const auto point = [&](int body, const Vec3& p, Vec3& x, Vec3& u, Vec3& local) {
      x = p, u.setZero();
      if (body < 0) return;
      const auto id = tree_.joint_of[body];
      local = tree_.body_in_joint[body].act(p);
      x = data_.oMi[id].act(local);
      u = data_.oMi[id].rotation() * (data_.v[id].linear() + data_.v[id].angular().cross(local));
    };
    const auto push = [&](int body, const Vec3& f, const Vec3& local) {
      if (body < 0) return;
      const auto id = tree_.joint_of[body];
      const Vec3 in_joint = data_.oMi[id].rotation().transpose() * f;
      force_[id].linear() += in_joint;
      force_[id].angular() += local.cross(in_joint);
    };
    for (const Spring& s : scene_.springs) {
      Vec3 xa, xb, ua, ub, la = Vec3::Zero(), lb = Vec3::Zero();
      point(s.a, s.pa, xa, ua, la);
      point(s.b, s.pb, xb, ub, lb);
      const double length = (xb - xa).norm();
      const Vec3 e = (xb - xa) / length;
      const Vec3 f = (s.k * (length - s.l) + s.c * (ub - ua).dot(e)) * e;  // on a
      push(s.a, f, la);
      push(s.b, -f, lb);
    }
    for (const Torque& t : scene_.torques) {
      const auto id = tree_.joint_of[t.body];
      force_[id].angular() += data_.oMi[id].rotation().transpose() * t.vector;
    }
  }

  /// The same as generalized forces, since constraintDynamics takes no wrenches.
  void generalized_forces(const In& q, const In& v) {
    wrenches(q, v);
    for (pin::JointIndex i = pin::JointIndex(model_.njoints) - 1; i > 0; --i) {
      const int iv = model_.idx_vs[i];
      switch (tree_.kind[i]) {
        case 'r': tau_[iv] = force_[i].angular().z(); break;
        case 'p': tau_[iv] = force_[i].linear().z(); break;
        case 's': tau_.segment<3>(iv) = force_[i].angular(); break;
        case 'f': tau_.segment<6>(iv) = force_[i].toVector(); break;
      }
      const auto parent = model_.parents[i];
      if (parent > 0) force_[parent] += data_.liMi[i].act(force_[i]);
    }
  }

  const Scene& scene_;
  const Tree& tree_;
  const pin::Model& model_;
  pin::Data data_;
  bool world_, forces_ = false;
  Vector tau_, q_, v_;
  std::vector<pin::Force> force_;
  std::vector<pin::RigidConstraintModel> constraints_;
  std::vector<pin::RigidConstraintData> constraint_data_;
  pin::ProximalSettings proximal_;
};

}  // namespace

int main(int argc, char** argv) try {
  const Options o = read_options(argc, argv);
  const Scene scene = read_scene(o.scene);
  const Tree tree = build(scene);
  Dynamics dynamics(scene, tree, o.value("world", 0) != 0, o.value("baumgarte", 0));
  Vector y, k1, k2, k3, k4, stage;
  double t = 0;
  long steps = 0;
  Peer peer;
  peer.start = [&] {
    y.resize(tree.model.nq + tree.model.nv);
    y << tree.q0, tree.v0;
    t = 0, steps = 0, dynamics.evaluations = 0;
  };
  peer.states = [&] { return dynamics.states(y); };
  namespace ode = boost::numeric::odeint;
  using Fehlberg = ode::runge_kutta_fehlberg78<Vector, double, Vector, double, ode::vector_space_algebra>;
  const auto f = [&](const Vector& x, Vector& dx, double) { dynamics.rates(x, dx); };
  auto fehlberg = ode::make_controlled(o.tolerance, o.tolerance, Fehlberg());
  double H = 1e-3;
  if (o.method == "rk4") {
    peer.advance = [&](double to) {
      const double h = o.step;
      for (long n = step_count(t, to, h); n > 0; --n, ++steps) {
        dynamics.rates(y, k1);
        stage = y + 0.5 * h * k1;
        dynamics.rates(stage, k2);
        stage = y + 0.5 * h * k2;
        dynamics.rates(stage, k3);
        stage = y + h * k3;
        dynamics.rates(stage, k4);
        y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        dynamics.normalize(y);
      }
      t = to;
    };
  } else if (o.method == "rkf78") {
    peer.advance = [&](double to) {
      while (t < to) {
        double h = std::min(H, to - t);
        const bool last = h == to - t;
        if (fehlberg.try_step(f, y, t, h) == ode::success) {
          ++steps;
          dynamics.normalize(y);
          if (last)
            t = to;
          else
            H = h;
        } else
          H = h;
      }
    };
  } else
    throw std::runtime_error(o.method + ": rk4 or rkf78");
  const auto start = peer.start;
  peer.start = [&] {
    start();
    H = 1e-3;
  };
  run(o, peer);
} catch (const std::exception& e) {
  std::cerr << e.what() << "\n";
  return 1;
}
