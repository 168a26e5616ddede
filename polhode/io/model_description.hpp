// The words of the model format for editors, programs and people, from the descriptions of all kinds.
#pragma once

#include <string>

namespace polhode {

/// JSON schema of a model: schema/model.schema.json.
std::string model_schema();

/// All kinds and options with their fields, as one JSON object: what Python's classes are made of.
std::string model_description();

/// A page whose tables between `<!-- describe: joints -->` and `<!-- end -->` are made new; ModelError for a table that
/// does not exist.
std::string with_tables(const std::string& page);

/// One such table as Markdown: bodies, shapes, joints, couplings, drives, forces, functions, simulation, newton.
std::string description_table(const std::string& list);

}  // namespace polhode
