// What elements show of themselves in results: the force of a spring, the six of a bushing.
#pragma once

#include <polhode/model/model.hpp>
#include <polhode/system/element_arrays.hpp>

namespace polhode {

/// An element of a law whose kind shows something.
struct OutputPlace {
  std::string element;  ///< name of the force
  const OutputKind* kind = nullptr;
  const LawArray* laws = nullptr;
  int place = 0;  ///< of the law in its array
};

/// Those of a system, in the order of the model's forces.
std::vector<OutputPlace> output_places(const Model& model, const ElementSet& elements);

/// All their numbers at a pointwise stage with velocities.
void append_outputs(const std::vector<OutputPlace>& outputs, const Stage& point, const System& system,
                    std::vector<double>& numbers);

}  // namespace polhode
