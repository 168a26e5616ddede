// Which methods can serve a model, and why the others cannot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <polhode/model/model.hpp>

namespace polhode {

/// Why a method cannot serve the model with its step; nothing if it can. ModelError if there is no such method, or if
/// the model has no start.
std::optional<std::string> why_not(const Model& model, const IntegratorChoice& integrator);

struct Service {
  IntegratorChoice integrator;         ///< with its defaults
  std::optional<std::string> why_not;  ///< nothing: it serves
};

/// Every method of the table.
std::vector<Service> services(const Model& model);

}  // namespace polhode
