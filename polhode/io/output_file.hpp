// Every output takes this way to its place: it is written beside it under another name, and put there when it is whole.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include <polhode/io/result_error.hpp>

namespace polhode {

/// A file in the making. What stands under its name stays until put_in_place(); a file that is not put in place is
/// removed, also by a signal that ends the program, if its handler calls remove_pending_files().
class PendingFile {
 public:
  /// Makes an empty file beside the one that `path` names. A link stays a link, to a file that need not be there yet.
  /// Throws ResultError with the reason.
  explicit PendingFile(const std::string& path);
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  ~PendingFile();

  const std::string& name() const { return name_; }      ///< of the file to write to
  const std::string& target() const { return target_; }  ///< where it will be, links followed
  void put_in_place();                                   ///< Throws ResultError.

 private:
  std::string shown_, target_, name_;
  int slot_ = -1;  ///< in the list of remove_pending_files()
};

/// The file that a name leads to, links followed; it need not be there. Throws ResultError for links that go in a circle.
std::string resolve_links(const std::string& path);

/// Replaces a file by what `write` puts into the stream; a pipe or a device is written to as it stands. Throws
/// ResultError with the reason.
void write_file(const std::string& path, const std::function<void(std::ostream&)>& write);
void write_file(const std::string& path, std::string_view bytes);

/// Removes the files that are not in place yet. For handlers of signals: calls nothing but unlink().
void remove_pending_files() noexcept;
bool has_pending_files() noexcept;

/// Whether two names lead to one file: the same device and inode, or, where nothing is yet, the same place.
bool same_file(const std::string& a, const std::string& b);

}  // namespace polhode
