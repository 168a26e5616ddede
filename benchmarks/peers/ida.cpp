// SUNDIALS IDA on the index-2 form of the equations of motion in redundant coordinates: for every body x, quaternion,
// v, w of its centre of mass, and a multiplier a joint equation,
//   x' = v,  p' = p w / 2 + (1 - |p|^2) p,  m v' = f - B_v^T l,  J w' + w x J w = t - B_w^T l,  0 = B u  (joints at the level of velocities).
// Equations that follow from the others at the start are left out. Dense linear solver; multipliers are left out of the
// error test.
//   --set planar=1 (the default for a mechanism in the x-y plane): x, y, angle of every body, two equations a joint.
#include "scene.hpp"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

using namespace peers;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

namespace {

/// The equations of motion in 13 numbers a body (7 for pose, 6 for velocity), or 6 in the plane. Velocities: in space,
/// and angular in the body.
class Equations {
 public:
  Equations(const Scene& scene, bool planar)
      : scene_(scene), planar_(planar), n_(int(scene.bodies.size())), pose_(planar ? 3 : 7), rate_(planar ? 3 : 6) {
    for (std::size_t k = 0; k < scene.joints.size(); ++k) total_ += rows(scene.joints[k]);
    x_.resize(n_), R_.resize(n_), v_.resize(n_), w_.resize(n_);
    force_.resize(n_), torque_.resize(n_);
    start_ = initial();
    B_.resize(total_, rate_ * n_);
    if (total_ == 0) return;
    place(start_.data());
    jacobian(B_);
    Eigen::ColPivHouseholderQR<Matrix> qr(B_.transpose());
    qr.setThreshold(1e-9);
    const auto& order = qr.colsPermutation().indices();
    kept_.assign(order.data(), order.data() + qr.rank());
    std::sort(kept_.begin(), kept_.end());
  }

  int unknowns() const { return (pose_ + rate_) * n_ + multipliers(); }
  int multipliers() const { return int(kept_.size()); }
  int first_multiplier() const { return (pose_ + rate_) * n_; }

  /// y and y' at the start: accelerations and multipliers from M a + B^T l = f, B a = -(dB/dt) u.
  void start(double* y, double* dy) {
    const int m = multipliers(), nv = rate_ * n_;
    Eigen::Map<Vector>(y, unknowns()).setZero();
    Eigen::Map<Vector>(y, start_.size()) = start_;
    Vector zero = Vector::Zero(unknowns()), r(unknowns());
    residual(y, zero.data(), r.data());  // with y' = 0: minus what the rates are, and minus forces
    Matrix K = Matrix::Zero(nv + m, nv + m);
    Vector rhs(nv + m);
    for (int b = 0; b < n_; ++b) K.block(rate_ * b, rate_ * b, rate_, rate_) = mass(b);
    for (int i = 0; i < m; ++i)
      K.block(nv + i, 0, 1, nv) = B_.row(kept_[i]), K.block(0, nv + i, nv, 1) = B_.row(kept_[i]).transpose();
    rhs.head(nv) = -r.segment(pose_ * n_, nv);
    const auto rate_at = [&](double e) {  // B u a little later, with u as it is
      Vector z = start_;
      z.head(pose_ * n_) -= e * r.head(pose_ * n_);
      place(z.data());
      jacobian(B_);
      return Vector(B_ * start_.tail(nv));
    };
    const double e = 1e-5;
    const Vector gamma = (rate_at(e) - rate_at(-e)) / (2 * e);
    for (int i = 0; i < m; ++i) rhs[nv + i] = -gamma[kept_[i]];
    const Vector a = K.partialPivLu().solve(rhs);
    Eigen::Map<Vector> d(dy, unknowns());
    d.setZero();
    d.head(pose_ * n_) = -r.head(pose_ * n_);
    d.segment(pose_ * n_, nv) = a.head(nv);
    Eigen::Map<Vector>(y + first_multiplier(), m) = a.tail(m);
  }

  void residual(const double* y, const double* dy, double* r) {
    ++evaluations;
    place(y);
    jacobian(B_);
    forces();
    const double *u = y + pose_ * n_, *du = dy + pose_ * n_, *lambda = y + first_multiplier();
    double* ru = r + pose_ * n_;
    for (int b = 0; b < n_; ++b) {
      const Body& body = scene_.bodies[b];
      if (planar_) {
        for (int i = 0; i < 3; ++i) r[3 * b + i] = dy[3 * b + i] - u[3 * b + i];
        ru[3 * b] = body.mass * du[3 * b] - force_[b].x();
        ru[3 * b + 1] = body.mass * du[3 * b + 1] - force_[b].y();
        ru[3 * b + 2] = body.J(2, 2) * du[3 * b + 2] - torque_[b].z();
        continue;
      }
      const double* p = y + 7 * b + 3;
      const Quat q(p[0], p[1], p[2], p[3]);
      const Quat dq = q * Quat(0, 0.5 * w_[b].x(), 0.5 * w_[b].y(), 0.5 * w_[b].z());
      const double pull = 1 - q.squaredNorm();
      for (int i = 0; i < 3; ++i) r[7 * b + i] = dy[7 * b + i] - v_[b][i];
      r[7 * b + 3] = dy[7 * b + 3] - dq.w() - pull * p[0];
      for (int i = 0; i < 3; ++i) r[7 * b + 4 + i] = dy[7 * b + 4 + i] - dq.vec()[i] - pull * p[1 + i];
      const Vec3 momentum = body.J * Vec3(du + 6 * b + 3) + w_[b].cross(body.J * w_[b]) - torque_[b];
      for (int i = 0; i < 3; ++i)
        ru[6 * b + i] = body.mass * du[6 * b + i] - force_[b][i], ru[6 * b + 3 + i] = momentum[i];
    }
    int row = 0, kept = 0;
    for (const Joint& j : scene_.joints) {
      const int m = rows(j);
      for (int i = 0; i < m; ++i, ++row) {
        if (kept >= multipliers() || kept_[kept] != row) continue;
        double sum = 0;
        for (const int b : {j.a, j.b})
          if (b >= 0)
            for (int c = rate_ * b; c < rate_ * (b + 1); ++c)
              sum += B_(row, c) * u[c], ru[c] += B_(row, c) * lambda[kept];
        r[first_multiplier() + kept++] = sum;
      }
    }
  }

  std::vector<BodyState> states(const double* y) {
    place(y);
    std::vector<BodyState> out;
    for (int b = 0; b < n_; ++b) {
      const Vec3& com = scene_.bodies[b].com;
      out.push_back({x_[b] - R_[b] * com, Quat(R_[b]), v_[b] - R_[b] * w_[b].cross(com), w_[b]});
    }
    return out;
  }

  long evaluations = 0;

 private:
  int rows(const Joint& j) const { return planar_ ? 2 : j.type == "spherical" ? 3 : 5; }

  Vector initial() const {
    Vector y((pose_ + rate_) * n_);
    for (int b = 0; b < n_; ++b) {
      const Body& body = scene_.bodies[b];
      const Vec3 x = body.x + body.q * body.com, v = body.v + body.q * body.w.cross(body.com);
      if (planar_) {
        const Mat3 R = body.q.toRotationMatrix();
        y.segment<3>(3 * b) << x.x(), x.y(), std::atan2(R(1, 0), R(0, 0));
        y.segment<3>(3 * n_ + 3 * b) << v.x(), v.y(), body.w.z();
      } else {
        y.segment<7>(7 * b) << x, body.q.w(), body.q.vec();
        y.segment<6>(7 * n_ + 6 * b) << v, body.w;
      }
    }
    return y;
  }

  void place(const double* y) {
    const double* u = y + pose_ * n_;
    for (int b = 0; b < n_; ++b) {
      if (planar_) {
        const double c = std::cos(y[3 * b + 2]), s = std::sin(y[3 * b + 2]);
        x_[b] = Vec3(y[3 * b], y[3 * b + 1], scene_.bodies[b].x.z());
        R_[b] << c, -s, 0, s, c, 0, 0, 0, 1;
        v_[b] = Vec3(u[3 * b], u[3 * b + 1], 0), w_[b] = Vec3(0, 0, u[3 * b + 2]);
      } else {
        const double* p = y + 7 * b + 3;
        x_[b] = Vec3(y + 7 * b);
        R_[b] = Quat(p[0], p[1], p[2], p[3]).normalized().toRotationMatrix();
        v_[b] = Vec3(u + 6 * b), w_[b] = Vec3(u + 6 * b + 3);
      }
    }
  }

  Vec3 arm(int body, const Vec3& p) const {
    return R_[body] * (p - scene_.bodies[body].com);
  }  // from the centre of mass, in space

  Matrix mass(int b) const {
    Matrix M = scene_.bodies[b].mass * Matrix::Identity(rate_, rate_);
    if (planar_)
      M(2, 2) = scene_.bodies[b].J(2, 2);
    else
      M.bottomRightCorner<3, 3>() = scene_.bodies[b].J;
    return M;
  }

  void forces() {
    for (int b = 0; b < n_; ++b) force_[b] = scene_.bodies[b].mass * scene_.gravity, torque_[b].setZero();
    const auto push = [&](int body, const Vec3& f, const Vec3& p) {
      if (body < 0) return;
      force_[body] += f;
      torque_[body] += R_[body].transpose() * arm(body, p).cross(f);
    };
    for (const Spring& s : scene_.springs) {
      const auto point = [&](int body, const Vec3& p) { return body < 0 ? p : Vec3(x_[body] + arm(body, p)); };
      const auto velocity = [&](int body, const Vec3& p) {
        return body < 0 ? Vec3(Vec3::Zero()) : Vec3(v_[body] + R_[body] * w_[body].cross(p - scene_.bodies[body].com));
      };
      const Vec3 d = point(s.b, s.pb) - point(s.a, s.pa);
      const double length = d.norm();
      const Vec3 e = d / length;
      const Vec3 f = (s.k * (length - s.l) + s.c * (velocity(s.b, s.pb) - velocity(s.a, s.pa)).dot(e)) * e;
      push(s.a, f, s.pa);
      push(s.b, -f, s.pb);
    }
    for (const Torque& t : scene_.torques) torque_[t.body] += R_[t.body].transpose() * t.vector;
  }

  /// Rows of B in v (space) and w (body): of the anchors' distance, and of a_i . b_3 (revolute) or the frames' relative
  /// turn and travel (prismatic).
  void jacobian(Matrix& B) {
    B.setZero();
    int row = 0;
    for (const Joint& j : scene_.joints) {
      const Mat3 A = j.a < 0 ? j.qa.toRotationMatrix() : Mat3(R_[j.a] * j.qa.toRotationMatrix()),
                 Bf = R_[j.b] * j.qb.toRotationMatrix();
      const Vec3 ra = j.a < 0 ? Vec3(Vec3::Zero()) : arm(j.a, j.pa), rb = arm(j.b, j.pb);
      // n . (x_b + r_b - x_a - r_a) with n fixed in a, or in space: its rate, by v and by the angular velocity in space
      const auto distance = [&](const Vec3& n, bool turning) {
        const Vec3 d = j.a < 0 ? Vec3(Vec3::Zero()) : Vec3(x_[j.b] + rb - x_[j.a]);
        put(B, row, j.b, n, rb.cross(n));
        if (j.a >= 0) put(B, row, j.a, -n, -(turning ? d : ra).cross(n));
        ++row;
      };
      const auto cosine = [&](const Vec3& a, const Vec3& b) {  // d(a . b) = (w_a - w_b) . (a x b)
        put(B, row, j.b, Vec3::Zero(), -a.cross(b));
        if (j.a >= 0) put(B, row, j.a, Vec3::Zero(), a.cross(b));
        ++row;
      };
      if (planar_) {
        distance(Vec3::UnitX(), false), distance(Vec3::UnitY(), false);
      } else if (j.type == "prismatic") {
        distance(A.col(0), true), distance(A.col(1), true);
        cosine(A.col(0), Bf.col(1)), cosine(A.col(1), Bf.col(2)), cosine(A.col(2), Bf.col(0));
      } else {
        for (int i = 0; i < 3; ++i) distance(Vec3::Unit(i), false);
        if (j.type == "revolute") cosine(A.col(0), Bf.col(2)), cosine(A.col(1), Bf.col(2));
      }
    }
  }

  void put(Matrix& B, int row, int body, const Vec3& by_v, const Vec3& by_w) {
    if (planar_) {
      B(row, 3 * body) = by_v.x(), B(row, 3 * body + 1) = by_v.y(), B(row, 3 * body + 2) = by_w.z();
    } else {
      B.block<1, 3>(row, 6 * body) = by_v.transpose();
      B.block<1, 3>(row, 6 * body + 3) = (R_[body].transpose() * by_w).transpose();
    }
  }

  const Scene& scene_;
  bool planar_;
  int n_, pose_, rate_, total_ = 0;
  std::vector<int> kept_;
  Vector start_;
  std::vector<Vec3> x_, v_, w_, force_, torque_;
  std::vector<Mat3> R_;
  Matrix B_;
};

int residual(realtype, N_Vector y, N_Vector dy, N_Vector r, void* equations) {
  static_cast<Equations*>(equations)->residual(NV_DATA_S(y), NV_DATA_S(dy), NV_DATA_S(r));
  return 0;
}

void check(int flag, const char* what) {
  if (flag < 0) throw std::runtime_error(std::string("IDA: ") + what + " failed with " + IDAGetReturnFlagName(flag));
}

}  // namespace

int main(int argc, char** argv) try {
  const Options o = read_options(argc, argv);
  const Scene scene = read_scene(o.scene);
  const bool flat =
      scene.planar && std::abs((scene.joints[0].a < 0 ? scene.joints[0].qa
                                                      : Quat(scene.bodies[scene.joints[0].a].q * scene.joints[0].qa))
                                   .toRotationMatrix()(2, 2)) > 1 - 1e-12;
  Equations equations(scene, flat && o.value("planar", 1) != 0);
  SUNContext context;
  SUNContext_Create(nullptr, &context);
  const int n = equations.unknowns();
  N_Vector y = N_VNew_Serial(n, context), dy = N_VNew_Serial(n, context), id = N_VNew_Serial(n, context);
  SUNMatrix J = SUNDenseMatrix(n, n, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, J, context);
  void* ida = nullptr;
  Peer peer;
  peer.start = [&] {
    if (ida) IDAFree(&ida);
    ida = IDACreate(context);
    equations.start(NV_DATA_S(y), NV_DATA_S(dy));
    N_VConst(1, id);
    for (int k = equations.first_multiplier(); k < n; ++k) NV_Ith_S(id, k) = 0;
    check(IDAInit(ida, residual, 0, y, dy), "IDAInit");
    check(IDASStolerances(ida, o.tolerance, o.tolerance), "IDASStolerances");
    IDASetUserData(ida, &equations);
    IDASetId(ida, id);
    IDASetSuppressAlg(ida, true);
    IDASetMaxNumSteps(ida, 100000000);
    IDASetMaxOrd(ida, int(o.value("order", 5)));
    check(IDASetLinearSolver(ida, solver, J), "IDASetLinearSolver");
    equations.evaluations = 0;
  };
  peer.advance = [&](double to) {
    double t;
    IDASetStopTime(ida, to);
    check(IDASolve(ida, to, &t, y, dy, IDA_NORMAL), "IDASolve");
    long steps;
    IDAGetNumSteps(ida, &steps);
    peer.figures["steps"] = steps;
    peer.figures["evaluations"] = equations.evaluations;
  };
  peer.states = [&] { return equations.states(NV_DATA_S(y)); };
  run(o, peer);
} catch (const std::exception& e) {
  std::cerr << e.what() << "\n";
  return 1;
}
