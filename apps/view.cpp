// polhode view RESULT...: serves the page of a report to a browser on this machine, and follows runs that go on.
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <fmt/format.h>

#include <polhode/io/result.hpp>
#include <polhode/view/page.hpp>

#include "other_version.hpp"
#include "page_server.hpp"
#include "say.hpp"
#include "verbs.hpp"

namespace polhode {
namespace {

struct ViewOptions {
  std::vector<std::string> results;
  std::size_t frames = 0;
  std::uint16_t port = 0;
  pid_t parent = 0;  ///< the run that this belongs to; 0: none
  bool no_browser = false;
};

/// Asks the desktop to open an address, if there is a desktop.
void open_browser(const std::string& address) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
  posix_spawn_file_actions_t silent;
  posix_spawn_file_actions_init(&silent);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&silent, stream, "/dev/null", O_RDWR, 0);
  const char* words[] = {"xdg-open", address.c_str(), nullptr};
  pid_t child = 0;
  posix_spawnp(&child, words[0], &silent, nullptr, const_cast<char**>(words), environ);  // no browser is no error
  posix_spawn_file_actions_destroy(&silent);
}

int view_results(const ViewOptions& options) {
  if (options.parent > 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != options.parent) return ok;  // it has ended already
  }
  view::page();  // says at once if there is none, and if a result is none
  for (const std::string& result : options.results) note_other_version(ResultReader(result));
  PageServer server(options.results, options.frames, options.port);
  say("{}   (Ctrl-C ends)\n", server.address());
  std::fflush(stdout);
  if (!options.no_browser) open_browser(server.address());
  server.run();
  return ok;
}

}  // namespace

void add_view(CLI::App& app, Action& action) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* verb = app.add_subcommand("view", "show results in the browser, also while their runs go on");
  verb->add_option("RESULT", options->results, "result files; several are laid over each other")->required();
  verb->add_option("--frames", options->frames, "at most so many poses of the motion (default: as many as stay handy)")
      ->check(CLI::Range(2, 100000000));
  verb->add_option("--port", options->port, "port on 127.0.0.1 (default: any that is free)");
  verb->add_option("--parent", options->parent, "")->group("");  // of `run --view`: ends with this process
  verb->add_flag("--no-browser", options->no_browser, "print the address, open nothing");
  verb->callback([options, &action] { action = [options] { return view_results(*options); }; });
}

}  // namespace polhode
