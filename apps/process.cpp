#include "process.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include <polhode/io/output_file.hpp>

#include "say.hpp"
#include "verbs.hpp"

namespace polhode {

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0u;
    if (c == 0xC2 && next >= 0x80 && next < 0xA0) {
      out += fmt::format("\\u{:04x}", next);
      ++i;
    } else if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7F) {
      out += fmt::format("\\x{:02x}", c);
    } else {
      out += text[i];
    }
  }
  return out;
}

namespace {

int lost_output = 0;  // why standard output did not take all; 0: it did

void note_lost(bool failed) noexcept {
  if (failed && lost_output == 0) lost_output = errno != 0 ? errno : EIO;
}

}  // namespace

void write_text_to(std::FILE* stream, std::string_view text) noexcept {
  errno = 0;
  const bool failed = std::fwrite(text.data(), 1, text.size(), stream) < text.size();
  if (stream == stdout) note_lost(failed);
}

const char* InterruptGuard::name() {
  switch (signal_) {
    case SIGINT: return "SIGINT";
    case SIGTERM: return "SIGTERM";
    case SIGHUP: return "SIGHUP";
    case SIGXCPU: return "SIGXCPU";
    default: return "";
  }
}

void InterruptGuard::handle(int signal) {
  if (companion_ > 0) ::kill(companion_, SIGTERM);
  if (alive_ > 0 && !(making_ != 0 && has_pending_files())) {
    signal_ = signal;
    return;
  }
  remove_pending_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);  // comes when this handler returns: whoever waits sees the signal that ended us
}

void prepare_process() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor)
    while (::fcntl(descriptor, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) >= 0) {
    }
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) {
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    struct sigaction ours {};
    ours.sa_handler = &InterruptGuard::handle;
    ours.sa_flags = SA_RESTART;
    sigemptyset(&ours.sa_mask);
    ::sigaction(signal, &ours, nullptr);
  }
}

int finish_process(int status) {
  errno = 0;
  note_lost(std::fflush(stdout) != 0);
  note_lost(std::ferror(stdout) != 0);
  if (lost_output == 0) return status;
  complain("polhode: standard output cannot be written: {}\n", std::generic_category().message(lost_output));
  return status == ok ? run_failed : status;
}

}  // namespace polhode
