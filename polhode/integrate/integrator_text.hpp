// An integrator in one line, as people name it on the command line and in legends: generalized-alpha rho_inf=0.6
// index=2.
#pragma once

#include <string>

#include <polhode/model/model.hpp>

namespace polhode {

/// The name, then option=value, all apart by blanks; a value is a number if it reads as one. ModelError if it is not of
/// that form. Whether there is such a method with such options is for find_method and complete_options to say.
IntegratorChoice parse_integrator(const std::string& text);

/// The same back, options in alphabetical order, numbers as short as reading them back exactly allows.
std::string to_text(const IntegratorChoice& choice);

}  // namespace polhode
