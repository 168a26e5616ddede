#include "outputs.hpp"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <unistd.h>

#include <fmt/format.h>

#include <polhode/io/output_file.hpp>
#include <polhode/model/error.hpp>

namespace polhode {
namespace {

void refuse_unwritable(const std::string& path) {
  if (path.starts_with("/dev/") || path.starts_with("/proc/")) return;  // such as /dev/stdout: the shell has opened it
  namespace fs = std::filesystem;
  std::error_code unknown;
  const fs::path target = resolve_links(path), folder = target.has_parent_path() ? target.parent_path() : ".";
  const auto refuse = [&](const std::string& why) {
    throw std::runtime_error(fmt::format("{}: cannot be written: {}", path, why));
  };
  if (fs::is_directory(target, unknown)) refuse("it is a folder");
  if (!fs::is_directory(folder, unknown)) refuse(fmt::format("there is no folder {}; make it first", folder.string()));
  const bool there = fs::exists(target, unknown);
  const fs::path& asked = there && !fs::is_regular_file(target, unknown) ? target : folder;  // a pipe stays where it is
  if (::access(asked.c_str(), W_OK) != 0) refuse(std::generic_category().message(errno));
  if (there && ::access(target.c_str(), W_OK) != 0) refuse(std::generic_category().message(errno));
}

}  // namespace

void check_outputs(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].empty()) continue;
    for (const std::string& input : inputs)
      if (!input.empty() && same_file(outputs[i], input))
        throw ModelError(fmt::format("{}: is read by this command{}; write to another file", outputs[i],
                                     outputs[i] == input ? "" : fmt::format(" as {}", input)));
    for (std::size_t j = 0; j < i; ++j)
      if (!outputs[j].empty() && same_file(outputs[i], outputs[j]))
        throw ModelError(
            fmt::format("{}: is written twice by this command; give each output a file of its own", outputs[i]));
    refuse_unwritable(outputs[i]);
  }
}

}  // namespace polhode
