// Simbody: trees in relative coordinates, loops by constraints. merson (Runge-Kutta-Merson, step control), verlet, rk3,
// cpodes (BDF or
// Adams of SUNDIALS' ancestor): with --tolerance its accuracy, with --step a fixed step.
#include "scene.hpp"

#include <Simbody.h>

using namespace peers;
namespace st = SimTK;

namespace {

st::Vec3 vec(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Vec3 vec(const st::Vec3& v) { return {v[0], v[1], v[2]}; }
st::Rotation rotation(const Quat& q) { return st::Rotation(st::Quaternion(q.w(), q.x(), q.y(), q.z())); }
st::Transform frame(const Vec3& p, const Quat& q) { return {rotation(q), vec(p)}; }

/// Constant torques on bodies, in space.
class Torques : public st::Force::Custom::Implementation {
 public:
  std::vector<std::pair<st::MobilizedBodyIndex, st::Vec3>> torques;
  void calcForce(const st::State&, st::Vector_<st::SpatialVec>& body, st::Vector_<st::Vec3>&,
                 st::Vector&) const override {
    for (const auto& [id, t] : torques) body[id][0] += t;
  }
  st::Real calcPotentialEnergy(const st::State&) const override { return 0; }
  bool dependsOnlyOnPositions() const override { return true; }
};

struct Model {
  st::MultibodySystem system;
  st::SimbodyMatterSubsystem matter{system};
  st::GeneralForceSubsystem forces{system};
  std::vector<st::MobilizedBody> bodies;
  st::State start;

  explicit Model(const Scene& scene) : bodies(scene.bodies.size()) {
    if (scene.gravity.norm() > 0) st::Force::UniformGravity(forces, matter, vec(scene.gravity));
    for (const int b : scene.order) {
      const Body& body = scene.bodies[b];
      const Mat3& J = body.J;
      const st::Inertia about_com(J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2));
      const st::Body::Rigid rigid(
          st::MassProperties(body.mass, vec(body.com), about_com.shiftFromMassCenter(vec(body.com), body.mass)));
      if (scene.parent_joint[b] < 0) {
        bodies[b] = st::MobilizedBody::Free(matter.Ground(), st::Transform(), rigid, st::Transform());
        continue;
      }
      const Joint& j = scene.joints[scene.parent_joint[b]];
      st::MobilizedBody& parent = j.a < 0 ? (st::MobilizedBody&)matter.Ground() : bodies[j.a];
      const Quat to_x(Eigen::AngleAxisd(-M_PI / 2, Vec3::UnitY()));  // its sliders go along x
      if (j.type == "spherical")
        bodies[b] = st::MobilizedBody::Ball(parent, frame(j.pa, j.qa), rigid, frame(j.pb, j.qb));
      else if (j.type == "revolute")
        bodies[b] = st::MobilizedBody::Pin(parent, frame(j.pa, j.qa), rigid, frame(j.pb, j.qb));
      else
        bodies[b] = st::MobilizedBody::Slider(parent, frame(j.pa, j.qa * to_x), rigid, frame(j.pb, j.qb * to_x));
    }
    for (const int k : scene.loops) close(scene, scene.joints[k]);
    for (const Spring& s : scene.springs) {
      if (s.k) st::Force::TwoPointLinearSpring(forces, at(s.a), vec(s.pa), at(s.b), vec(s.pb), s.k, s.l);
      if (s.c) st::Force::TwoPointLinearDamper(forces, at(s.a), vec(s.pa), at(s.b), vec(s.pb), s.c);
    }
    if (!scene.torques.empty()) {
      auto* torques = new Torques;
      for (const Torque& t : scene.torques)
        torques->torques.emplace_back(bodies[t.body].getMobilizedBodyIndex(), vec(t.vector));
      st::Force::Custom(forces, torques);
    }
    start = system.realizeTopology();
    system.realizeModel(start);
    for (const int b : scene.order) {
      const Body& body = scene.bodies[b];
      if (scene.parent_joint[b] < 0) {
        bodies[b].setQToFitTransform(start, frame(body.x, body.q));
        bodies[b].setUToFitVelocity(start, st::SpatialVec(vec(Vec3(body.q * body.w)), vec(body.v)));
        continue;
      }
      const Joint& j = scene.joints[scene.parent_joint[b]];
      const auto [w, v] = scene.rates(j);
      if (j.type == "revolute")
        bodies[b].setOneU(start, 0, w.z());
      else if (j.type == "prismatic")
        bodies[b].setOneU(start, 0, v.z());
      else
        for (int i = 0; i < 3; ++i) bodies[b].setOneU(start, i, w[i]);
    }
  }

  st::MobilizedBody& at(int body) { return body < 0 ? (st::MobilizedBody&)matter.Ground() : bodies[body]; }

  /// In the plane two equations, point in two planes; in space three for the point, and two for the axis.
  void close(const Scene& scene, const Joint& j) {
    const auto axis = [](const Quat& q, int i) { return st::UnitVec3(vec(Vec3(q.toRotationMatrix().col(i)))); };
    if (scene.planar) {
      for (int i = 0; i < 2; ++i)
        st::Constraint::PointInPlane(at(j.a), axis(j.qa, i), (j.qa.conjugate() * j.pa)[i], at(j.b), vec(j.pb));
      return;
    }
    st::Constraint::Ball(at(j.a), vec(j.pa), at(j.b), vec(j.pb));
    if (j.type == "revolute")
      for (int i = 0; i < 2; ++i)
        st::Constraint::ConstantAngle(at(j.a), axis(j.qa, i), at(j.b), axis(j.qb, 2), st::Pi / 2);
  }
};

}  // namespace

int main(int argc, char** argv) try {
  const Options o = read_options(argc, argv);
  const Scene scene = read_scene(o.scene);
  Model model(scene);
  std::unique_ptr<st::Integrator> integrator;
  Peer peer;
  peer.start = [&] {
    if (o.method == "merson")
      integrator = std::make_unique<st::RungeKuttaMersonIntegrator>(model.system);
    else if (o.method == "rk3")
      integrator = std::make_unique<st::RungeKutta3Integrator>(model.system);
    else if (o.method == "verlet")
      integrator = std::make_unique<st::VerletIntegrator>(model.system);
    else if (o.method == "cpodes")
      integrator = std::make_unique<st::CPodesIntegrator>(model.system,
                                                          o.value("adams", 0) ? st::CPodes::Adams : st::CPodes::BDF);
    else
      throw std::runtime_error(o.method + ": merson, rk3, verlet or cpodes");
    if (o.step > 0) {
      integrator->setFixedStepSize(o.step);
      integrator->setAccuracy(o.value("accuracy", 1e-3));
      integrator->setConstraintTolerance(o.value("constraints", 1e-8));
    } else {
      integrator->setAccuracy(o.tolerance);
    }
    integrator->setAllowInterpolation(false);
    integrator->setReturnEveryInternalStep(false);
    integrator->initialize(model.start);
  };
  peer.advance = [&](double to) {
    while (integrator->getTime() < to * (1 - 1e-12)) integrator->stepTo(to, to);
    peer.figures["steps"] = integrator->getNumStepsTaken();
  };
  peer.states = [&] {
    const st::State& s = integrator->getState();
    model.system.realize(s, st::Stage::Velocity);
    std::vector<BodyState> out;
    for (const auto& body : model.bodies) {
      const auto& X = body.getBodyTransform(s);
      const auto q = X.R().convertRotationToQuaternion();
      const Quat turned(q[0], q[1], q[2], q[3]);
      out.push_back({vec(X.p()), turned, vec(body.getBodyOriginVelocity(s)),
                     turned.conjugate() * vec(body.getBodyAngularVelocity(s))});
    }
    return out;
  };
  run(o, peer);
} catch (const std::exception& e) {
  std::cerr << e.what() << "\n";
  return 1;
}
