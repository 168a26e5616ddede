// Columns are the leaves of a tree of names; a channel is a node of it.
#include <polhode/io/csv.hpp>

#include <algorithm>
#include <iterator>
#include <ostream>
#include <set>

#include <fmt/format.h>

#include <polhode/describe/words.hpp>
#include <polhode/io/output_file.hpp>

namespace polhode {
namespace {

struct Column {
  std::string name;
  std::size_t field, width, place;  ///< number `place` of the `width` of a sample, in this field
};

std::vector<Column> columns(const ResultLayout& layout) {
  std::vector<Column> out;
  const auto& fields = result_fields();
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const Field& field = fields[f];
    const std::string quantity = field.dataset.substr(field.dataset.rfind('/') + 1);  // npos + 1 = 0
    std::string whole = field.dataset;
    std::replace(whole.begin(), whole.end(), '/', '.');
    const std::size_t width = field.width(layout);
    for (std::size_t item = 0, place = 0; item < field.items(layout); ++item) {
      const std::string name = field.per == Field::Per::body     ? layout.bodies[item] + "." + quantity
                               : field.per == Field::Per::joint  ? layout.joints[item] + "." + quantity
                               : field.per == Field::Per::row    ? whole + "." + layout.rows[item]
                               : field.per == Field::Per::output ? layout.outputs[item].word
                                                                 : whole;
      if (field.components.empty()) out.push_back({name, f, width, place++});
      for (const auto& component : field.components) out.push_back({name + "." + component, f, width, place++});
    }
  }
  return out;
}

bool belongs(const std::string& column, const std::string& channel) {
  return column.starts_with(channel) && (column.size() == channel.size() || column[channel.size()] == '.');
}

[[noreturn]] void refuse(const std::string& channel, const std::vector<Column>& all) {
  std::set<std::string> names;  // every beginning of a column, up to a dot
  for (const auto& [name, field, width, place] : all) {
    for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1))
      names.insert(name.substr(0, dot));
    names.insert(name);
  }
  throw ResultError(
      fmt::format("there is no channel \"{}\"{}", channel, did_you_mean(channel, {names.begin(), names.end()})));
}

/// The time, and the columns of each channel in turn.
std::vector<Column> choose(const std::vector<Column>& all, const std::vector<std::string>& channels) {
  if (channels.empty()) return all;
  std::vector<Column> chosen{all.front()};
  for (const auto& channel : channels) {
    bool found = false;
    for (const auto& column : all) {
      if (!belongs(column.name, channel)) continue;
      found = true;
      if (column.name != "time") chosen.push_back(column);
    }
    if (!found) refuse(channel, all);
  }
  return chosen;
}

/// As RFC 4180 has it: quoted where a comma, a quote or a line's end is within.
std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

}  // namespace

std::vector<std::string> csv_columns(const ResultLayout& layout) {
  std::vector<std::string> names;
  for (const auto& column : columns(layout)) names.push_back(column.name);
  return names;
}

void write_csv(std::ostream& out, const Result& result, const std::vector<std::string>& channels) {
  const auto chosen = choose(columns(result.layout), channels);
  std::string line;
  for (const auto& column : chosen) {
    if (!line.empty()) line += ',';
    line += quoted(column.name);
  }
  out << line << '\n';
  for (std::size_t sample = 0; sample < result.samples; ++sample) {
    line.clear();
    for (const auto& [name, field, width, place] : chosen)
      fmt::format_to(std::back_inserter(line), "{}{}", line.empty() ? "" : ",",
                     result.numbers[field][sample * width + place]);
    out << line << '\n';
  }
}

void write_csv(const std::string& path, const Result& result, const std::vector<std::string>& channels) {
  choose(columns(result.layout), channels);  // an unknown channel leaves an older file as it is
  write_file(path, [&](std::ostream& out) { write_csv(out, result, channels); });
}

}  // namespace polhode
