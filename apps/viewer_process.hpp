// `polhode view` beside a run: a process of its own, so that reading the result never holds up writing it.
#pragma once

#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <string>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace polhode {

class ViewerProcess {
 public:
  explicit ViewerProcess(const std::string& result) {
    const char* words[] = {"polhode", "view", result.c_str(), nullptr};
    if (posix_spawn(&child_, "/proc/self/exe", nullptr, nullptr, const_cast<char**>(words), environ) != 0)
      throw std::runtime_error("the viewer could not be started");
  }
  ViewerProcess(const ViewerProcess&) = delete;
  ViewerProcess& operator=(const ViewerProcess&) = delete;
  ~ViewerProcess() {
    if (child_ > 0) kill(child_, SIGTERM);
    wait();
  }

  /// Until the viewer ends: Ctrl-C ends it.
  void wait() {
    while (child_ > 0 && waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
    child_ = 0;
  }

 private:
  pid_t child_ = 0;
};

}  // namespace polhode
