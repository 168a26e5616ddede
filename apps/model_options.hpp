// The options that every verb with a MODEL shares: the file, and replacements for its simulation block.
#pragma once

#include <polhode/model/model.hpp>

#include "verbs.hpp"

namespace polhode {

/// --step 1e-3, --end-time 10, --integrator.rho_inf 0.9 and the like, in the order given.
struct ModelOptions {
  std::string file;
  bool of_result = false;  ///< the file is a result: the model is that of its run
  std::vector<std::pair<std::string, std::string>> overrides;

  void add_to(CLI::App& verb);
  /// Reads the model, applies the replacements, checks all of it again. Warnings go to standard error unless `quiet`.
  Model load(bool quiet) const;

  /// A message about the model that was loaded last, each line opening with its file; --OPTION is left as it is.
  static std::string named(const std::string& message);

 private:
  const CLI::App* verb_ = nullptr;
};

}  // namespace polhode
