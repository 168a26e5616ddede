// What the programs that drive peers share: a flat scene (flat.py says what it is), the command line, the clock, the
// answer.
//
//   PROGRAM SCENE --method NAME (--step H | --tolerance TOL) --end T [--at T1,T2,...] [--repeat R] [--states FILE] [--set KEY=NUMBER]
//
// The answer is one JSON object on the standard output, and the states of all bodies at the times of --at (13 numbers a
// body: x, q as w, x, y, z, v in space, w in the body) in FILE, as doubles.
#pragma once

#include <ctime>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <nlohmann/json.hpp>

namespace peers {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;

struct Body {
  std::string name;
  double mass;
  Vec3 com;  // in the body frame
  Mat3 J;    // about com, body axes
  Vec3 x;
  Quat q;
  Vec3 v, w;  // of the frame's origin in space; in the body
};

struct Joint {
  std::string type;  // spherical, revolute, prismatic
  int a, b;          // -1: ground
  Vec3 pa, pb;
  Quat qa, qb;  // frames coincide at the start, z is the axis
};

struct Spring {
  int a, b;
  Vec3 pa, pb;
  double k, c, l;
};

struct Torque {
  int body;
  Vec3 vector;  // in space
};

struct Scene {
  Vec3 gravity;
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<Spring> springs;
  std::vector<Torque> torques;
  std::vector<int> order, parent_joint, loops;
  bool planar = false;

  /// Velocity of b relative to a at the start, in the joint's frame: angular, and of b's anchor seen from a.
  std::pair<Vec3, Vec3> rates(const Joint& j) const {
    const Body& b = bodies[j.b];
    Vec3 w = b.q * b.w, v = b.v + b.q * b.w.cross(j.pb);
    if (j.a >= 0) {
      const Body& a = bodies[j.a];
      const Vec3 wa = a.q * a.w;
      v -= a.v + wa.cross(b.x + b.q * j.pb - a.x);
      w -= wa;
    }
    const Quat frame = b.q * j.qb;
    return {frame.conjugate() * w, frame.conjugate() * v};
  }
};

inline Vec3 vector(const nlohmann::json& j) { return {j[0].get<double>(), j[1].get<double>(), j[2].get<double>()}; }
inline Quat quaternion(const nlohmann::json& j) {
  return Quat(j[0].get<double>(), j[1].get<double>(), j[2].get<double>(), j[3].get<double>()).normalized();
}

inline Scene read_scene(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(file + ": cannot be read");
  const auto json = nlohmann::json::parse(in);
  Scene s;
  s.gravity = vector(json["gravity"]);
  for (const auto& b : json["bodies"]) {
    Mat3 J;
    for (int i = 0; i < 3; ++i) J.row(i) = vector(b["inertia"][i]).transpose();
    s.bodies.push_back({b["name"], b["mass"], vector(b["com"]), J, vector(b["x"]), quaternion(b["q"]), vector(b["v"]),
                        vector(b["w"])});
  }
  for (const auto& j : json["joints"])
    s.joints.push_back(
        {j["type"], j["a"], j["b"], vector(j["pa"]), vector(j["pb"]), quaternion(j["qa"]), quaternion(j["qb"])});
  for (const auto& f : json["springs"])
    s.springs.push_back({f["a"], f["b"], vector(f["pa"]), vector(f["pb"]), f["k"], f["c"], f["l"]});
  for (const auto& t : json["torques"]) s.torques.push_back({t["body"], vector(t["vector"])});
  s.order = json["order"].get<std::vector<int>>();
  s.parent_joint = json["parent_joint"].get<std::vector<int>>();
  s.loops = json["loops"].get<std::vector<int>>();
  s.planar = json["planar"];
  return s;
}

struct Options {
  std::string scene, method, states;
  double step = 0, tolerance = 0, end = 1;
  int repeat = 1;
  std::vector<double> at;
  std::map<std::string, double> set;
  double value(const std::string& key, double otherwise) const { return set.count(key) ? set.at(key) : otherwise; }
};

inline Options read_options(int argc, char** argv) {
  Options o;
  if (argc < 2) throw std::runtime_error("which scene?");
  o.scene = argv[1];
  for (int k = 2; k + 1 < argc; k += 2) {
    const std::string name = argv[k], value = argv[k + 1];
    if (name == "--method")
      o.method = value;
    else if (name == "--step")
      o.step = std::stod(value);
    else if (name == "--tolerance")
      o.tolerance = std::stod(value);
    else if (name == "--end")
      o.end = std::stod(value);
    else if (name == "--repeat")
      o.repeat = std::stoi(value);
    else if (name == "--states")
      o.states = value;
    else if (name == "--set")
      o.set[value.substr(0, value.find('='))] = std::stod(value.substr(value.find('=') + 1));
    else if (name == "--at") {
      std::stringstream list(value);
      for (std::string t; std::getline(list, t, ',');) o.at.push_back(std::stod(t));
    } else
      throw std::runtime_error(name + ": there is no such option");
  }
  if (o.at.empty() || o.at.back() < o.end * (1 - 1e-12)) o.at.push_back(o.end);
  return o;
}

/// Seconds of processor time of this process: what others do on the machine is not counted.
inline double processor_seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

struct BodyState {
  Vec3 x;
  Quat q;
  Vec3 v, w;
};

/// What a peer answers: how to begin, how to go on to a time (how many steps it took is added), and where the bodies
/// are.
struct Peer {
  std::function<void()> start;
  std::function<void(double)> advance;
  std::function<std::vector<BodyState>()> states;
  nlohmann::json figures = nlohmann::json::object();  // of the last run: steps, evaluations, ...
};

/// Whole steps of h between two times.
inline long step_count(double from, double to, double h) {
  const long n = std::lround((to - from) / h);
  if (n < 1 || std::abs(double(n) * h - (to - from)) > 1e-6 * h)
    throw std::runtime_error("the times of --at are no multiples of --step");
  return n;
}

inline void run(const Options& o, Peer& peer) {
  std::vector<double> rows;
  double best = 1e300;
  for (int r = 0; r < o.repeat; ++r) {
    rows.clear();
    peer.start();
    double seconds = 0;
    for (const double t : o.at) {
      const double began = processor_seconds();
      peer.advance(t);
      seconds += processor_seconds() - began;
      for (const BodyState& s : peer.states())
        rows.insert(rows.end(), {s.x.x(), s.x.y(), s.x.z(), s.q.w(), s.q.x(), s.q.y(), s.q.z(), s.v.x(), s.v.y(),
                                 s.v.z(), s.w.x(), s.w.y(), s.w.z()});
    }
    best = std::min(best, seconds);
  }
  peer.figures["seconds"] = best;
  if (!o.states.empty())
    std::ofstream(o.states, std::ios::binary)
        .write(reinterpret_cast<const char*>(rows.data()), std::streamsize(8 * rows.size()));
  std::cout << peer.figures.dump() << "\n";
}

}  // namespace peers
