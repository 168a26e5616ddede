// What a result holds: a sample of the motion, and the table of fields from which recorders, readers and
// the CSV export all work. A new quantity is one member of Sample and one line of the table.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <polhode/describe/numbers.hpp>
#include <polhode/lie/algebra.hpp>

namespace polhode {

/// What is known of a result before its first sample.
struct ResultLayout {
  std::string model_json, options_json;  ///< what was simulated, and how
  std::string version;                   ///< of the program that wrote the result
  std::vector<std::string> bodies, joints;
  std::vector<std::string> rows;    ///< label of each multiplier
  std::vector<NumberInfo> outputs;  ///< what forces show of themselves: `spring.force`, its unit and meaning
  std::size_t samples = 0;          ///< room for so many
  bool accelerations = false;       ///< samples have those of the bodies
  std::string provenance_json{};    ///< which build wrote it, where and when: io/provenance.hpp
};

/// The motion at one instant. SI units. It owns its numbers.
struct Sample {
  struct Energy {
    double kinetic = 0, gravitational = 0, strain = 0;
    double work = 0;         ///< done by loads and drives since the start
    double dissipated = 0;   ///< by dampers since the start
    double algorithmic = 0;  ///< lost to the integrator since the start
  };

  double time = 0;
  std::vector<double> positions;                             ///< 3 a body: origin of its frame, in space
  std::vector<double> quaternions;                           ///< 4 a body: w, x, y, z; takes body components to space
  std::vector<double> velocities;                            ///< 3 a body: of the origin, in space
  std::vector<double> angular_velocities;                    ///< 3 a body: in the body
  std::vector<double> accelerations, angular_accelerations;  ///< 3 a body, of the same; with `reactions: instant` alone
  std::vector<double> reactions;    ///< 6 a joint: force and torque on b at its anchor, in the joint frame fixed to a
  std::vector<double> multipliers;  ///< 1 a row
  std::vector<double> outputs;      ///< of forces, such as the tension of a spring
  Energy energy;
  Vec3 linear_momentum = Vec3::Zero();   ///< in space
  Vec3 angular_momentum = Vec3::Zero();  ///< about the origin of space, in space
  double position_residual = 0;          ///< the largest of the joints' equations
  double velocity_residual = 0;          ///< the largest of their rates
  int newton_iterations = 0;             ///< since the sample before
};

/// One quantity of a result: an array of [samples, items, components] numbers.
struct Field {
  enum class Per { sample, body, joint, row, output };

  std::string dataset;                  ///< its place in the file, "bodies/position"
  Per per;                              ///< what an item is
  std::vector<std::string> components;  ///< none for a scalar
  std::string unit, frame, meaning;
  void (*put)(const Sample&, std::vector<double>&);  ///< appends the numbers of a sample
  bool of_accelerations = false;                     ///< a result has it only if its samples have accelerations

  std::size_t items(const ResultLayout&) const;
  std::size_t width(const ResultLayout& layout) const;  ///< how many numbers a sample has
};

const std::vector<Field>& result_fields();

}  // namespace polhode
