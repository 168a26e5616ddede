// The parts of validate(), one per list of a model.
#pragma once

#include <polhode/model/check.hpp>
#include <polhode/model/validate.hpp>

namespace polhode::checks {

struct Context {
  const Model& model;
  Findings& findings;
  Check::Names names{};

  Check check(ElementPlace place) { return Check(model, names, findings, std::move(place)); }
};

void bodies(Context& context);
void joints(Context& context, const JointPlaces& places);
void drives(Context& context);
void forces(Context& context);

}  // namespace polhode::checks
