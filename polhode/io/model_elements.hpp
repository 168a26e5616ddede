// The elements of a model file, each from its JSON object. What does not fit goes to the object's log.
#pragma once

#include <variant>

#include <polhode/io/json_object.hpp>

namespace polhode {

Body read_body(const JsonObject& object);

/// A joint or a coupling; neither if its type is not known.
std::variant<std::monostate, Joint, Coupling> read_joint(const JsonObject& object, const std::string& default_name);

Drive read_drive(const JsonObject& object, const std::string& default_name);
Force read_force(const JsonObject& object, const std::string& default_name);
SimulationOptions read_simulation(const nlohmann::json& value, ReadLog& log);

/// A function of time: a number or an object.
bool read(const JsonValue& in, Function& out);

}  // namespace polhode
