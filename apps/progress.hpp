// A progress bar with the remaining time, on a terminal only.
#pragma once

#include <chrono>
#include <cstdio>

#include <unistd.h>

#include <fmt/format.h>

#include "process.hpp"

namespace polhode {

class ProgressBar {
 public:
  explicit ProgressBar(bool wanted) : shown_(wanted && isatty(STDERR_FILENO)), began_(Clock::now()), next_(began_) {}
  ~ProgressBar() {
    if (drawn_) fmt::print(stderr, "\r{:70}\r", "");
  }

  /// Cheap enough for every step: looks at the clock only now and then.
  void show(double fraction, double time) {
    if (!shown_ || (++calls_ & 63) != 0) return;
    const auto now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(200);
    const double elapsed = std::chrono::duration<double>(now - began_).count();
    if (elapsed < 0.3 || fraction <= 0) return;
    const int filled = static_cast<int>(30 * fraction);
    fmt::print(stderr, "\r[{:=<{}}{: <{}}] {:3.0f} %  t = {:.4g} s  {:.0f} s left   ", "", filled, "", 30 - filled,
               100 * fraction, time, elapsed * (1 - fraction) / fraction);
    std::fflush(stderr);
    drawn_ = true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool shown_, drawn_ = false;
  Clock::time_point began_, next_;
  unsigned calls_ = 0;
};

}  // namespace polhode
