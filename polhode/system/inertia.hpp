// The home of inertia: mass and J of every node's own body, in the forms in which methods ask for them, and inertia
// that ties nodes.
//
// For a body, u = (v in space, Omega in the body), p = M u = (m v, J Omega), T = u . M u/2. In space V = (v, R Omega),
// M(q) = diag(m 1, R J R^T).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <polhode/lie/so3.hpp>
#include <polhode/system/node.hpp>

namespace polhode {

class System;
class BlockMatrix;

/// What a node's own body has of inertia.
struct BodyInertia {
  double mass = 0;
  /// the mass that moves with the node's origin: all of it, or 0 of a node that turns about a fixed point
  double moved = 0;
  Mat3 J = Mat3::Zero();  ///< about the origin, in the node's axes; 0 of a node that does not rotate
  /// centre of mass in the node's axes; not zero only for a node that turns about a fixed point
  Vec3 X = Vec3::Zero();
  bool rotates = false;

  BodyInertia() = default;
  BodyInertia(const Node& node, double m, const Mat3& about_origin = Mat3::Zero(),
              const Vec3& centre_of_mass = Vec3::Zero())
      : mass(m), moved(node.translates() ? m : 0), J(about_origin), X(centre_of_mass), rotates(node.rotates()) {}

  // ---- momentum and energy
  Vec3 spin(const Vec3& Omega) const { return J * Omega; }  ///< J Omega
  Vec6 momentum(const NodeState& s) const {                 ///< in space: (m v, R J Omega)
    Vec6 p;
    p << moved * s.v, s.q * spin(s.Omega);
    return p;
  }
  Vec3 velocity(const Vec3& p) const { return moved > 0 ? Vec3(p / moved) : Vec3::Zero(); }  ///< of a linear momentum
  double energy_of_translation(const Vec3& v) const { return 0.5 * moved * v.squaredNorm(); }
  double energy_of_rotation(const Vec3& Omega) const { return 0.5 * Omega.dot(J * Omega); }
  Vec3 centre(const Frame& q) const { return q.x + q.d * X; }  ///< of mass, in space

  // ---- the matrix, of u or in space, and its inverse: zero where the node does not move
  Mat6 matrix() const { return blocks(moved, J); }
  Mat6 matrix(const Mat3& R) const { return blocks(moved, R * J * R.transpose()); }
  Mat6 inverse() const;
  Mat6 inverse(const Mat3& R) const;
  double inverse_square(const Mat3& R, const Vec6& b) const;  ///< b . M(q)^-1 b

  // ---- the midpoint form: of a step R1 = cay(theta) R0, x1 = x0 + dx, with (h/2) Omega1 = R0^T theta - (h/2) Omega0
  struct Midpoint {
    Vec6 force = Vec6::Zero();  ///< (h/2)(p1 - p0) = (m (dx - h v0), (h/2)(R1 J Omega1 - R0 J Omega0))
    Vec3 spin1 = Vec3::Zero();  ///< (h/2) R1 J Omega1
  };
  /// `fall`: subtracted from dx; (h^2/2) g where weight is counted with inertia.
  Midpoint midpoint(const NodeState& s, const Mat3& R0, const Mat3& R1, const Vec3& dx, const Vec3& theta, double h,
                    const Vec3& fall) const {
    Midpoint out;
    out.force.head<3>() = moved * (dx - h * s.v - fall);
    if (!rotates) return out;
    const Vec3 L0 = J * (0.5 * h * s.Omega), L1 = J * (R0.transpose() * theta) - L0;  // in the body
    out.spin1 = R1 * L1;
    out.force.tail<3>() = out.spin1 - R0 * L0;
    return out;
  }
  /// Its derivative by a spatial rotation at the end; that by a displacement is m 1.
  Mat3 midpoint_tangent(const Midpoint& at, const Mat3& R0, const Mat3& R1, const Vec3& theta) const {
    if (!rotates) return Mat3::Zero();
    return R1 * (J * (R0.transpose() * so3::cay_spatial_tangent_inverse(theta))) - hat(at.spin1);
  }
  /// R J R0^T: momentum at R of an angular velocity that is given at R0.
  Mat3 carried(const Mat3& R, const Mat3& R0) const { return R * J * R0.transpose(); }

  // ---- the acceleration form: n = M du/dt + (0, Omega x J Omega), on SE(3), where v too is in the body, with m Omega
  // x v
  struct Acceleration {
    Vec6 n = Vec6::Zero();
    Mat6 by_u = Mat6::Zero(), by_rate = Mat6::Zero();
  };
  Acceleration acceleration(const Vec6& u, const Vec6& rate, bool on_SE3 = false) const;
  /// h du/dt of a force and a torque in space. J_inverse is given: to find it takes longer than the rest.
  Vec6 kick(double h, const Vec6& force, const Quaternion& R, const Vec3& Omega, const Mat3& J_inverse) const;

  // ---- the exponential form: T(x)^-1 J x of a free rotation by x, which keeps the momentum, and its derivative by x
  struct FreeRotation {
    Vec3 spin;
    Mat3 by_x;
  };
  FreeRotation free_rotation(const Vec3& x, const Mat3& T_inverse) const;

  /// The inertia about an axis, relative to the smallest one across it.
  double ratio_about(const Vec3& axis) const;

 private:
  static Mat6 blocks(double m, const Mat3& turn) {
    Mat6 M = Mat6::Zero();
    M.topLeftCorner<3, 3>() = m * Mat3::Identity();
    M.bottomRightCorner<3, 3>() = turn;
    return M;
  }
};

/// A Cayley midpoint step of all nodes: x1 = x0 + dx, R1 = cay(theta) R0, increments in space; frames of nodes and
/// ground at its ends.
struct MidpointMotion {
  const State* state = nullptr;
  double h = 0;
  Vec3 fall = Vec3::Zero();  ///< (h^2/2) g where the weight of bodies is counted with their inertia, else 0
  std::span<const Frame> start{}, end{};
  std::span<const Vec3> dx{}, theta{};
};

/// Inertia that ties nodes, all of one kind: consistent mass of a beam, a rotor on the axis of a joint. Vectors are
/// spatial, one for each node.
class InertiaArray {
 public:
  virtual ~InertiaArray() = default;
  virtual std::string name() const = 0;                        ///< of the first of them, for messages
  virtual std::vector<std::pair<int, int>> pairs() const = 0;  ///< of nodes that M couples
  virtual double kinetic_energy(std::span<const Frame> q, std::span<const Vec6> V) const = 0;
  virtual void add_momentum(std::span<const Frame> q, std::span<const Vec6> V,
                            std::span<Vec6> p) const = 0;  ///< p += M(q) V
  virtual void add_matrix(const System& system, std::span<const Frame> q, double factor, BlockMatrix& A) const = 0;
  /// What the inertia force has beside M dV/dt.
  virtual void add_bias(std::span<const Frame> q, std::span<const Vec6> V, std::span<Vec6> force) const = 0;
  /// (h/2)(p1 - p0), such that its work in the step is h/2 times the change of T exactly; and, if a matrix is given,
  /// its derivative.
  virtual void add_midpoint(const System& system, const MidpointMotion& motion, std::span<Vec6> force,
                            BlockMatrix* A) const = 0;
};

/// All inertia of a system.
struct Inertia {
  std::vector<BodyInertia> bodies;  ///< one a node
  std::vector<std::shared_ptr<const InertiaArray>> ties;

  const BodyInertia& operator[](int node) const { return bodies[node]; }
  double least_mass() const;  ///< of a node that translates; infinite if none does
};

}  // namespace polhode
