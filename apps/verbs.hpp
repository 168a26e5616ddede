// The verbs of the command, a file each. Every verb adds itself to the command line and leaves what to do in `action`.
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace polhode {

/// What the command returns to the shell.
enum Exit : int {
  ok = 0,
  run_failed = 1,    ///< the simulation could not go on, or its result could not be written
  bad_input = 2,     ///< the command line or the model makes no sense
  not_met = 3,       ///< a figure that --require asked for was not reached
  interrupted = 130  ///< by Ctrl-C; what was computed is kept
};

using Action = std::function<int()>;

void add_run(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_integrators(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);
void add_converge(CLI::App& app, Action& action);
void add_reproduce(CLI::App& app, Action& action);
void add_spectrum(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_view(CLI::App& app, Action& action);
void add_export(CLI::App& app, Action& action);
void add_describe(CLI::App& app, Action& action);

}  // namespace polhode
