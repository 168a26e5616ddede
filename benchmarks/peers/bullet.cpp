// Bullet: btMultiBody, its articulated-body algorithm with semi-implicit Euler (euler), for open trees of spherical,
// revolute and prismatic joints from the ground, without springs.
#include "scene.hpp"

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyLink.h>

using namespace peers;

namespace {

btVector3 vec(const Vec3& v) { return {btScalar(v.x()), btScalar(v.y()), btScalar(v.z())}; }
Vec3 vec(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
btQuaternion quat(const Quat& q) { return {btScalar(q.x()), btScalar(q.y()), btScalar(q.z()), btScalar(q.w())}; }

}  // namespace

int main(int argc, char** argv) try {
  const Options o = read_options(argc, argv);
  const Scene scene = read_scene(o.scene);
  if (o.method != "euler") throw std::runtime_error(o.method + ": euler");
  if (!scene.loops.empty() || !scene.springs.empty() || !scene.torques.empty())
    throw std::runtime_error("Bullet: open trees only");
  const int n = int(scene.bodies.size());
  std::vector<int> link(n);
  for (int k = 0; k < n; ++k) link[scene.order[k]] = k;
  std::unique_ptr<btMultiBody> tree;
  btAlignedObjectArray<btScalar> scratch_r;
  btAlignedObjectArray<btVector3> scratch_v;
  btAlignedObjectArray<btMatrix3x3> scratch_m;
  double t = 0;
  Peer peer;
  peer.start = [&] {
    tree = std::make_unique<btMultiBody>(n, 0, btVector3(0, 0, 0), true, false);
    tree->setHasSelfCollision(false);
    tree->setLinearDamping(0);
    tree->setAngularDamping(0);
    tree->useGlobalVelocities(false);
    tree->setUseGyroTerm(true);
    for (int k = 0; k < n; ++k) {  // link frames: at the centre of mass, along the body's axes, which are principal
      const int b = scene.order[k];
      const Body& body = scene.bodies[b];
      if (!body.J.isDiagonal(1e-12)) throw std::runtime_error("Bullet: inertia must be diagonal");
      const Joint& j = scene.joints[scene.parent_joint[b]];
      const Quat qa = j.a < 0 ? Quat::Identity() : scene.bodies[j.a].q;
      const Quat parent_to_this = body.q.conjugate() * qa;
      const Vec3 from_parent = j.pa - (j.a < 0 ? Vec3::Zero() : scene.bodies[j.a].com), to_com = body.com - j.pb;
      const int parent = j.a < 0 ? -1 : link[j.a];
      const btVector3 inertia = vec(Vec3(body.J.diagonal()));
      if (j.type == "spherical")
        tree->setupSpherical(k, body.mass, inertia, parent, quat(parent_to_this), vec(from_parent), vec(to_com), true);
      else if (j.type == "revolute")
        tree->setupRevolute(k, body.mass, inertia, parent, quat(parent_to_this), vec(Vec3(j.qb * Vec3::UnitZ())),
                            vec(from_parent), vec(to_com), true);
      else
        throw std::runtime_error("Bullet: spherical and revolute joints only");
    }
    tree->finalizeMultiDof();
    tree->setMaxAppliedImpulse(1e30);
    tree->setMaxCoordinateVelocity(1e30);
    for (int k = 0; k < n; ++k) {
      const Joint& j = scene.joints[scene.parent_joint[scene.order[k]]];
      const auto [w, v] = scene.rates(j);
      const btVector3 local = vec(Vec3(j.qb * w));
      if (j.type == "spherical") {
        btScalar rate[3] = {local.x(), local.y(), local.z()};
        tree->setJointVelMultiDof(k, rate);
      } else
        tree->setJointVel(k, w.z());
    }
    scratch_r.resize(n + 1);
    scratch_v.resize(n + 1);
    scratch_m.resize(n + 1);
    t = 0;
  };
  long steps = 0;
  peer.advance = [&](double to) {
    for (long k = step_count(t, to, o.step); k > 0; --k, ++steps) {
      tree->clearForcesAndTorques();
      for (int i = 0; i < n; ++i) tree->addLinkForce(i, vec(Vec3(scene.gravity * scene.bodies[scene.order[i]].mass)));
      tree->computeAccelerationsArticulatedBodyAlgorithmMultiDof(btScalar(o.step), scratch_r, scratch_v, scratch_m,
                                                                 false, false, false);
      tree->stepPositionsMultiDof(btScalar(o.step));
    }
    t = to;
    peer.figures["steps"] = steps;
  };
  peer.states = [&] {
    btAlignedObjectArray<btQuaternion> to_local;
    btAlignedObjectArray<btVector3> origin, omega(scratch_v), velocity(scratch_v);
    to_local.resize(n + 1), origin.resize(n + 1), omega.resize(n + 1), velocity.resize(n + 1);
    tree->forwardKinematics(to_local, origin);
    tree->compTreeLinkVelocities(&omega[0], &velocity[0]);
    std::vector<BodyState> out;
    for (int b = 0; b < n; ++b) {
      const int k = link[b];
      const auto& X = tree->getLink(k).m_cachedWorldTransform;
      const btQuaternion r = X.getRotation();
      const Quat q(r.w(), r.x(), r.y(), r.z());
      const Vec3 w = vec(omega[k + 1]), com = scene.bodies[b].com;
      out.push_back({vec(X.getOrigin()) - q * com, q, q * (vec(velocity[k + 1]) - w.cross(com)), w});
    }
    return out;
  };
  const auto start = peer.start;
  peer.start = [&] {
    start();
    steps = 0;
  };
  peer.figures["precision"] = sizeof(btScalar) == 8 ? "double" : "single";
  run(o, peer);
} catch (const std::exception& e) {
  std::cerr << e.what() << "\n";
  return 1;
}
