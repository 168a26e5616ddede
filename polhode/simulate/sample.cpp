// The table of the quantities of a result.
#include <polhode/simulate/sample.hpp>

#include <algorithm>
#include <span>

namespace polhode {
namespace {

using Numbers = std::vector<double>;

void put(Numbers& out, std::span<const double> values) { out.insert(out.end(), values.begin(), values.end()); }
void put(Numbers& out, const Vec3& v) { put(out, std::span(v.data(), 3)); }
void put(Numbers& out, double value) { out.push_back(value); }

const std::vector<std::string> scalar, xyz{"x", "y", "z"}, wxyz{"w", "x", "y", "z"},
    wrench{"fx", "fy", "fz", "tx", "ty", "tz"};

}  // namespace

const std::vector<Field>& result_fields() {
  using enum Field::Per;
  using S = const Sample&;
  static const std::vector<Field> fields{
      {"time", sample, scalar, "s", "", "time", [](S s, Numbers& n) { put(n, s.time); }},
      {"bodies/position", body, xyz, "m", "space", "origin of the body frame",
       [](S s, Numbers& n) { put(n, s.positions); }},
      {"bodies/quaternion", body, wxyz, "1", "body to space", "orientation as a unit quaternion w, x, y, z",
       [](S s, Numbers& n) { put(n, s.quaternions); }},
      {"bodies/velocity", body, xyz, "m/s", "space", "velocity of the origin of the body frame",
       [](S s, Numbers& n) { put(n, s.velocities); }},
      {"bodies/angular_velocity", body, xyz, "rad/s", "body", "angular velocity, in the axes of the body",
       [](S s, Numbers& n) { put(n, s.angular_velocities); }},
      {"bodies/acceleration", body, xyz, "m/s^2", "space", "acceleration of the origin of the body frame",
       [](S s, Numbers& n) { put(n, s.accelerations); }, true},
      {"bodies/angular_acceleration", body, xyz, "rad/s^2", "body", "angular acceleration, in the axes of the body",
       [](S s, Numbers& n) { put(n, s.angular_accelerations); }, true},
      {"joints/reaction", joint, wrench, "N, N m", "joint, fixed to body a",
       "force and torque of the joint on body b, at b's anchor", [](S s, Numbers& n) { put(n, s.reactions); }},
      {"multipliers", row, scalar, "N or N m", "", "Lagrange multiplier of each equation of the joints",
       [](S s, Numbers& n) { put(n, s.multipliers); }},
      {"energy/kinetic", sample, scalar, "J", "", "kinetic energy", [](S s, Numbers& n) { put(n, s.energy.kinetic); }},
      {"energy/gravitational", sample, scalar, "J", "", "potential energy of gravity",
       [](S s, Numbers& n) { put(n, s.energy.gravitational); }},
      {"energy/strain", sample, scalar, "J", "", "energy stored in springs and bushings",
       [](S s, Numbers& n) { put(n, s.energy.strain); }},
      {"energy/work", sample, scalar, "J", "", "work of loads and drives since the start",
       [](S s, Numbers& n) { put(n, s.energy.work); }},
      {"energy/dissipated", sample, scalar, "J", "", "energy lost to dampers since the start",
       [](S s, Numbers& n) { put(n, s.energy.dissipated); }},
      {"energy/algorithmic", sample, scalar, "J", "", "energy lost to the integrator since the start",
       [](S s, Numbers& n) { put(n, s.energy.algorithmic); }},
      {"momentum/linear", sample, xyz, "kg m/s", "space", "linear momentum",
       [](S s, Numbers& n) { put(n, s.linear_momentum); }},
      {"momentum/angular", sample, xyz, "kg m^2/s", "space", "angular momentum about the origin of space",
       [](S s, Numbers& n) { put(n, s.angular_momentum); }},
      {"residuals/position", sample, scalar, "m or rad", "", "largest residual of the joints' equations",
       [](S s, Numbers& n) { put(n, s.position_residual); }},
      {"residuals/velocity", sample, scalar, "m/s or rad/s", "", "largest residual of their rates",
       [](S s, Numbers& n) { put(n, s.velocity_residual); }},
      {"newton/iterations", sample, scalar, "1", "", "Newton iterations since the sample before",
       [](S s, Numbers& n) { put(n, static_cast<double>(s.newton_iterations)); }},
      {"outputs", output, scalar, "", "", "what springs, bushings and joint forces show of themselves",
       [](S s, Numbers& n) { put(n, s.outputs); }},
  };
  return fields;
}

std::size_t Field::items(const ResultLayout& layout) const {
  if (of_accelerations && !layout.accelerations) return 0;
  switch (per) {
    case Per::sample: return 1;
    case Per::body: return layout.bodies.size();
    case Per::joint: return layout.joints.size();
    case Per::row: return layout.rows.size();
    case Per::output: return layout.outputs.size();
  }
  return 0;
}

std::size_t Field::width(const ResultLayout& layout) const {
  return items(layout) * std::max<std::size_t>(1, components.size());
}

}  // namespace polhode
