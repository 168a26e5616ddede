// Text to JSON, strictly: comments are allowed; a key given twice, too deep a nesting or a number beyond a double are
// not.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace polhode {

constexpr std::size_t max_json_depth = 64;
constexpr std::size_t max_json_bytes = std::size_t(256) << 20;

/// The text of a file, of at most max_json_bytes and one more; a device or a pipe is read no further either. Throws
/// ModelError for a folder and for what cannot be opened; `what` is said to be there: "the reference".
std::string read_json_text(const std::filesystem::path& file, const std::string& what);

/// Throws ModelError with line and column for what is not JSON; `where` (a file's name) opens its message.
nlohmann::json parse_json(std::string_view text, const std::string& where);
/// The same, with the keys of objects in their order.
nlohmann::ordered_json parse_ordered_json(std::string_view text, const std::string& where);

}  // namespace polhode
