// The templates of Builder: rows and laws go into the array of their type.
#pragma once

#include <polhode/system/builder.hpp>
#include <polhode/system/compile.hpp>
#include <polhode/system/elements.hpp>

namespace polhode {

template <InvariantChoice choice>
void Builder::rows(std::initializer_list<const char*> labels, double weight, std::initializer_list<double> reference) {
  JointRows<choice> e;
  e.pair = pair_;
  e.index = out_.system.element_count++;
  e.place = add_rows(pair_, labels.size(), labels.begin());
  e.weight = weight;
  std::copy(reference.begin(), reference.end(), e.reference.data());
  array_of<JointArray<choice>>(out_.system.elements.rows, order_).elements.push_back(e);
}

/// The order of laws: angle, travel, length, point, all others.
template <class M>
constexpr int order_of_law() {
  if (std::is_same_v<M, ScalarMeasure<AngleCoordinate>>) return 0;
  if (std::is_same_v<M, ScalarMeasure<TravelCoordinate>>) return 1;
  if (std::is_same_v<M, ScalarMeasure<LengthCoordinate>>) return 2;
  return std::is_same_v<M, PointMeasure> ? 3 : 4;
}

template <class Measure>
void Builder::law(const Pair& pair, const ElasticLaw& law) {
  Elastic<Measure> e;
  e.pair = pair;
  e.index = out_.system.element_count++;
  e.force = force_;
  if (Measure::counted) e.angle = out_.system.angle_count++;
  e.stiffness = law.stiffness.template topLeftCorner<Measure::size, Measure::size>();
  e.damping = law.damping.template topLeftCorner<Measure::size, Measure::size>();
  e.reference = law.reference.template head<Measure::size>();
  if (law.given) e.function = add_function(*law.given);
  e.potential = law.potential;
  e.load = law.load;
  array_of<ElasticArray<Measure>>(out_.system.elements.laws, order_of_law<Measure>()).elements.push_back(e);
}

}  // namespace polhode
