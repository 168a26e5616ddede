// The polhode command.
#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <polhode/describe/words.hpp>
#include <polhode/model/error.hpp>
#include <polhode/version.hpp>

#include "model_options.hpp"
#include "process.hpp"
#include "say.hpp"
#include "verbs.hpp"

namespace {

using polhode::complain;

/// Options that the verb does not know, with the nearest of its own; else the word that is too much.
void say_unexpected(const CLI::App& app) {
  for (const CLI::App* verb : app.get_subcommands()) {
    std::vector<std::string> known;
    for (const CLI::Option* option : verb->get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    const std::vector<std::string> words = verb->remaining();
    const auto unknown =
        std::find_if(words.begin(), words.end(), [](const std::string& word) { return word.starts_with("-"); });
    if (unknown != words.end())
      complain("{}: there is no such option; `polhode {} --help` lists them{}\n", *unknown, verb->get_name(),
               polhode::did_you_mean(*unknown, known));
    else if (!words.empty())
      complain("{}: one word too many; `polhode {} --help` tells what it takes\n", words[0], verb->get_name());
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace polhode;
  prepare_process();
  CLI::App app{
      "polhode simulates mechanisms and keeps what mechanics keeps: energy, momentum, constraints, rotations."};
  app.set_version_flag("--version", std::string("polhode ") + std::string(version));
  app.require_subcommand(1);
  app.footer(
      "Try: polhode run models/heavy_top.json --view      Model files: docs/model-format.md\n"
      "Exit status: 0 done, 1 run failed, 2 bad input, 3 --require not met, 130 interrupted");
  Action action;
  add_run(app, action);
  add_check(app, action);
  add_integrators(app, action);
  add_compare(app, action);
  add_converge(app, action);
  add_reproduce(app, action);
  add_spectrum(app, action);
  add_report(app, action);
  add_view(app, action);
  add_export(app, action);
  add_describe(app, action);
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
  const std::string first = argc > 1 ? argv[1] : "";
  if (!first.empty() && first[0] != '-' && std::find(verbs.begin(), verbs.end(), first) == verbs.end()) {
    complain("polhode: there is no verb \"{}\"; there are: {}{}\n", first, fmt::join(verbs, ", "),
             did_you_mean(first, verbs));
    return bad_input;
  }
  try {
    app.parse(argc, argv);
    return finish_process(action());
  } catch (const CLI::ExtrasError&) {
    say_unexpected(app);
    return bad_input;
  } catch (const CLI::ParseError& e) {
    std::ostringstream out, errors;
    const int status = app.exit(e, out, errors);
    say("{}", out.str());
    complain("{}", errors.str());
    return finish_process(status == 0 ? ok : bad_input);
  } catch (const ModelError& e) {
    complain("{}\n", ModelOptions::named(e.what()));
    return bad_input;
  } catch (const std::exception& e) {
    if (InterruptGuard::raised()) {
      complain("polhode: ended by {}\n", InterruptGuard::name());
      return interrupted;
    }
    complain("polhode: {}\n", e.what());
    return run_failed;
  }
}
