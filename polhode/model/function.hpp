// Functions of time that a model may name: motions of drives, magnitudes of loads. No code is executed, only these.
#pragma once

#include <string>
#include <vector>

#include <polhode/describe/field.hpp>

namespace polhode {

/// f(t), one of a small set. Every kind knows its value, two derivatives and its integral from 0, so that drives get
/// exact velocities and loads exact impulses. Times in s.
///
/// | type       | f(t)                                                                     | fields used                   |
/// | constant   | value                                                                    | value                         |
/// | polynomial | c0 + c1 t + c2 t^2 + ...                                                 | coefficients                  |
/// | harmonic   | offset + amplitude sin(angular_frequency t + phase)                      | the four                      |
/// | ramp       | from before `start`, to after `end`, straight or `smooth` (quintic) between | from, to, start, end, smooth |
/// | table      | interpolated between (times, values): `linear`, or `cubic` (natural spline); constant outside | times, values, interpolation |
/// | piecewise  | terms[k](t) for times[k] <= t < times[k+1]; 0 before times[0]            | times, terms                  |
/// | sum        | sum of the terms                                                         | terms                         |
struct Function {
  enum class Type { constant, polynomial, harmonic, ramp, table, piecewise, sum };
  enum class Interpolation { linear, cubic };

  Type type = Type::constant;
  double value = 0;
  std::vector<double> coefficients;
  double amplitude = 0, angular_frequency = 0, phase = 0, offset = 0;  ///< angular_frequency in rad/s, phase in rad
  double from = 0, to = 0, start = 0, end = 0;
  bool smooth = false;
  std::vector<double> times, values;
  Interpolation interpolation = Interpolation::linear;
  std::vector<Function> terms;
  std::vector<double> curvatures;  ///< of a cubic table at its times; filled by prepare()

  static Function constant(double value);

  /// Works out what evaluation needs (the spline of a cubic table). Called once, after the fields are set.
  void prepare();

  double operator()(double t) const;         ///< f(t)
  double derivative(double t) const;         ///< f'(t), from the right at a kink
  double second_derivative(double t) const;  ///< f''(t), from the right at a kink
  double integral(double t) const;           ///< the integral of f from 0 to t
  double mean(double t0, double t1) const;   ///< the mean of f over [t0, t1]; f(t0) if the ends are equal
  std::vector<double> breaks() const;        ///< times at which f or one of its derivatives jumps
  bool operator==(const Function&) const = default;
};

/// Of a load: none, it is constant; one multiplies its vector; three are its components.
struct LoadFunctions : std::vector<Function> {
  using std::vector<Function>::vector;
};

template <>
inline constexpr auto words<Function::Type> =
    std::to_array<Word>({{"constant"}, {"polynomial"}, {"harmonic"}, {"ramp"}, {"table"}, {"piecewise"}, {"sum"}});
template <>
inline constexpr auto words<Function::Interpolation> = std::to_array<Word>({{"linear"}, {"cubic", "natural spline"}});

/// The description of each type, in the order of Function::Type.
std::vector<const Description*> function_types();

template <>
const ValueType& value_type_of<Function>();
template <>
const ValueType& value_type_of<std::vector<Function>>();
template <>
const ValueType& value_type_of<LoadFunctions>();

}  // namespace polhode
