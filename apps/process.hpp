// The command as a process: its standard streams, and the signals that end it.
#pragma once

#include <csignal>

#include <sys/types.h>

namespace polhode {

/// First in main. Descriptors 0 to 2 are open (a file opened later would be one of them, and receive what is printed), a
/// file that grows beyond its limit is an error of writing, and signals are handled as InterruptGuard says.
void prepare_process();

/// Last in main: `status`, or 1 and a message if standard output did not take all that was printed.
int finish_process(int status);

/// Ctrl-C, SIGTERM, SIGHUP and SIGXCPU. While one of these lives, they end the run after its step, which keeps what it
/// has; else they end the program, and no half-written file stays. What was ignored from the start (nohup) is ignored.
class InterruptGuard {
 public:
  InterruptGuard() { alive_ = alive_ + 1; }
  ~InterruptGuard() { alive_ = alive_ - 1; }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool raised() { return signal_ != 0; }
  static const char* name();  ///< of the signal: "SIGTERM"

  /// While `making`, a signal ends the program if a file is in the making: for a large result that takes long. Once the
  /// file is in place, the signal ends the run as said above.
  static void while_making(bool making) { making_ = making; }

  /// A process that the same signals end; 0: none.
  static void pass_on_to(pid_t process) { companion_ = process; }

 private:
  friend void prepare_process();
  static void handle(int signal);

  static inline volatile std::sig_atomic_t alive_ = 0, signal_ = 0, companion_ = 0, making_ = 0;
};

}  // namespace polhode
