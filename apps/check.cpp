// polhode check MODEL: degrees of freedom, redundancy, consistency, sanity, stiffness; without simulating.
#include <fmt/format.h>

#include <polhode/study/check.hpp>

#include "model_options.hpp"
#include "say.hpp"

namespace polhode {
namespace {

struct CheckOptions {
  ModelOptions model;
  bool json = false;
};

int show_check(const CheckOptions& options) {
  const CheckReport report = check(options.model.load(false));
  if (options.json)
    print_data("{}\n", to_json(report));
  else
    say("{}: the model is sound\n{}", options.model.file, to_text(report));
  return ok;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* verb = app.add_subcommand("check", "validate a model: freedoms, redundancy, consistency, stiffness");
  options->model.add_to(*verb);
  verb->add_flag("--json", options->json, "print the findings as one JSON object");
  verb->callback([options, &action] { action = [options] { return show_check(*options); }; });
}

}  // namespace polhode
