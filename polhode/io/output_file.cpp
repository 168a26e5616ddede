#include <polhode/io/output_file.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <ostream>
#include <streambuf>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace polhode {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_output(const std::string& path, int error) {
  throw ResultError(fmt::format("{}: cannot be written: {}", path, std::generic_category().message(error)));
}

/// Names of files in the making, where a handler of signals finds them without a lock.
struct PendingSlot {
  std::atomic<bool> taken = false, named = false;
  char name[4096] = {};
};
std::array<PendingSlot, 32> pending_slots;

int enter_pending(const std::string& name) {
  if (name.size() >= sizeof PendingSlot::name) return -1;
  for (std::size_t i = 0; i < pending_slots.size(); ++i) {
    if (pending_slots[i].taken.exchange(true)) continue;
    std::memcpy(pending_slots[i].name, name.c_str(), name.size() + 1);
    pending_slots[i].named = true;
    return static_cast<int>(i);
  }
  return -1;
}

void leave_pending(int slot) {
  if (slot < 0) return;
  pending_slots[static_cast<std::size_t>(slot)].named = false;
  pending_slots[static_cast<std::size_t>(slot)].taken = false;
}

/// A stream to an open file that remembers why a write failed.
class DescriptorBuffer final : public std::streambuf {
 public:
  explicit DescriptorBuffer(int descriptor) : descriptor_(descriptor) {
    setp(room_.data(), room_.data() + room_.size());
  }
  int error() const { return error_; }
  bool drain() {
    for (const char* from = pbase(); from < pptr() && error_ == 0;) {
      const ssize_t n = ::write(descriptor_, from, static_cast<std::size_t>(pptr() - from));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0)
        error_ = n < 0 ? errno : EIO;
      else
        from += n;
    }
    setp(room_.data(), room_.data() + room_.size());
    return error_ == 0;
  }

 private:
  int_type overflow(int_type c) override {
    if (!drain()) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }
  int sync() override { return drain() ? 0 : -1; }

  int descriptor_, error_ = 0;
  std::array<char, 1 << 16> room_;
};

void write_into(const std::string& shown, const std::string& name, const std::function<void(std::ostream&)>& write) {
  const int descriptor = ::open(name.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (descriptor < 0) refuse_output(shown, errno);
  const auto buffer = std::make_unique<DescriptorBuffer>(descriptor);
  std::ostream out(buffer.get());
  try {
    write(out);
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  buffer->drain();
  int error = buffer->error();
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error != 0) refuse_output(shown, error);
}

/// A pipe, a device, or a file that the shell has opened: nothing to put in its place.
bool is_written_as_it_stands(const std::string& path) {
  std::error_code unknown;
  const fs::file_status status = fs::status(path, unknown);
  if (!fs::exists(status)) return false;
  return path.starts_with("/dev/") || path.starts_with("/proc/") ||
         !(fs::is_regular_file(status) || fs::is_directory(status));
}

}  // namespace

std::string resolve_links(const std::string& path) {
  fs::path out = path;
  std::error_code failure;
  for (int links = 0; fs::is_symlink(fs::symlink_status(out, failure)); ++links) {
    if (links == 40) throw ResultError(path + ": is a link that leads back to itself");
    const fs::path to = fs::read_symlink(out, failure);
    if (failure) throw ResultError(fmt::format("{}: {}", path, failure.message()));
    out = to.is_absolute() ? to : out.parent_path() / to;
  }
  return out.string();
}

PendingFile::PendingFile(const std::string& path) : shown_(path) {
  if (path.find('\0') != std::string::npos)
    throw ResultError(fmt::format("{}: the name of a file cannot hold the character NUL", path.c_str()));
  target_ = resolve_links(path);
  const fs::path folder = fs::path(target_).has_parent_path() ? fs::path(target_).parent_path() : ".";
  std::error_code unknown;
  if (!fs::is_directory(folder, unknown))
    throw ResultError(fmt::format("{}: there is no folder {}; make it first", path, folder.string()));
  struct stat older {};
  const bool there = ::stat(target_.c_str(), &older) == 0;
  if (there && !S_ISREG(older.st_mode))
    throw ResultError(path + (S_ISDIR(older.st_mode) ? ": is a folder" : ": is no file that could be replaced"));
  if (there && ::access(target_.c_str(), W_OK) != 0) refuse_output(path, errno);

  static std::atomic<int> count = 0;
  name_ = fmt::format("{}.{}-{}.new", target_, ::getpid(), ++count);
  slot_ = enter_pending(name_);  // before it is there: a signal may come at any time
  const int made = ::open(name_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (made < 0) {
    const int error = errno;
    leave_pending(slot_);
    refuse_output(path, error);
  }
  if (there) static_cast<void>(::fchmod(made, older.st_mode & 07777));
  ::close(made);
}

PendingFile::~PendingFile() {
  leave_pending(slot_);
  if (!name_.empty()) ::unlink(name_.c_str());
}

void PendingFile::put_in_place() {
  if (::rename(name_.c_str(), target_.c_str()) != 0)
    throw ResultError(fmt::format("{}: cannot be replaced: {}", shown_, std::generic_category().message(errno)));
  leave_pending(std::exchange(slot_, -1));
  name_.clear();
}

void write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  if (is_written_as_it_stands(path)) return write_into(path, path, write);
  PendingFile file(path);
  write_into(path, file.name(), write);
  file.put_in_place();
}

void write_file(const std::string& path, std::string_view bytes) {
  write_file(path, [&](std::ostream& out) { out.write(bytes.data(), static_cast<std::streamsize>(bytes.size())); });
}

void remove_pending_files() noexcept {
  for (const PendingSlot& slot : pending_slots)
    if (slot.named) ::unlink(slot.name);
}

bool has_pending_files() noexcept {
  for (const PendingSlot& slot : pending_slots)
    if (slot.named) return true;
  return false;
}

bool same_file(const std::string& a, const std::string& b) {
  struct stat one {
  }, other{};
  const bool first = ::stat(a.c_str(), &one) == 0, second = ::stat(b.c_str(), &other) == 0;
  if (first && second) return one.st_dev == other.st_dev && one.st_ino == other.st_ino && S_ISREG(one.st_mode);
  if (first || second) return false;
  std::error_code unknown;
  const auto place = [&](const std::string& path) {
    return fs::weakly_canonical(fs::absolute(resolve_links(path)), unknown);
  };
  return place(a) == place(b);
}

}  // namespace polhode
