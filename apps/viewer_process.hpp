// `polhode view` beside a run: a process of its own, so that reading the result never holds up writing it. It ends with
// the run's process, however that ends.
#pragma once

#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <string>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.hpp"

namespace polhode {

class ViewerProcess {
 public:
  explicit ViewerProcess(const std::string& result) {
    const std::string parent = std::to_string(::getpid());
    const char* words[] = {"polhode", "view", result.c_str(), "--parent", parent.c_str(), nullptr};
    if (posix_spawn(&child_, "/proc/self/exe", nullptr, nullptr, const_cast<char**>(words), environ) != 0)
      throw std::runtime_error("the viewer could not be started");
    InterruptGuard::pass_on_to(child_);
  }
  ViewerProcess(const ViewerProcess&) = delete;
  ViewerProcess& operator=(const ViewerProcess&) = delete;
  ~ViewerProcess() {
    if (child_ > 0) kill(child_, SIGTERM);
    wait();
  }

  /// Until the viewer ends: the signals of InterruptGuard end it.
  void wait() {
    while (child_ > 0 && waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
    InterruptGuard::pass_on_to(0);
    child_ = 0;
  }

 private:
  pid_t child_ = 0;
};

}  // namespace polhode
