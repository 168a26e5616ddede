// First the file with all its structure, by HDF5; then the samples, by plain writes to known places.
#include <polhode/io/result_file.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <mutex>
#include <numeric>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include <polhode/io/output_file.hpp>
#include <polhode/io/result_structure.hpp>

namespace polhode {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto flush_interval = 500ms;
constexpr std::size_t flush_bytes = 8 << 20;

std::string reason(int error) { return std::generic_category().message(error); }

/// A file whatever its name: device and inode.
using Identity = std::pair<dev_t, ino_t>;

Identity identity(const struct stat& file) { return {file.st_dev, file.st_ino}; }

/// The results that this process is writing. It may replace them itself; those of other processes are locked.
class OwnResults {
 public:
  void enter(const Identity& file) {
    const std::lock_guard lock(mutex_);
    files_.insert(file);
  }
  void leave(const Identity& file) {
    const std::lock_guard lock(mutex_);
    files_.erase(file);
  }
  bool has(const Identity& file) {
    const std::lock_guard lock(mutex_);
    return files_.contains(file);
  }

 private:
  std::mutex mutex_;
  std::set<Identity> files_;
};

OwnResults& own_results() {
  static OwnResults results;
  return results;
}

struct flock whole_file(short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

/// A run of another process writes to it: its lock, which HDF5's readers do not see, is there.
bool is_being_written(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  struct flock lock = whole_file(F_WRLCK);
  struct stat file {};
  const bool locked = ::fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK && ::fstat(fd, &file) == 0;
  ::close(fd);
  return locked && !own_results().has(identity(file));
}

/// An open file, written to at given places.
class Place {
 public:
  Place(const std::string& path, int flags, const std::string& shown_as)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)), name_(shown_as) {
    if (fd_ < 0) fail(errno);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() { ::close(fd_); }

  void write(const void* data, std::size_t bytes, off_t offset) const {
    for (auto from = static_cast<const char*>(data); bytes > 0;) {
      const ssize_t n = ::pwrite(fd_, from, bytes, offset);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) fail(n < 0 ? errno : EIO);
      from += n, offset += n, bytes -= static_cast<std::size_t>(n);
    }
  }
  /// Takes room on the disk; the reason if there is too little, 0 also where the file system cannot tell.
  int reserve(off_t bytes) const {
    if (::fallocate(fd_, 0, 0, bytes) == 0) return 0;
    return errno == ENOSPC || errno == EFBIG || errno == EDQUOT ? errno : 0;
  }
  void sync() const { ::fdatasync(fd_); }

  Identity identity() const {
    struct stat file {};
    if (::fstat(fd_, &file) != 0) fail(errno);
    return polhode::identity(file);
  }
  /// Others find it locked until unlock(). Where the file system has no locks, the end of the run tells.
  void lock() const {
    struct flock lock = whole_file(F_WRLCK);
    static_cast<void>(::fcntl(fd_, F_OFD_SETLK, &lock));
  }
  void unlock() const {
    struct flock lock = whole_file(F_UNLCK);
    static_cast<void>(::fcntl(fd_, F_OFD_SETLK, &lock));
  }
  void copy_to(const Place& other) const {
    std::vector<char> part(1 << 20);
    for (off_t at = 0;;) {
      const ssize_t n = ::pread(fd_, part.data(), part.size(), at);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail(errno);
      if (n == 0) return;
      other.write(part.data(), static_cast<std::size_t>(n), at);
      at += n;
    }
  }

 private:
  [[noreturn]] void fail(int error) const {
    throw ResultError(fmt::format("{}: cannot be written: {}", name_, reason(error)));
  }

  int fd_;
  std::string name_;
};

void fill_with_nan(const Place& file, off_t offset, std::size_t numbers) {
  const std::vector<double> nan(std::min<std::size_t>(numbers, 1 << 17), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t done = 0; done < numbers;) {
    const std::size_t n = std::min(nan.size(), numbers - done);
    file.write(nan.data(), n * sizeof(double), offset + static_cast<off_t>(done * sizeof(double)));
    done += n;
  }
}

}  // namespace

struct ResultFile::Writer {
  std::string path, target;  ///< as given; with links followed
  ResultLayout layout;
  ResultPlaces at;
  Place file;
  std::vector<std::size_t> widths;           ///< numbers a sample, of each field
  std::vector<std::vector<double>> waiting;  ///< of each field: samples appended but not written
  std::size_t written = 0, appended = 0;
  Clock::time_point last_flush = Clock::now();
  bool finished = false, in_place = false;
  std::string displaced;

  Writer(const std::string& final_path, const PendingFile& now, const ResultLayout& result_layout)
      : path(final_path),
        target(now.target()),
        layout(result_layout),
        at(lay_out_result(now.name(), layout)),
        file(now.name(), O_RDWR, path) {
    file.lock();
    own_results().enter(file.identity());
    for (const auto& f : result_fields()) widths.push_back(f.width(layout));
    waiting.resize(widths.size());
    for (std::size_t i = 0; i < widths.size(); ++i) fill_with_nan(file, at.fields[i], layout.samples * widths[i]);
  }

  ~Writer() {
    if (finished) return;
    own_results().leave(file.identity());
    try {
      finish(
          false, "interrupted",
          R"({"status": "interrupted", "reason": "ended without a certificate; the samples written so far are valid"})");
    } catch (const std::exception&) {  // what is in the file stays valid
    }
  }

  std::size_t row_bytes() const { return sizeof(double) * std::accumulate(widths.begin(), widths.end(), 0ul); }

  /// put(i, numbers) adds the numbers of field i.
  template <class Put>
  void append(Put&& put) {
    if (finished) throw std::logic_error(path + ": a sample after the end of the result");
    if (appended == layout.samples)
      throw std::logic_error(fmt::format("{}: one sample more than the {} planned", path, layout.samples));
    const auto& fields = result_fields();
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const std::size_t before = (appended - written) * widths[i];
      waiting[i].resize(before);
      put(i, waiting[i]);
      if (waiting[i].size() != before + widths[i])
        throw std::logic_error(fmt::format("{}: a sample with {} numbers for {}; it takes {}", path,
                                           waiting[i].size() - before, fields[i].dataset, widths[i]));
    }
    ++appended;
    if (Clock::now() - last_flush >= flush_interval || (appended - written) * row_bytes() >= flush_bytes) flush();
  }

  void flush() {
    if (appended > written) {
      for (std::size_t i = 0; i < widths.size(); ++i) {
        const auto first = static_cast<off_t>(written * widths[i] * sizeof(double));
        file.write(waiting[i].data(), (appended - written) * widths[i] * sizeof(double), at.fields[i] + first);
      }
      const std::uint64_t progress = appended;  // only now: whoever reads it finds the samples
      file.write(&progress, sizeof progress, at.progress);
      written = appended;
    }
    last_flush = Clock::now();
  }

  void finish(bool complete, std::string status, const std::string& certificate) {
    if (finished) throw std::logic_error(path + ": finished twice");
    flush();
    if (certificate.size() > at.certificate_room)
      throw ResultError(fmt::format("{}: a certificate of {} bytes; there is room for {}", path, certificate.size(),
                                    at.certificate_room));
    if (complete && written != layout.samples)
      throw std::logic_error(fmt::format("{}: complete with {} of {} samples", path, written, layout.samples));
    if (status.size() > at.status_room) {  // cut before a character, not within
      std::size_t end = at.status_room;
      while (end > 0 && (static_cast<unsigned char>(status[end]) & 0xC0) == 0x80) --end;
      status.erase(end);
    }
    status.resize(at.status_room);
    file.write(certificate.data(), certificate.size(), at.certificate);
    file.write(status.data(), status.size(), at.status);
    const std::uint8_t one = complete ? 1 : 0;
    file.write(&one, sizeof one, at.complete);
    finished = true;
    file.sync();
    keep_if_displaced();
    own_results().leave(file.identity());
    file.unlock();
  }

  /// A result that lost its place during the run is copied to one beside it.
  void keep_if_displaced() {
    if (!in_place) return;
    struct stat there {};
    const bool gone = ::stat(target.c_str(), &there) != 0;
    if (!gone && polhode::identity(there) == file.identity()) return;
    const std::string kept = fs::path(target).replace_extension(fmt::format("kept-{}.h5", ::getpid())).string();
    displaced = fmt::format("{}: was {} during the run", path, gone ? "removed" : "replaced by another run");
    try {
      file.copy_to(Place(kept, O_CREAT | O_EXCL | O_WRONLY, kept));
      displaced += fmt::format("; what the run computed is in {}", kept);
    } catch (const ResultError& error) {
      displaced += fmt::format("; what the run computed is lost: {}", error.what());
    }
  }
};

ResultFile ResultFile::create(const std::string& path, const ResultLayout& layout) {
  std::error_code unknown;
  const fs::path target = resolve_links(path);  // a link stays a link
  const fs::path folder = target.has_parent_path() ? target.parent_path() : ".";
  if (!fs::is_directory(folder, unknown))
    throw ResultError(fmt::format("{}: there is no folder {}; make it first", path, folder.string()));
  if (fs::exists(target, unknown) && !fs::is_regular_file(target, unknown))
    throw ResultError(fmt::format("{}: is not a file that a result could replace", path));
  if (layout.samples == 0) throw ResultError(fmt::format("{}: a result with no samples", path));

  if (is_being_written(target.string()))
    throw ResultError(fmt::format("{}: another run is writing to it; take another name", path));

  double bytes = 0;
  for (const auto& f : result_fields())
    bytes += 8.0 * static_cast<double>(layout.samples) * static_cast<double>(f.width(layout));
  const auto too_large = [&](const std::string& why) {
    return ResultError(fmt::format("{}: takes {:.3g} MB for {} samples, and {}; try a larger output_step", path,
                                   1e-6 * bytes, layout.samples, why));
  };
  if (const fs::space_info disk = fs::space(folder, unknown); !unknown && bytes > static_cast<double>(disk.available))
    throw too_large(fmt::format("the disk has {:.3g} MB left", 1e-6 * static_cast<double>(disk.available)));

  PendingFile fresh(path);  // says better than HDF5 why it cannot be
  if (const int error = Place(fresh.name(), O_RDWR, path).reserve(static_cast<off_t>(bytes)))
    throw too_large(reason(error));
  auto writer = std::make_unique<Writer>(path, fresh, layout);
  fresh.put_in_place();
  writer->in_place = true;
  return ResultFile(std::move(writer));
}

ResultFile::ResultFile(std::unique_ptr<Writer> writer) : writer_(std::move(writer)) {}
ResultFile::ResultFile(ResultFile&&) noexcept = default;
ResultFile& ResultFile::operator=(ResultFile&&) noexcept = default;
ResultFile::~ResultFile() = default;

void ResultFile::append(const Sample& sample) {
  writer_->append([&](std::size_t i, std::vector<double>& numbers) { result_fields()[i].put(sample, numbers); });
}
void ResultFile::append(const std::vector<std::span<const double>>& row) {
  writer_->append([&](std::size_t i, std::vector<double>& numbers) {
    numbers.insert(numbers.end(), row.at(i).begin(), row.at(i).end());
  });
}
void ResultFile::flush() { writer_->flush(); }
void ResultFile::finish(bool complete, const std::string& status, const std::string& certificate_json) {
  writer_->finish(complete, status, certificate_json);
}
const std::string& ResultFile::displaced() const { return writer_->displaced; }
std::size_t ResultFile::appended() const { return writer_->appended; }
const std::string& ResultFile::path() const { return writer_->path; }

}  // namespace polhode
