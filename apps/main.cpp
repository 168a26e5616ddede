// The polhode command.
#include <cstdio>

#include <fmt/format.h>

#include <polhode/model/error.hpp>
#include <polhode/version.hpp>

#include "verbs.hpp"

int main(int argc, char** argv) {
  using namespace polhode;
  CLI::App app{"polhode simulates mechanisms and keeps what mechanics keeps: energy, momentum, constraints, rotations."};
  app.set_version_flag("--version", std::string("polhode ") + std::string(version));
  app.require_subcommand(1);
  app.footer("Try: polhode run models/heavy_top.json      Model files: docs/model-format.md\n"
             "Exit status: 0 done, 1 run failed, 2 bad input, 3 --require not met, 130 interrupted");
  Action action;
  add_run(app, action);
  add_check(app, action);
  add_integrators(app, action);
  try {
    app.parse(argc, argv);
    return action();
  } catch (const CLI::ParseError& e) {
    return e.get_exit_code() == 0 ? app.exit(e) : (app.exit(e), bad_input);
  } catch (const ModelError& e) {
    fmt::print(stderr, "{}\n", e.what());
    return bad_input;
  } catch (const std::exception& e) {
    fmt::print(stderr, "polhode: {}\n", e.what());
    return run_failed;
  }
}
