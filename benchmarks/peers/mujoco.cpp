// MuJoCo, through its C library: rk4, euler (semi-implicit), implicit, implicitfast. Loops are `connect` constraints,
// which are soft:
//   --set timeconst=C: their time constant, in steps (at least 2 are stable).  --set impedance=D: 1 - D is their softness.
// Trees without loops have the constraint solver, contacts and all else switched off that they do not need.
#include "scene.hpp"

#include <mujoco/mujoco.h>

using namespace peers;

namespace {

void put(double* to, const Vec3& v) { to[0] = v.x(), to[1] = v.y(), to[2] = v.z(); }
void put(double* to, const Quat& q) { to[0] = q.w(), to[1] = q.x(), to[2] = q.y(), to[3] = q.z(); }

mjModel* build(const Scene& scene, const Options& o) {
  mjSpec* spec = mj_makeSpec();
  spec->compiler.balanceinertia = 0;
  spec->compiler.fusestatic = 0;
  spec->compiler.alignfree = 0;
  put(spec->option.gravity, scene.gravity);
  mjsBody* world = mjs_findBody(spec, "world");
  std::vector<mjsBody*> made(scene.bodies.size());
  for (const int b : scene.order) {
    const Body& body = scene.bodies[b];
    const int k = scene.parent_joint[b];
    const int parent = k < 0 ? -1 : scene.joints[k].a;
    mjsBody* m = made[b] = mjs_addBody(parent < 0 ? world : made[parent], nullptr);
    mjs_setName(m->element, ("body" + std::to_string(b)).c_str());
    if (parent < 0) {
      put(m->pos, body.x);
      put(m->quat, body.q);
    } else {
      const Body& a = scene.bodies[parent];
      put(m->pos, Vec3(a.q.conjugate() * (body.x - a.x)));
      put(m->quat, Quat(a.q.conjugate() * body.q));
    }
    m->explicitinertial = 1;
    m->mass = body.mass;
    put(m->ipos, body.com);
    const Mat3& J = body.J;
    if (J.isDiagonal(0))
      put(m->inertia, Vec3(J.diagonal()));
    else {
      const double full[6] = {J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)};
      std::copy(full, full + 6, m->fullinertia);
    }
    mjsJoint* joint = mjs_addJoint(m, nullptr);
    if (k < 0) {
      joint->type = mjJNT_FREE;
    } else {
      const Joint& j = scene.joints[k];
      joint->type = j.type == "spherical" ? mjJNT_BALL : j.type == "revolute" ? mjJNT_HINGE : mjJNT_SLIDE;
      put(joint->pos, j.pb);
      put(joint->axis, Vec3(j.qb * Vec3::UnitZ()));
    }
  }
  const auto site = [&](int body, const Vec3& p, const std::string& name) {
    mjsSite* s = mjs_addSite(body < 0 ? world : made[body], nullptr);
    mjs_setName(s->element, name.c_str());
    put(s->pos, p);
  };
  for (const int k : scene.loops) {
    const Joint& j = scene.joints[k];
    const bool two = !scene.planar && j.type == "revolute";  // two points on the axis, so that the axes agree too
    for (const double along : two ? std::vector<double>{-.5, .5} : std::vector<double>{0}) {
      const std::string name = "loop" + std::to_string(k) + (along > 0 ? "+" : "-");
      site(j.a, j.pa + j.qa * Vec3(0, 0, along), name + "a");
      site(j.b, j.pb + j.qb * Vec3(0, 0, along), name + "b");
      mjsEquality* e = mjs_addEquality(spec, nullptr);
      e->type = mjEQ_CONNECT;
      e->objtype = mjOBJ_SITE;
      mjs_setString(e->name1, (name + "a").c_str());
      mjs_setString(e->name2, (name + "b").c_str());
      const double softness = o.value("impedance", 1e-4);
      e->solref[0] = o.value("timeconst", 2) * o.step;
      e->solref[1] = o.value("dampratio", 1);
      e->solimp[0] = e->solimp[1] = 1 - softness;
    }
  }
  for (std::size_t k = 0; k < scene.springs.size(); ++k) {
    const Spring& s = scene.springs[k];
    const std::string name = "spring" + std::to_string(k);
    site(s.a, s.pa, name + "a");
    site(s.b, s.pb, name + "b");
    mjsTendon* t = mjs_addTendon(spec, nullptr);
    mjs_wrapSite(t, (name + "a").c_str());
    mjs_wrapSite(t, (name + "b").c_str());
    t->stiffness[0] = s.k;
    t->damping[0] = s.c;
    t->springlength[0] = t->springlength[1] = s.l;
  }
  mjModel* m = mj_compile(spec, nullptr);
  if (!m) throw std::runtime_error(std::string("MuJoCo: ") + mjs_getError(spec));
  m->opt.timestep = o.step;
  m->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_CLAMPCTRL | mjDSBL_ACTUATION |
                         mjDSBL_SENSOR | mjDSBL_AUTORESET;
  if (scene.loops.empty()) m->opt.disableflags |= mjDSBL_CONSTRAINT;
  const std::map<std::string, int> integrators{
      {"euler", mjINT_EULER}, {"rk4", mjINT_RK4}, {"implicit", mjINT_IMPLICIT}, {"implicitfast", mjINT_IMPLICITFAST}};
  if (!integrators.count(o.method)) throw std::runtime_error(o.method + ": rk4, euler, implicit or implicitfast");
  m->opt.integrator = integrators.at(o.method);
  m->opt.solver = mjSOL_NEWTON;
  m->opt.tolerance = o.value("solver_tolerance", 1e-14);
  m->opt.iterations = int(o.value("iterations", 20));
  return m;
}

}  // namespace

int main(int argc, char** argv) try {
  const Options o = read_options(argc, argv);
  const Scene scene = read_scene(o.scene);
  mjModel* m = build(scene, o);
  mjData* d = mj_makeData(m);
  std::vector<int> id(scene.bodies.size());
  for (std::size_t b = 0; b < id.size(); ++b) id[b] = mj_name2id(m, mjOBJ_BODY, ("body" + std::to_string(b)).c_str());
  double t = 0;
  Peer peer;
  peer.start = [&] {
    mj_resetData(m, d);
    t = 0;
    for (std::size_t b = 0; b < id.size(); ++b) {
      const int v = m->jnt_dofadr[m->body_jntadr[id[b]]], k = scene.parent_joint[b];
      if (k < 0) {
        put(d->qvel + v, scene.bodies[b].v);
        put(d->qvel + v + 3, scene.bodies[b].w);
        continue;
      }
      const Joint& j = scene.joints[k];
      const auto [w, u] = scene.rates(j);
      if (j.type == "spherical") put(d->qvel + v, Vec3(j.qb * w));
      if (j.type == "revolute") d->qvel[v] = w.z();
      if (j.type == "prismatic") d->qvel[v] = u.z();
    }
    for (const Torque& torque : scene.torques) put(d->xfrc_applied + 6 * id[torque.body] + 3, torque.vector);
    mj_forward(m, d);
  };
  long steps = 0;
  peer.advance = [&](double to) {
    for (long n = step_count(t, to, o.step); n > 0; --n, ++steps) mj_step(m, d);
    t = to;
    peer.figures["steps"] = steps;
  };
  peer.states = [&] {
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_comVel(m, d);
    std::vector<BodyState> out;
    for (const int b : id) {
      mjtNum v[6];  // angular, linear; axes of the world
      mj_objectVelocity(m, d, mjOBJ_XBODY, b, v, 0);
      const mjtNum* q = d->xquat + 4 * b;
      const Quat turned(q[0], q[1], q[2], q[3]);
      out.push_back({Vec3(d->xpos + 3 * b), turned, Vec3(v + 3), turned.conjugate() * Vec3(v)});
    }
    return out;
  };
  const auto start = peer.start;
  peer.start = [&] {
    start();
    steps = 0;
  };
  run(o, peer);
} catch (const std::exception& e) {
  std::cerr << e.what() << "\n";
  return 1;
}
