// M(q) of all nodes in their unknowns, ties included: as a matrix, times a vector, and as a square.
#pragma once

#include <polhode/system/system.hpp>

namespace polhode {

/// A += factor M.
void add_mass_matrix(const System& system, std::span<const Frame> q, double factor, const AssemblyPlan& plan,
                     BlockMatrix& A);

/// f += factor M u, and |u|^2 in the metric M; vectors hold 6 numbers for each node.
void add_momentum(const System& system, std::span<const Frame> q, double factor, const VecX& u, VecX& f);
double inertial_square(const System& system, std::span<const Frame> q, const VecX& u);

/// Adds what ties have of (h/2)(p1 - p0) and, if a matrix is given, of its derivative: after the nodes' own.
void add_tied_midpoint(const System& system, const MidpointMotion& motion, std::span<Vec6> force, BlockMatrix* A);

}  // namespace polhode
