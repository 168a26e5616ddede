// How fast the equations of the joints are violated: B V - df/dt, without the matrix B.
#pragma once

#include <polhode/system/system.hpp>

namespace polhode {

/// The rates of all rows at a configuration, for the given velocities of the nodes and, last, of the ground. The same as
/// System::velocity_residual to rounding, in a quarter of its operations: cheap enough for every step.
void rate_residual(const System& system, std::span<const Frame> frames, std::span<const Vec6> V, double t, std::span<double> rate,
                   ThreadPool* pool = nullptr);

}  // namespace polhode
