// The midpoint form of a node's inertia, where a step assembles its equations.
#pragma once

#include <polhode/system/flatten.hpp>
#include <polhode/system/system.hpp>

namespace polhode {

/// Where a node's inertia goes.
struct NodeOut {
  Vec6& force;
  const AssemblyPlan& plan;
  BlockMatrix* matrix;  ///< null: no tangent is wanted
};

/// Sets a node's force to (h/2)(p1 - p0) and its block of the matrix to the derivative of that. Flattened: see
/// evaluate_joint.
POLHODE_FLATTEN inline void set_midpoint(const System& system, int i, const MidpointMotion& m, const NodeOut& out) {
  const BodyInertia& body = system.inertia[i];
  const Mat3 &R0 = m.start[i].d, &R1 = m.end[i].d;
  const BodyInertia::Midpoint at = body.midpoint(m.state->nodes[i], R0, R1, m.dx[i], m.theta[i], m.h, m.fall);
  out.force = at.force;
  if (out.matrix)
    system.set_node_block(i, body.moved, body.midpoint_tangent(at, R0, R1, m.theta[i]), out.plan, *out.matrix);
}

}  // namespace polhode
