// A SAX handler that builds the document and refuses what a plain parser would let pass.
#include <polhode/io/json_document.hpp>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <vector>

#include <fmt/format.h>

#include <polhode/model/error.hpp>

namespace polhode {
namespace {

using nlohmann::json;

// Where in the text: line and column, from 1.
std::string line_and_column(std::string_view text, std::size_t position) {
  const std::string_view before = text.substr(0, std::min(position, text.size()));
  const auto newline = before.rfind('\n');
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  return fmt::format("line {}, column {}", line, before.size() - (newline == before.npos ? 0 : newline + 1) + 1);
}

// The word around a position, such as NaN or -Infinity.
std::string_view word_at(std::string_view text, std::size_t position) {
  const auto part = [&](std::size_t i) {
    return std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '-' || text[i] == '+';
  };
  std::size_t first = std::min(position, text.size()), end = first;
  while (first > 0 && part(first - 1)) --first;
  while (end < text.size() && part(end)) ++end;
  return text.substr(first, std::min<std::size_t>(end - first, 40));
}

bool means_not_finite(std::string_view word) {
  std::string lower;
  for (char c : word)
    if (std::isalpha(static_cast<unsigned char>(c))) lower += char(std::tolower(static_cast<unsigned char>(c)));
  return lower == "nan" || lower == "inf" || lower == "infinity";
}

class DocumentBuilder : public nlohmann::json_sax<json> {
 public:
  DocumentBuilder(std::string_view text, std::string where) : text_(text), where_(std::move(where)) {}

  json document;

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // JSON text has none

  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (open_.back()->contains(name)) {
      throw ModelError(fmt::format("{}: {}: key \"{}\" is given twice in one object", where_, path(), name));
    }
    keys_.back() = name;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const json::exception& error) override {
    const std::size_t at = position == 0 ? 0 : position - 1;
    throw ModelError(fmt::format("{}: {}: {}", where_, line_and_column(text_, at), explain(at, error.what())));
  }

 private:
  json* add(json&& value, bool) {
    if (open_.empty()) return &(document = std::move(value));
    json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    return &(parent[keys_.back()] = std::move(value));
  }
  bool add(json&& value) { return add(std::move(value), true) != nullptr; }

  bool open(json&& container) {
    if (open_.size() == max_json_depth)
      throw ModelError(fmt::format("{}: {}: nested more than {} deep", where_, path(), max_json_depth));
    open_.push_back(add(std::move(container), true));
    keys_.emplace_back();
    return true;
  }
  bool close() {
    open_.pop_back();
    keys_.pop_back();
    return true;
  }

  // bodies[0].inertia
  std::string path() const {
    std::string path;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
      if (open_[i]->is_array())
        path += fmt::format("[{}]", open_[i]->size() - 1);
      else
        path += (path.empty() ? "" : ".") + keys_[i];
    }
    return path.empty() ? "model" : path;
  }

  std::string explain(std::size_t at, std::string message) const {
    const std::string_view word = word_at(text_, at);
    if (means_not_finite(word)) return fmt::format("{} is not a number that JSON knows; give a finite one", word);
    if (message.find("number overflow") != message.npos)
      return fmt::format("the number {} is too large for double precision", word);
    // "[json.exception...] parse error at line 1, column 2: syntax error while ..." : the end says what
    if (const auto column = message.find("column "); column != message.npos) {
      if (const auto colon = message.find(": ", column); colon != message.npos) return message.substr(colon + 2);
    }
    if (const auto bracket = message.find("] "); bracket != message.npos) return message.substr(bracket + 2);
    return message;
  }

  std::string_view text_;
  std::string where_;
  std::vector<json*> open_;        // the containers around the place of reading
  std::vector<std::string> keys_;  // of each, the key last read
};

}  // namespace

std::string read_json_text(const std::filesystem::path& file, const std::string& what) {
  const std::string where = file.string();
  std::error_code failed;
  if (std::filesystem::is_directory(file, failed))
    throw ModelError(fmt::format("{}: is a folder; name {}", where, what));
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw ModelError(fmt::format("{}: cannot be opened; is the path right?", where));
  std::string text;
  std::vector<char> buffer(std::size_t(1) << 16);
  while (stream && text.size() <= max_json_bytes) {
    stream.read(buffer.data(), std::streamsize(buffer.size()));
    text.append(buffer.data(), std::size_t(stream.gcount()));
  }
  return text;
}

json parse_json(std::string_view text, const std::string& where) {
  if (text.size() > max_json_bytes)
    throw ModelError(fmt::format("{}: {} bytes; a model has at most {}", where, text.size(), max_json_bytes));
  DocumentBuilder builder(text, where);
  constexpr bool strict = true, comments = true;
  if (!json::sax_parse(text.begin(), text.end(), &builder, json::input_format_t::json, strict, comments))
    throw ModelError(where + ": cannot be read as JSON");
  return std::move(builder.document);
}

nlohmann::ordered_json parse_ordered_json(std::string_view text, const std::string& where) {
  parse_json(text, where);
  return nlohmann::ordered_json::parse(text, nullptr, true, true);
}

}  // namespace polhode
