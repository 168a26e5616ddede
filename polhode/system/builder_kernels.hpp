// Arrays of rows and laws by their types: what Builder's templates put an element into. Included where kinds are listed, so that their
// arrays are compiled there and nowhere else.
#pragma once

#include <polhode/system/builder.hpp>
#include <polhode/system/compile.hpp>

namespace polhode {

template <InvariantChoice choice>
void Builder::rows(std::initializer_list<const char*> labels, double weight, std::initializer_list<double> reference) {
  JointRows<choice> e;
  e.pair = pair_;
  e.index = out_.system.element_count++;
  e.place = add_rows(pair_, labels.size(), labels.begin());
  e.weight = weight;
  std::copy(reference.begin(), reference.end(), e.reference.data());
  std::get<std::vector<JointRows<choice>>>(out_.system.joints).push_back(e);
}

template <class Measure>
void Builder::law(const Pair& pair, const Law& law) {
  Elastic<Measure> e;
  e.pair = pair;
  e.index = out_.system.element_count++;
  e.force = force_;
  if (Measure::counted) e.angle = out_.system.angle_count++;
  e.stiffness = law.stiffness.template head<Measure::size>();
  e.damping = law.damping.template head<Measure::size>();
  e.reference = law.reference.template head<Measure::size>();
  if (law.given) e.function = add_function(*law.given);
  e.potential = law.potential;
  e.load = law.load;
  std::get<std::vector<Elastic<Measure>>>(out_.system.elastic).push_back(e);
}

}  // namespace polhode
