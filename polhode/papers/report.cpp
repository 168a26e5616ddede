#include <polhode/papers/report.hpp>

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <polhode/describe/words.hpp>
#include <polhode/io/model_reader.hpp>
#include <polhode/io/output_file.hpp>
#include <polhode/model/error.hpp>

namespace polhode::papers {

/// Filled by the build from the files in models/.
struct EmbeddedModel {
  const char *name, *text;
};
std::vector<EmbeddedModel> embedded_models();

namespace {

const char* word(Claim::Verdict verdict) {
  switch (verdict) {
    case Claim::Verdict::confirmed: return "confirmed";
    case Claim::Verdict::in_part: return "in part";
    case Claim::Verdict::not_confirmed: return "**not confirmed**";
    case Claim::Verdict::not_tested: return "not tested";
  }
  return "";
}

std::string row(const std::vector<std::string>& cells) { return fmt::format("| {} |\n", fmt::join(cells, " | ")); }

std::string markdown(const Table& table) {
  std::string out = row(table.columns) + "|";
  for (std::size_t k = 0; k < table.columns.size(); ++k) out += " --- |";
  out += "\n";
  for (const auto& cells : table.rows) out += row(cells);
  return fmt::format("{}\n*{}* ([{}.csv]({}.csv))\n\n", out, table.caption, table.name, table.name);
}

std::string csv(const Table& table) {
  const auto cell = [](const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
  };
  const auto line = [&](const std::vector<std::string>& cells) {
    std::vector<std::string> out;
    for (const auto& text : cells) out.push_back(cell(text));
    return fmt::format("{}\n", fmt::join(out, ","));
  };
  std::string out = line(table.columns);
  for (const auto& cells : table.rows) out += line(cells);
  return out;
}

void put(const std::filesystem::path& file, const std::string& text) { write_file(file.string(), text); }

}  // namespace

void tell(const Progress& progress, const std::string& what) {
  if (progress && !progress(what)) throw Interrupted{};
}

Claim::Verdict judged(bool borne_out) { return borne_out ? Claim::Verdict::confirmed : Claim::Verdict::not_confirmed; }

std::string to_markdown(const Page& page) {
  std::string out = fmt::format(
      "# {}\n\n{}\n\n{}\n\nMade by `polhode reproduce {}`. Beside this page: every table as CSV, every figure as SVG, "
      "the models.\n\n",
      page.title, page.citation, page.summary, page.name);
  for (const Section& section : page.sections) {
    out += fmt::format("## {}\n\n", section.title);
    if (!section.text.empty()) out += section.text + "\n\n";
    for (const Table& table : section.tables) out += markdown(table);
    for (const Drawing& drawing : section.drawings)
      out += fmt::format("![{}]({}.svg)\n\n*{}*\n\n", drawing.name, drawing.name, drawing.caption);
    if (section.claims.empty()) continue;
    out += "| where | the paper says | measured | |\n| --- | --- | --- | --- |\n";
    for (const Claim& claim : section.claims)
      out += row({claim.where, claim.says, claim.measured, word(claim.verdict)});
    out += "\n";
  }
  if (!page.models.empty()) {
    out += "## Models and commands\n\n";
    for (const std::string& model : page.models)
      out += fmt::format("- [models/{}.json](models/{}.json)\n", model, model);
    out += "\n";
    for (const std::string& command : page.commands) out += fmt::format("    {}\n", command);
  }
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

void write(const Page& page, const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder / "models", failed);
  if (failed) throw std::runtime_error(fmt::format("{}: cannot be made: {}", folder.string(), failed.message()));
  for (const Section& section : page.sections) {
    for (const Table& table : section.tables) put(folder / (table.name + ".csv"), csv(table));
    for (const Drawing& drawing : section.drawings)
      write_svg((folder / (drawing.name + ".svg")).string(), drawing.panels, drawing.columns);
  }
  for (const std::string& model : page.models) put(folder / "models" / (model + ".json"), built_in_model_text(model));
  put(folder / "README.md", to_markdown(page));
}

std::vector<std::string> built_in_models() {
  std::vector<std::string> names;
  for (const auto& model : embedded_models()) names.emplace_back(model.name);
  return names;
}

std::string built_in_model_text(const std::string& name) {
  for (const auto& model : embedded_models())
    if (name == model.name) return model.text;
  throw ModelError(fmt::format("there is no built-in model \"{}\"{}", name, did_you_mean(name, built_in_models())));
}

Model built_in_model(const std::string& name) { return parse_model(built_in_model_text(name), name); }

std::string number(double value, int digits) {
  if (std::isnan(value)) return "-";
  const double size = std::abs(value);
  if (size == 0) return "0";
  if (size >= 1e-3 && size < 1e5)
    return fmt::format("{:.{}f}", value, std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(size)))));
  return fmt::format("{:.{}e}", value, digits - 1);
}

}  // namespace polhode::papers
